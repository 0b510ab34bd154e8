//! Answers in a language model's words that say no more, and nothing else, than their evidence.
//!
//! An answer that was found stands before a model sees it. The model may give it other words; what it wrote is held against
//! the evidence sentence by sentence ([`Support`]), and where it does not hold, the answer stays as it was found. So a model
//! can make an answer read better, and cannot make it wrong.

mod inert;
mod lexicon;
mod negation;
mod numerals;
mod phrase;
mod report;
mod support;

#[cfg(test)]
mod tests;

pub use inert::{inert, tokens};
pub use numerals::numerals;
pub use phrase::{Draft, Phrased, Sentence, Task, Unphrased, Writer, essentials};
pub use report::{wanted, worded};
pub use support::{Passage, Support};
