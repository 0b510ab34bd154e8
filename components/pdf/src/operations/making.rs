//! Messages that are no questions: a text that is to be made of the document, and mere talk.

use quartet_api::pdf::{DocumentAnswer, Origin};
use quartet_lang_detect::asked_in;
use quartet_llm_client::Model;
use quartet_text_analysis::{
    Answer, Basis, Index, Part, PassageEmbeddings, is_question, named_language, not_in_it, only_talk, wanted_language,
};

use super::Context;
use super::evidence::{cited, passages};
use super::storage::Record;
use crate::writing::{Asking, Material, Room, Task};

/// Words of each part of a document that is translated.
const PART_WORDS: usize = 80;
/// Confidence in a translation, each sentence of which was held against its own.
const TRANSLATED_CONFIDENCE: f32 = 0.7;
/// Confidence in a text of a model with room for long answers, and of a small one, of which a fifth is right.
const COMPOSED_CONFIDENCE: f32 = 0.5;
const SMALL_COMPOSED_CONFIDENCE: f32 = 0.2;

/// A message to a document, with what was found for it.
pub(super) struct Message<'a> {
    /// Its text.
    pub text: &'a str,
    /// The sentences that the search found for it.
    pub found: &'a Answer,
    /// The document.
    pub index: &'a Index,
    /// The record of the document.
    pub record: &'a Record,
    /// The document's id.
    pub document_id: &'a str,
}

impl Message<'_> {
    /// The reply to a message that asks for a text, or is talk; none where it is neither, or no model is there that knows. What ends as a
    /// question is taken for talk only once the document was found not to answer, and then only is a server, to which each
    /// request is a way to go, asked whether it asks for a text.
    pub fn reply(
        &self,
        context: &Context<'_>,
        meanings: &mut PassageEmbeddings,
        is_refused: bool,
    ) -> Option<DocumentAnswer> {
        if !matches!(self.found.basis, Basis::Text | Basis::Whole) || self.index.overview().opening.is_empty() {
            return None;
        }
        let asking = context.asking(self.index, self.found.language)?;
        let model = asking.writer.model.info().ok()?;
        let is_question = is_question(self.text);
        if is_refused == is_question && asking.is_talk(self.text, &model) {
            // It says little about the document, whose language a question is taken to be in otherwise.
            let language = asked_in(self.text, None).unwrap_or(self.found.language);
            return Some(self.of(only_talk(language), Origin::None, false));
        }
        if is_refused != (is_question && model.remote) || !asking.is_to_make(self.text, &model) {
            return None;
        }
        let own = self.found.language;
        let named = named_language(self.text, own, self.index.language());
        if let Some(named) = named.filter(|_| asking.is_to_translate(self.text, &model)) {
            return self.translated(context, &context.asking(self.index, named)?, &model, meanings);
        }
        // Also what asks for it politely names a language.
        let request = self.text.trim_end_matches(['?', '？', '؟']);
        let (language, request) = wanted_language(request, own).unwrap_or_else(|| (own, self.text.to_owned()));
        let asking = context.asking(self.index, language)?;
        let (material, room) = self.material(context, &asking, &model, meanings)?;
        let made = asking.made(&request, &material, &model, room).ok()?;
        // A large model sees itself what is asked for.
        if !room.large && !asking.is_what_was_asked(self.text, &made.text, &model) {
            return None;
        }
        let mut answer = self.of(made.text, Origin::Composed, true);
        if !made.own_figures.is_empty() {
            let remark = not_in_it(&made.own_figures, asking.language);
            answer.answer = format!("{}\n\n{remark}", answer.answer);
        }
        answer.confidence = match room.large {
            true => COMPOSED_CONFIDENCE,
            false => SMALL_COMPOSED_CONFIDENCE,
        };
        answer.statements = made.statements;
        answer.citations = cited(made.citations);
        answer.phrasing = Some(made.phrasing);
        Some(answer)
    }

    /// The document, or the part of it that is asked for, in another language.
    fn translated(
        &self,
        context: &Context<'_>,
        asking: &Asking<'_>,
        model: &Model,
        meanings: &mut PassageEmbeddings,
    ) -> Option<DocumentAnswer> {
        let all = self.index.parts(PART_WORDS);
        let part = match asking.is_of_a_part(self.text, model) {
            true => self.part(context, asking, model, &all, meanings),
            false => None,
        };
        let translated = asking.translated_parts(part.as_ref().unwrap_or(&all), model).ok()?;
        Some(DocumentAnswer {
            confidence: TRANSLATED_CONFIDENCE,
            citations: cited(translated.citations),
            statements: translated.statements,
            phrasing: Some(translated.phrasing),
            ..self.of(translated.text, Origin::Composed, true)
        })
    }

    /// The part of the document that a message is about: the section of the passage that the model takes for it, or of the number that
    /// it names.
    fn part(
        &self,
        context: &Context<'_>,
        asking: &Asking<'_>,
        model: &Model,
        all: &[Part],
        meanings: &mut PassageEmbeddings,
    ) -> Option<Vec<Part>> {
        let of_section = |heading: &str| all.iter().filter(|part| part.heading == heading).cloned().collect();
        let mut numbers = self
            .text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|number| !number.is_empty());
        if let Some(part) = numbers.find_map(|number| numbered(all, number)) {
            return Some(part);
        }
        let task = Task::Answer {
            question: self.text,
            whole: self.text,
            before: None,
            sure: false,
        };
        let (material, room) = self.material(context, asking, model, meanings)?;
        let chosen = asking.chosen_passage(task, &material, room).map(|(piece, _)| piece);
        let nearest = passages(context, self.index, self.found, meanings);
        let piece = chosen.or_else(|| {
            let quote = &nearest.first()?.quote;
            material.pieces.iter().find(|piece| piece.has(quote))
        })?;
        let (page, heading, text) = (piece.page, piece.heading.clone(), piece.text.clone());
        Some(match heading.is_empty() {
            true => vec![Part { page, heading, text }],
            false => of_section(&heading),
        })
    }

    /// The document if it is short, or the passages that come nearest to the message, and the room for them.
    fn material(
        &self,
        context: &Context<'_>,
        asking: &Asking<'_>,
        model: &Model,
        meanings: &mut PassageEmbeddings,
    ) -> Option<(Material, Room)> {
        let (_, room) = asking.room(self.record.opened, true).ok()?;
        let nearest = || {
            Material::new(
                self.index,
                passages(context, self.index, self.found, meanings),
                room,
                usize::MAX,
            )
        };
        Some((asking.whole_document(model).unwrap_or_else(nearest), room))
    }

    /// An answer without evidence.
    fn of(&self, text: String, origin: Origin, answered: bool) -> DocumentAnswer {
        DocumentAnswer {
            document_id: self.document_id.to_owned(),
            answer: text,
            answered,
            confidence: 0.0,
            citations: Vec::new(),
            origin,
            statements: Vec::new(),
            phrasing: None,
            query: None,
        }
    }
}

/// The section whose number a heading begins with, or that stands in the text before its name: up to the next number, or to the end of its
/// line. The numbered parts of a plain text may stand in one line after the other.
fn numbered(all: &[Part], number: &str) -> Option<Vec<Part>> {
    let begins = |part: &&Part| {
        let heading = part.heading.trim_start_matches(|c: char| !c.is_ascii_digit());
        let rest = heading.strip_prefix(number);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if let Some(part) = all.iter().find(begins) {
        return Some(
            all.iter()
                .filter(|other| other.heading == part.heading)
                .cloned()
                .collect(),
        );
    }
    let place = all.iter().position(|part| mark(&part.text, number).is_some())?;
    let rest: Vec<&str> = all[place..].iter().map(|part| part.text.as_str()).collect();
    let rest = rest.join("\n");
    let section = &rest[mark(&rest, number)?..];
    let next = (number.parse::<u64>().ok()?.checked_add(1)?).to_string();
    let end = mark(section, &next).or_else(|| section.find('\n'));
    Some(vec![Part {
        text: section[..end.unwrap_or(section.len())].trim().to_owned(),
        heading: String::new(),
        ..all[place].clone()
    }])
}

/// The place where a number stands before the name of a section: "6. PETS", "6) Pets".
fn mark(text: &str, number: &str) -> Option<usize> {
    let is_mark = |place: usize| {
        let before = text[..place].chars().next_back();
        let after = text[place + number.len()..].strip_prefix(['.', ')']);
        let name = after.and_then(|after| after.strip_prefix(' '));
        before.is_none_or(char::is_whitespace)
            && name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()))
    };
    text.match_indices(number)
        .map(|(place, _)| place)
        .find(|place| is_mark(*place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(heading: &str, text: &str) -> Part {
        Part {
            page: 2,
            heading: heading.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_section_is_found_by_its_number() {
        let lease = [
            part(
                "",
                "1. RENT It is £900.\nIt is due on 3 May.\n2. PETS No dogs are allowed.",
            ),
            part("", "One cat may be kept.\n3. SMOKING No."),
        ];
        let found = |number: &str| numbered(&lease, number);
        assert_eq!(
            found("1"),
            Some(vec![part("", "1. RENT It is £900.\nIt is due on 3 May.")])
        );
        assert_eq!(
            found("2"),
            Some(vec![part("", "2. PETS No dogs are allowed.\nOne cat may be kept.")])
        );
        assert_eq!(found("900"), None);
        let line = [
            part("", "1. RENT It is £900, due on the 3. day. 2. PETS No dogs."),
            part("", "3. SMOKING No."),
        ];
        assert_eq!(
            numbered(&line, "1"),
            Some(vec![part("", "1. RENT It is £900, due on the 3. day.")])
        );
        assert_eq!(numbered(&line, "2"), Some(vec![part("", "2. PETS No dogs.")]));
        let headed = [
            part("§ 4 Noise", "Be quiet."),
            part("§ 40 Keys", "Two."),
            part("§ 4 Noise", "At night."),
        ];
        assert_eq!(numbered(&headed, "4"), Some(vec![headed[0].clone(), headed[2].clone()]));
    }
}
