//! What a question asks for: something about the document itself, or a kind of answer that its text shall have.

use quartet_api::Language;
use unicode_normalization::char::is_combining_mark;

use crate::asked::{DOCUMENT, DOCUMENT_SOLID, cues, phrases};
use crate::words::{Words, is_korean_ending, korean_stem};

/// What a question asks about the document as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Pages,
    Author,
    Title,
    Date,
    About,
    Language,
}

/// The kind of answer that a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    Person,
    Time,
    Number,
    Place,
    Reason,
    Definition,
    Other,
}

/// What `question` asks about the document as a whole, if it does and asks for nothing else. `words` are of the question's
/// language.
pub(super) fn whole(question: &str, words: &Words) -> Option<Whole> {
    let lower = question.to_lowercase().replace('’', "'");
    let plain = lower.trim().trim_end_matches(['?', '？', '؟', '.', '!', '。']);
    for (whole, list) in phrases(words.language()) {
        let longest = list
            .split('|')
            .filter(|phrase| plain.contains(phrase))
            .max_by_key(|phrase| phrase.len());
        if let Some(phrase) = longest
            && nothing_else(&plain.replacen(phrase, " ", 1), words)
        {
            return Some(whole);
        }
    }
    None
}

/// Whether `rest` has nothing but names for the document and words that say nothing.
fn nothing_else(rest: &str, words: &Words) -> bool {
    if matches!(words.language(), Language::Japanese | Language::Chinese) {
        let mut rest: String = rest.chars().filter(|c| c.is_alphanumeric()).collect();
        rest = rest.replace("pdf", "");
        for name in DOCUMENT_SOLID {
            rest = rest.replace(name, "");
        }
        return rest.chars().count() <= 2;
    }
    rest.split(|c: char| c.is_whitespace() || (!c.is_alphanumeric() && c != '-' && !is_combining_mark(c)))
        .filter(|word| !word.is_empty())
        .all(|word| {
            let known = |word: &str| words.is_stop(word) || DOCUMENT.contains(&format!(" {word} "));
            known(word) || words.language() == Language::Korean && (is_korean_ending(word) || known(korean_stem(word)))
        })
}

/// The kind of answer that `question` wants.
pub(super) fn wants(question: &str, language: Language) -> Wants {
    let lower = format!(" {}", question.to_lowercase().replace('’', "'"));
    let solid = matches!(
        language,
        Language::Japanese | Language::Chinese | Language::Korean | Language::Hindi
    );
    cues(language)
        .into_iter()
        .find(|(_, list)| {
            list.split('|').any(|cue| {
                if solid {
                    lower.contains(cue)
                } else {
                    lower.contains(&format!(" {cue}"))
                }
            })
        })
        .map_or(Wants::Other, |(wants, _)| wants)
}

/// The words of a question that only ask for a number: "many" in "How many packages?", which a sentence that says how many
/// does not have, and one that says "many packages" does. In the other languages the word that asks is no other word.
pub(super) fn amount(question: &str, language: Language) -> &'static str {
    let lower = question.to_lowercase();
    match language {
        Language::English if lower.contains("how many") || lower.contains("how much") => "many much",
        Language::German if lower.contains("wie viel") => "viel viele vielen",
        _ => "",
    }
}

/// Words that give reasons, in all languages.
const REASONS: [&str; 26] = [
    "because",
    "since ",
    "due to",
    "reason",
    "in order to",
    "weil",
    "denn ",
    "grund",
    "um zu",
    "parce que",
    "car ",
    "afin",
    "porque",
    "debido",
    "para que",
    "perché",
    "poiché",
    "потому",
    "так как",
    "поскольку",
    "ため",
    "から",
    "因为",
    "由于",
    "때문",
    "क्योंकि",
];

/// Whether `sentence` has what a question of that kind wants; nothing is known of other kinds.
pub(super) fn fits(sentence: &str, wants: Wants) -> bool {
    match wants {
        // A year, or a day or an hour in scripts that name them.
        Wants::Time => {
            let mut digits = sentence
                .split(|c: char| !c.is_numeric())
                .filter(|part| part.chars().count() == 4);
            digits.any(|part| part.starts_with(['1', '2', '१', '२', '١', '٢'])) || sentence.contains(['年', '월', '년'])
        }
        // Where the number stands is looked at with the terms.
        Wants::Number => sentence.chars().any(char::is_numeric),
        Wants::Person => {
            // A name stands inside a sentence with a capital letter.
            let names = sentence
                .split_whitespace()
                .skip(1)
                .filter(|word| word.chars().next().is_some_and(char::is_uppercase));
            names.count() >= 2
                || sentence
                    .chars()
                    .any(|c| !c.is_lowercase() && !c.is_uppercase() && c.is_alphabetic())
        }
        Wants::Reason => {
            let lower = sentence.to_lowercase();
            REASONS.iter().any(|word| lower.contains(word))
        }
        Wants::Place | Wants::Definition | Wants::Other => false,
    }
}
