//! Question classification: metadata of the document, or the expected type of an answer from its text.

use quartet_api::Language;
use unicode_normalization::char::is_combining_mark;

use crate::analyzer::{Analyzer, is_korean_ending, korean_stem};
use crate::question_patterns::{
    AnswerType, DOCUMENT_WORDS, MetadataQuestion, UNSPACED_DOCUMENT_WORDS, answer_type_cues, metadata_phrases,
};
use crate::wanted_language::wanted_language;
use crate::wanted_length::{is_of_length, without_length};

/// Returns the metadata that `question` asks for, if it asks for nothing else. `analyzer` is for the question's
/// language.
pub(super) fn metadata_question(question: &str, analyzer: &Analyzer) -> Option<MetadataQuestion> {
    let lower = question.to_lowercase().replace('’', "'");
    let plain = lower.trim().trim_end_matches(['?', '？', '؟', '.', '!', '。']);
    // "Summarise it in Spanish, in two short sentences."
    let named = wanted_language(plain, analyzer.language());
    let plain = named.as_ref().map_or(plain, |(_, rest)| rest.as_str());
    for (asked, list) in metadata_phrases(analyzer.language()) {
        let longest = list
            .split('|')
            .filter(|phrase| plain.contains(phrase))
            .max_by_key(|phrase| phrase.len());
        if let Some(phrase) = longest
            && names_only_the_document(&plain.replacen(phrase, " ", 1), analyzer)
        {
            return Some(asked);
        }
    }
    None
}

/// Returns true if `rest` has nothing but names for the document, stop words, and words for the length of an answer.
fn names_only_the_document(rest: &str, analyzer: &Analyzer) -> bool {
    if matches!(analyzer.language(), Language::Japanese | Language::Chinese) {
        let mut rest: String = rest.chars().filter(|c| c.is_alphanumeric()).collect();
        rest = rest.replace("pdf", "");
        for name in UNSPACED_DOCUMENT_WORDS {
            rest = rest.replace(name, "");
        }
        return without_length(&rest, analyzer.language()).chars().count() <= 2;
    }
    rest.split(|c: char| c.is_whitespace() || (!c.is_alphanumeric() && c != '-' && !is_combining_mark(c)))
        .map(|word| word.trim_matches('-'))
        .filter(|word| !word.is_empty())
        .all(|word| {
            let known = |word: &str| analyzer.is_stop(word) || DOCUMENT_WORDS.contains(&format!(" {word} "));
            known(word)
                || is_of_length(word, analyzer.language())
                || analyzer.language() == Language::Korean
                    && (is_korean_ending(word)
                        || known(korean_stem(word))
                        || is_of_length(korean_stem(word), Language::Korean))
        })
}

/// The type of answer that `question` expects.
pub(super) fn answer_type(question: &str, language: Language) -> AnswerType {
    let lower = format!(" {}", question.to_lowercase().replace('’', "'"));
    let solid = matches!(
        language,
        Language::Japanese | Language::Chinese | Language::Korean | Language::Hindi
    );
    answer_type_cues(language)
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
        .map_or(AnswerType::Other, |(expected, _)| expected)
}

/// The words of a question that only ask for a number: "many" in "How many packages?". A sentence with the number does
/// not have them, while one that says "many packages" does. In the other languages they have no other meaning.
pub(super) fn quantity_words(question: &str, language: Language) -> &'static str {
    let lower = question.to_lowercase();
    match language {
        Language::English if lower.contains("how many") || lower.contains("how much") => "many much",
        Language::German if lower.contains("wie viel") => "viel viele vielen",
        _ => "",
    }
}

/// Words that give reasons, in all languages.
const REASON_WORDS: [&str; 26] = [
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

/// Returns true if `sentence` contains an answer of the expected type; false for types that are not checked.
pub(super) fn suits(sentence: &str, expected: AnswerType) -> bool {
    match expected {
        // A year, or a day or an hour in scripts that name them.
        AnswerType::Time => {
            let mut digits = sentence
                .split(|c: char| !c.is_numeric())
                .filter(|part| part.chars().count() == 4);
            digits.any(|part| part.starts_with(['1', '2', '१', '२', '١', '٢'])) || sentence.contains(['年', '월', '년'])
        }
        // The position of the number is checked with the terms.
        AnswerType::Number => sentence.chars().any(char::is_numeric),
        AnswerType::Person => {
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
        AnswerType::Reason => {
            let lower = sentence.to_lowercase();
            REASON_WORDS.iter().any(|word| lower.contains(word))
        }
        AnswerType::Place | AnswerType::Definition | AnswerType::Other => false,
    }
}
