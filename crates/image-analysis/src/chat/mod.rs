//! Answers to questions about a picture, from what was found in it and from nothing else.
//!
//! A language model turns the question into a query ([`understand`]), which an engine answers from the record, in the
//! language of the question. Without a model a question is classified by its words (English): each class looks at one
//! part of the record; what no part answers is searched for in the text, and if it is not there the answer says so.

mod amounts;
mod answer;
mod engine;
mod money;
mod printed;
pub mod query;
mod question;
mod receipt;
pub mod record;
mod reply;
mod rows;
mod text;
pub mod understand;

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod tests;

pub use answer::Answer;

use quartet_api::Language;

use crate::describe::{counted, listed};
use crate::words::Words;
use answer::{fact, not_looked_for, of_object};
use quartet_ocr::geometry::Bounds;
use question::Question;
use record::{ColouredObject, Record};
use understand::Understanding;

/// Answers a question in a language as a model understands it, and by rules where there is none or it does not.
pub fn answer_understood(
    record: &Record,
    message: &str,
    language: Language,
    understanding: Option<&Understanding<'_>>,
) -> Answer {
    if let Some(understanding) = understanding
        && let Some(query) = understanding.query(message)
    {
        let pick = |rows: &[&str]| understanding.pick(rows, message);
        let words = Words::of(spoken(message, language));
        return engine::answer(record, &query, message, &words, &pick);
    }
    let found = answer(record, message);
    if found.answered || language == Language::English {
        return found;
    }
    reply::refusal("nothing", &Words::of(language))
}

/// Language of a question. Of short ones in Latin letters, in which letters and little words say the least, the names of
/// things decide: where the language that was detected has none of them, and one other has.
fn spoken(message: &str, detected: Language) -> Language {
    const LATIN: [Language; 6] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Italian,
        Language::Portuguese,
    ];
    let named = |language: &Language| !Words::of(*language).named_in(message).is_empty();
    if !LATIN.contains(&detected) || named(&detected) {
        return detected;
    }
    let mut others = LATIN.into_iter().filter(named);
    match (others.next(), others.next()) {
        (Some(only), None) => only,
        _ => detected,
    }
}

/// Answers a question by rules (English).
pub fn answer(record: &Record, message: &str) -> Answer {
    let question = Question::new(message);
    let handlers: [fn(&Record, &Question) -> Option<Answer>; 8] = [
        money::answer,
        colour,
        count,
        place,
        presence,
        text::answer,
        facts,
        text::search,
    ];
    handlers
        .iter()
        .find_map(|handler| handler(record, &question))
        .unwrap_or_else(|| Answer {
            text: nothing(record),
            answered: false,
            evidence: Vec::new(),
        })
}

/// Answer to a question that nothing answers: a list of what is known.
fn nothing(record: &Record) -> String {
    let mut known = Vec::new();
    match &record.lines {
        Some(lines) if !lines.is_empty() => known.push(format!("{} of text", counted(lines.len(), "line"))),
        Some(_) => known.push("no text".to_owned()),
        None => {}
    }
    match &record.objects {
        Some(objects) if !objects.is_empty() => known.push(counted(objects.len(), "object")),
        Some(_) => known.push("no objects".to_owned()),
        None => {}
    }
    known.push("its colours, light and size".to_owned());
    format!(
        "Nothing that was found in the picture answers this. What is known of it: {}.",
        listed(&known)
    )
}

fn objects(record: &Record) -> Result<&[ColouredObject], Option<Answer>> {
    let found = record.objects.as_deref();
    found.ok_or_else(|| not_looked_for("objects", "/api/v1/image/analyze"))
}

fn matching<'a>(seen: &'a [ColouredObject], label: &str) -> Vec<&'a ColouredObject> {
    seen.iter().filter(|seen| seen.object.label == label).collect()
}

/// Answers "What colour is the car?" and "What are the main colours?".
fn colour(record: &Record, question: &Question) -> Option<Answer> {
    if !question.has(&["colour", "colours", "color", "colors", "coloured", "colored"]) {
        return None;
    }
    let Some(label) = question.labels().into_iter().next() else {
        if question.is_about_unknown_object() {
            return Answer::no(
                "The detector does not know this kind of thing, so its colour is not known; colours are known of the objects that were found and of the whole picture.",
            );
        }
        let parts: Vec<String> = record
            .colours
            .iter()
            .map(|colour| format!("{} ({:.0} %)", colour.name, colour.share * 100.0))
            .collect();
        let evidence = record
            .colours
            .iter()
            .map(|colour| fact("colours", format!("{} {}", colour.name, colour.hex)));
        return Answer::yes(format!("Its main colours are {}.", listed(&parts)), evidence.collect());
    };
    let found = match objects(record) {
        Ok(objects) => matching(objects, label),
        Err(answer) => return answer,
    };
    if found.is_empty() {
        return Answer::no(format!(
            "No {label} was found in the picture, so there is no colour to tell."
        ));
    }
    let colours: Vec<String> = found
        .iter()
        .map(|seen| {
            seen.colour
                .clone()
                .unwrap_or_else(|| "of no colour that can be told".to_owned())
        })
        .collect();
    let evidence = found.iter().map(|seen| of_object(&seen.object)).collect();
    let text = match colours.as_slice() {
        [one] => format!("The {label} is mostly {one}."),
        several => format!(
            "There are {}: they are mostly {}.",
            counted(several.len(), label),
            listed(several)
        ),
    };
    Answer::yes(text, evidence)
}

/// Answers "How many people are there?" and "How many people and dogs?".
fn count(record: &Record, question: &Question) -> Option<Answer> {
    let asks = question.contains("how many") || question.contains("number of") || question.has(&["count"]);
    if !asks {
        return None;
    }
    if question.has(&["lines", "words", "characters", "letters", "colours", "colors", "pixels"]) {
        return None;
    }
    let labels = question.labels();
    if labels.is_empty() {
        if question.has(&["objects", "things"]) {
            let found = match objects(record) {
                Ok(objects) => objects,
                Err(answer) => return answer,
            };
            let evidence = found.iter().map(|seen| of_object(&seen.object)).collect();
            return Answer::yes(format!("{} found.", capital(&counted(found.len(), "object"))), evidence);
        }
        return None;
    }
    let found = match objects(record) {
        Ok(objects) => objects,
        Err(answer) => return answer,
    };
    let of_labels: Vec<(&str, Vec<&ColouredObject>)> = labels
        .into_iter()
        .map(|label| (label, matching(found, label)))
        .collect();
    let parts: Vec<String> = of_labels
        .iter()
        .map(|(label, seen)| counted(seen.len(), label))
        .collect();
    let total: usize = of_labels.iter().map(|(_, seen)| seen.len()).sum();
    let evidence = of_labels
        .iter()
        .flat_map(|(_, seen)| seen)
        .map(|seen| of_object(&seen.object))
        .collect();
    let sum = if parts.len() > 1 {
        format!(", {total} together")
    } else {
        String::new()
    };
    let verb = if total == 1 { "was" } else { "were" };
    Answer::yes(format!("{} {verb} found{sum}.", capital(&listed(&parts))), evidence)
}

/// Answers "Where is the dog?".
fn place(record: &Record, question: &Question) -> Option<Answer> {
    if !question.has(&["where"]) {
        return None;
    }
    let label = question.labels().into_iter().next()?;
    let found = match objects(record) {
        Ok(objects) => matching(objects, label),
        Err(answer) => return answer,
    };
    if found.is_empty() {
        return Answer::no(format!("No {label} was found in the picture."));
    }
    let (width, height) = (record.picture.width as f32, record.picture.height as f32);
    let places: Vec<String> = found
        .iter()
        .map(|seen| {
            let area = seen.object.area;
            let bounds = Bounds {
                left: area.x as f32,
                top: area.y as f32,
                right: (area.x + area.width) as f32,
                bottom: (area.y + area.height) as f32,
            };
            crate::describe::position(&bounds, width, height).to_owned()
        })
        .collect();
    let evidence = found.iter().map(|seen| of_object(&seen.object)).collect();
    let text = match places.as_slice() {
        [one] => format!("The {label} is {one}."),
        several => format!("There are {}: {}.", counted(several.len(), label), listed(several)),
    };
    Answer::yes(text, evidence)
}

/// Answers "Is there a cat?" and "Do you see any cars?".
fn presence(record: &Record, question: &Question) -> Option<Answer> {
    let asks = [
        "is there",
        "are there",
        "do you see",
        "can you see",
        "does it have",
        "does it show",
        "does it contain",
        "is it a",
        "any ",
    ];
    if !asks.iter().any(|start| question.contains(start)) {
        return None;
    }
    let label = question.labels().into_iter().next()?;
    let found = match objects(record) {
        Ok(objects) => matching(objects, label),
        Err(answer) => return answer,
    };
    if found.is_empty() {
        return Answer::yes(
            format!("No, no {label} was found."),
            vec![fact("objects", format!("0 × {label}"))],
        );
    }
    let verb = if found.len() == 1 { "was" } else { "were" };
    let text = format!("Yes, {} {verb} found.", counted(found.len(), label));
    Answer::yes(text, found.iter().map(|seen| of_object(&seen.object)).collect())
}

/// Answers questions about size, format, light, kind and description.
fn facts(record: &Record, question: &Question) -> Option<Answer> {
    let picture = &record.picture;
    if question.has(&["size", "resolution", "dimensions", "pixels", "wide", "width", "height"])
        || question.contains("how large")
        || question.contains("how big")
    {
        let value = format!("{} × {} pixels", picture.width, picture.height);
        return Answer::yes(format!("It is {value}."), vec![fact("picture", value)]);
    }
    if question.has(&["portrait", "landscape", "orientation"]) {
        let text = format!("It is in {} format.", picture.orientation);
        return Answer::yes(text, vec![fact("picture", picture.orientation.clone())]);
    }
    if question.has(&["format", "jpeg", "png", "filetype"]) {
        return Answer::yes(
            format!("The file is a {}.", picture.format),
            vec![fact("picture", picture.format.clone())],
        );
    }
    if question.has(&["bright", "dark", "brightness", "contrast", "light"]) && question.labels().is_empty() {
        let light = &record.light;
        let value = format!("brightness {:.2}, contrast {:.2}", light.brightness, light.contrast);
        return Answer::yes(
            format!("Its light is {}: {value}.", light.level),
            vec![fact("light", value)],
        );
    }
    let whole = ["describe", "description", "happening", "shown", "depicted"];
    let about = question.has(&whole)
        || question.contains("what is this")
        || question.contains("what do you see")
        || question.contains("in the picture")
        || question.contains("in the image")
        || question.contains("in this picture")
        || question.contains("in this image");
    if about && question.is_general() {
        if let Some(description) = &record.description {
            return Answer::yes(description.clone(), vec![fact("description", description.clone())]);
        }
        if let Some(found) = record.objects.as_deref().filter(|found| !found.is_empty()) {
            let labels: Vec<String> = found.iter().map(|seen| format!("one {}", seen.object.label)).collect();
            let evidence = found.iter().map(|seen| of_object(&seen.object)).collect();
            return Answer::yes(format!("These objects were found: {}.", listed(&labels)), evidence);
        }
    }
    let kinds = [
        "kind",
        "type",
        "sort",
        "photo",
        "photograph",
        "document",
        "screenshot",
        "chart",
        "drawing",
        "diagram",
    ];
    if question.has(&kinds)
        && let Some(kind) = &record.kind
    {
        let text = format!("It looks like a {} (confidence {:.2}).", kind.name, kind.confidence);
        return Answer::yes(text, vec![fact("kind", kind.name.clone())]);
    }
    None
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
