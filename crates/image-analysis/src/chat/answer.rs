//! Answers and their evidence.

use quartet_api::image::{Evidence, Object, TextLine};

/// Answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Sentence that answers, or says why there is no answer.
    pub text: String,
    /// True if it answers the question.
    pub answered: bool,
    /// Findings that it is based on.
    pub evidence: Vec<Evidence>,
}

impl Answer {
    /// Answers the question.
    pub fn yes(text: impl Into<String>, evidence: Vec<Evidence>) -> Option<Self> {
        Some(Self {
            text: text.into(),
            answered: true,
            evidence,
        })
    }

    /// Says why the question is not answered.
    pub fn no(text: impl Into<String>) -> Option<Self> {
        Some(Self {
            text: text.into(),
            answered: false,
            evidence: Vec::new(),
        })
    }
}

/// Refers to the operation that finds what the picture was not searched for.
pub fn not_looked_for(what: &str, operation: &str) -> Option<Answer> {
    Answer::no(format!(
        "It was not looked for: this picture was sent to an operation that does not find {what}. Send it to {operation} and ask again."
    ))
}

/// Evidence of an object.
pub fn of_object(object: &Object) -> Evidence {
    Evidence::Object {
        label: object.label.clone(),
        confidence: object.confidence,
        area: object.area,
    }
}

/// Evidence of a line of text.
pub fn of_line(line: &TextLine) -> Evidence {
    Evidence::Text {
        text: line.text.clone(),
        confidence: line.confidence,
        area: line.area,
    }
}

/// Evidence of a field.
pub fn fact(field: &str, value: impl Into<String>) -> Evidence {
    Evidence::Fact {
        field: field.to_owned(),
        value: value.into(),
    }
}
