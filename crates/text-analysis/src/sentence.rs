//! Sentence segmentation in the twelve languages.
//!
//! A mark ends a sentence unless what stands around it says otherwise, as in the rules of UAX #29 and of the Pragmatic
//! Segmenter (Dias 2015): abbreviations, initials, numbers, addresses, quotations, and marks inside brackets. The
//! splitter of `quartet-text-normalization` is for speech: it cuts text whose abbreviations are already spoken out into
//! clauses with a tune, so that neither can stand for the other.

use quartet_api::Language;
use quartet_lang_detect::{Writing, writing};

use crate::abbreviations::{self, Follows};

/// Limit in characters for a sentence: beyond it the next space ends it, so that text without marks stays usable.
const MAX_SENTENCE_CHARS: usize = 1_200;
/// Limit in characters for the inside of a bracket; one that is not closed by then was a slip.
const MAX_BRACKET_CHARS: usize = 400;

/// Characters after a mark that are looked at to decide about it.
const LOOKAHEAD_CHARS: usize = 100;

/// Words that begin sentences far more often than they are names, by which the end after an initial or a number is told.
const SENTENCE_STARTERS: &str = " the a an it this that these those in on at for if when while we he she they there i you but and \
     as to its his her our their however der die das ein eine es sie er wir ich in im am auf wenn bei mit für zu le la les \
     un une il elle ils elles nous vous je on ce cette ces dans en el los las una su esto esta este lo gli i e o os as um \
     uma no na он она они это в на по мы вы я и но для при ";

/// The sentences of `text`, in order, each without the space around it. Blank lines end a sentence; single line ends do
/// not.
///
/// ```
/// use quartet_api::Language;
/// use quartet_text_analysis::sentence::sentences;
///
/// let text = "Dr. Smith met Mr. Jackson. He left at 5 p.m.";
/// assert_eq!(sentences(text, Language::English), ["Dr. Smith met Mr. Jackson.", "He left at 5 p.m."]);
/// ```
#[must_use]
pub fn sentences(text: &str, language: Language) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut begun = 0_usize;
    let mut depth = 0_usize;
    let mut opened = 0_usize;
    let mut chars = text.char_indices().peekable();
    let mut push = |from: usize, to: usize| {
        let sentence = text[from..to].trim();
        if sentence.chars().any(char::is_alphanumeric) {
            found.push(sentence);
        }
    };
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        begun += 1;
        if opens(c) {
            depth += 1;
            opened = begun;
        } else if closes(c) {
            depth = depth.saturating_sub(1);
        }
        if depth > 0 && begun - opened > MAX_BRACKET_CHARS {
            depth = 0;
        }
        let cut = if c == '\n' {
            let rest = &text[end..];
            let blank = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
            blank.then_some(end)
        } else if terminal(c) || (c == '|' && language == Language::Hindi) {
            boundary(text, start, at, c, depth, language)
        } else if begun > MAX_SENTENCE_CHARS && (c.is_whitespace() || begun > 2 * MAX_SENTENCE_CHARS) {
            Some(end)
        } else {
            None
        };
        if let Some(cut) = cut {
            push(start, cut);
            start = cut;
            begun = 0;
            depth = 0;
            while chars.peek().is_some_and(|(next, _)| *next < cut) {
                chars.next();
            }
        }
    }
    push(start, text.len());
    found
}

/// The end of the sentence that began at `start`, if the mark `mark` at `at` ends it: after the marks and closing signs
/// that follow.
fn boundary(text: &str, start: usize, at: usize, mark: char, depth: usize, language: Language) -> Option<usize> {
    let mut end = at + mark.len_utf8();
    let mut closed = 0_usize;
    let mut marks = 1;
    for c in text[end..].chars().take(LOOKAHEAD_CHARS) {
        if terminal(c) {
            marks += 1;
        } else if closes(c) || matches!(c, '"' | '\'' | '”' | '’' | '*') {
            closed += usize::from(closes(c));
        } else {
            break;
        }
        end += c.len_utf8();
    }
    let wide =
        matches!(mark, '。' | '！' | '？' | '．' | '｡') || (mark == '…' && !quartet_lang_detect::is_latin(language));
    // Inside brackets and Chinese and Japanese quotation marks a sentence is part of the one around it.
    if depth > closed {
        return None;
    }
    let rest = &text[end..];
    let next = rest.trim_start();
    let Some(first) = next.chars().next() else {
        return Some(end);
    };
    // "只要求Unix（真的！）的用户" goes on: what stands in brackets inside a sentence does not end it.
    let bracketed = text[at..end].contains([')', '）']) && !text[start..].trim_start().starts_with(['(', '（']);
    if bracketed && (wide || is_own(first)) {
        return None;
    }
    if wide {
        // 「…。」と言った goes on.
        let quoted = closed > 0
            && matches!(
                first,
                'と' | 'は' | 'の' | 'っ' | 'が' | 'を' | 'に' | 'な' | 'で' | 'も'
            );
        return (!quoted && !matches!(first, '、' | '，' | ',')).then_some(end);
    }
    let spaced = rest.len() > next.len();
    match mark {
        '।' | '॥' | '۔' | '؟' => return Some(end),
        '|' => return (spaced || is_own(first)).then_some(end),
        _ => {}
    }
    if matches!(first, ',' | ';' | ':' | '،' | '؛' | ')' | '-' | '–' | '—')
        && !matches!(first, '-' | '–' | '—' if spaced)
    {
        return None;
    }
    let begins = begins_sentence(next);
    if !spaced {
        // "3.5", "example.com", "Yahoo!'s"; but 你好!世界 and a footnote's sign.
        return (is_own(first) && mark != '.').then_some(end);
    }
    if !begins {
        return None;
    }
    if mark != '.' || marks > 1 || closed > 0 {
        return Some(end);
    }
    full_stop(&text[start..at], next, language).then_some(end)
}

/// Returns true if a full stop between `before` and `next`, which could begin a sentence, ends one.
fn full_stop(before: &str, next: &str, language: Language) -> bool {
    let near = next
        .char_indices()
        .nth(LOOKAHEAD_CHARS)
        .map_or(next.len(), |(at, _)| at);
    let word = next[..near]
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .find(|word| !word.is_empty())
        .unwrap_or("");
    let digit = word.starts_with(|c: char| c.is_numeric());
    let beginner = is_beginner(word);
    let last = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '„' | '“' | '"' | '«' | '/'))
        .next()
        .unwrap_or("");
    let letters = last.chars().count();
    if letters == 0 {
        return true;
    }
    // The number of an item or a heading: "1. Open the box".
    if before.trim().chars().all(|c| c.is_numeric() || c == '.') {
        return false;
    }
    let number = last.chars().all(char::is_numeric);
    if number && language == Language::German && letters <= 2 {
        return beginner && !is_month(word);
    }
    let tail = last.rsplit('.').next().unwrap_or(last);
    let initial = tail.chars().count() == 1 && tail.chars().all(char::is_alphabetic);
    // "А. С. Пушкин", where "с." is a page.
    if initial && tail.len() == last.len() && tail.chars().all(char::is_uppercase) && !matches!(last, "I" | "И" | "Я")
    {
        return beginner;
    }
    if let Some(follows) = abbreviation(before, language) {
        return match follows {
            Follows::Always => false,
            Follows::Number => !digit,
            // "U.S. Navy" goes on, "U.S. The" does not.
            Follows::Maybe if last.contains('.') => beginner,
            Follows::Maybe => !digit && (language != Language::German || beginner || letters > 3),
        };
    }
    // An initial: "J. Smith", "J.R.R. Tolkien"; but "U.S.A. The".
    if initial && !matches!(last, "I" | "И" | "Я") {
        return beginner;
    }
    true
}

/// The abbreviation that `before` ends with, of up to [`abbreviations::MAX_WORDS`] words.
fn abbreviation(before: &str, language: Language) -> Option<Follows> {
    let tail: String = {
        let from = before.char_indices().rev().nth(16).map_or(0, |(at, _)| at);
        before[from..].to_lowercase()
    };
    let mut starts: Vec<usize> = tail
        .char_indices()
        .filter(|(_, c)| c.is_whitespace() || matches!(c, '(' | '[' | '„' | '“' | '"' | '«' | '/' | '-'))
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    if before.len() <= tail.len() {
        starts.insert(0, 0);
    }
    starts
        .iter()
        .rev()
        .take(abbreviations::MAX_WORDS)
        .rev()
        .find_map(|at| abbreviations::find(&tail[*at..], language))
}

/// Returns true if a sentence may begin like this: not with a small letter.
fn begins_sentence(next: &str) -> bool {
    let Some(first) = next
        .chars()
        .take(LOOKAHEAD_CHARS)
        .find(|c| c.is_alphanumeric() || terminal(*c) || matches!(c, '•' | '-' | '–' | '—' | '$' | '#' | '/' | '~'))
    else {
        return true;
    };
    !first.is_lowercase()
}

fn is_beginner(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
        && SENTENCE_STARTERS.contains(&format!(" {} ", word.to_lowercase()))
}

fn is_month(word: &str) -> bool {
    matches!(
        word,
        "Januar"
            | "Jänner"
            | "Februar"
            | "März"
            | "April"
            | "Mai"
            | "Juni"
            | "Juli"
            | "August"
            | "September"
            | "Oktober"
            | "November"
            | "Dezember"
    )
}

/// A letter of a script that has no capitals, or none that matter here.
fn is_own(c: char) -> bool {
    matches!(
        writing(c),
        Writing::Han | Writing::Kana | Writing::Hangul | Writing::Devanagari | Writing::Arabic
    )
}

/// Returns true if `c` can end a sentence.
pub(super) fn terminal(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
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

fn opens(c: char) -> bool {
    matches!(c, '(' | '[' | '（' | '「' | '『' | '【' | '《' | '〈' | '〔')
}

fn closes(c: char) -> bool {
    matches!(c, ')' | ']' | '）' | '」' | '』' | '】' | '》' | '〉' | '〕' | '»')
}

/// Returns true if `text` ends as a sentence does.
#[must_use]
pub fn is_complete(text: &str) -> bool {
    let end = text
        .trim_end_matches(|c: char| c.is_whitespace() || closes(c) || matches!(c, '"' | '\'' | '”' | '’' | '“' | '*'));
    end.ends_with(terminal) || end.ends_with('|')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, expected: &[&str]) {
        let space = if matches!(language, Language::Japanese | Language::Chinese) {
            ""
        } else {
            " "
        };
        assert_eq!(sentences(&expected.join(space), language), expected);
    }

    /// Sentences of the Debian FAQ 11.1, the Debian New Maintainers' Guide 1.2.53 and the Universal Declaration of Human
    /// Rights, and what style guides give as examples of abbreviations.
    #[test]
    fn marks_that_end_no_sentence() {
        check(
            Language::English,
            &[
                "Debian 11.1 was released by the Debian Project (see https://www.debian.org/ for more, e.g. mirrors).",
                "Files are named foo_*.dsc, foo_*.tar.gz and foo_*.diff.gz.",
                "Dr. J. R. Smith of the U.S. Navy asked Mr. Ian A. Jackson.",
                "Is it so?",
                "\"Yes.\"",
                "He left at 5 p.m.",
                "No. 5 is alive, cf. Fig. 3.",
                "It is.",
            ],
        );
        check(
            Language::German,
            &[
                "Am 3. Oktober 1990 kamen z. B. Dr. Müller u. a. nach Berlin.",
                "Das geschah im 20. Jahrhundert bzw. früher.",
                "Pakete, Handbücher usw. sind frei.",
                "Es gibt Nr. 7.",
            ],
        );
        check(
            Language::French,
            &[
                "M. Dupont et Mme Durand, p. ex., sont là.",
                "Qu’est-ce que c’est ?",
                "Voir p. 12, art. 3.",
            ],
        );
        check(
            Language::Spanish,
            &[
                "El Sr. García vive en EE. UU. desde 1990.",
                "¿Qué es?",
                "¡Es la pág. 4!",
            ],
        );
        check(
            Language::Italian,
            &["Il dott. Rossi abita in v.le Roma, p. es. al n. 5.", "Fine."],
        );
        check(
            Language::Portuguese,
            &["O Sr. Silva, p. ex., mora na av. Brasil.", "Fim."],
        );
        check(
            Language::Russian,
            &[
                "В 2005 г. вышла система Debian, т. е. дистрибутив (см. рис. 3).",
                "А. С. Пушкин родился в 1799 г.",
                "Он поэт.",
            ],
        );
        check(
            Language::Japanese,
            &[
                "「これは何ですか。」と彼は聞いた。",
                "Debian 11.1です（バスター！）よ。",
                "本当？",
                "はい。",
            ],
        );
        check(
            Language::Chinese,
            &["他说：“你好。”", "版本是3.5。", "（见第3章。）", "好！"],
        );
        check(Language::Korean, &["이것은 3.5 버전입니다.", "정말입니까?", "네."]);
        check(Language::Hindi, &["डॉ. शर्मा आए।", "क्या यह सच है?", "हाँ।"]);
        check(
            Language::Arabic,
            &["وصل د. أحمد الساعة ٣.٥ مساءً.", "هل هذا صحيح؟", "نعم."],
        );
    }

    #[test]
    fn blank_lines_and_long_runs_end_sentences_too() {
        assert_eq!(
            sentences("A heading\n\nA line\nof text", Language::English),
            ["A heading", "A line\nof text"]
        );
        let long = "word ".repeat(5_000);
        assert!(
            sentences(&long, Language::English)
                .iter()
                .all(|sentence| sentence.chars().count() <= MAX_SENTENCE_CHARS + 10)
        );
        assert!(sentences(" ... !? ", Language::English).is_empty());
    }

    /// Every article of the declaration ends a sentence, whatever stands after it.
    #[test]
    fn the_ends_of_the_articles_are_found() {
        for language in Language::ALL {
            let path = format!(
                "{}/../../tests/data/declaration/{}.txt",
                env!("CARGO_MANIFEST_DIR"),
                language.code()
            );
            let text = std::fs::read_to_string(path).expect("the declaration");
            let articles: Vec<&str> = text
                .split("\n\n")
                .map(str::trim)
                .filter(|article| is_complete(article))
                .collect();
            assert!(articles.len() >= 50, "{language}");
            let space = if matches!(language, Language::Japanese | Language::Chinese) {
                ""
            } else {
                " "
            };
            let joined = articles.join(space);
            let found = sentences(&joined, language);
            assert!(found.len() < articles.len() * 3 / 2, "{language}: {}", found.len());
            for article in &articles {
                assert!(
                    found.iter().any(|sentence| article.ends_with(sentence)),
                    "{language}: {article}"
                );
            }
        }
    }
}
