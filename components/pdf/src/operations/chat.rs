//! `POST /pdf/chat`: a question about an earlier document.
//!
//! Passages are searched first. Where there is a language model, it answers from them, and each of its statements is held
//! against its passage; else, or when it has nothing to say that holds, the document's own sentences answer as far as
//! they are sure.

use quartet_api::pdf::{DocumentAnswer, DocumentQuestion, Origin, Statement, StatementSupport};
use quartet_api::{Language, Phrasing, Stage};
use quartet_component_sdk::{Failure, Request, Session, json};
use quartet_grounding::is_yes_or_no;
use quartet_llm_client::Model;
use quartet_text_analysis::{
    Answer, Basis, Index, PassageEmbeddings, SemanticSearch, is_question, nearest, not_found, not_said, perhaps,
    quoted, translated, wanted_language, wanted_sentences,
};

use super::evidence::{cited, passages};
use super::making::Message;
use super::storage::{self, Record, Tables};
use super::{Context, Work};
use crate::events::Event;
use crate::writing::{
    Asking, Confirmation, Material, Piece, Room, Task, Written, judged, late, not_exactly, of_the_file, unconfirmed,
};

/// Limit in tokens for each passage of a question about the whole document, so that more sections are seen.
const OPENING_TOKENS: usize = 75;
/// Limit for the sentences that a model judges on a slow machine: some five seconds each.
const MAX_JUDGED: usize = 5;
/// Probability from which on a passage of a short document outweighs that a sentence of it is not confirmed: that of its text as an
/// answer, or that of the passage among all where its text is confirmed.
///
/// Measured with Qwen2.5-Coder-1.5B, in percent of 90 questions that a document answers and of 76 that it does not, of pages of gov.uk
/// (ConditionalQA) and of XQuAD in five languages: by a sentence alone 54 and 16 are answered, with the passage's text 63 and 18, with
/// the choice, too, 67 and 18; with the choice of a passage that is not confirmed 69 and 21.
const SURE_PASSAGE: f32 = 0.75;
/// Limit for the sentences that a model judges after one that it did not confirm.
const MAX_LOOKED_AT_AGAIN: usize = 5;
/// Sentences that come nearest which it judges also where they are of a passage that it finds not to answer: a row of a table that says
/// much else.
const NEAREST: usize = 3;
/// Sentences that a model has judged, from which on one of them answers that is likelier than the others by far.
const MIN_JUDGED: usize = 3;
/// Confidence of the search from which on a large model need not confirm that its answer is one.
const SURE_CONFIDENCE: f32 = 0.75;
/// Confidence in an answer whose statements are all borne out, and in one with statements that are merely near to it.
const BORNE_OUT_CONFIDENCE: f32 = 0.9;
const REWORDED_CONFIDENCE: f32 = 0.7;

/// A question about an earlier document.
pub struct Asked {
    session: Session,
    question: DocumentQuestion,
}

impl Work for Asked {
    type Answer = DocumentAnswer;

    fn read(request: &mut Request, _random: fn() -> [u8; 16]) -> Result<Self, Failure> {
        let session = Session::of(request)?;
        let question: DocumentQuestion = json::read(request)?;
        if question.message.trim().is_empty() {
            return Err(Failure::field(
                "message",
                "is empty; it takes a question about the document",
            ));
        }
        Ok(Self { session, question })
    }

    fn session(&self) -> &Session {
        &self.session
    }

    fn run(self, context: &Context<'_>) -> Result<DocumentAnswer, Failure> {
        reply(&self.session, &self.question, context)
    }
}

/// The answer to a question.
fn reply(session: &Session, question: &DocumentQuestion, context: &Context<'_>) -> Result<DocumentAnswer, Failure> {
    let DocumentQuestion { message, document_id } = question;
    let (document_id, mut record): (String, Record) = context.documents().recall(session, document_id.as_deref())?;
    (context.tell)(Event::at(Stage::Searching));
    let index = storage::index(context, &document_id, &mut record)?;
    let before = record.question.as_deref();
    let mut meanings = storage::read_meanings(context, &document_id, &record)?;
    let known = meanings.len();
    let mut found = match context.embed {
        Some(embed) => index.answer_with_embeddings(
            message,
            before,
            &mut SemanticSearch {
                embed,
                embeddings: &mut meanings,
                time_left: context.time_to_learn,
            },
        ),
        None => index.answer(message, before),
    };
    let wanted = wanted_language(message, found.language);
    let request = Task::Request {
        request: wanted.as_ref().map_or(message.as_str(), |(_, request)| request),
        sentences: wanted_sentences(message, found.language),
    };
    if let Some((language, _)) = &wanted {
        found.language = *language;
    }
    let learnt = if meanings.len() > known {
        storage::write_meanings(context, &document_id, &meanings)?
    } else {
        record.meanings
    };
    let from_tables = || super::tables::answer(context, &record, &document_id, &index, message, &found);
    let from_table = if record.tables == Tables::Most {
        from_tables()
    } else {
        None
    };
    let is_from_table = from_table.is_some();
    let asked = Message {
        text: message,
        found: &found,
        index: &index,
        record: &record,
        document_id: &document_id,
    };
    let made = match from_table {
        Some(answer) => Some(answer),
        None => asked.reply(context, &mut meanings, false),
    };
    let answer = made.unwrap_or_else(|| {
        let written = write(context, message, request, &found, &index, &record, &mut meanings);
        let answer = of_text(context, &index, &found, written, &document_id);
        match record.tables == Tables::Most && found.basis == Basis::Text {
            true => super::tables::doubted(context, &record, &document_id, &index, &found, answer),
            false => answer,
        }
    });
    // What no sentence answers, a table may.
    let answer = match answer.answered || record.tables != Tables::Some {
        true => answer,
        false => from_tables().unwrap_or(answer),
    };
    let answer = match answer.answered {
        true => answer,
        false => asked.reply(context, &mut meanings, true).unwrap_or(answer),
    };
    // Thanks are nothing that a question goes on from, and a letter is no answer.
    let (question, said) = match answer.origin {
        Origin::None => (record.question.clone(), record.answer.clone()),
        Origin::Composed => (Some(found.question.clone()), None),
        _ => {
            let said = (!answer.statements.is_empty()).then(|| answer.answer.clone());
            (Some(found.question.clone()), said)
        }
    };
    let record = Record {
        question,
        answer: said,
        opened: record.opened || answer.phrasing.is_some() && !is_from_table,
        meanings: learnt,
        ..record
    };
    context.documents().update(session, &document_id, &record)?;
    Ok(answer)
}

/// The answer of a document's text, in what a language model wrote of it, or in its own sentences.
fn of_text(
    context: &Context<'_>,
    index: &Index,
    found: &Answer,
    written: Option<Written>,
    document_id: &str,
) -> DocumentAnswer {
    let answer = match written.map(|written| with_lists(index, written)) {
        Some(Written::Said(said, confirmation)) => DocumentAnswer {
            confidence: confirmation.confidence().min(confidence(&said.statements)),
            answered: true,
            answer: said.text,
            citations: cited(said.citations),
            // What is known of the file only is on no page.
            origin: if said.statements.iter().all(|statement| statement.citations.is_empty()) {
                Origin::Metadata
            } else {
                Origin::Model
            },
            statements: said.statements,
            phrasing: Some(said.phrasing),
            query: None,
            document_id: document_id.to_owned(),
        },
        Some(Written::NotSaid(phrasing, near, confirmation)) => {
            refused(found, phrasing, near.map(|near| (near, confirmation)), document_id)
        }
        Some(Written::Unseen(phrasing, _)) => refused(found, phrasing, None, document_id),
        Some(Written::Quoted(phrasing, citation, confirmation)) => DocumentAnswer {
            answer: quoted(citation.page, &citation.quote, index.language(), found.language),
            answered: true,
            confidence: confirmation.confidence().min(REWORDED_CONFIDENCE),
            citations: cited(vec![citation]),
            origin: Origin::Extract,
            statements: Vec::new(),
            phrasing: Some(phrasing),
            query: None,
            document_id: document_id.to_owned(),
        },
        Some(Written::Doubted(phrasing, citation, confirmation)) => DocumentAnswer {
            answer: match confirmation.is_possible() {
                true => perhaps(citation.page, &citation.quote, found.language),
                false => not_found(found.language),
            },
            answered: false,
            confidence: confirmation.probability(),
            citations: cited(vec![citation]),
            origin: Origin::Extract,
            statements: Vec::new(),
            phrasing: Some(phrasing),
            query: None,
            document_id: document_id.to_owned(),
        },
        Some(Written::NoWhole(phrasing)) => extracted(&index.about(found.language), Some(phrasing), document_id),
        Some(Written::Unheld(phrasing, _) | Written::Nothing(phrasing)) => {
            extracted(found, Some(phrasing), document_id)
        }
        None => extracted(found, None, document_id),
    };
    with_translation(context, index, found.language, answer)
}

/// An answer with the translation of the sentence that it quotes, where it asks for another language than the document's. What does not
/// answer is not worth the seconds.
fn with_translation(
    context: &Context<'_>,
    index: &Index,
    language: Language,
    mut answer: DocumentAnswer,
) -> DocumentAnswer {
    let [citation] = answer.citations.as_slice() else {
        return answer;
    };
    let may_answer = answer.answered || answer.confidence > 0.0;
    let is_quoted = may_answer && answer.statements.is_empty() && answer.answer.contains(&citation.quote);
    let translation = context
        .asking(index, language)
        .filter(|_| is_quoted)
        .and_then(|asking| asking.translated_quote(&citation.quote));
    if let Some(translation) = translation {
        answer.answer = format!("{} {}", answer.answer, translated(&translation, language));
    }
    answer
}

/// Has the language model answer, where there is one and the question is not one that is computed. The request is the message as one about
/// the whole document.
fn write(
    context: &Context<'_>,
    message: &str,
    request: Task<'_>,
    found: &Answer,
    index: &Index,
    record: &Record,
    meanings: &mut PassageEmbeddings,
) -> Option<Written> {
    if found.basis == Basis::Certain || index.overview().opening.is_empty() {
        return None;
    }
    let asking = context.asking(index, found.language)?;
    let detail = found.basis == Basis::Text;
    let (model, mut room) = match asking.room(record.opened, detail) {
        Ok(room) => room,
        Err(reason) => return Some(Written::Nothing(reason)),
    };
    let earlier = record.question.as_deref().zip(record.answer.as_deref());
    let follows = found.question.trim() != message.trim();
    let task = Task::Answer {
        question: message,
        whole: &found.question,
        before: earlier.filter(|_| follows || room.large),
        sure: found.found && found.confidence >= SURE_CONFIDENCE,
    };
    if let Some(material) = asking.whole_document(&model) {
        // "Summarise it in three sentences."
        let is_about_the_whole = match found.basis {
            Basis::Whole => true,
            Basis::Text => !follows && !is_question(message) && asking.is_about_the_whole(message, &model),
            Basis::Metadata | Basis::Certain => false,
        };
        if is_about_the_whole {
            let written = of_the_whole(asking.write(request, &material, &model, room));
            // "do you deliver" is a question without its mark.
            if found.basis == Basis::Whole || !says_yes_or_no(&written, [found.language, index.language()]) {
                return Some(written);
            }
        }
        let written = asking.write(task, &material, &model, room);
        let written = confirm_found(context, &asking, found, &model, written);
        let whole = Whole {
            material: &material,
            task,
            room,
            model: &model,
        };
        let (written, doubted) = choose_again(context, &asking, &whole, found, written);
        return Some(look_again(context, &asking, found, &model, doubted, written));
    }
    if room.lean && detail && model.schemas && !found.near.is_empty() {
        return Some(confirm_nearest(context, &asking, found, &model));
    }
    let unsure = found.basis == Basis::Text && !found.found && !follows;
    let whole = found.basis == Basis::Whole || unsure && asking.is_about_the_whole(message, &model);
    if unsure {
        // That took time.
        room = match asking.room(record.opened, detail && !whole) {
            Ok((_, room)) => room,
            Err(reason) => return Some(Written::Nothing(reason)),
        };
    }
    if whole {
        let openings = index.section_openings((room.tokens / OPENING_TOKENS).max(2));
        let material = Material::new(index, openings, room, OPENING_TOKENS);
        // Whoever asks what it is about is told; another question about the whole may have no answer.
        if unsure && is_question(message) {
            return Some(asking.write(Task::Whole(message), &material, &model, room));
        }
        return Some(of_the_whole(asking.write(request, &material, &model, room)));
    }
    let material = Material::new(index, passages(context, index, found, meanings), room, usize::MAX);
    let written = asking.write(task, &material, &model, room);
    let written = confirm_found(context, &asking, found, &model, written);
    Some(look_again(context, &asking, found, &model, None, written))
}

/// Returns true if a model answered with a yes or a no, in one of some languages.
fn says_yes_or_no(written: &Written, languages: [Language; 2]) -> bool {
    let Written::Said(answer, _) = written else {
        return false;
    };
    languages
        .into_iter()
        .any(|language| is_yes_or_no(&answer.text, language))
}

/// The outcome of asking about the whole document, of which there is always something to say.
fn of_the_whole(written: Written) -> Written {
    match written {
        Written::Said(said, confirmation) if !said.citations.is_empty() => Written::Said(said, confirmation),
        // What is known of the file sums up nothing.
        Written::Said(said, _) => Written::NoWhole(of_the_file(said.phrasing)),
        other => Written::NoWhole(other.into_report()),
    }
}

/// Has the model judge the sentences that come nearest, one after the other, until it is sure of one: on a slow machine, which would
/// not read passages and write in time.
fn confirm_nearest(context: &Context<'_>, asking: &Asking<'_>, found: &Answer, model: &Model) -> Written {
    let mut best: Option<(Confirmation, &quartet_text_analysis::Citation)> = None;
    for near in found.near.iter().take(MAX_JUDGED) {
        (context.tell)(Event::at(Stage::Confirming));
        let confirmation = asking.confirm(&found.question, &[near.quote.as_str()], model);
        if !confirmation.is_asked() {
            break;
        }
        if best.is_none_or(|(other, _)| confirmation.is_more_than(other)) {
            best = Some((confirmation, near));
        }
        if confirmation.is_likely() {
            break;
        }
    }
    match best {
        None => Written::Nothing(late(model)),
        Some((confirmation, near)) if confirmation.is_enough() => {
            Written::Quoted(judged(model), near.clone(), confirmation)
        }
        Some((confirmation, near)) => Written::Doubted(judged(model), near.clone(), confirmation),
    }
}

/// Has the model confirm a sentence of the document, where it wrote nothing that holds, or saw no answer in the passages: the one
/// that the search found, and the one that it seems to have meant.
fn confirm_found(
    context: &Context<'_>,
    asking: &Asking<'_>,
    found: &Answer,
    model: &Model,
    written: Written,
) -> Written {
    let cited: &[_] = if found.found { &found.citations } else { &[] };
    let place = cited.first().filter(|_| found.basis == Basis::Text);
    let confirm = |quotes: &[&str]| {
        (context.tell)(Event::at(Stage::Confirming));
        asking.confirm(&found.question, quotes, model)
    };
    let confirm_place = || {
        let quotes: Vec<_> = cited.iter().map(|citation| &*citation.quote).collect();
        confirm(&quotes)
    };
    match (written, place) {
        // Without a probability nothing outweighs what the model did not see.
        (Written::Unseen(report, true), Some(first)) => {
            // Where there is no time to ask, what it said of all passages stands.
            let confirmation = Some(confirm_place()).filter(|confirmation| confirmation.is_asked());
            let confirmation = confirmation.unwrap_or(Confirmation::Word(false));
            // The model that saw no answer in all passages has to be sure that there is one after all.
            if confirmation.is_sure() {
                Written::Nothing(report)
            } else {
                Written::NotSaid(report, Some(first.clone()), confirmation)
            }
        }
        (Written::Unheld(report, near), place) => {
            let known = place.map(|first| (first, confirm_place()));
            if known.is_some_and(|(_, confirmation)| confirmation.is_enough()) {
                return Written::Nothing(report);
            }
            let near = near.filter(|near| cited.iter().all(|citation| citation.quote != near.quote));
            let near = near.map(|near| (confirm(&[near.quote.as_str()]), near));
            match (near, known) {
                (Some((confirmation, near)), _) if confirmation.is_enough() && confirmation.is_asked() => {
                    Written::Quoted(report, near, confirmation)
                }
                (Some((confirmation, near)), None) if !confirmation.is_asked() => {
                    Written::NotSaid(report, Some(near), confirmation)
                }
                (Some((confirmation, near)), None) => Written::NotSaid(not_exactly(model), Some(near), confirmation),
                (_, Some((first, confirmation))) => {
                    Written::NotSaid(not_exactly(model), Some(first.clone()), confirmation)
                }
                (_, None) => Written::Nothing(report),
            }
        }
        // What the search did not find either, and nobody has confirmed, may be beside the question.
        (Written::Said(said, Confirmation::NoTime), None) if !found.found && !said.citations.is_empty() => {
            let near = said.citations.into_iter().next();
            Written::NotSaid(unconfirmed(model), near, Confirmation::NoTime)
        }
        // A sentence takes less time than passages.
        (Written::Nothing(report), _) => match nearest_of(found) {
            Some(first) => match confirm(&[first.quote.as_str()]) {
                confirmation if !confirmation.is_asked() => Written::Nothing(report),
                confirmation if !confirmation.is_enough() => Written::Doubted(report, first, confirmation),
                _ if found.found => Written::Nothing(report),
                confirmation => Written::Quoted(report, first, confirmation),
            },
            None => Written::Nothing(report),
        },
        (written, _) => written,
    }
}

/// A short document that a model has before it, with what it is asked.
struct Whole<'a> {
    material: &'a Material,
    task: Task<'a>,
    room: Room,
    model: &'a Model,
}

/// Has a passage of a whole document answer instead of a sentence that the model does not confirm by itself: the one that it is sure of
/// among all, or whose text it confirms. A rule and its conditions, a heading and what stands under it are more than a sentence.
/// Returns a passage, too, that it finds not to answer.
fn choose_again<'a>(
    context: &Context<'_>,
    asking: &Asking<'_>,
    whole: &Whole<'a>,
    found: &Answer,
    written: Written,
) -> (Written, Option<&'a Piece>) {
    let Whole {
        material,
        task,
        room,
        model,
    } = *whole;
    let (report, seen, first) = match &written {
        Written::NotSaid(report, seen, first) if first.is_asked() && !first.is_word() => {
            (report, seen.as_ref(), *first)
        }
        Written::Unseen(report, true) => (report, None, Confirmation::NotAsked),
        _ => return (written, None),
    };
    if found.basis != Basis::Text {
        return (written, None);
    }
    let near = seen.or(found.citations.first()).or(found.near.first());
    let chosen = asking.chosen_passage(task, material, room);
    let named = || near.and_then(|near| material.pieces.iter().find(|piece| piece.has(&near.quote)));
    let Some(passage) = chosen.map(|(passage, _)| passage).or_else(named) else {
        return (written, None);
    };
    (context.tell)(Event::at(Stage::Confirming));
    let text = asking.confirm(&found.question, &[&passage.headed()], model);
    let choice = match chosen {
        Some((_, probability)) if seen.is_some_and(|seen| passage.has(&seen.quote)) => probability,
        _ => 0.0,
    };
    // Among all passages one may be the likeliest that does not answer either.
    let is_chosen = choice >= SURE_PASSAGE && text.is_asked() && text.is_enough();
    let confirmation = match is_chosen {
        true => Confirmation::Probability(choice.max(text.probability())),
        false => text,
    };
    if confirmation.probability() < SURE_PASSAGE || !confirmation.is_more_than(first) {
        let is_doubted = text.is_asked() && !text.is_enough();
        return (written, is_doubted.then_some(passage));
    }
    // The passage answers; which of its sentences does, nobody has said. A whole page is more than anybody asked for.
    let around = || {
        let near = near.filter(|near| passage.has(&near.quote))?;
        asking.index.with_neighbours(&[&near.quote], near.page)
    };
    let pointed = asking.pointed(task, material, passage, model).or_else(around);
    let (page, quote) = pointed.unwrap_or_else(|| (passage.page, passage.text.trim().to_owned()));
    let cited = quartet_text_analysis::Citation {
        page,
        quote,
        score: passage.score,
    };
    (Written::Quoted(report.clone(), cited, confirmation), None)
}

/// Has the model judge further sentences that come near, where it does not confirm the one that it meant: a small model often takes
/// another passage than the one that answers. Few of a `doubted` passage: of 87 passages that it finds not to answer, none
/// has a sentence that it is sure of.
fn look_again(
    context: &Context<'_>,
    asking: &Asking<'_>,
    found: &Answer,
    model: &Model,
    doubted: Option<&Piece>,
    written: Written,
) -> Written {
    let (report, seen, first) = match written {
        Written::NotSaid(report, Some(seen), first) if first.is_asked() => (report, seen, first),
        written => return written,
    };
    // With a bare word nothing tells a sentence that answers from one that is near.
    if found.basis != Basis::Text || first.is_word() {
        return Written::NotSaid(report, Some(seen), first);
    }
    let mut judged = vec![(first, seen.clone())];
    let is_doubted = |quote: &str| doubted.is_some_and(|passage| passage.has(quote));
    let near = found.near.iter().enumerate();
    let others =
        near.filter(|(place, other)| other.quote != seen.quote && (*place < NEAREST || !is_doubted(&other.quote)));
    for (_, other) in others.take(MAX_LOOKED_AT_AGAIN) {
        (context.tell)(Event::at(Stage::Confirming));
        let confirmation = asking.confirm(&found.question, &[other.quote.as_str()], model);
        if !confirmation.is_asked() {
            break;
        }
        if confirmation.is_likely() {
            return Written::Quoted(report, other.clone(), confirmation);
        }
        judged.push((confirmation, other.clone()));
    }
    judged.sort_by(|(one, _), (other, _)| other.probability().total_cmp(&one.probability()));
    let is_ahead = judged.len() >= MIN_JUDGED && judged[0].0.is_likelier_by_far(judged[1].0);
    let (best, near) = judged.swap_remove(0);
    match is_ahead {
        true => Written::Quoted(report, near, best),
        false => Written::NotSaid(report, Some(near), best),
    }
}

/// The sentence of the text that comes nearest, whether or not it answers; none for a question about the whole or the file.
fn nearest_of(found: &Answer) -> Option<quartet_text_analysis::Citation> {
    let is_of_text = found.basis == Basis::Text;
    let first = found.citations.first().or(found.near.first());
    first.filter(|_| is_of_text).cloned()
}

/// The same with the sentence that it quotes in the list that this introduces or is an item of: by itself it says half.
fn with_lists(index: &Index, written: Written) -> Written {
    let with_list =
        |sentence: quartet_text_analysis::Citation| match index.with_its_list(&sentence.quote, Some(sentence.page)) {
            Some((page, quote)) => quartet_text_analysis::Citation {
                page,
                quote,
                ..sentence
            },
            None => sentence,
        };
    match written {
        Written::NotSaid(report, near, confirmation) => Written::NotSaid(report, near.map(with_list), confirmation),
        Written::Quoted(report, quote, confirmation) => Written::Quoted(report, with_list(quote), confirmation),
        Written::Doubted(report, quote, confirmation) => Written::Doubted(report, with_list(quote), confirmation),
        other => other,
    }
}

/// The refusal of a question that the document does not answer, with the sentence that comes nearest; it does not say so where the
/// model was not sure.
fn refused(
    found: &Answer,
    phrasing: Phrasing,
    near: Option<(quartet_text_analysis::Citation, Confirmation)>,
    document_id: &str,
) -> DocumentAnswer {
    let (near, confirmation) = near.unzip();
    let possible = confirmation.filter(|confirmation| confirmation.is_possible());
    DocumentAnswer {
        answer: match &near {
            Some(near) if possible.is_some() => perhaps(near.page, &near.quote, found.language),
            Some(near) => nearest(near.page, &near.quote, found.language),
            None => not_said(found.language),
        },
        answered: false,
        confidence: possible.map_or(0.0, Confirmation::probability),
        citations: cited(near.into_iter().collect()),
        origin: Origin::Model,
        statements: Vec::new(),
        phrasing: Some(phrasing),
        query: None,
        document_id: document_id.to_owned(),
    }
}

/// The answer in the document's own sentences.
fn extracted(found: &Answer, phrasing: Option<Phrasing>, document_id: &str) -> DocumentAnswer {
    let origin = match found.basis {
        Basis::Certain | Basis::Metadata if found.citations.is_empty() && found.found => Origin::Metadata,
        _ => Origin::Extract,
    };
    DocumentAnswer {
        document_id: document_id.to_owned(),
        answer: found.text.clone(),
        answered: found.found,
        confidence: found.confidence,
        citations: cited(found.citations.clone()),
        origin,
        statements: Vec::new(),
        phrasing,
        query: None,
    }
}

fn confidence(statements: &[Statement]) -> f32 {
    if statements
        .iter()
        .all(|statement| statement.support == StatementSupport::BorneOut)
    {
        BORNE_OUT_CONFIDENCE
    } else {
        REWORDED_CONFIDENCE
    }
}
