//! Parts of answers to queries: refusals, evidence, and the operations that find what is asked for.

use quartet_api::image::{Evidence, TextLine};

use super::answer::{Answer, of_line};
use crate::words::Words;

/// Operation that finds objects.
pub const FINDS_OBJECTS: &str = "/api/v1/image/analyze";
/// Operation that finds text.
pub const FINDS_TEXT: &str = "/api/v1/image/extract-text";

/// Selection of the rows that hold the answer to a question, by their numbers.
pub type Pick<'a> = &'a dyn Fn(&[&str]) -> Vec<usize>;

/// Says that a question is not answered, with the sentence of a key.
pub fn refusal(key: &str, words: &Words) -> Answer {
    Answer {
        text: words.say(key, &[]),
        answered: false,
        evidence: Vec::new(),
    }
}

/// Says that the picture was not searched, and which operation does that.
pub fn not_looked_for(operation: &str, words: &Words) -> Option<Answer> {
    Answer::no(words.say("not_looked_for", &[("operation", operation)]))
}

/// Evidence of rows of text.
pub fn of_lines<'a>(lines: impl Iterator<Item = &'a TextLine>) -> Vec<Evidence> {
    lines.map(of_line).collect()
}
