//! The clause, in which text leaves this crate: spans of one language each, a tune and a pause.

use quartet_api::Language;

/// One stretch of speech with one tune.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The words, in order; adjoining spans differ in language.
    pub spans: Vec<Span>,
    /// The tune at its end.
    pub ending: Ending,
    /// The silence that follows.
    pub pause: Pause,
}

/// Text of one language, free of anything that the engine would not read as people do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The language whose rules read the text.
    pub language: Language,
    /// Never empty, never only white space.
    pub text: String,
}

/// The pitch at the end of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Falls: a statement.
    Statement,
    /// Stays up a little: more follows.
    Continuation,
    /// Rises: a question.
    Question,
    /// Falls from high: an exclamation.
    Exclamation,
}

/// The kind of boundary after a clause; how long it lasts is the voice's matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pause {
    /// After a comma, a colon, a dash, a bracket.
    Clause,
    /// After a sentence.
    Sentence,
    /// After a paragraph, a heading or a list item's end.
    Paragraph,
}
