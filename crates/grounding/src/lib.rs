//! Grounded rephrasing: answers in a language model's words that say no more, and nothing else, than their evidence.
//!
//! An answer that was found stands before a model sees it. The model may rephrase it; each sentence that it writes is
//! checked against the evidence ([`Attribution`]), and where the check fails, the answer stays as it was found. So a
//! model can make an answer read better, and cannot make it wrong.
//!
//! ```
//! use quartet_api::Language;
//! use quartet_grounding::{Attribution, Passage};
//!
//! let passage = Passage { source: 3, text: "The tower is 330 metres tall.".to_owned() };
//! let attribution = Attribution::new(&[passage], "How tall is the tower?", Language::English);
//! assert_eq!(attribution.source("It is 330 metres tall."), Some(3));
//! assert_eq!(attribution.source("It is 331 metres tall."), None);
//! ```

mod attribution;
mod calendar;
mod figures;
mod lexicon;
mod negation;
mod numbers;
mod numerals;
mod opposites;
mod phrasing;
mod rephrase;
mod sanitize;
mod statement;
mod words;

#[cfg(test)]
mod tests;

pub use attribution::{Attribution, Passage};
pub use calendar::have_same_days;
pub use negation::is_yes_or_no;
pub use numerals::{figures, numerals};
pub use phrasing::{is_enabled, rephrase};
pub use rephrase::{AttributedSentence, Draft, RephraseError, Rephrased, Task, Writer, numbers_and_names};
pub use sanitize::{estimate_tokens, sanitize};
pub use statement::{Comparison, Evidence, Support};
