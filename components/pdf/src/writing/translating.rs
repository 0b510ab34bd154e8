//! Translation of what a small model wrote about a whole document.
//!
//! Asked for a summary in another language than the document's, a small model recites headings and counts of pages, or one
//! sentence of many. In the document's language it summarises, and sentences it can translate: each translation is held
//! against its sentence as that one was against its passage.

use std::collections::HashSet;

use quartet_api::pdf::{Statement, StatementSupport};
use quartet_api::{Language, PhrasedSentence, Stage};
use quartet_grounding::{Evidence, Passage, Writer, figures, have_same_days, numerals, sanitize};
use quartet_lang_detect::{detect, is_latin};
use quartet_llm_client::{Model, Role, Turn};
use quartet_text_analysis::{Analyzer, Role as Purpose, answer_in};

use super::comparing::{Answer, joined, tell};
use super::material::{Material, Room, translating_milliseconds, whole_milliseconds};
use super::prompt;
use super::reply::{self, Translation};
use super::{Asking, MIN_MILLISECONDS, Task, Written};
use crate::events::Event;

/// Limit in tokens for a translation: all of an answer about a whole document, in a script with few whole words.
const MAX_TOKENS: u32 = 320;

/// Length up to which a sentence that is quoted is translated, in characters: a longer one would take the time of an answer.
const MAX_QUOTE: usize = 300;

/// Words from which on the language of an answer can be told.
const MIN_WORDS: usize = 5;

/// Similarity from which on a translation may say what its sentence says, both in Latin letters. Of 85 translations of sentences
/// of XQuAD between English, German and Spanish, right and wrong, two have less: a right one and a wrong one. Of eight wrong ones of plain
/// notices, five have less: "Horses" for "Hunde" has 0.875.
const MIN_SIMILARITY: f32 = 0.89;

/// The same between two scripts, where what is alike is further apart: of seven translations that say the same, six have 0.867 to 0.949; of
/// seven that do not, six have 0.848 to 0.855.
const MIN_SIMILARITY_OF_SCRIPTS: f32 = 0.86;

impl Asking<'_> {
    /// Has the model write in the document's language and translate that. Returns none where there is no time for both.
    pub(super) fn write_and_translate(
        &self,
        task: Task<'_>,
        material: &Material,
        model: &Model,
        room: Room,
    ) -> Option<Written> {
        let kept = translating_milliseconds(model);
        let turns = prompt::turns(material, "");
        let size = self.writer.model.prepare(turns).ok().flatten();
        let needed = whole_milliseconds(model, size.map_or(0, |size| size.unread()));
        if self.time() < kept + needed.max(2 * MIN_MILLISECONDS) {
            return None;
        }
        // Statements are told of in the language that was asked for.
        let silent = |event: Event| {
            if !matches!(event, Event::Statement(_)) {
                (self.tell)(event);
            }
        };
        let own = Asking {
            writer: Writer {
                model: self.writer.model,
                milliseconds_left: &|| (self.writer.milliseconds_left)().saturating_sub(kept),
            },
            index: self.index,
            embed: self.embed,
            language: self.index.language(),
            tell: &silent,
        };
        Some(match own.write_at_once(task, material, model, room) {
            Written::Said(answer, confirmation) => {
                let translated = self.translated(answer, self.index.language());
                tell(self.tell, &translated, 0);
                Written::Said(translated, confirmation)
            }
            other => other,
        })
    }

    /// The language that an answer is in, where that is not the one that was asked for: small models go on in the language of their
    /// instructions or of the passages. None where both have another script, to which the schema of the answer holds them.
    pub(super) fn strayed(&self, answer: &str) -> Option<Language> {
        let (asked, own) = (self.language, self.index.language());
        [Language::English, own]
            .into_iter()
            .find(|other| *other != asked && is_latin(*other) && is_latin(asked) && is_in(answer, *other))
    }

    /// An answer in the language that was asked for; as it is where there is no time for that.
    pub(super) fn brought_back(&self, mut answer: Answer, from: Language, model: &Model) -> Answer {
        // It is one sentence, or few, and not a summary.
        let reason = |why: &str| Some(format!("it is in {}: {why}", from.name()));
        if self.time() < translating_milliseconds(model) / 2 {
            answer.phrasing.reason = reason("there was no time to translate it");
            return answer;
        }
        let translated = self.translated(answer.clone(), from);
        // What is missing may be what was asked for.
        if translated.statements.len() < answer.statements.len() {
            answer.phrasing.reason = reason("its translation does not say the same");
            return answer;
        }
        translated
    }

    /// A sentence of the document in the language that was asked for, where that is another one and there is time. None where the
    /// translation does not say the same.
    pub fn translated_quote(&self, quote: &str) -> Option<String> {
        let (from, to) = (self.index.language(), self.language);
        if from == to || quote.chars().count() > MAX_QUOTE {
            return None;
        }
        let model = self.writer.model.info().ok()?;
        if !model.schemas || self.time() < translating_milliseconds(&model) / 2 {
            return None;
        }
        let sentence = Statement {
            // Items of a list are in lines of their own.
            text: quote.split_whitespace().collect::<Vec<_>>().join(" "),
            support: StatementSupport::BorneOut,
            citations: Vec::new(),
        };
        let translation = Translation { from, to, question: "" };
        let schema = reply::sentences_schema(1, translation);
        (self.tell)(Event::at(Stage::Writing));
        let turns = self.translation(std::slice::from_ref(&sentence), from);
        let generated = self.generate(turns, MAX_TOKENS, Some(schema), 0, &mut |_| true).ok()?;
        let text = reply::read_sentences(&generated.written, 1).pop()??;
        Some(self.held(&sentence, text, from)?.text)
    }

    /// An answer in the language that was asked for; as it is where the model does not translate any of it.
    fn translated(&self, mut answer: Answer, from: Language) -> Answer {
        let (translations, reason) = match self.translations(&answer.statements, from) {
            Ok(translations) => (translations, "its translation does not say the same".to_owned()),
            Err(error) => (Vec::new(), format!("it was not translated: {error}")),
        };
        let mut translated = Answer {
            text: String::new(),
            statements: Vec::new(),
            ..answer.clone()
        };
        for statement in translations {
            match statement {
                Some(statement) => translated.statements.push(statement),
                None => translated.phrasing.left_out += 1,
            }
        }
        if translated.statements.is_empty() {
            answer.phrasing.reason = Some(reason);
            return answer;
        }
        keep_used(&mut translated);
        translated.text = joined(&translated.statements, self.language);
        translated.phrasing.sentences = translated.statements.iter().map(phrased).collect();
        translated
    }

    /// The translation of each statement, none where it does not say the same.
    ///
    /// # Errors
    /// The reason for which the model did not translate.
    pub(super) fn translations(
        &self,
        statements: &[Statement],
        from: Language,
    ) -> Result<Vec<Option<Statement>>, String> {
        let translation = Translation {
            from,
            to: self.language,
            question: "",
        };
        let schema = reply::sentences_schema(statements.len(), translation);
        (self.tell)(Event::at(Stage::Writing));
        let turns = self.translation(statements, from);
        let written = self
            .generate(turns, MAX_TOKENS, Some(schema), 0, &mut |_| true)?
            .written;
        let texts = reply::read_sentences(&written, statements.len());
        let held = |(statement, text): (&Statement, Option<String>)| self.held(statement, text?, from);
        Ok(statements.iter().zip(texts).map(held).collect())
    }

    /// The conversation in which a model translates statements.
    fn translation(&self, statements: &[Statement], from: Language) -> Vec<Turn> {
        let language = self.language.name();
        let numbered = statements.iter().enumerate();
        let lines: Vec<String> = numbered
            .map(|(number, statement)| format!("{}. {}", number + 1, sanitize(&statement.text)))
            .collect();
        let names = names(&lines.join("\n"), &Analyzer::new(from));
        let names = match names.as_slice() {
            [] => String::new(),
            names => format!(" and these names: {}", names.join(", ")),
        };
        let task = format!(
            "Translate each sentence into {language}. Keep all numbers{names}.\n{}\n{}",
            lines.join("\n"),
            answer_in(self.language)
        );
        let instructions = "You are a translator. Reply with JSON: the translation of each sentence under its number.";
        vec![Turn::new(Role::System, instructions), Turn::new(Role::User, task)]
    }

    /// A statement in its translation, if that says no more and nothing else.
    fn held(&self, statement: &Statement, translation: String, from: Language) -> Option<Statement> {
        let original = Passage {
            source: 0,
            text: statement.text.clone(),
        };
        let compared = Evidence::new(&[original], "", self.language, from, self.embed).compare(&translation, Some(0));
        // A copy means the same as well.
        let is_copy = is_latin(from) && is_latin(self.language) && is_in(&translation, from);
        let is_same = || {
            compared.support.holds() && self.means_the_same(&statement.text, &translation, from)
                // Of a few words, meanings say little.
                || self.has_figures_of(&statement.text, &translation, from)
                    && self.is_judged_right(&statement.text, &translation)
        };
        (!is_copy && is_same()).then(|| Statement {
            text: translation,
            support: statement.support,
            citations: statement.citations.clone(),
        })
    }

    /// Returns true if a translation has the figures, the days and the months of its sentence, and no others.
    fn has_figures_of(&self, sentence: &str, translation: &str, from: Language) -> bool {
        let of = |text: &str| figures(text).map(|(_, number)| number).collect::<HashSet<String>>();
        let spelt = |text: &str, language| numerals(text, language).collect::<HashSet<String>>();
        have_same_days((sentence, from), (translation, self.language))
            && of(translation).is_subset(&spelt(sentence, from))
            && of(sentence).is_subset(&spelt(translation, self.language))
    }

    /// Has the model judge a translation by itself.
    fn is_judged_right(&self, sentence: &str, translation: &str) -> bool {
        let model = self.writer.model.info();
        model.is_ok_and(|model| self.is_right_translation(sentence, translation, &model))
    }

    /// Returns false if a translation is further from its sentence than translations are.
    fn means_the_same(&self, sentence: &str, translation: &str, from: Language) -> bool {
        let least = match is_latin(from) && is_latin(self.language) {
            true => MIN_SIMILARITY,
            false => MIN_SIMILARITY_OF_SCRIPTS,
        };
        let meanings = self
            .embed
            .and_then(|embed| embed.embed(Purpose::Passage, &[sentence, translation]));
        let similarity = meanings.and_then(|meanings| Some(meanings.first()?.cosine_similarity(meanings.get(1)?)));
        similarity.is_none_or(|similarity| similarity >= least)
    }
}

/// Returns true if a text is in a language with Latin letters, as far as that can be told.
fn is_in(text: &str, language: Language) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.count() >= MIN_WORDS && detect(text) == language
}

/// Names of two words and more, each word with a capital letter: "Harbour Cycles". Small models translate them unless they are told not
/// to; those of one word may be the names of days or languages, which have translations.
fn names(text: &str, analyzer: &Analyzer) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut name: Vec<String> = Vec::new();
    for word in format!("{text}\n").split_inclusive(char::is_whitespace) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_capital = bare.chars().next().is_some_and(char::is_uppercase);
        if is_capital && !(name.is_empty() && analyzer.is_stop(&bare.to_lowercase())) {
            name.push(bare.trim_end_matches("'s").trim_end_matches("’s").to_owned());
        }
        // Punctuation ends a name, so that none goes from one sentence into the next.
        let goes_on = is_capital && word.trim_end() == bare && !word.ends_with('\n');
        if !goes_on {
            let whole = std::mem::take(&mut name);
            let joined = whole.join(" ");
            if whole.len() > 1 && !names.contains(&joined) {
                names.push(joined);
            }
        }
    }
    names
}

/// Leaves out the citations that no statement rests on any more.
fn keep_used(answer: &mut Answer) {
    let is_used = |position: usize| {
        let mut statements = answer.statements.iter();
        statements.any(|statement| statement.citations.contains(&position))
    };
    let used: Vec<bool> = (0..answer.citations.len()).map(is_used).collect();
    for position in answer
        .statements
        .iter_mut()
        .flat_map(|statement| &mut statement.citations)
    {
        *position = used[..*position].iter().filter(|used| **used).count();
    }
    let mut used = used.into_iter();
    answer.citations.retain(|_| used.next().unwrap_or_default());
}

fn phrased(statement: &Statement) -> PhrasedSentence {
    PhrasedSentence {
        text: statement.text.clone(),
        evidence: statement.citations.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_several_words_are_found() {
        let english = Analyzer::new(Language::English);
        let text = "1. The Harbour Cycles lease ends on Monday.\n2. Contact: Mara Ellison, Wexmouth.\n3. Harbour Cycles’s rule";
        assert_eq!(names(text, &english), ["Harbour Cycles", "Mara Ellison"]);
        let german = Analyzer::new(Language::German);
        assert_eq!(
            names("Die Karte der Alten Mühle kostet nichts", &german),
            ["Alten Mühle"]
        );
    }
}
