//! Which of the twelve languages a text is in, and which script its letters are of. There is no table to build: a
//! component pays nothing for it at its start.

mod common_words;
mod detect;
mod writing;

pub use detect::{detect, latin, latin_phrase};
pub use writing::{Writing, is_latin, is_own, writing};
