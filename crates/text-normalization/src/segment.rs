//! Segmentation of a paragraph into clauses, each with its tune and its pause.
//!
//! Comes after normalisation, so full stops of abbreviations, decimals and addresses are gone and each that is left counts.

use quartet_api::Language;

use super::clause::{Ending, Pause};
use super::lines::grapheme_boundary;
use super::scripts::is_mark;
use super::tags::{PARAGRAPH_END, SENTENCE_END};

/// The greatest length of a clause.
const MAX_CLAUSE_CHARS: usize = 400;
/// The greatest length of the part that is cut off a longer clause.
const MAX_CUT_CHARS: usize = 300;

/// A stretch of text with one tune, still of mixed scripts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Letters, digits, spaces, and the apostrophes and hyphens inside words.
    pub text: String,
    /// The tune.
    pub ending: Ending,
    /// The pause after it.
    pub pause: Pause,
}

/// Cuts a normalised paragraph (or part of one) of `language`. What follows it is taken for the end of a sentence.
pub(super) fn segments(text: &str, language: Language) -> Vec<Segment> {
    let mut cutter = Cutter {
        segments: Vec::new(),
        text: String::new(),
        language,
    };
    let mut previous = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let next = after.chars().next().unwrap_or('\n');
        let mut taken = c.len_utf8();
        if is_terminal(c) {
            let run = rest
                .find(|c: char| !(is_terminal(c) || is_closing(c) || c == ' '))
                .unwrap_or(rest.len());
            taken = cutter.terminal(rest, previous, run);
        } else if c.is_alphanumeric() || is_mark(c) {
            cutter.text.push(c);
        } else {
            match c {
                '\n' => cutter.end(Ending::Continuation, Pause::Clause),
                SENTENCE_END => cutter.stop(Pause::Sentence),
                PARAGRAPH_END => cutter.stop(Pause::Paragraph),
                '\'' if previous.is_alphanumeric() => cutter.text.push(c),
                ',' | ':' | '.' | '/' if previous.is_ascii_digit() && next.is_ascii_digit() => cutter.text.push(c),
                '-' | '–' | '‑' if previous.is_alphanumeric() && next.is_alphanumeric() => cutter.text.push('-'),
                '%' if language == Language::Japanese && previous.is_ascii_digit() => cutter.text.push(c),
                '(' if previous.is_alphabetic() && optional_ending(after).is_some() => {
                    // "person(s)": one word.
                    let letters = optional_ending(after).unwrap_or_default();
                    cutter.text.push_str(&after[..letters]);
                    taken += letters + 1;
                }
                _ if is_pausing(c)
                    || matches!(c, '-' | '–') && !previous.is_alphanumeric() && !cutter.text.is_empty() =>
                {
                    cutter.end(Ending::Continuation, Pause::Clause);
                }
                '\'' | '’' => {}
                // Quotation marks, isolated signs: nothing is heard, words stay apart.
                _ if is_quotation(c) => {}
                _ => cutter.space(),
            }
        }
        previous = rest[..taken].chars().next_back().unwrap_or(c);
        rest = &rest[taken..];
    }
    cutter.end(Ending::Statement, Pause::Sentence);
    cutter.segments
}

struct Cutter {
    segments: Vec<Segment>,
    text: String,
    language: Language,
}

impl Cutter {
    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// A run of marks of which at least the first ends sentences. Returns how much of it was used.
    fn terminal(&mut self, rest: &str, previous: char, run: usize) -> usize {
        let first = rest.chars().next().unwrap_or('.');
        let marks = &rest[..run];
        let next = rest[run..].chars().next();
        let stop = first == '.' && marks.trim_end().len() == 1;
        // "end.Next" ends a sentence, "a.b" and "3.5" do not.
        if stop && marks.len() == 1 && next.is_some() {
            let cases = previous.is_lowercase() && next.is_some_and(char::is_uppercase);
            if !cases && next.is_some_and(char::is_alphanumeric) {
                let digits = previous.is_ascii_digit() && next.is_some_and(|c| c.is_ascii_digit());
                if digits {
                    self.text.push('.')
                } else {
                    self.space()
                }
                return 1;
            }
        }
        let count = marks.chars().filter(|c| is_terminal(*c)).count();
        let dots = marks.chars().all(|c| matches!(c, '.' | '…' | '⋯') || !is_terminal(c));
        let trailing_off = dots && (marks.contains(['…', '⋯']) || count > 1);
        // "wait… what", or an abbreviation that nobody listed: it goes on if a small letter follows.
        let short = self
            .text
            .rsplit(' ')
            .next()
            .is_some_and(|word| word.chars().count() <= 3);
        let goes_on = next.is_some_and(char::is_lowercase) && (trailing_off || stop && short);
        let ending = if marks.contains(['?', '？', '؟', '⁇', '⁈', '⁉', '‽']) {
            Ending::Question
        } else if marks.contains(['!', '！', '‼', '¡']) {
            Ending::Exclamation
        } else if goes_on || trailing_off {
            Ending::Continuation
        } else if self.asks() {
            Ending::Question
        } else {
            Ending::Statement
        };
        let pause = if goes_on && ending == Ending::Continuation {
            Pause::Clause
        } else {
            Pause::Sentence
        };
        self.end(ending, pause);
        run
    }

    /// Returns true if the words alone make a question: Japanese か, Korean 까, Chinese 吗 before a full stop.
    fn asks(&self) -> bool {
        let text = self.text.trim_end();
        match self.language {
            Language::Japanese => text.ends_with('か') && !text.ends_with("なか") && !text.ends_with("いくつか"),
            Language::Korean => text.ends_with('까'),
            Language::Chinese => text.ends_with(['吗', '嗎']),
            _ => false,
        }
    }

    /// An end without a mark: what was said before keeps the tune that its own mark gave it, with a pause at least as long.
    fn stop(&mut self, pause: Pause) {
        if self.text.chars().any(char::is_alphanumeric) {
            let ending = if self.asks() {
                Ending::Question
            } else {
                Ending::Statement
            };
            self.end(ending, pause);
        } else if let Some(last) = self.segments.last_mut() {
            last.pause = last.pause.max(pause);
        }
    }

    fn end(&mut self, ending: Ending, pause: Pause) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_matches([' ', '-']);
        if !text.chars().any(char::is_alphanumeric) {
            // Nothing was said since the last boundary: the stronger of the two stays.
            if let Some(last) = self.segments.last_mut().filter(|last| last.pause < pause) {
                last.pause = pause;
                last.ending = ending;
            }
            return;
        }
        let mut rest = text;
        while rest.chars().nth(MAX_CLAUSE_CHARS).is_some() {
            let cut = cut(rest);
            self.push(&rest[..cut], Ending::Continuation, Pause::Clause);
            rest = rest[cut..].trim_start();
        }
        self.push(rest, ending, pause);
    }

    fn push(&mut self, text: &str, ending: Ending, pause: Pause) {
        let text = text.trim();
        if text.chars().any(char::is_alphanumeric) {
            self.segments.push(Segment {
                text: text.to_owned(),
                ending,
                pause,
            });
        }
    }
}

/// The best place to cut a clause that is too long: at a space, else between graphemes.
fn cut(text: &str) -> usize {
    let end = text.char_indices().nth(MAX_CUT_CHARS).map_or(text.len(), |(at, _)| at);
    let window = &text[..end];
    match window.rfind(' ') {
        Some(at) if at > window.len() / 2 => at,
        _ => grapheme_boundary(window),
    }
}

/// The length of the letters in "(s)" or "(en)" after a word.
fn optional_ending(after: &str) -> Option<usize> {
    let end = after.find(')')?;
    (1..=4)
        .contains(&end)
        .then_some(end)
        .filter(|end| after[..*end].chars().all(char::is_alphabetic))
}

fn is_terminal(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
            | '⋯'
            | '。'
            | '！'
            | '？'
            | '．'
            | '｡'
            | '।'
            | '॥'
            | '؟'
            | '۔'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
            | '‽'
    )
}

/// Marks that may stand between those that end a sentence.
fn is_closing(c: char) -> bool {
    is_quotation(c) || matches!(c, ')' | ']' | '}' | '）' | '】' | '〕' | '\'')
}

fn is_quotation(c: char) -> bool {
    matches!(
        c,
        '"' | '「'
            | '」'
            | '『'
            | '』'
            | '《'
            | '》'
            | '〈'
            | '〉'
            | '“'
            | '”'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '〝'
            | '〟'
            | '¿'
            | '¡'
    )
}

/// Marks after which the tune stays up and a short pause follows.
fn is_pausing(c: char) -> bool {
    matches!(
        c,
        ',' | ';'
            | ':'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '—'
            | '―'
            | '⸺'
            | '、'
            | '，'
            | '；'
            | '：'
            | '､'
            | '،'
            | '؛'
            | '（'
            | '）'
            | '【'
            | '】'
            | '〔'
            | '〕'
            | '［'
            | '］'
            | '｛'
            | '｝'
            | '|'
            | '─'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use Ending::{Continuation, Exclamation, Question, Statement};

    fn check(language: Language, text: &str, expected: &[(&str, Ending)]) {
        let found = segments(text, language);
        let found: Vec<_> = found
            .iter()
            .map(|segment| (segment.text.as_str(), segment.ending))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn boundaries_and_tunes() {
        check(
            Language::English,
            "Well, is it (really) so? Yes! It is well-known...",
            &[
                ("Well", Continuation),
                ("is it", Continuation),
                ("really", Continuation),
                ("so", Question),
                ("Yes", Exclamation),
                ("It is well-known", Continuation),
            ],
        );
        check(
            Language::Spanish,
            "¿Qué? ¡Hola!",
            &[("Qué", Question), ("Hola", Exclamation)],
        );
        check(
            Language::Japanese,
            "「行きますか。」はい。",
            &[("行きますか", Question), ("はい", Statement)],
        );
        check(
            Language::Chinese,
            "你好，世界！",
            &[("你好", Continuation), ("世界", Exclamation)],
        );
        check(
            Language::Hindi,
            "नमस्ते। आप कैसे हैं?",
            &[("नमस्ते", Statement), ("आप कैसे हैं", Question)],
        );
        check(Language::Arabic, "كيف حالك؟", &[("كيف حالك", Question)]);
    }

    #[test]
    fn runs_of_marks_are_one() {
        check(
            Language::English,
            "What?!?! No!!!",
            &[("What", Question), ("No", Exclamation)],
        );
        check(
            Language::English,
            "wait… what -- ok",
            &[("wait", Continuation), ("what", Continuation), ("ok", Statement)],
        );
        check(Language::English, "?!... --- ,,,", &[]);
        check(
            Language::English,
            "Person(s) of \"note\".",
            &[("Persons of note", Statement)],
        );
    }

    #[test]
    fn long_clauses_are_cut() {
        let text = "word ".repeat(500);
        let found = segments(&text, Language::English);
        assert!(
            found.len() >= 6
                && found
                    .iter()
                    .all(|segment| segment.text.chars().count() <= MAX_CLAUSE_CHARS)
        );
        let letters = "字".repeat(5_000);
        let found = segments(&letters, Language::Chinese);
        assert_eq!(
            found.iter().map(|segment| segment.text.chars().count()).sum::<usize>(),
            5_000
        );
        assert!(
            found
                .iter()
                .all(|segment| segment.text.chars().count() <= MAX_CLAUSE_CHARS)
        );
    }
}
