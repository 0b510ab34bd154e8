//! Translation of a document, or of a part of it: sentence by sentence, each held against its sentence. One whose translation does not say
//! the same stands as it is.

use quartet_api::pdf::{Statement, StatementSupport};
use quartet_api::{Language, PhrasedSentence, Phrasing};
use quartet_llm_client::Model;
use quartet_text_analysis::sentence::sentences;
use quartet_text_analysis::{Citation, Part};

use super::comparing::{Answer, tell};
use super::material::translating_milliseconds;
use super::{Asking, late};

/// Limits for what is translated at once: a reply is cut off at its tokens.
const MAX_SENTENCES: usize = 6;
const MAX_CHARS: usize = 480;

/// A sentence or a heading, with what stands before it.
struct Unit {
    page: usize,
    text: String,
    before: &'static str,
}

impl Asking<'_> {
    /// Has the model translate parts of the document, as far as there is time.
    ///
    /// # Errors
    /// The report on why nothing was translated.
    pub fn translated_parts(&self, parts: &[Part], model: &Model) -> Result<Answer, Phrasing> {
        let units = self.units(parts);
        let mut answer = Answer::empty(model);
        let texts: Vec<&str> = units.iter().map(|unit| unit.text.as_str()).collect();
        let mut done = 0;
        self.translated_texts(&texts, self.index.language(), model, &mut |translations| {
            let told = answer.statements.len();
            for (unit, translation) in units[done..].iter().zip(translations) {
                answer.phrasing.left_out += usize::from(translation.is_none());
                let text = translation.unwrap_or_else(|| unit.text.clone());
                answer.text.push_str(match (unit.before, self.language) {
                    (" ", Language::Japanese | Language::Chinese) => "",
                    (before, _) => before,
                });
                answer.text.push_str(&text);
                answer.statements.push(Statement {
                    citations: vec![answer.citations.len()],
                    ..stated(&text)
                });
                answer.citations.push(Citation {
                    page: unit.page,
                    quote: unit.text.clone(),
                    score: 1.0,
                });
            }
            done = answer.statements.len();
            tell(self.tell, &answer, told);
        });
        if answer.phrasing.left_out == answer.statements.len() {
            return Err(late(model));
        }
        let all = units.len();
        let mut reasons = Vec::new();
        if done < all {
            answer.text.push_str("\n…");
            reasons.push(format!("there was time for {done} of {all} sentences"));
        }
        if answer.phrasing.left_out > 0 {
            let kept = answer.phrasing.left_out;
            reasons.push(format!(
                "{kept} of {done} sentences stand as they are, since their translation does not say the same"
            ));
        }
        answer.phrasing.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
        answer.phrasing.sentences = answer.statements.iter().map(phrased).collect();
        Ok(answer)
    }

    /// Has the model translate texts from a language, some at a time, as far as there is time: `each` gets those that were translated, none
    /// for one whose translation does not say the same.
    pub(super) fn translated_texts(
        &self,
        texts: &[&str],
        from: Language,
        model: &Model,
        each: &mut dyn FnMut(Vec<Option<String>>),
    ) {
        let mut left = texts;
        while !left.is_empty() && self.time() > translating_milliseconds(model) / 2 {
            let (chunk, rest) = left.split_at(size_of(left));
            let originals: Vec<Statement> = chunk.iter().map(|text| stated(text)).collect();
            let Ok(translations) = self.translations(&originals, from) else {
                break;
            };
            each(translations.into_iter().map(|one| Some(one?.text)).collect());
            left = rest;
        }
    }

    /// The sentences and the headings of parts.
    fn units(&self, parts: &[Part]) -> Vec<Unit> {
        let language = self.index.language();
        let mut units: Vec<Unit> = Vec::new();
        let mut heading = "";
        for part in parts {
            let mut add = |text: &str, before: &'static str| {
                let before = if units.is_empty() { "" } else { before };
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                if text.chars().any(char::is_alphanumeric) {
                    units.push(Unit {
                        page: part.page,
                        text,
                        before,
                    });
                }
            };
            if part.heading != heading {
                heading = &part.heading;
                add(heading, "\n\n");
            }
            for line in part.text.lines() {
                for (place, sentence) in sentences(line, language).into_iter().enumerate() {
                    add(sentence, if place == 0 { "\n" } else { " " });
                }
            }
        }
        units
    }
}

/// The number of texts at the beginning that are translated at once.
fn size_of(texts: &[&str]) -> usize {
    let mut chars = 0;
    let fitting = texts.iter().take(MAX_SENTENCES).take_while(|text| {
        chars += text.chars().count();
        chars <= MAX_CHARS
    });
    fitting.count().max(1)
}

fn stated(text: &str) -> Statement {
    Statement {
        text: text.to_owned(),
        support: StatementSupport::BorneOut,
        citations: Vec::new(),
    }
}

fn phrased(statement: &Statement) -> PhrasedSentence {
    PhrasedSentence {
        text: statement.text.clone(),
        evidence: statement.citations.clone(),
    }
}
