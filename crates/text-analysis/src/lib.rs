//! Documents, and what they say: language and sentences, a summary, and answers to questions with the pages they stand on.
//! A [`Document`] is pages made of blocks; who reads a file or a web page makes one.
//! Everything is computed from the text; with a model of meanings (the trait [`Embed`]), answers are also found that are said
//! in other words or another language than they are asked for. The same document and model give the same answers.
//!
//! The way of a text: `sentence` and `sections` make [`prose`] of it, [`words`] its terms. For a summary, `graph` says what is
//! central, `candidates` what may be chosen and goes together. For answers, `index` keeps passages, `search` finds some,
//! `senses` finds others by meaning, `judge` weighs their sentences, `question` knows what is asked for. The sources of the
//! methods are named in each.
//!
//! Not done: yes or no, sums and comparisons, and questions about all of a document. Without a model: what is said in other
//! words than it is asked in, and questions in another language than the document's (names and numbers apart).

mod abbreviations;
mod answer;
mod asked;
mod candidates;
mod document;
mod graph;
mod index;
mod judge;
mod meaning;
mod openers;
mod packed;
mod phrases;
pub mod prose;
mod question;
mod search;
pub mod sections;
mod senses;
pub mod sentence;
mod stops;
mod summary;
mod title;
mod wording;
pub mod words;

pub use answer::{Answer, Citation, ENOUGH};
pub use document::{Block, Document, Heading, Kind, Link, Metadata, Page, Source};
pub use index::{Index, MOST_TEXT};
pub use meaning::{Embed, Role, Vector};
pub use packed::Unreadable;
pub use senses::{Meanings, Senses};
pub use summary::{Bounds, Extract, Summary, length, summarize};
pub use title::title;
