//! Sentences of the description, made of the findings.

use super::Findings;
use crate::facts;
use crate::objects::labels::plural;
use crate::objects::{DetectedObject, Tag, is_sure as is_sure_object};
use crate::picture::Decoded;
use quartet_ocr::Reading;
use quartet_ocr::geometry::Bounds;

/// Numbers that are written as words.
const NUMBER_WORDS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
/// Confidence from which on a tag says what the picture looks like.
const SURE_TAG_CONFIDENCE: f32 = 0.6;
/// Confidence from which on a tag says what it may show.
const LIKELY_TAG_CONFIDENCE: f32 = 0.3;
/// Confidence from which on a tag is the nearest guess.
const GUESSED_TAG_CONFIDENCE: f32 = 0.1;
/// Most characters of text that are quoted.
const MAX_QUOTED_CHARACTERS: usize = 200;
/// Confidence from which on the kind of the picture is certain.
const SURE_KIND_CONFIDENCE: f32 = 0.7;
/// Share of the picture above which an object fills most of it.
const FILLING_SHARE: f32 = 0.6;
/// Contrast below which it is low.
const LOW_CONTRAST: f32 = 0.3;
/// Contrast from which on it is high.
const HIGH_CONTRAST: f32 = 0.7;

/// Number and noun: "two cats", "one person".
pub fn counted(count: usize, label: &str) -> String {
    let number = NUMBER_WORDS
        .get(count)
        .map_or_else(|| count.to_string(), |word| (*word).to_owned());
    if count == 1 {
        format!("{number} {label}")
    } else {
        format!("{number} {}", plural(label))
    }
}

/// Enumeration: "a, b and c".
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Position in the picture: "at the upper left".
pub fn position(bounds: &Bounds, width: f32, height: f32) -> &'static str {
    if bounds.width() * bounds.height() > FILLING_SHARE * width * height {
        return "filling most of the picture";
    }
    let centre = bounds.centre();
    let third = |at: f32, length: f32| (at / length * 3.0).clamp(0.0, 2.0) as usize;
    const NAMES: [[&str; 3]; 3] = [
        ["at the upper left", "at the top", "at the upper right"],
        ["on the left", "in the middle", "on the right"],
        ["at the lower left", "at the bottom", "at the lower right"],
    ];
    NAMES[third(centre.y, height)][third(centre.x, width)]
}

/// Describes a picture.
pub fn describe(decoded: &Decoded, found: &Findings) -> String {
    let mut sentences = vec![opening(decoded, found)];
    sentences.extend(objects(decoded, found));
    sentences.extend(tags(decoded, found));
    sentences.push(text(found));
    sentences.push(colours(found));
    sentences.push(light(found));
    sentences.join(" ")
}

fn opening(decoded: &Decoded, found: &Findings) -> String {
    let (kind, confidence) = found.kind;
    let verb = if confidence >= SURE_KIND_CONFIDENCE {
        "is"
    } else {
        "is probably"
    };
    let (width, height) = (decoded.width, decoded.height);
    let shape = facts::orientation(width, height);
    format!(
        "This {verb} a {} in {shape} format, {width} × {height} pixels.",
        kind.name()
    )
}

/// Objects that are certain, and in a sentence of their own those that are not.
fn objects(decoded: &Decoded, found: &Findings) -> Option<String> {
    let (sure, unsure): (Vec<&DetectedObject>, Vec<&DetectedObject>) =
        found.objects.iter().partition(|object| is_sure(decoded, object));
    let parts = [
        named(decoded, &sure).map(|objects| match sure.len() {
            1 => format!("There is {objects}."),
            _ => format!("There are {objects}."),
        }),
        named(decoded, &unsure).map(|objects| {
            format!(
                "Perhaps there {} {objects}.",
                if unsure.len() == 1 { "is" } else { "are" }
            )
        }),
    ];
    let sentences: Vec<String> = parts.into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Number and positions of the objects of each label.
fn named(decoded: &Decoded, objects: &[&DetectedObject]) -> Option<String> {
    let (width, height) = (decoded.picture.width() as f32, decoded.picture.height() as f32);
    let mut labels: Vec<&str> = Vec::new();
    for object in objects {
        if !labels.contains(&object.label()) {
            labels.push(object.label());
        }
    }
    if labels.is_empty() {
        return None;
    }
    let parts: Vec<String> = labels
        .iter()
        .map(|label| {
            let of_label: Vec<_> = objects.iter().filter(|object| object.label() == *label).collect();
            let places: Vec<String> = of_label
                .iter()
                .map(|object| position(&object.bounds, width, height).to_owned())
                .collect();
            match places.as_slice() {
                [place] => format!("{} {place}", counted(1, label)),
                [first, rest @ ..] if rest.iter().all(|place| place == first) => {
                    format!("{} {first}", counted(places.len(), label))
                }
                places if places.len() <= 3 => format!("{} ({})", counted(places.len(), label), places.join("; ")),
                places => counted(places.len(), label),
            }
        })
        .collect();
    Some(listed(&parts))
}

fn is_sure(decoded: &Decoded, object: &DetectedObject) -> bool {
    let area = decoded.picture.width() * decoded.picture.height();
    is_sure_object(object.confidence, object.bounds.area() / area as f32)
}

fn tags(decoded: &Decoded, found: &Findings) -> Option<String> {
    if found.kind.0 != super::kind::Kind::Photo {
        return None;
    }
    let first = found.tags.first()?;
    if first.confidence >= SURE_TAG_CONFIDENCE {
        return Some(format!("As a whole it looks like a picture of: {}.", first.label));
    }
    // Guesses are for pictures of which there is nothing better to say.
    if found.objects.iter().any(|object| is_sure(decoded, object)) || first.confidence < GUESSED_TAG_CONFIDENCE {
        return None;
    }
    let guess = |tag: &Tag| format!("{} ({:.0} %)", tag.label, tag.confidence * 100.0);
    if first.confidence >= LIKELY_TAG_CONFIDENCE {
        return Some(format!("As a whole it may show: {}.", guess(first)));
    }
    let near = found
        .tags
        .iter()
        .take(3)
        .filter(|tag| tag.confidence >= first.confidence / 2.0);
    let guesses: Vec<String> = near.map(guess).collect();
    let verb = if guesses.len() == 1 { "guess is" } else { "guesses are" };
    Some(format!(
        "What it shows as a whole was not recognised; the nearest {verb}: {}.",
        listed(&guesses)
    ))
}

/// Warning about places that look like text and were not read; none where everything was.
pub fn unread(reading: &Reading) -> Option<String> {
    let count = reading.unread.len();
    if reading.stopped {
        return Some(format!(
            "The time for reading was up: {} not read.",
            match count {
                1 => "one line was".to_owned(),
                _ => format!("{} were", counted(count, "line")),
            }
        ));
    }
    let sure = reading.unread.iter().filter(|unread| unread.is_sure()).count();
    let known = "what can be read is Latin, Cyrillic, Arabic, Devanagari, Chinese, Japanese and Korean script";
    if sure > 0 {
        let verb = if sure == 1 { "looks" } else { "look" };
        let lines = capitalised(&counted(sure, "line"));
        return Some(format!("{lines} {verb} like text and could not be read; {known}."));
    }
    (count > 0).then(|| {
        format!(
            "{} may be text that could not be read.",
            capitalised(&counted(count, "place"))
        )
    })
}

fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}

fn text(found: &Findings) -> String {
    let unread = unread(&found.reading);
    let read = read(found);
    match (read, unread) {
        (Some(read), Some(unread)) => format!("{read} {unread}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "No text was found in it.".to_owned(),
    }
}

fn read(found: &Findings) -> Option<String> {
    let lines = &found.reading.lines;
    if lines.is_empty() {
        return None;
    }
    let all = lines
        .iter()
        .map(|line| line.text.as_str())
        .collect::<Vec<_>>()
        .join(" / ");
    let count = counted(lines.len(), "line");
    Some(if all.chars().count() <= MAX_QUOTED_CHARACTERS {
        format!("It has {count} of text: “{all}”.")
    } else {
        let start: String = all.chars().take(MAX_QUOTED_CHARACTERS).collect();
        format!("It has {count} of text, which begins “{}…”.", start.trim_end())
    })
}

fn colours(found: &Findings) -> String {
    let parts: Vec<String> = found
        .palette
        .colours
        .iter()
        .map(|colour| format!("{} ({:.0} %)", colour.name, colour.share * 100.0))
        .collect();
    match parts.as_slice() {
        [] => "It has many colours, none of them on much of it.".to_owned(),
        [one] => format!("Its main colour is {one}."),
        several => format!("Its main colours are {}.", listed(several)),
    }
}

fn light(found: &Findings) -> String {
    let light = found.palette.light;
    let contrast = match light.contrast {
        contrast if contrast < LOW_CONTRAST => "low",
        contrast if contrast < HIGH_CONTRAST => "medium",
        _ => "high",
    };
    let grey = if light.greyscale { ", without colours" } else { "" };
    match facts::level(light.brightness) {
        "medium" => format!("It is of medium brightness with {contrast} contrast{grey}."),
        level => format!("It is {level} with {contrast} contrast{grey}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::{colours, kind::Kind};
    use crate::objects::labels::COCO;
    use crate::picture::{Format, Picture};
    use quartet_ocr::Unread;
    use quartet_ocr::geometry::{Point, RotatedRect};

    fn decoded() -> Decoded {
        Decoded {
            picture: Picture::new(100, 50, vec![128; 100 * 50 * 3]).unwrap(),
            width: 100,
            height: 50,
            format: Format::Png,
        }
    }

    fn object(label: &str, confidence: f32, width: f32) -> DetectedObject {
        DetectedObject {
            class: COCO.iter().position(|known| *known == label).unwrap(),
            confidence,
            bounds: Bounds {
                left: 0.0,
                top: 0.0,
                right: width,
                bottom: 50.0,
            },
        }
    }

    fn described(objects: Vec<DetectedObject>, tags: &[(&'static str, f32)], unread: usize) -> String {
        let decoded = decoded();
        let line = RotatedRect {
            centre: Point::new(50.0, 25.0),
            width: 40.0,
            height: 4.0,
            angle: 0.0,
        };
        let found = Findings {
            kind: (Kind::Photo, 0.9),
            object_colours: vec![None; objects.len()],
            objects,
            tags: tags
                .iter()
                .map(|(label, confidence)| Tag {
                    label,
                    confidence: *confidence,
                })
                .collect(),
            reading: Reading {
                unread: vec![
                    Unread {
                        place: line,
                        confidence: 0.95,
                    };
                    unread
                ],
                ..Reading::default()
            },
            palette: colours::palette(&decoded.picture),
        };
        describe(&decoded, &found)
    }

    #[test]
    fn what_is_not_sure_is_said_to_be_perhaps() {
        let text = described(vec![object("cat", 0.8, 30.0), object("bird", 0.42, 30.0)], &[], 0);
        assert!(
            text.contains("There is one cat on the left. Perhaps there is one bird on the left."),
            "{text}"
        );
        // A object all over the picture must be surer.
        let text = described(vec![object("person", 0.55, 100.0)], &[], 0);
        assert!(
            text.contains("Perhaps there is one person filling most of the picture."),
            "{text}"
        );
    }

    #[test]
    fn guesses_are_told_as_guesses_and_only_where_nothing_is_sure() {
        let tags = [("palace", 0.37), ("bell cote", 0.08)];
        let text = described(Vec::new(), &tags, 0);
        assert!(text.contains("As a whole it may show: palace (37 %)."), "{text}");
        assert!(!described(vec![object("cat", 0.8, 30.0)], &tags, 0).contains("palace"));
        let text = described(
            Vec::new(),
            &[("missile", 0.12), ("projectile", 0.09), ("crane", 0.02)],
            0,
        );
        assert!(
            text.contains("not recognised; the nearest guesses are: missile (12 %) and projectile (9 %)."),
            "{text}"
        );
        assert!(!described(Vec::new(), &[("nematode", 0.04)], 0).contains("nematode"));
    }

    #[test]
    fn text_that_was_not_read_is_neither_there_nor_absent() {
        let text = described(Vec::new(), &[], 2);
        assert!(
            text.contains("Two lines look like text and could not be read"),
            "{text}"
        );
        assert!(!text.contains("No text"), "{text}");
    }
}
