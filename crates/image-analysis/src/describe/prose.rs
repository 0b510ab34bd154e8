//! Description of a picture in prose: main things first, colours and light last. A sentence says nothing that the record
//! does not hold.

use quartet_api::Language;
use quartet_api::image::Tag;

use crate::chat::record::{ColouredObject, Record};
use crate::objects::is_sure;
use crate::objects::kinds::{IMAGENET_KINDS, class_named};
use crate::objects::labels::{COCO, IMAGENET};
use crate::words::Words;

/// Confidence from which on a tag says what the picture looks like.
const LIKELY_TAG_CONFIDENCE: f32 = 0.4;
/// Most characters of text that are quoted.
const MAX_QUOTED_CHARACTERS: usize = 200;
/// Confidence from which on the kind of the picture is certain.
const SURE_KIND_CONFIDENCE: f32 = 0.7;
/// Most things of a kind whose places are told.
const MAX_PLACES: usize = 3;
/// Most colours that are told.
const MAX_COLOURS: usize = 3;
/// Level of light that a description does not mention.
const USUAL_LIGHT: &str = "medium";

/// Describes a picture in a language.
pub fn describe(record: &Record, language: Language) -> String {
    let words = Words::of(language);
    let mut sentences = vec![opening(record, &words)];
    sentences.extend(doubtful(record, &words));
    sentences.extend(whole(record, &words));
    sentences.extend(text(record, &words));
    // What nobody would mention is left out: that light is as usual, and shades of grey of what has no colours.
    if !record.light.greyscale {
        sentences.push(colours(record, &words));
    }
    if record.light.level != USUAL_LIGHT {
        sentences.push(level(record, &words));
    }
    if record.light.greyscale {
        sentences.push(words.say("greyscale", &[]));
    }
    words.joined(&sentences)
}

/// True if an object is certain.
pub fn is_certain(record: &Record, seen: &ColouredObject) -> bool {
    let area = seen.object.area;
    let all = record.picture.width as f32 * record.picture.height as f32;
    is_sure(seen.object.confidence, area.width as f32 * area.height as f32 / all)
}

/// Objects that are certain, or those that are not; the largest kind first.
fn objects(record: &Record, certain: bool) -> Vec<&ColouredObject> {
    let mut found: Vec<&ColouredObject> = record
        .objects
        .iter()
        .flatten()
        .filter(|seen| is_certain(record, seen) == certain)
        .collect();
    let size = |seen: &ColouredObject| u64::from(seen.object.area.width) * u64::from(seen.object.area.height);
    found.sort_by_key(|seen| std::cmp::Reverse(size(seen)));
    found
}

fn kind(record: &Record) -> &str {
    match &record.kind {
        Some(kind) if kind.confidence >= SURE_KIND_CONFIDENCE => &kind.name,
        _ => "picture",
    }
}

fn opening(record: &Record, words: &Words) -> String {
    let kind = kind(record);
    let found = objects(record, true);
    if found.is_empty() {
        return words.say(&format!("plain_{kind}"), &[]);
    }
    shows(record, words, kind, &found)
}

/// Sentence that a picture of a kind shows things at their places.
fn shows(record: &Record, words: &Words, kind: &str, found: &[&ColouredObject]) -> String {
    let things = words.listed_clauses(&placed(record, words, found));
    words.say_of(found.len(), &format!("shows_{kind}"), &[("things", &things)])
}

/// Sentences about things: those that are certain, then the others.
pub fn sure_and_perhaps(
    record: &Record,
    words: &Words,
    sure: &[&ColouredObject],
    unsure: &[&ColouredObject],
) -> String {
    let mut sentences = Vec::new();
    if !sure.is_empty() {
        sentences.push(shows(record, words, "picture", sure));
    }
    if !unsure.is_empty() {
        sentences.push(perhaps(record, words, unsure, !sure.is_empty()));
    }
    words.joined(&sentences)
}

/// Sentence that there may be things, perhaps beside others.
fn perhaps(record: &Record, words: &Words, unsure: &[&ColouredObject], others: bool) -> String {
    let things = words.listed_clauses(&placed(record, words, unsure));
    let key = if others { "perhaps_also" } else { "perhaps" };
    words.say_of(unsure.len(), key, &[("things", &things)])
}

fn doubtful(record: &Record, words: &Words) -> Option<String> {
    let found = objects(record, false);
    let others = !objects(record, true).is_empty();
    (!found.is_empty()).then(|| perhaps(record, words, &found, others))
}

/// Number and places of the objects of each label.
pub fn placed(record: &Record, words: &Words, found: &[&ColouredObject]) -> Vec<String> {
    let mut labels: Vec<&str> = Vec::new();
    for seen in found {
        if !labels.contains(&seen.object.label.as_str()) {
            labels.push(&seen.object.label);
        }
    }
    let one = |label: &&str| {
        let of_label: Vec<_> = found.iter().filter(|seen| seen.object.label == **label).collect();
        let mut places: Vec<String> = Vec::new();
        for seen in &of_label {
            let place = words.place(&seen.object.area, &record.picture);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let count = of_label.len();
        let mut name = words.shown(count, label);
        let finer = of_label.iter().find_map(|seen| seen.object.name.as_deref());
        if let Some(finer) = finer.filter(|_| words.language == Language::English && count == 1) {
            name = words.aside(&name, finer);
        }
        match of_label.as_slice() {
            [only] => words.at_place(&name, &only.object.area, &record.picture),
            _ if places.len() > MAX_PLACES => words.say("unplaced", &[("thing", &name)]),
            _ if places.len() == 1 => words.say("at_place", &[("thing", &name), ("place", &places[0])]),
            _ => words.say("unplaced", &[("thing", &words.aside(&name, &words.listed(&places)))]),
        }
    };
    labels.iter().map(one).collect()
}

/// Likeness of a tag in a language: a thing of its class of COCO; in English its own name.
pub fn tag_name(tag: &Tag, words: &Words) -> Option<String> {
    if words.language == Language::English {
        return Some(tag.label.clone());
    }
    tag_class(tag).map(|class| words.likened(class))
}

/// Class of COCO of a tag.
pub fn tag_class(tag: &Tag) -> Option<&'static str> {
    let index = IMAGENET.iter().position(|known| *known == tag.label)?;
    IMAGENET_KINDS[index].class.map(|class| COCO[class])
}

/// Family of a tag.
pub fn tag_family(tag: &Tag) -> Option<&'static str> {
    let index = IMAGENET.iter().position(|known| *known == tag.label)?;
    Some(IMAGENET_KINDS[index].family)
}

/// Tag that the picture as a whole looks like.
pub fn likely_tag(record: &Record) -> Option<&Tag> {
    record
        .tags
        .first()
        .filter(|tag| tag.confidence >= LIKELY_TAG_CONFIDENCE)
}

fn whole(record: &Record, words: &Words) -> Option<String> {
    if kind(record) != "photo" && kind(record) != "picture" {
        return None;
    }
    let tag = likely_tag(record)?;
    // What was found says it already.
    let class = tag_class(tag);
    let known = |seen: &ColouredObject| class.and_then(class_named) == class_named(&seen.object.label);
    if class.is_some() && record.objects.iter().flatten().any(known) {
        return None;
    }
    let name = tag_name(tag, words)?;
    Some(words.say("looks_like", &[("tag", &name)]))
}

fn text(record: &Record, words: &Words) -> Option<String> {
    let lines = record.lines.as_ref()?;
    let mut sentences = Vec::new();
    let all: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let all = all.join(" / ");
    if lines.is_empty() {
        // A photograph without text is nothing to mention.
        if record.unread == 0 && kind(record) != "photo" {
            sentences.push(words.say("no_text", &[]));
        }
    } else if all.chars().count() <= MAX_QUOTED_CHARACTERS {
        sentences.push(words.say("reads", &[("text", &all)]));
    } else {
        let start: String = all.chars().take(MAX_QUOTED_CHARACTERS).collect();
        let values = [
            ("count", lines.len().to_string()),
            ("text", start.trim_end().to_owned()),
        ];
        sentences.push(words.say(
            "begins",
            &values.each_ref().map(|(name, value)| (*name, value.as_str())),
        ));
    }
    if record.unread > 0 {
        sentences.push(words.say("unread", &[]));
    }
    (!sentences.is_empty()).then(|| words.joined(&sentences))
}

/// Sentence about the colours of the whole picture.
pub fn colours(record: &Record, words: &Words) -> String {
    let names: Vec<String> = record
        .colours
        .iter()
        .take(MAX_COLOURS)
        .map(|colour| words.name("colour", &colour.name))
        .collect();
    if names.is_empty() {
        return words.say("no_colours", &[]);
    }
    words.say_of(names.len(), "main_colours", &[("colours", &words.listed(&names))])
}

/// Sentences about the light.
pub fn light(record: &Record, words: &Words) -> String {
    let mut sentences = vec![level(record, words)];
    if record.light.greyscale {
        sentences.push(words.say("greyscale", &[]));
    }
    words.joined(&sentences)
}

/// Sentence about the brightness.
fn level(record: &Record, words: &Words) -> String {
    let level = words.name("light", &record.light.level);
    words.say("light", &[("level", &level)])
}

/// Sentence about the size.
pub fn size(record: &Record, words: &Words) -> String {
    let picture = &record.picture;
    let values = [
        ("width", picture.width.to_string()),
        ("height", picture.height.to_string()),
        ("shape", words.name("shape", &picture.orientation)),
        ("format", picture.format.clone()),
    ];
    words.say("size", &values.each_ref().map(|(name, value)| (*name, value.as_str())))
}
