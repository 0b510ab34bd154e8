//! Answers and descriptions in the words of a language model, where one is configured.

use quartet_api::{Language, Phrasing};
use quartet_grounding::{Draft, Passage, Task, numbers_and_names};
use quartet_image_analysis::{chat::record::Record, picture};
use quartet_llm_client::Picture;

use super::Context;

/// Words an answer about a picture. Its numbers, names and colours must be kept.
pub(super) fn answer(
    context: &Context<'_>,
    record: &Record,
    question: &str,
    text: String,
) -> (String, Option<Phrasing>) {
    // Answers are found in English; in another language they could not be compared.
    let language = quartet_lang_detect::detect(question);
    let Some(writer) = context.writer.as_ref().filter(|_| language == Language::English) else {
        return (text, None);
    };
    let mut keep = numbers_and_names(&text, language);
    let colours = record.colours.iter().map(|colour| &colour.name);
    let things = record.objects.iter().flatten().filter_map(|seen| seen.colour.as_ref());
    keep.extend(
        colours
            .chain(things)
            .filter(|name| text.contains(name.as_str()))
            .cloned(),
    );
    let draft = Draft {
        task: Task::Answer(question),
        language,
        text: &text,
        evidence: vec![Passage {
            source: 0,
            text: text.clone(),
        }],
        keep,
    };
    let (text, phrasing) = quartet_grounding::rephrase(writer, &draft);
    (text, Some(phrasing))
}

/// Words a description with a model that takes pictures, beside the one that is made of the fields.
pub(super) fn description(
    context: &Context<'_>,
    picture: &picture::Picture,
    record: &Record,
    language: Language,
    text: String,
) -> (String, Option<Phrasing>) {
    let sees = |writer: &&quartet_grounding::Writer<'_>| writer.model.info().is_ok_and(|model| model.sees);
    let Some(writer) = context.writer.as_ref().filter(sees) else {
        return (text, None);
    };
    let Some(data) = picture::jpeg(picture) else {
        return (text, None);
    };
    let shown = Picture {
        media_type: "image/jpeg".to_owned(),
        data,
    };
    let mut facts = vec![text.clone()];
    facts.extend(record.lines.iter().flatten().map(|line| format!("Text: {}", line.text)));
    let draft = Draft {
        task: Task::Description(&shown),
        language,
        text: &text,
        evidence: facts
            .into_iter()
            .enumerate()
            .map(|(source, text)| Passage { source, text })
            .collect(),
        keep: Vec::new(),
    };
    let (text, phrasing) = quartet_grounding::rephrase(writer, &draft);
    (text, Some(phrasing))
}
