//! Arithmetic, units and dates: computed, never guessed.
//!
//! A question is taken apart into numbers, units, dates and words with a known meaning (`lexicon`, `lexer`). Only when nothing
//! is left over is it recognised, so that a question which merely has numbers in it goes to the model. What is
//! computed says how it was understood: the expression stands beside the result.

mod arithmetic;
mod calendar;
mod computed;
mod conversion;
mod dates;
mod engine;
mod lexer;
mod lexicon;
mod messages;
mod number;

#[cfg(test)]
mod tests;

use jiff::civil::DateTime;
use quartet_api::Language;

pub use computed::Computed;
pub use engine::wrong_claims;

/// Limit in bytes for a question: a long text is not one question about numbers.
const MAX_QUESTION_BYTES: usize = 300;

/// Reads the tables of words and messages. Otherwise that is done when they are first needed.
pub fn init() {
    for language in Language::ALL {
        lexicon::of(language);
        crate::messages::messages(language);
    }
}

/// Computes the answer to a question in `language`, if it is one that can be computed. `now` is in UTC; without it questions
/// about today are not recognised.
#[must_use]
pub fn answer(question: &str, language: Language, now: Option<DateTime>) -> Option<Computed> {
    if question.len() > MAX_QUESTION_BYTES {
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
