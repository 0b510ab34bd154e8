//! Documents, and what they say: language and sentences, a summary, and answers to questions with the pages they stand on.
//! A [`Document`] is pages made of blocks; who reads a file or a web page makes one.
//! Everything is computed from the text alone, without a model; the same document gives the same answers.
//!
//! The way of a text: `sentence` and `sections` make [`prose`] of it, [`words`] its terms. For a summary, `graph` says what is
//! central, `candidates` what may be chosen and goes together. For answers, `index` keeps passages, `search` finds some,
//! `judge` weighs their sentences, `question` knows what is asked for. The sources of the methods are named in each.
//!
//! Not done: what is said in other words than it is asked in (that needs a model of meanings), questions in another language
//! than the document's (names and numbers apart), yes or no, sums and comparisons, and questions about all of a document.

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
pub use index::{Index, MOST_TEXT, Unreadable};
pub use meaning::{Embed, Role, Vector};
pub use senses::{Meanings, Senses};
pub use summary::{Bounds, Extract, Summary, length, summarize};
pub use title::title;
