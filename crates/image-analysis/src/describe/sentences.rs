//! Sentences made of facts.

use super::Found;
use crate::facts;
use crate::objects::labels::plural;
use crate::objects::{self, Tag, Thing};
use crate::picture::Decoded;
use quartet_ocr::Reading;
use quartet_ocr::geometry::Bounds;

/// Numbers up to this are words.
const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
/// A tag says what the picture looks like from this confidence on,
const SURE_TAG: f32 = 0.6;
/// what it may show from this one on,
const LIKELY_TAG: f32 = 0.3;
/// and is the nearest guess from this one on.
const GUESSED_TAG: f32 = 0.1;
/// So much text is quoted, in characters.
const QUOTED: usize = 200;

/// "two cats", "one person".
pub fn counted(count: usize, label: &str) -> String {
    let number = NUMBERS
        .get(count)
        .map_or_else(|| count.to_string(), |word| (*word).to_owned());
    if count == 1 {
        format!("{number} {label}")
    } else {
        format!("{number} {}", plural(label))
    }
}

/// "a, b and c".
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Where something is: "at the upper left".
pub fn position(bounds: &Bounds, width: f32, height: f32) -> &'static str {
    if bounds.width() * bounds.height() > 0.6 * width * height {
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

/// The description.
pub fn describe(decoded: &Decoded, found: &Found) -> String {
    let mut sentences = vec![opening(decoded, found)];
    sentences.extend(things(decoded, found));
    sentences.extend(tags(decoded, found));
    sentences.push(text(found));
    sentences.push(colours(found));
    sentences.push(light(found));
    sentences.join(" ")
}

fn opening(decoded: &Decoded, found: &Found) -> String {
    let (kind, confidence) = found.kind;
    let verb = if confidence >= 0.7 { "is" } else { "is probably" };
    let (width, height) = (decoded.width, decoded.height);
    let shape = facts::orientation(width, height);
    format!(
        "This {verb} a {} in {shape} format, {width} × {height} pixels.",
        kind.name()
    )
}

/// What is sure, and in a sentence of its own what is not.
fn things(decoded: &Decoded, found: &Found) -> Option<String> {
    let (sure, unsure): (Vec<&Thing>, Vec<&Thing>) = found.things.iter().partition(|thing| is_sure(decoded, thing));
    let parts = [
        named(decoded, &sure).map(|things| match sure.len() {
            1 => format!("There is {things}."),
            _ => format!("There are {things}."),
        }),
        named(decoded, &unsure).map(|things| {
            format!(
                "Perhaps there {} {things}.",
                if unsure.len() == 1 { "is" } else { "are" }
            )
        }),
    ];
    let sentences: Vec<String> = parts.into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// How many there are of each label, and where.
fn named(decoded: &Decoded, things: &[&Thing]) -> Option<String> {
    let (width, height) = (decoded.picture.width() as f32, decoded.picture.height() as f32);
    let mut labels: Vec<&str> = Vec::new();
    for thing in things {
        if !labels.contains(&thing.label()) {
            labels.push(thing.label());
        }
    }
    if labels.is_empty() {
        return None;
    }
    let parts: Vec<String> = labels
        .iter()
        .map(|label| {
            let of_label: Vec<_> = things.iter().filter(|thing| thing.label() == *label).collect();
            let places: Vec<String> = of_label
                .iter()
                .map(|thing| position(&thing.bounds, width, height).to_owned())
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

fn is_sure(decoded: &Decoded, thing: &Thing) -> bool {
    let area = decoded.picture.width() * decoded.picture.height();
    objects::is_sure(thing.confidence, thing.bounds.area() / area as f32)
}

fn tags(decoded: &Decoded, found: &Found) -> Option<String> {
    if found.kind.0 != super::kind::Kind::Photo {
        return None;
    }
    let first = found.tags.first()?;
    if first.confidence >= SURE_TAG {
        return Some(format!("As a whole it looks like a picture of: {}.", first.label));
    }
    // Guesses are for pictures of which there is nothing better to say.
    if found.things.iter().any(|thing| is_sure(decoded, thing)) || first.confidence < GUESSED_TAG {
        return None;
    }
    let guess = |tag: &Tag| format!("{} ({:.0} %)", tag.label, tag.confidence * 100.0);
    if first.confidence >= LIKELY_TAG {
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

/// What looks like text and was not read, as a sentence; none where everything was.
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

fn text(found: &Found) -> String {
    let unread = unread(&found.reading);
    let read = read(found);
    match (read, unread) {
        (Some(read), Some(unread)) => format!("{read} {unread}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "No text was found in it.".to_owned(),
    }
}

fn read(found: &Found) -> Option<String> {
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
    Some(if all.chars().count() <= QUOTED {
        format!("It has {count} of text: “{all}”.")
    } else {
        let start: String = all.chars().take(QUOTED).collect();
        format!("It has {count} of text, which begins “{}…”.", start.trim_end())
    })
}

fn colours(found: &Found) -> String {
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

fn light(found: &Found) -> String {
    let light = found.palette.light;
    let contrast = match light.contrast {
        contrast if contrast < 0.3 => "low",
        contrast if contrast < 0.7 => "medium",
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

    fn thing(label: &str, confidence: f32, width: f32) -> Thing {
        Thing {
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

    fn described(things: Vec<Thing>, tags: &[(&'static str, f32)], unread: usize) -> String {
        let decoded = decoded();
        let line = RotatedRect {
            centre: Point::new(50.0, 25.0),
            width: 40.0,
            height: 4.0,
            angle: 0.0,
        };
        let found = Found {
            kind: (Kind::Photo, 0.9),
            thing_colours: vec![None; things.len()],
            things,
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
        let text = described(vec![thing("cat", 0.8, 30.0), thing("bird", 0.42, 30.0)], &[], 0);
        assert!(
            text.contains("There is one cat on the left. Perhaps there is one bird on the left."),
            "{text}"
        );
        // A thing all over the picture must be surer.
        let text = described(vec![thing("person", 0.55, 100.0)], &[], 0);
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
        assert!(!described(vec![thing("cat", 0.8, 30.0)], &tags, 0).contains("palace"));
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
