//! Arithmetic, units and dates: computed, never guessed.
//!
//! A question is taken apart into numbers, units, dates and words with a known meaning (`lexicon`, `lexer`). Only when nothing
//! is left over is it recognised, so that a question which merely has numbers in it goes to the model. What is
//! computed says how it was understood: the expression stands beside the result.

mod arithmetic;
mod calendar;
mod conversion;
mod dates;
mod engine;
mod lexer;
mod lexicon;
mod number;
mod say;

#[cfg(test)]
mod tests;

use jiff::civil::DateTime;
use quartet_api::Language;
use quartet_api::chat::Computation;

pub use engine::wrong_claims;

/// A question that was computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// The answer for a person.
    pub answer: String,
    /// How it was computed; none where it cannot be, and the answer says why.
    pub computation: Option<Computation>,
}

/// Reads the tables of words. Otherwise that is done when they are first needed.
pub fn init() {
    for language in Language::ALL {
        lexicon::of(language);
    }
}

/// Computes the answer to a question in `language`, if it is one that can be computed. `now` is in UTC; without it questions
/// about today are not recognised.
#[must_use]
pub fn answer(question: &str, language: Language, now: Option<DateTime>) -> Option<Computed> {
    // A long text is not one question about numbers.
    if question.len() > 300 {
        return None;
    }
    let text = lexer::normalised(question);
    let others = Language::ALL.into_iter().filter(|other| *other != language);
    std::iter::once(language).chain(others).find_map(|spoken| {
        let tokens = lexer::tokens(&text, spoken)?;
        arithmetic::answer(&tokens, &text, language)
            .or_else(|| conversion::answer(&tokens, &text, language))
            .or_else(|| dates::answer(&tokens, language, now))
    })
}
