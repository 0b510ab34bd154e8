//! Answers and descriptions in a language model's words, where somebody gives them.

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use quartet_api::{Language, Phrasing};
use quartet_grounding::{Draft, Passage, Task, essentials};
use quartet_llm_client::Picture;

use super::Context;
use crate::chat::record::Record;
use crate::picture;

/// The longer side of a picture that is shown to a model, in pixels: larger ones are scaled down there.
const SIDE: usize = 1024;
/// The quality of the JPEG that it is sent as.
const QUALITY: u8 = 85;

/// An answer about a picture in a model's words. Its numbers, names and colours must be said.
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
    let mut keep = essentials(&text, language);
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
    let (text, phrasing) = quartet_grounding::worded(writer, &draft);
    (text, Some(phrasing))
}

/// A description by a model that sees, beside the one that is made of the fields.
pub(super) fn description(
    context: &Context<'_>,
    picture: &picture::Picture,
    record: &Record,
    text: String,
) -> (String, Option<Phrasing>) {
    let sees = |writer: &&quartet_grounding::Writer<'_>| writer.model.info().is_ok_and(|model| model.sees);
    let Some(writer) = context.writer.as_ref().filter(sees) else {
        return (text, None);
    };
    let Some(shown) = jpeg(picture) else {
        return (text, None);
    };
    let mut facts = vec![text.clone()];
    facts.extend(record.lines.iter().flatten().map(|line| format!("Text: {}", line.text)));
    let draft = Draft {
        task: Task::Description(&shown),
        language: Language::English,
        text: &text,
        evidence: facts
            .into_iter()
            .enumerate()
            .map(|(source, text)| Passage { source, text })
            .collect(),
        keep: Vec::new(),
    };
    let (text, phrasing) = quartet_grounding::worded(writer, &draft);
    (text, Some(phrasing))
}

/// A picture as a file that models take.
fn jpeg(picture: &picture::Picture) -> Option<Picture> {
    let longer = picture.width().max(picture.height());
    let side = |side: usize| (side * SIDE / longer).max(1);
    let shown = if longer > SIDE {
        picture.resized(side(picture.width()), side(picture.height()))
    } else {
        picture.clone()
    };
    let (width, height) = (u32::try_from(shown.width()).ok()?, u32::try_from(shown.height()).ok()?);
    let mut data = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut data, QUALITY);
    image::ImageEncoder::write_image(encoder, shown.pixels(), width, height, ExtendedColorType::Rgb8).ok()?;
    Some(Picture {
        media_type: "image/jpeg".to_owned(),
        data,
    })
}
