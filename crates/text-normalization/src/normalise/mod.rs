//! From what is written to what is said: numbers, dates, prices, addresses, abbreviations, symbols become words.
//!
//! Works through a cleaned paragraph once from left to right. Everything it does not know goes through unchanged, so that
//! the punctuation which is left is the punctuation that makes clauses.

mod addresses;
mod dates;
mod durations;
mod fractions;
mod heights;
mod numbers;
mod numerals;
mod per;
mod powers;
mod prices;
mod ranges;
mod roman;
mod streets;
mod symbols;
mod telephones;
mod weekdays;
mod words;
mod years;

use quartet_api::Language;
use quartet_lang_detect::is_latin;

use super::languages::{Rules, rules_of};
use super::scripts::is_mark;
pub(super) use words::letter_name;

/// Longer runs of letters are no words.
const MAX_WORD_BYTES: usize = 60;

/// The text as it is said in `language`.
pub(super) fn normalise(text: &str, language: Language) -> String {
    let mut scanner = Scanner {
        text,
        at: 0,
        out: String::with_capacity(text.len() + text.len() / 4),
        rules: rules_of(language),
        language,
        token_end: 0,
        loose: false,
        number_end: 0,
        shouting: is_shouting(text),
    };
    scanner.run();
    scanner.out
}

/// Returns true if capitals are the rule in this text, so that they mark no acronyms.
fn is_shouting(text: &str) -> bool {
    let (mut upper, mut lower) = (0, 0);
    for c in text.chars().take(400) {
        upper += usize::from(c.is_uppercase());
        lower += usize::from(c.is_lowercase());
    }
    upper > lower && upper > 12
}

/// The scanner: one pass over one text.
struct Scanner<'a> {
    text: &'a str,
    /// The next byte to read.
    at: usize,
    out: String,
    rules: &'static Rules,
    language: Language,
    /// The end of the part that has been searched for an address.
    token_end: usize,
    /// Spoken words were just written: a letter that follows needs a space before it.
    loose: bool,
    /// The end of the last number: an abbreviation right after it may count something.
    number_end: usize,
    /// Capitals mark no acronyms here.
    shouting: bool,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) {
        while let Some(c) = self.peek() {
            let before = self.at;
            let starts = !self.previous().is_some_and(char::is_alphanumeric);
            if starts && self.at >= self.token_end && !c.is_whitespace() && self.address() {
                continue;
            }
            if c.is_ascii_digit() {
                self.number();
                self.number_end = self.at;
            } else if c.is_alphabetic() || is_mark(c) {
                self.word();
            } else {
                self.symbol(c);
            }
            // Whoever takes the turn reads something; if not, the text goes through rather than round for ever.
            debug_assert!(self.at > before, "nothing read at {before} of {:?}", self.text);
            if self.at == before {
                self.copy(c.len_utf8());
            }
        }
    }

    /// The rest of the text, which has not been read yet.
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character before the next one.
    fn previous(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    /// The word before, in lower case, if only a space stands between; empty if there is none.
    fn previous_word(&self) -> String {
        let before = &self.text[..self.at];
        let trimmed = before.trim_end_matches([' ', '\u{a0}']);
        let start = trimmed
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphabetic() || is_mark(*c))
            .take(30)
            .last()
            .map_or(trimmed.len(), |(at, _)| at);
        trimmed[start..].to_lowercase()
    }

    /// Copies the next `bytes` as they are.
    fn copy(&mut self, bytes: usize) {
        let piece = &self.rest()[..bytes];
        if self.loose && piece.starts_with(|c: char| c.is_alphanumeric()) && self.needs_space(piece.chars().next()) {
            self.out.push(' ');
        }
        self.loose = false;
        self.out.push_str(piece);
        self.at += bytes;
    }

    /// Writes words in the place of the next `bytes`.
    fn say(&mut self, words: &str, bytes: usize) {
        self.at += bytes;
        if words.is_empty() {
            return;
        }
        let last = self.out.chars().next_back();
        let joins = last.is_some_and(|c| c.is_alphanumeric() || is_mark(c) || c == '\'' && self.loose);
        if joins && (self.needs_space(last) || self.needs_space(words.chars().next())) {
            self.out.push(' ');
        }
        // A sentence that begins with spoken words begins with a capital: the segmenter looks for one.
        let begins = self.out.trim_end_matches(' ').ends_with(['.', '!', '?', '…']) && self.out.ends_with(' ');
        let mut letters = words.chars();
        match letters.next().filter(|c| begins && c.is_lowercase()) {
            Some(first) => {
                self.out.extend(first.to_uppercase());
                self.out.push_str(letters.as_str());
            }
            None => self.out.push_str(words),
        }
        self.loose = true;
    }

    /// Returns true if spoken words stand apart from this letter: not in Chinese and Japanese, nor from the Hangul after a number.
    fn needs_space(&self, neighbour: Option<char>) -> bool {
        match self.language {
            Language::Chinese | Language::Japanese => neighbour.is_some_and(|c| c.is_ascii_alphabetic()),
            Language::Korean => !neighbour.is_some_and(|c| ('\u{ac00}'..='\u{d7a3}').contains(&c)),
            _ => true,
        }
    }

    /// Returns true if Latin words follow English spelling rules here: in every language not written in Latin letters.
    fn latin_is_foreign(&self) -> bool {
        !is_latin(self.language)
    }
}

/// The text after one optional space (or no-break space), and how long that space is.
fn after_space(text: &str) -> (&str, usize) {
    let trimmed = text.strip_prefix([' ', '\u{a0}']).unwrap_or(text);
    (trimmed, text.len() - trimmed.len())
}

/// The letters that `text` begins with, where they are no more than a word has.
fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    if end > MAX_WORD_BYTES { "" } else { &text[..end] }
}

/// Returns true if `text` begins with a letter or digit.
fn begins_word(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests;
