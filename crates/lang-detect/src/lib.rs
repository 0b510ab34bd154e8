//! Detection of the language of a text, among the twelve of Quartet, and of the script of its letters.
//!
//! Letters are counted by script; Latin text is left to n-grams (crate `whichlang`) and, where it is short, weighed by
//! letters and common words besides. There is no table to build, so that a component pays nothing for it at its start.
//!
//! ```
//! use quartet_api::Language;
//! use quartet_lang_detect::{Writing, detect, writing};
//!
//! assert_eq!(detect("Alle Menschen sind frei und gleich an Würde und Rechten geboren."), Language::German);
//! assert_eq!(detect("すべての人間は、生まれながらにして自由である。"), Language::Japanese);
//! assert_eq!(writing('ж'), Writing::Cyrillic);
//! ```

mod common_words;
mod detect;
mod ngrams;
mod question;
mod spoken;
mod words_alone;
mod writing;

pub use detect::{detect, latin, latin_phrase};
pub use question::asked_in;
pub use spoken::spoken_in;
pub use writing::{Writing, is_latin, is_own, script_name, writing};
