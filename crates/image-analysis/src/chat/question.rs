//! Words of a question.

use crate::objects::labels::{COCO, plural};

/// Other names of the classes of the detector.
const SYNONYMS: [(&str, &str); 38] = [
    ("people", "person"),
    ("persons", "person"),
    ("man", "person"),
    ("men", "person"),
    ("woman", "person"),
    ("women", "person"),
    ("child", "person"),
    ("children", "person"),
    ("boy", "person"),
    ("girl", "person"),
    ("human", "person"),
    ("humans", "person"),
    ("anyone", "person"),
    ("anybody", "person"),
    ("somebody", "person"),
    ("someone", "person"),
    ("bike", "bicycle"),
    ("bikes", "bicycle"),
    ("motorbike", "motorcycle"),
    ("motorbikes", "motorcycle"),
    ("plane", "airplane"),
    ("planes", "airplane"),
    ("aeroplane", "airplane"),
    ("kitten", "cat"),
    ("kitty", "cat"),
    ("puppy", "dog"),
    ("sofa", "couch"),
    ("television", "tv"),
    ("phone", "cell phone"),
    ("phones", "cell phone"),
    ("smartphone", "cell phone"),
    ("mobile", "cell phone"),
    ("fridge", "refrigerator"),
    ("plant", "potted plant"),
    ("plants", "potted plant"),
    ("mug", "cup"),
    ("mugs", "cup"),
    ("table", "dining table"),
];

/// Stop words.
const STOP_WORDS: [&str; 73] = [
    "a",
    "an",
    "the",
    "is",
    "are",
    "was",
    "were",
    "be",
    "do",
    "does",
    "did",
    "there",
    "this",
    "that",
    "it",
    "its",
    "of",
    "in",
    "on",
    "at",
    "to",
    "for",
    "and",
    "or",
    "with",
    "by",
    "from",
    "what",
    "which",
    "who",
    "whose",
    "where",
    "when",
    "how",
    "many",
    "much",
    "any",
    "some",
    "all",
    "you",
    "see",
    "can",
    "could",
    "tell",
    "me",
    "please",
    "i",
    "my",
    "your",
    "picture",
    "image",
    "photo",
    "show",
    "shows",
    "shown",
    "have",
    "has",
    "say",
    "says",
    "written",
    "find",
    "found",
    "here",
    "about",
    "colour",
    "color",
    "colours",
    "colors",
    "main",
    "happening",
    "whats",
    "s",
    "describe",
];

/// Question.
pub struct Question {
    /// Text in lower case, its words followed by one space each.
    text: String,
    words: Vec<String>,
}

impl Question {
    /// Splits a message into words.
    pub fn new(message: &str) -> Self {
        let words: Vec<String> = message
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        Self {
            text: format!("{} ", words.join(" ")),
            words,
        }
    }

    /// Returns true if it contains one of some words.
    pub fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Returns true if it contains a phrase.
    pub fn contains(&self, phrase: &str) -> bool {
        self.text.contains(phrase)
    }

    /// Content words: those that are no stop words.
    pub fn content(&self) -> impl Iterator<Item = &str> {
        self.words
            .iter()
            .map(String::as_str)
            .filter(|word| !STOP_WORDS.contains(word))
    }

    /// Returns true if it is about the picture as a whole.
    pub fn is_general(&self) -> bool {
        self.content().next().is_none()
    }

    /// Returns true if it is about an object that the detector does not know.
    pub fn is_about_unknown_object(&self) -> bool {
        self.labels().is_empty()
            && self
                .content()
                .any(|word| !["dominant", "most", "common", "palette", "used"].contains(&word))
    }

    /// Classes of the detector that it names, in its order.
    pub fn labels(&self) -> Vec<&'static str> {
        let text = format!(" {}", self.text);
        let mut found: Vec<(usize, usize, &'static str)> = Vec::new();
        let mut add = |name: &str, label: &'static str| {
            if let Some(at) = text.find(&format!(" {name} ")) {
                found.push((at, name.len(), label));
            }
        };
        for label in COCO {
            add(label, label);
            add(&plural(label), label);
        }
        for (word, label) in SYNONYMS {
            add(word, label);
        }
        // "dining table" is not also a table, nor "hot dog" a dog.
        let all = found.clone();
        found.retain(|(at, length, _)| {
            !all.iter()
                .any(|(other, longer, _)| longer > length && other <= at && at + length <= other + longer)
        });
        found.sort();
        let mut labels = Vec::new();
        for (_, _, label) in found {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels
    }
}
