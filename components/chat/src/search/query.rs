//! Search queries from questions.

use quartet_api::Language;
use quartet_text_analysis::analyzer::Analyzer;

/// Limit in characters for a query; longer ones are cut.
const MAX_QUERY_CHARS: usize = 200;

/// Words of asking in languages that have no spaces around them.
const UNSPACED_QUESTION_WORDS: [&str; 20] = [
    "とは何ですか",
    "は何ですか",
    "について教えてください",
    "を教えてください",
    "は誰ですか",
    "はどこですか",
    "はいつですか",
    "とは",
    "是什么意思",
    "是什么",
    "什么是",
    "是谁",
    "谁是",
    "在哪里",
    "请问",
    "무엇인가요",
    "누구인가요",
    "어디인가요",
    "언제인가요",
    "에 대해 알려 주세요",
];

/// The query for a question. A question that says hardly anything by itself takes the words of the one `before` it along;
/// `plain` leaves the small words out, for engines that look for every word.
pub(super) fn of(question: &str, before: Option<&str>, language: Language, plain: bool) -> String {
    let analyzer = Analyzer::new(language);
    let telling = |text: &str| analyzer.content(text).count();
    let mut query = shortened(question, &analyzer, plain);
    if telling(question) < 2
        && let Some(before) = before
    {
        query = format!("{} {query}", shortened(before, &analyzer, true));
    }
    let query = query.split_whitespace().collect::<Vec<_>>().join(" ");
    query.chars().take(MAX_QUERY_CHARS).collect()
}

fn shortened(question: &str, analyzer: &Analyzer, plain: bool) -> String {
    let mut text = question
        .trim()
        .trim_end_matches(['?', '？', '.', '。', '!', '؟', '।', ' '])
        .to_owned();
    for asking in UNSPACED_QUESTION_WORDS {
        text = text.replace(asking, " ");
    }
    if !plain {
        return text;
    }
    let kept: Vec<_> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty() && !analyzer.is_stop(&word.to_lowercase()))
        .collect();
    if kept.is_empty() { text } else { kept.join(" ") }
}
