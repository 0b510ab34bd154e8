//! Kinds of things: which classes of ImageNet are of which class of COCO, the families of both, and what people call
//! them in English.
//!
//! The tables beside this file are derived from WordNet (`eval/pictures/kinds.py`).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::labels::COCO;

/// Class of ImageNet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageNetKind {
    /// Class of COCO that it is of: an index of [`COCO`].
    pub class: Option<usize>,
    /// Family, such as `animal`; empty where it has none.
    pub family: &'static str,
}

/// Kinds of ImageNet's classes, in the classifier's order.
pub static IMAGENET_KINDS: LazyLock<Vec<ImageNetKind>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut parts = line.split('\t').skip(1);
        let class = parts.next().unwrap_or_default();
        ImageNetKind {
            class: class_named(class),
            family: parts.next().unwrap_or_default(),
        }
    };
    include_str!("kinds.tsv").lines().map(line).collect()
});

/// English nouns: what they mean, and whether that is all that they mean (`sofa`) or more (`poodle`).
static NOUNS: LazyLock<HashMap<&'static str, (&'static str, bool)>> = LazyLock::new(|| {
    let lines = include_str!("nouns.tsv")
        .lines()
        .chain(include_str!("people.tsv").lines());
    let parsed = lines.filter_map(|line| {
        let mut parts = line.split('\t');
        Some((parts.next()?, (parts.next()?, parts.next()? == "=")))
    });
    // Of a word in both the later is meant: what people say goes before what a dictionary says.
    parsed.collect()
});

/// Families with their classes of COCO.
pub(crate) const FAMILIES: [(&str, &[&str]); 8] = [
    (
        "animal",
        &[
            "bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe",
        ],
    ),
    (
        "vehicle",
        &[
            "bicycle",
            "car",
            "motorcycle",
            "airplane",
            "bus",
            "train",
            "truck",
            "boat",
        ],
    ),
    ("fruit", &["banana", "apple", "orange"]),
    (
        "food",
        &[
            "banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake",
        ],
    ),
    ("furniture", &["chair", "couch", "bed", "dining table", "bench"]),
    (
        "electronics",
        &["tv", "laptop", "mouse", "remote", "keyboard", "cell phone"],
    ),
    (
        "kitchenware",
        &["bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl"],
    ),
    ("bag", &["backpack", "handbag", "suitcase"]),
];

/// Things that a noun stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// Anything.
    Anything,
    /// Things of a class of COCO.
    Class(&'static str),
    /// Things of a class of COCO that are called so more exactly: which of them are is known of some only.
    Finer(&'static str, &'a str),
    /// Things of a family.
    Family(&'static str),
    /// Things that the detector does not know.
    Unknown(&'a str),
}

/// Index of a class of COCO.
pub fn class_named(name: &str) -> Option<usize> {
    COCO.iter().position(|known| *known == name)
}

/// True if a class of COCO is of a family.
pub fn is_of(family: &str, label: &str) -> bool {
    FAMILIES
        .iter()
        .any(|(name, members)| *name == family && members.contains(&label))
}

/// True if two classes of COCO are easily taken for each other: they have a family together.
pub fn are_alike(one: &str, other: &str) -> bool {
    FAMILIES
        .iter()
        .any(|(_, members)| members.contains(&one) && members.contains(&other))
}

/// Meaning of an English noun in lower case, singular or plural.
pub fn wanted(noun: &str) -> Wanted<'_> {
    let noun = noun.trim();
    if matches!(noun, "" | "thing" | "things" | "object" | "objects" | "item" | "items") {
        return Wanted::Anything;
    }
    let singular = singulars(noun);
    let forms = std::iter::once(noun).chain(singular.iter().map(String::as_str));
    for form in forms {
        if let Some(class) = class_named(form) {
            return Wanted::Class(COCO[class]);
        }
        if let Some((family, _)) = FAMILIES.iter().find(|(name, _)| *name == form) {
            return Wanted::Family(family);
        }
        if let Some((meaning, all)) = NOUNS.get(form) {
            if let Some((family, _)) = FAMILIES.iter().find(|(name, _)| name == meaning) {
                return Wanted::Family(family);
            }
            if let Some(class) = class_named(meaning) {
                return if *all {
                    Wanted::Class(COCO[class])
                } else {
                    Wanted::Finer(COCO[class], noun)
                };
            }
        }
    }
    Wanted::Unknown(noun)
}

/// Possible singulars of an English plural.
fn singulars(noun: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if let Some(stem) = noun.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    if let Some(stem) = noun.strip_suffix("ves") {
        forms.extend([format!("{stem}fe"), format!("{stem}f")]);
    }
    if let Some(stem) = noun.strip_suffix('s') {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = noun.strip_suffix("es") {
        forms.push(stem.to_owned());
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::labels::IMAGENET;

    #[test]
    fn imagenets_classes_are_of_what_they_show() {
        assert_eq!(IMAGENET_KINDS.len(), IMAGENET.len());
        let kind = |label: &str| {
            let place = IMAGENET.iter().position(|known| *known == label).expect(label);
            let kind = IMAGENET_KINDS[place];
            (kind.class.map(|class| COCO[class]), kind.family)
        };
        assert_eq!(kind("bald eagle"), (Some("bird"), "animal"));
        assert_eq!(kind("kite"), (Some("bird"), "animal"));
        assert_eq!(kind("cab"), (Some("car"), "vehicle"));
        assert_eq!(kind("pickup"), (Some("truck"), "vehicle"));
        assert_eq!(kind("lion"), (None, "animal"));
        assert_eq!(kind("Granny Smith"), (Some("apple"), "fruit"));
        assert_eq!(kind("palace").0, None);
        for line in include_str!("kinds.tsv").lines() {
            let class = line.split('\t').nth(1).unwrap();
            assert!(class.is_empty() || class_named(class).is_some(), "{line}");
        }
    }

    #[test]
    fn nouns_mean_what_people_mean() {
        assert_eq!(wanted("dogs"), Wanted::Class("dog"));
        assert_eq!(wanted("sofa"), Wanted::Class("couch"));
        assert_eq!(wanted("bike"), Wanted::Class("bicycle"));
        assert_eq!(wanted("people"), Wanted::Class("person"));
        assert_eq!(wanted("woman"), Wanted::Finer("person", "woman"));
        assert_eq!(wanted("poodles"), Wanted::Finer("dog", "poodles"));
        assert_eq!(wanted("animals"), Wanted::Family("animal"));
        assert_eq!(wanted("knives"), Wanted::Class("knife"));
        assert_eq!(wanted("things"), Wanted::Anything);
        assert_eq!(wanted("roof"), Wanted::Unknown("roof"));
    }
}
