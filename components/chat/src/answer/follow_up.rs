//! Questions that go on from one that was computed: "and in weeks?", "plus 10 %". The model writes such a question out, so that it
//! is computed like any other; else it would write a figure that looks computed.

use quartet_api::Language;
use quartet_api::chat::ChatTurn;
use quartet_lang_detect::{Writing, writing};
use quartet_llm_client::{LanguageModel, Outcome, Role, Turn};

use super::messages::{asks_for_missing, unchecked_reading, without_remarks};
use crate::calculate::SIGNS;
use crate::line;

/// Longest message that is taken for one that goes on from another, in characters.
const MAX_MESSAGE_CHARS: usize = 60;
/// Longest message that is taken for a step further with the numbers before it, in characters.
const MAX_STEP_CHARS: usize = 120;
/// Longest answer that is taken for a computed one, in characters.
const MAX_ANSWER_CHARS: usize = 160;
/// Words of an answer that names a time or a date and nothing else, at most.
const MAX_ANSWER_WORDS: usize = 10;
/// Messages that go on from each other, at most.
const MAX_CHAIN: usize = 3;
/// Limit in tokens for a question.
const MAX_TOKENS: u32 = 64;

const INSTRUCTIONS: &str = "Write the last message as one question that can be understood by itself, in the language of the last \
     message. Take what it leaves out from the question and the answer before it.";

/// A question, its answer, what somebody says then, and that as a question.
const EXAMPLES: [[&str; 4]; 6] = [
    [
        "¿Cuánto son 2 litros en galones?",
        "2 litros ≈ 0.53 galones",
        "¿y 5 litros?",
        "¿Cuánto son 5 litros en galones?",
    ],
    ["东京现在几点？", "18:05 东京", "那柏林呢", "柏林现在几点？"],
    [
        "Wie viele Tage sind es bis Ostern?",
        "28. November 2026 → 28. März 2027: 120 Tage",
        "und in Wochen?",
        "Wie viele Wochen sind es bis Ostern?",
    ],
    ["What is 30 + 12?", "30 + 12 = 42", "times 3", "What is 42 times 3?"],
    [
        "What is 25% of 60?",
        "25 % × 60 = 15",
        "and of 90",
        "What is 25% of 90?",
    ],
    [
        "How many days are there until Easter?",
        "28 November 2026 → 28 March 2027: 120 days",
        "and until Halloween?",
        "How many days are there until Halloween?",
    ],
];

/// A message as a question of its own, with the work of the model; nothing where it goes on from nothing that was computed, or the
/// model left out what it says. What it goes on from may go on from something else: "and until Easter?", "and in weeks?"
pub(super) fn written_out(
    message: &str,
    history: &[ChatTurn],
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> Option<(String, Vec<Outcome>)> {
    let mut work = Vec::new();
    let question = written(message, history, MAX_CHAIN, &mut work, model, milliseconds)?;
    Some((question, work))
}

fn written(
    message: &str,
    history: &[ChatTurn],
    chain: usize,
    work: &mut Vec<Outcome>,
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> Option<String> {
    let [earlier @ .., question, answer] = history else {
        return None;
    };
    let is_short = !message.is_empty() && message.chars().count() <= MAX_MESSAGE_CHARS;
    let chain = chain.checked_sub(1)?;
    if !is_short
        || question.role != "user"
        || answer.role != "assistant"
        || !seems_computed(without_remarks(&answer.content))
    {
        return None;
    }
    let whole = written(&question.content, earlier, chain, work, model, milliseconds);
    let question = whole.as_deref().unwrap_or(&question.content);
    let shown = |question: &str, answer: &str, message: &str| {
        format!("Question: {question}\nAnswer: {answer}\nLast message: {message}")
    };
    let mut turns = vec![Turn::new(Role::System, INSTRUCTIONS)];
    for [question, answer, message, written] in EXAMPLES {
        turns.push(Turn::new(Role::User, shown(question, answer, message)));
        turns.push(Turn::new(Role::Assistant, written));
    }
    turns.push(Turn::new(Role::User, shown(question, &answer.content, message)));
    let (text, outcome) = line::written(model, turns, None, MAX_TOKENS, milliseconds)?;
    work.extend(outcome);
    let text = text.trim().to_owned();
    let sources = [message, question, &answer.content];
    let is_borne_out = !text.is_empty()
        && text != question
        && says_it(&text, message)
        && has_no_other_number(message, &[&text])
        && has_no_other_number(&text, &sources)
        && has_no_other_percentage(&text, &sources);
    is_borne_out.then_some(text)
}

/// The questions that a short message may go on from, each with its computed answer, oldest first.
pub(super) fn computed_before<'h>(message: &str, history: &'h [ChatTurn]) -> Vec<(&'h str, &'h str)> {
    if message.is_empty() || message.chars().count() > MAX_MESSAGE_CHARS {
        return Vec::new();
    }
    let turns = history.rchunks_exact(2).map(|turns| match turns {
        [question, answer] if question.role == "user" && answer.role == "assistant" => {
            let shown = without_remarks(&answer.content);
            seems_computed(shown).then_some((question.content.as_str(), shown))
        }
        _ => None,
    });
    let mut exchanges: Vec<_> = turns.map_while(|exchange| exchange).take(MAX_CHAIN).collect();
    exchanges.reverse();
    exchanges
}

/// The questions that a message may take its numbers from, each with its answer, oldest first; none where the last ones have no number, or
/// the message is too long to go on from anything.
pub(super) fn with_numbers<'h>(message: &str, history: &'h [ChatTurn]) -> Vec<(&'h str, &'h str)> {
    if message.is_empty() || message.chars().count() > MAX_STEP_CHARS {
        return Vec::new();
    }
    let turns = history.rchunks_exact(2).map_while(|turns| match turns {
        [question, answer] if question.role == "user" && answer.role == "assistant" => {
            Some((question.content.as_str(), without_remarks(&answer.content)))
        }
        _ => None,
    });
    let mut exchanges: Vec<_> = turns.take(MAX_CHAIN).collect();
    exchanges.reverse();
    let has_number = |text: &str| text.contains(char::is_numeric);
    let has_any = exchanges
        .iter()
        .any(|(question, answer)| has_number(question) || has_number(answer));
    if has_any { exchanges } else { Vec::new() }
}

/// Returns true if the last answer is a sum that the model read out of a message.
pub(super) fn is_behind_reading(history: &[ChatTurn]) -> bool {
    let is_reading = |language| {
        let remark = unchecked_reading(language);
        history.last().is_some_and(|turn| turn.content.contains(remark))
    };
    Language::ALL.into_iter().any(is_reading)
}

/// A message that says the number that was asked for, behind the question that lacked it.
pub(super) fn with_missing(message: &str, history: &[ChatTurn]) -> Option<String> {
    let [.., question, answer] = history else {
        return None;
    };
    let is_asked = question.role == "user" && answer.role == "assistant" && asks_for_missing(&answer.content);
    let is_told = message.contains(char::is_numeric) && message.chars().count() <= MAX_MESSAGE_CHARS;
    let asked = question.content.trim().trim_end_matches(['.', '?', '？', '؟', '!']);
    (is_asked && is_told).then(|| format!("{asked}. {message}"))
}

/// Returns true if an answer of a model after a computed one looks as if it was computed, too.
pub(super) fn seems_imitated(answer: &str, history: &[ChatTurn]) -> bool {
    goes_on_from_computed(history)
        && SIGNS.iter().any(|sign| answer.contains(sign))
        && answer.contains(|c: char| c.is_ascii_digit())
}

/// Returns true if the last answer looks as if it was computed.
pub(super) fn goes_on_from_computed(history: &[ChatTurn]) -> bool {
    history
        .last()
        .is_some_and(|turn| turn.role == "assistant" && has_signs(without_remarks(&turn.content)))
}

/// Returns true for an answer as computed ones are, and with a sign of them.
fn has_signs(answer: &str) -> bool {
    seems_computed(answer) && SIGNS.iter().any(|sign| answer.contains(sign))
}

/// Returns true for an answer as computed ones are: one line with a figure, and what it is made of or equal to.
fn seems_computed(answer: &str) -> bool {
    let answer = answer.trim();
    answer.chars().count() <= MAX_ANSWER_CHARS
        && !answer.contains('\n')
        && answer.contains(|c: char| c.is_ascii_digit())
        && (SIGNS.iter().any(|sign| answer.contains(sign)) || answer.split_whitespace().count() <= MAX_ANSWER_WORDS)
}

/// Returns true if a question has a word, a number or a sign of a message: with none of them it is the question before.
fn says_it(question: &str, message: &str) -> bool {
    let question = question.to_lowercase();
    let message = message.to_lowercase();
    let is_dense = |c: &char| matches!(writing(*c), Writing::Han | Writing::Kana | Writing::Hangul);
    let mut words = message
        .split(|c: char| !c.is_alphanumeric() && c != '%')
        .filter(|word| word.chars().count() > 2 || word.contains(|c: char| c.is_ascii_digit() || c == '%'));
    words.any(|word| question.contains(word)) || message.chars().filter(is_dense).any(|c| question.contains(c))
}

/// Returns true if all numbers of a text stand in what it was made of.
fn has_no_other_number(question: &str, sources: &[&str]) -> bool {
    let numbers = |text: &str| {
        let parts = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let all: Vec<String> = sources.iter().flat_map(|source| numbers(source)).collect();
    numbers(question).iter().all(|number| all.contains(number))
}

/// Returns true if all percentages of a question are ones in what it was made of: a result of 16 is no 16 %.
fn has_no_other_percentage(question: &str, sources: &[&str]) -> bool {
    let percentages = |text: &str| {
        let text = text.replace(" %", "%");
        let ends = text.match_indices('%').map(|(end, _)| end).collect::<Vec<_>>();
        let number = |end: usize| {
            let before = &text[..end];
            let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
            before[before.trim_end_matches(is_part).len()..].to_owned()
        };
        ends.into_iter().map(number).collect::<Vec<_>>()
    };
    let all: Vec<String> = sources.iter().flat_map(|source| percentages(source)).collect();
    percentages(question).iter().all(|number| all.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_llm_client::scripted::Scripted;

    fn out(before: [&str; 2], message: &str, by_model: &str) -> Option<String> {
        let history = [ChatTurn::new("user", before[0]), ChatTurn::new("assistant", before[1])];
        let model = Scripted::new([by_model]);
        written_out(message, &history, &model, 1_000).map(|(text, _)| text)
    }

    #[test]
    fn a_message_that_goes_on_is_written_out() {
        let sum = ["What is 15 * 12?", "15 × 12 = 180"];
        let question = "What is 180 divided by 4?";
        assert_eq!(out(sum, "and divided by 4", question).as_deref(), Some(question));
        // Nothing of the message is in it, or a number that nobody said.
        assert_eq!(out(sum, "thanks!", "What is 15 * 12?"), None);
        assert_eq!(out(sum, "and divided by 4", "What is 182 divided by 4?"), None);
        // A number of the message is not in it, or nothing has changed.
        assert_eq!(out(sum, "and divided by 4 and 3", question), None);
        let date = ["今日は何日ですか？", "2026年11月29日(日曜日)"];
        assert_eq!(out(date, "5月3日だよ。覚えておいて", date[0]), None);
    }

    #[test]
    fn a_result_is_no_percentage() {
        let share = ["what is 20% of 80", "20 % × 80 = 16"];
        assert_eq!(out(share, "and of 120", "What is 16% of 120?"), None);
        let question = "What is 20% of 120?";
        assert_eq!(out(share, "and of 120", question).as_deref(), Some(question));
    }

    #[test]
    fn what_it_goes_on_from_may_go_on_from_something_else() {
        let turns = [
            ("user", "How many days until Christmas?"),
            ("assistant", "28 November 2026 → 25 December 2026: 27 days"),
            ("user", "and until Easter?"),
            ("assistant", "28 November 2026 → 28 March 2027: 120 days"),
        ];
        let history = turns.map(|(role, text)| ChatTurn::new(role, text));
        let model = Scripted::new(["How many days until Easter?", "How many weeks until Easter?"]);
        let (text, work) = written_out("and in weeks?", &history, &model, 1_000).unwrap();
        assert_eq!((text.as_str(), work.len()), ("How many weeks until Easter?", 2));
        let asked = model.asked.borrow();
        let shown = &asked[1].last().unwrap().text;
        assert!(shown.starts_with("Question: How many days until Easter?"), "{shown}");
    }

    #[test]
    fn figures_in_the_layout_of_computed_ones_are_noticed() {
        let history = [ChatTurn::new("user", "2 + 2"), ChatTurn::new("assistant", "2 + 2 = 4")];
        assert!(seems_imitated("4 + 3 = 8", &history));
        assert!(!seems_imitated("You're welcome!", &history));
        assert!(!seems_imitated("4 + 3 = 8", &[]));
    }

    #[test]
    fn nothing_goes_on_from_what_was_not_computed() {
        let text = ["Who was Goethe?", "Goethe was a writer.\nHe lived from 1749 to 1832."];
        assert_eq!(out(text, "and Schiller?", "Who was Schiller?"), None);
        let model = Scripted::new(["What is 4?"]);
        assert!(written_out("and 4?", &[], &model, 1_000).is_none());
    }
}
