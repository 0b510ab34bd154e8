//! Texts that are asked for: a letter, a list, a table, a simpler wording. Not all of such a text can stand in the document, so that it is
//! said to be the model's own. Each sentence is held against the passages all the same: those that are borne out have their citations,
//! and figures are not made up.

use std::collections::HashSet;

use quartet_api::pdf::Statement;
use quartet_api::{Language, Phrasing, Stage};
use quartet_grounding::{Evidence, Support, Writer, figures, numerals, sanitize};
use quartet_lang_detect::is_latin;
use quartet_llm_client::{Finish, Model};
use quartet_text_analysis::Citation;
use quartet_text_analysis::sentence::sentences;

use super::material::{Material, PieceKind, Room, translating_milliseconds};
use super::reply::{self, Translation};
use super::{Asking, comparing, only_repeats, prompt, unused};
use crate::events::Event;

/// Limit in tokens for a text by a small model; a machine of two cores writes them in some twenty seconds.
const MAX_TOKENS: u32 = 280;
/// The same by a model with room for long answers.
const MAX_LARGE_TOKENS: u32 = 1_200;
/// Length in characters from which on a line or a sentence that comes again is one of a loop.
const MIN_LOOP: usize = 24;
/// The same of words at the end of a text that stand there twice before.
const MIN_LOOP_OF_WORDS: usize = 40;
/// Words from which on a sentence is a statement.
const MIN_WORDS: usize = 3;
/// A text as it is expected: without an example a small model promises one. An example that says more is copied by it.
const EXAMPLE: &str = r#"Task: Could you make a list of the rooms? {"answer": "- first room\n- second room"}"#;
/// Limit for the figures that are named.
const MAX_FIGURES: usize = 8;

/// A text that a model made of a document.
pub(crate) struct Made {
    /// The text.
    pub text: String,
    /// Its sentences that the passages bear out.
    pub statements: Vec<Statement>,
    /// Their evidence.
    pub citations: Vec<Citation>,
    /// Figures that neither the passages nor the request have, as they stand in it, of a model with room for long answers: it may have computed
    /// them.
    pub own_figures: Vec<String>,
    /// The report on the model.
    pub phrasing: Phrasing,
}

impl Asking<'_> {
    /// Has the model make a text of some passages. A small one writes in the document's language, in which its sentences can be held against
    /// the passages, and translates that.
    ///
    /// # Errors
    /// The report on why there is none.
    pub fn made(&self, request: &str, material: &Material, model: &Model, room: Room) -> Result<Made, Phrasing> {
        let from = self.index.language();
        if from == self.language || room.large || !model.schemas {
            return self.made_at_once(request, material, model, room);
        }
        let kept = translating_milliseconds(model);
        let own = Asking {
            writer: Writer {
                model: self.writer.model,
                milliseconds_left: &|| (self.writer.milliseconds_left)().saturating_sub(kept),
            },
            index: self.index,
            embed: self.embed,
            language: from,
            tell: self.tell,
        };
        let made = own.made_at_once(request, material, model, room)?;
        Ok(self.made_translated(made, from, model))
    }

    /// A text in the language that was asked for. A sentence whose translation does not say the same stands as it is.
    fn made_translated(&self, made: Made, from: Language, model: &Model) -> Made {
        let lines: Vec<Vec<&str>> = made.text.lines().map(|line| units(line, from)).collect();
        let texts: Vec<&str> = lines
            .iter()
            .flatten()
            .copied()
            .filter(|unit| has_letters(unit))
            .collect();
        let mut translations = Vec::new();
        self.translated_texts(&texts, from, model, &mut |some| translations.extend(some));
        let mut phrasing = made.phrasing;
        let missing = texts.len() - translations.iter().flatten().count();
        if missing > 0 {
            let reason = phrasing.reason.unwrap_or_default();
            let of = texts.len();
            phrasing.reason = Some(format!("{reason}; {missing} of {of} sentences could not be translated"));
        }
        let mut translations = translations.into_iter();
        let mut statements = made.statements;
        let mut translated = Vec::new();
        for line in lines {
            let each = line.into_iter().map(|unit| {
                let said = has_letters(unit).then(|| translations.next().flatten()).flatten();
                let Some(said) = said else {
                    return unit.to_owned();
                };
                for statement in statements.iter_mut().filter(|statement| statement.text == unit.trim()) {
                    statement.text.clone_from(&said);
                }
                said
            });
            translated.push(each.collect::<Vec<_>>().join(space(self.language)));
        }
        Made {
            text: translated.join("\n"),
            statements,
            phrasing,
            ..made
        }
    }

    /// A text that is written in the language of the answer.
    fn made_at_once(&self, request: &str, material: &Material, model: &Model, room: Room) -> Result<Made, Phrasing> {
        let translation = Translation {
            from: self.index.language(),
            to: self.language,
            question: request,
        };
        // In two languages of Latin letters nothing holds it to one.
        let is_held = translation.from != translation.to && !is_latin(self.language);
        let schema = model
            .schemas
            .then(|| reply::made_schema(is_held.then_some(translation)));
        (self.tell)(Event::at(Stage::Writing));
        let turns = prompt::turns(material, &self.request(request));
        let tokens = if room.large { MAX_LARGE_TOKENS } else { MAX_TOKENS };
        let so_far = |written: &str| reply::read_so_far(written).map(|reply| reply.answer);
        let mut follow = |written: &str| so_far(written).is_none_or(|text| before_loop(&text).is_none());
        let generated = self
            .generate(turns, tokens, schema, 0, &mut follow)
            .map_err(|reason| unused(Some(model), reason))?;
        let text = so_far(&generated.written).unwrap_or_default();
        let looped = before_loop(&text);
        let mut made = self.compared_text(looped.unwrap_or(&text), request, material, room);
        if made.text.is_empty() || only_repeats(request, &made.text, self.language) {
            return Err(unused(
                Some(model),
                "what the language model wrote is not borne out by the document".to_owned(),
            ));
        }
        let mut reason =
            "it is a text of the language model; only its statements are borne out by the document".to_owned();
        if generated.finish != Finish::Stop {
            reason.push_str(match looped {
                Some(_) => "; it ends where it began to say the same again",
                None => "; it ends where its time or its length did",
            });
        }
        made.phrasing = Phrasing {
            used: true,
            left_out: made.phrasing.left_out,
            ..unused(Some(model), reason)
        };
        Ok(made)
    }

    /// A text without the sentences of a small model that say something else than the passages, and the evidence of those that are borne
    /// out.
    fn compared_text(&self, text: &str, request: &str, material: &Material, room: Room) -> Made {
        let own = self.index.language();
        let evidence = Evidence::new(&material.evidence(), request, self.language, own, self.embed);
        let known = self.known_figures(request, material);
        let mut made = Made {
            text: String::new(),
            statements: Vec::new(),
            citations: Vec::new(),
            own_figures: Vec::new(),
            phrasing: Phrasing::default(),
        };
        let is_of_file = |piece: usize| material.pieces[piece].kind == PieceKind::File;
        let mut kept_units = 0;
        for line in text.trim().lines() {
            let is_row = is_row(line);
            let units = units(line, self.language);
            let mut kept = Vec::new();
            for &unit in &units {
                let bare = bare(unit);
                // An item of a list stands for itself; a table has rows of names and of lines, too.
                let is_item = !is_row && bare.len() < unit.trim().len();
                let compared = evidence.compare(bare, None);
                let own_figures = figures(bare).filter(|(_, number)| !known.contains(number));
                let own_figures: Vec<String> = own_figures.map(|(figure, _)| figure).collect();
                // Two languages say what belongs to a figure in different words.
                let is_wrong = self.language == own
                    && match compared.support {
                        Support::Contradicted => is_item || figures(bare).next().is_some(),
                        // A question states nothing.
                        Support::Missing => is_item && !bare.ends_with(['?', '？', '؟']),
                        Support::BorneOut | Support::Reworded => false,
                    };
                // What is known of the file is not what the document says.
                let is_of_file = compared.place.as_ref().is_some_and(|(piece, _)| is_of_file(*piece));
                if (is_wrong || is_of_file || !own_figures.is_empty()) && !room.large {
                    made.phrasing.left_out += 1;
                    continue;
                }
                kept.push(unit);
                for figure in own_figures {
                    if !made.own_figures.contains(&figure) {
                        made.own_figures.push(figure);
                    }
                }
                if let (Some((piece, quote)), Some(support)) = (compared.place, comparing::support(compared.support)) {
                    let piece = &material.pieces[piece];
                    if !is_of_file && bare.split_whitespace().count() >= MIN_WORDS {
                        made.statements.push(Statement {
                            text: unit.trim().to_owned(),
                            support,
                            citations: vec![made.citations.len()],
                        });
                        made.citations.push(Citation {
                            page: self.index.page_of(&quote, piece.page),
                            quote: quote.split_whitespace().collect::<Vec<_>>().join(" "),
                            score: piece.score,
                        });
                    }
                }
            }
            kept_units += kept.len();
            // A line all of which is left out is none.
            if units.is_empty() || !kept.is_empty() {
                made.text.push_str(&kept.join(space(self.language)));
                made.text.push('\n');
            }
        }
        // What is left of a text most of which was wrong is no text.
        if made.phrasing.left_out > kept_units {
            made.text.clear();
        }
        made.text = made.text.trim().to_owned();
        made.own_figures.truncate(MAX_FIGURES);
        made
    }

    /// The end of the prompt.
    fn request(&self, request: &str) -> String {
        let language = self.language.name();
        format!(
            "Now write a text, with the facts of the passages that belong to it, and no others. Reply with JSON: \"answer\" is the complete \
             finished text in {language}, which can be used as it is: a letter from its greeting to its farewell, a list or a table with all \
             of its lines, an explanation with all that matters. For example:\n{EXAMPLE}\nTask: {}",
            sanitize(request)
        )
    }

    /// The figures that a text may have: those of the passages, of the headings and of the request.
    fn known_figures(&self, request: &str, material: &Material) -> HashSet<String> {
        let own = self.index.language();
        let text_of = material.pieces.iter().filter(|piece| piece.kind != PieceKind::File);
        let passages = text_of.flat_map(|piece| [piece.heading.as_str(), piece.text.as_str()]);
        let headings = self
            .index
            .overview()
            .headings
            .iter()
            .map(|heading| heading.title.as_str());
        let title = self.index.metadata().1;
        let texts = passages.chain(headings).chain(title);
        let mut known: HashSet<String> = texts.flat_map(|text| numerals(text, own)).collect();
        known.extend(numerals(request, self.language));
        known
    }
}

/// The sentences of a line; a row of a table is one.
fn units(line: &str, language: Language) -> Vec<&str> {
    match is_row(line) {
        true => vec![line],
        false => sentences(line, language),
    }
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// The space between two sentences.
fn space(language: Language) -> &'static str {
    match language {
        Language::Japanese | Language::Chinese => "",
        _ => " ",
    }
}

fn has_letters(line: &str) -> bool {
    line.chars().any(char::is_alphabetic)
}

/// A sentence without the number or the mark that it has in a list.
fn bare(unit: &str) -> &str {
    let unit = unit.trim();
    let unnumbered = unit
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .strip_prefix(['.', ')']);
    let marked = unit.strip_prefix(['-', '*', '•', '–']);
    let rest = unnumbered.or(marked).filter(|rest| rest.starts_with(' '));
    rest.unwrap_or(unit).trim_start()
}

/// The part of a text before it says again what it has said: small models fall into loops, of sentences or of words.
fn before_loop(text: &str) -> Option<&str> {
    let mut said = HashSet::new();
    let mut start = 0;
    for piece in text.split_inclusive(['.', '!', '?', '\n', '。', '！', '？', '।', '؟']) {
        let sentence = piece.trim();
        let is_whole = piece.ends_with(|c: char| !c.is_alphanumeric());
        if is_whole && sentence.chars().count() >= MIN_LOOP && !said.insert(sentence.to_lowercase()) {
            return Some(&text[..start]);
        }
        start += piece.len();
    }
    let (end, _) = text.char_indices().rev().nth(MIN_LOOP_OF_WORDS)?;
    let mut places = text.match_indices(&text[end..]).map(|(place, _)| place);
    let second = places.nth(1)?;
    places.next().is_some().then_some(&text[..second])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_cut_before_it_begins_again() {
        let once = "Dear Ms Reed,\nthe heating of the flat is broken. ";
        let text = format!(
            "{once}I would be glad of your help. The heating of the flat is broken too. I would be glad of your help."
        );
        assert_eq!(
            before_loop(&text),
            Some(&*format!(
                "{once}I would be glad of your help. The heating of the flat is broken too."
            ))
        );
        assert_eq!(before_loop(once), None);
        let words = "apples, butter, sugar, cinnamon, ".repeat(2);
        assert_eq!(before_loop(&format!("Buy {words}apples, butter")), None);
        let words = "apples, butter, sugar, cinnamon, ".repeat(8);
        let text = format!("Buy {words}apples, butter");
        assert!(before_loop(&text).is_some_and(|before| before.len() < text.len() / 2));
        // What is short comes again in every table.
        assert_eq!(before_loop("| closed |\n| closed |\n| closed |\n"), None);
    }

    #[test]
    fn the_number_of_an_item_is_no_figure() {
        assert_eq!(bare("12. Bring 3 towels"), "Bring 3 towels");
        assert_eq!(bare(" - 3 towels"), "3 towels");
        assert_eq!(bare("12.50 EUR"), "12.50 EUR");
        assert_eq!(bare("-5 degrees"), "-5 degrees");
    }
}
