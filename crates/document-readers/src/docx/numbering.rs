//! Numbers of headings and list items in documents of Word, counted as Word counts them.

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::xml::{Node, Xml};

/// Levels of a list.
const LEVELS: usize = 9;

/// A level of a list.
#[derive(Debug, Clone, Default)]
struct Level {
    /// Form of its numbers, such as `decimal`.
    format: String,
    /// Its label, with `%1` for the number of the first level.
    text: String,
    start: u32,
}

/// The lists of a document.
#[derive(Debug, Default)]
pub struct Numbering {
    /// Levels by the ids of their definitions.
    definitions: FxHashMap<String, Vec<Level>>,
    /// Ids of definitions by those of lists.
    lists: FxHashMap<String, String>,
    /// First numbers that a list has in place of its definition's.
    starts: FxHashMap<(String, usize), u32>,
    /// Numbers of the last item on each level, by definition.
    counts: FxHashMap<String, [Option<u32>; LEVELS]>,
    begun: FxHashMap<String, ()>,
}

impl Numbering {
    /// Reads the part with the lists.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut all = Self::default();
        let (mut definition, mut list, mut level) = (None::<String>, None::<String>, 0);
        let mut xml = Xml::new(text);
        while let Some(node) = xml.next()? {
            match node {
                Node::Open(tag) => {
                    let value = || tag.attribute("val").unwrap_or_default();
                    match tag.name() {
                        "abstractNum" => {
                            definition = tag.attribute("abstractNumId");
                            if let Some(id) = &definition {
                                all.definitions.insert(
                                    id.clone(),
                                    vec![
                                        Level {
                                            start: 1,
                                            ..Level::default()
                                        };
                                        LEVELS
                                    ],
                                );
                            }
                        }
                        "num" => list = tag.attribute("numId"),
                        "abstractNumId" => {
                            if let Some(list) = &list {
                                all.lists.insert(list.clone(), value());
                            }
                        }
                        "lvl" | "lvlOverride" => level = tag.number("ilvl").unwrap_or(0).min(LEVELS - 1),
                        "startOverride" => {
                            if let (Some(list), Some(start)) = (&list, tag.number("val")) {
                                all.starts
                                    .insert((list.clone(), level), u32::try_from(start).unwrap_or(1));
                            }
                        }
                        name @ ("numFmt" | "lvlText" | "start") => {
                            let levels = definition.as_ref().and_then(|id| all.definitions.get_mut(id));
                            if let Some(level) = levels.and_then(|levels| levels.get_mut(level)) {
                                match name {
                                    "numFmt" => level.format = value(),
                                    "lvlText" => level.text = value(),
                                    _ => level.start = value().parse().unwrap_or(1),
                                }
                            }
                        }
                        _ => {}
                    }
                }
                Node::Close(end) if end.name() == "abstractNum" => definition = None,
                Node::Close(end) if end.name() == "num" => list = None,
                _ => {}
            }
        }
        Ok(all)
    }

    /// Counts an item, and returns its number, such as `2.1`: empty for a sign, none where there is no such list.
    pub fn next(&mut self, list: &str, level: usize) -> Option<String> {
        let level = level.min(LEVELS - 1);
        let id = self.lists.get(list)?;
        let levels = self.definitions.get(id)?;
        let is_new = self.begun.insert(list.to_owned(), ()).is_none();
        let counts = self.counts.entry(id.clone()).or_default();
        if is_new {
            // A list that starts anew does so with its first item.
            for (at, count) in counts.iter_mut().enumerate() {
                if let Some(start) = self.starts.get(&(list.to_owned(), at)) {
                    *count = start.checked_sub(1).filter(|_| at == level);
                }
            }
        }
        for count in &mut counts[level + 1..] {
            *count = None;
        }
        for at in 0..=level {
            let next = match (counts[at], at == level) {
                (Some(count), true) => count.saturating_add(1),
                (Some(count), false) => count,
                (None, _) => levels[at].start,
            };
            counts[at] = Some(next);
        }
        let this = &levels[level];
        if matches!(this.format.as_str(), "bullet" | "none" | "") {
            return Some(String::new());
        }
        let mut label = this.text.clone();
        for at in 0..=level {
            let number = number(counts[at].unwrap_or(1), &levels[at].format);
            label = label.replace(&format!("%{}", at + 1), &number);
        }
        Some(label.trim().to_owned())
    }
}

/// A number in a form.
fn number(number: u32, format: &str) -> String {
    match format {
        "lowerLetter" => letters(number).to_lowercase(),
        "upperLetter" => letters(number),
        "lowerRoman" => roman(number).to_lowercase(),
        "upperRoman" => roman(number),
        "decimalZero" => format!("{number:02}"),
        "bullet" | "none" => String::new(),
        _ => number.to_string(),
    }
}

/// A, B, … Z, AA, BB.
fn letters(number: u32) -> String {
    let index = number.saturating_sub(1);
    let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    letter.to_string().repeat((index / 26 + 1).min(10) as usize)
}

fn roman(number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = number.min(3999);
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            out.push_str(sign);
            rest -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted_as_word_counts_them() {
        let level = |at: u8, format: &str, text: &str| {
            format!(
                "<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
            )
        };
        let text = format!(
            "<w:numbering><w:abstractNum w:abstractNumId='7'>{}{}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='7'/>\
             </w:num><w:num w:numId='2'><w:abstractNumId w:val='7'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/>\
             </w:lvlOverride></w:num><w:abstractNum w:abstractNumId='8'>{}</w:abstractNum><w:num w:numId='3'>\
             <w:abstractNumId w:val='8'/></w:num></w:numbering>",
            level(0, "upperRoman", "%1."),
            level(1, "lowerLetter", "%1%2)"),
            level(0, "bullet", "o"),
        );
        let mut numbering = Numbering::read(&text).unwrap();
        let mut next = |list: &str, level: usize| numbering.next(list, level).unwrap();
        assert_eq!(
            [next("1", 0), next("1", 1), next("1", 1), next("1", 0)],
            ["I.", "Ia)", "Ib)", "II."]
        );
        assert_eq!([next("1", 1), next("2", 0), next("3", 0)], ["IIa)", "I.", ""]);
        assert_eq!(numbering.next("9", 0), None);
    }
}
