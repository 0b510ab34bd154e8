//! Text normalisation for speech in twelve languages: written text becomes clauses of words as they are spoken, each with
//! its tune and the pause after it.
//!
//! ```
//! use quartet_api::Language;
//! use quartet_text_normalization::{Ending, clauses};
//!
//! let spoken: Vec<_> = clauses("Dr. Smith paid $5.20 on 3 May 2024, right?", Language::English).collect();
//! let text = "Doctor Smith paid five dollars twenty cents on the third of May twenty twenty-four";
//! assert_eq!(spoken[0].spans[0].text, text);
//! assert_eq!(spoken[1].spans[0].text, "right");
//! assert_eq!(spoken[1].ending, Ending::Question);
//! ```
//!
//! The text passes through these steps, a paragraph (or part of one) at a time:
//!
//! | step | module | does |
//! |---|---|---|
//! | lines, paragraphs | `lines`, `blocks` | line breaks, headings, lists, tables, quotations, code fences, rules |
//! | characters | `clean` | one form for each sound, invisible characters and emoji out |
//! | markup | `inline`, `tags` | links, images, tags and entities of HTML and SSML, escapes |
//! | words | `normalise`, `languages` | numbers, dates, prices, units, addresses, abbreviations, symbols |
//! | clauses | `segment` | boundaries, tunes, pauses |
//! | spans | `scripts`, `alphabet` | letters of other scripts to the language that reads them; letters the engine lacks |
//!
//! Handled in every language (in Japanese, numbers keep their digits, because `japanese` reads them with their counters):
//!
//! * integers grouped by comma, point, space, apostrophe or in the Indian manner; decimals by locale; negatives; percent and
//!   per mille; ranges, scores; ordinals as the language writes them; years; fractions (1/2, ½, 1½, 3 1/2);
//! * numbers in the gender, and in Russian in the case, of what they count ("une pomme", "около ста человек");
//! * dates (ISO 8601, by point, slash or hyphen, with the month's name), times of day, telephone and emergency numbers, house
//!   numbers and rooms (English), versions;
//! * prices with the sign before or after, cents, "million" and its abbreviations between; units of measurement;
//! * abbreviations, initials, acronyms, Roman numerals after rulers and beside centuries;
//! * mail and web addresses, handles, tags, paths and names of files;
//! * Markdown, HTML and SSML as far as they cannot be mistaken for plain text;
//! * letters of scripts that none of the twelve languages writes are romanised.
//!
//! Not handled: formulas, Roman numbers of one letter outside names, centuries and parts of books, the case of Russian decimals and
//! of German and Arabic numbers beyond one, colloquial times ("quarter to six"), words spelled alike and said differently. The
//! gender of a noun is told by its ending and by tables of common words, so that a rare noun may be taken for the other one.
//!
//! Pronunciation is not decided here, nor how long a pause is.

pub mod alignment;
mod alphabet;
mod blocks;
mod clause;
mod clean;
mod emoji;
mod inline;
mod languages;
mod lines;
mod normalise;
mod numerals;
mod scripts;
mod segment;
mod tags;
mod unread;

use std::collections::VecDeque;

pub use clause::{Clause, Ending, Pause, Span};
pub use numerals::{chinese_numerals, spelled, spellings};
use quartet_api::Language;
pub use quartet_lang_detect::detect;
use quartet_lang_detect::{Writing, is_latin, latin_phrase, spoken_in, writing};
pub use unread::{Unread, unread};

use blocks::Blocks;
use inline::Document;

/// Bytes of a text in which its language is looked for; more would only cost time.
const SAMPLE_BYTES: usize = 32_000;

/// The language to read a text in, where nobody says which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// The language whose rules read the text.
    pub language: Language,
    /// True if the text is in none of the twelve, so that they only come near.
    pub is_in_another: bool,
}

/// The language to read `text` in. What says little is English; markup does not count.
#[must_use]
pub fn detected(text: &str) -> Detected {
    let start = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
    let words = inline::strip(start, Document::of(start, Language::English));
    let found = spoken_in(&words);
    Detected {
        language: found.unwrap_or_else(|| detect(&words)),
        is_in_another: found.is_none(),
    }
}

/// All the clauses of a text, in order; made by [`clauses`].
#[derive(Debug)]
pub struct Clauses<'a> {
    blocks: Blocks<'a>,
    document: Document,
    language: Language,
    ready: VecDeque<Clause>,
}

/// The clauses of `text`, read as `language`, one after the other. Reads only as much of the text as the next clause needs;
/// the memory in use does not grow with the text. A text with nothing to say has no clauses.
pub fn clauses(text: &str, language: Language) -> Clauses<'_> {
    let mut ready = VecDeque::new();
    ready.extend(emoji::alone(text, language));
    Clauses {
        blocks: Blocks::new(text, languages::rules_of(language)),
        document: Document::of(text, language),
        language,
        ready,
    }
}

impl Clauses<'_> {
    /// Reads the next block. `false` after the last.
    fn read(&mut self) -> bool {
        let Some(block) = self.blocks.next() else { return false };
        let text = inline::strip(&block.text, self.document);
        let base = scripts::base(&text, self.language);
        let spoken = normalise::normalise(&text, base);
        // Latin words in other scripts are English unless there are enough of them to tell.
        let latin = if is_latin(base) { base } else { latin_in(&text) };
        for segment in segment::segments(&spoken, base) {
            let spans = scripts::spans(&segment.text, base, latin);
            if !spans.is_empty() {
                self.ready.push_back(Clause {
                    spans,
                    ending: segment.ending,
                    pause: segment.pause,
                });
            }
        }
        if block.ends
            && let Some(last) = self.ready.back_mut()
        {
            last.pause = Pause::Paragraph;
        }
        true
    }
}

/// The language of the Latin words inside a text of another script: English, unless a phrase of some length says otherwise.
fn latin_in(text: &str) -> Language {
    let mut longest = "";
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), '\u{3000}')]) {
        let latin = writing(c) == Writing::Latin || matches!(c, ' ' | '\'' | '-' | ',' | '.');
        match (latin, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if at - from > longest.len() {
                    longest = &text[from..at];
                }
                start = None;
            }
            _ => {}
        }
    }
    latin_phrase(longest)
}

impl Iterator for Clauses<'_> {
    type Item = Clause;

    fn next(&mut self) -> Option<Clause> {
        // One clause is held back: whether a paragraph ends after it may only show in the next block.
        while self.ready.len() < 2 && self.read() {}
        self.ready.pop_front()
    }
}

#[cfg(test)]
mod tests;
