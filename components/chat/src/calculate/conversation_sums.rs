//! The sum that a message asks for, written by the model from the conversation: "and with 5 euros for shipping", "the bank says 1.15".
//!
//! A question by itself must bear its expression out (`evidence`). Which of the numbers before a message are meant, only the model can
//! tell, and its probability for what it writes says how far to trust that. In everyday conversations that somebody else had written, and
//! that were not looked at before, 18 sums were shown as the model's reading; 8 of them were what was asked for, 3 went on from a figure that
//! was wrong already, and none was made of 12 messages of talk.

use std::collections::BTreeSet;

use quartet_api::Language;
use quartet_llm_client::{LanguageModel, Outcome, Role, Turn};

use super::computed::Computed;
use super::expression::{self, Expression};
use super::question::Question;
use super::{MAX_QUESTION_CHARACTERS, compute, digits, means, number, paces, shown, variation};
use crate::line;

/// Limit in tokens for a sum.
const MAX_TOKENS: u32 = 48;
/// Characters of an answer that are shown.
const MAX_ANSWER_CHARS: usize = 160;
/// Limit for the operators of a sum: a small model repeats them for ever.
const MAX_OPERATORS: usize = 5;

/// Probability from which on a sum is what was asked for.
const SURE: f32 = 0.45;
/// Probability from which on a sum is what was asked for where it is the one before with other numbers, which the message says.
const SURE_OF_CHANGE: f32 = 0.3;
/// Probability from which on a number is missing.
const SURE_OF_MISSING: f32 = 0.1;
/// Probability from which on nothing is to be computed.
const SURE_OF_NONE: f32 = 0.6;

/// The word before the name of a number that was not said.
const MISSING: &str = "missing ";

/// Conversations, with the sum that the last message of each asks for.
const EXAMPLES: [(&str, &str); 23] = [
    (
        "Person: whats 20% of 85\nAssistant: 20 % × 85 = 17\nPerson: so the total with it, for each of 2?",
        "(85 + 20%) / 2",
    ),
    ("Person: thanks, you are great", "none"),
    (
        "Person: bei 7 euro die stunde und 9 std, was krieg ich\nAssistant: 7 × 9 = 63\nPerson: und an 5 tagen?",
        "7 * 9 * 5",
    ),
    ("Person: what should i get my brother for his 18th birthday", "none"),
    (
        "Person: 6,900円を3人で割り勘\nAssistant: 6900 ÷ 3 = 2300\nPerson: あ、5人だった",
        "6900 / 5",
    ),
    (
        "Person: si me suben el sueldo un 3 %, cuánto cobraré?\nAssistant: ¿Cuánto cobras ahora?\nPerson: 1800",
        "1800 + 3%",
    ),
    (
        "Person: my insurance goes up by 6%, what will i pay",
        "missing insurance_now",
    ),
    (
        "Person: i put away 75 a month for a 900 tv. how long\nAssistant: 900 ÷ 75 = 12\nPerson: i have 150 already",
        "(900 - 150) / 75",
    ),
    (
        "Person: le train fait 300 km en 2 h\nAssistant: 300 ÷ 2 = 150\nPerson: c'est bien ?",
        "none",
    ),
    (
        "Person: 我时薪45元，一周38小时，一周多少钱\nAssistant: 45 × 38 = 1710\nPerson: 扣10%呢",
        "45 * 38 - 10%",
    ),
    ("Person: il mio affitto è 640 al mese, quanto all'anno?", "640 * 12"),
    (
        "Person: un sirop avec 500 g de sucre pour 4 pots\nAssistant: D'accord.\nPerson: et pour 6 pots ?",
        "500 / 4 * 6",
    ),
    (
        "Person: 85 quid in dollars?\nAssistant: To compute this, I need a number that was not said: dollars per pound. What is it?\nPerson: its 1.2",
        "85 * 1.2",
    ),
    (
        "Person: my heart beats 11 times in 10 seconds, what is my heart rate",
        "11 / 10 * 60",
    ),
    ("Person: quanto fanno 500 corone in euro", "missing crowns_per_euro"),
    ("Person: i leave at 7:40 and it takes 50 min, when am i there", "none"),
    (
        "Person: 30 bottles for 4 rooms, how many each\nAssistant: 30 ÷ 4 = 7.5\nPerson: a bottle costs 1.20, what do i pay in all",
        "30 * 1.20",
    ),
    (
        "Person: 这本书有320页，我每天看40页，几天看完\nAssistant: 320 ÷ 40 = 8\nPerson: 好看吗",
        "none",
    ),
    (
        "Person: машина съела 30 литров на 400 км, какой расход на 100",
        "30 / 400 * 100",
    ),
    (
        "Person: wir waren 4, die rechnung war 96\nAssistant: 96 ÷ 4 = 24\nPerson: nina zahlt nicht mit",
        "96 / 3",
    ),
    (
        "Person: wie lange dauert es von 8:15 bis 9:00\nAssistant: 08:15 → 09:00: 45 Minuten\nPerson: und wenn ich 10 min später losgehe",
        "none",
    ),
    (
        "Person: what is 15% of 60\nAssistant: 15 % × 60 = 9\nPerson: make it 25",
        "25% * 60",
    ),
    (
        "Person: there are 5 lions in the zoo, tell me a joke about them",
        "none",
    ),
];

/// The reading of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// A sum, of which it is sure.
    Sum(Computed),
    /// The sum before with other numbers, which the message says, and nothing else.
    Changed(Computed),
    /// A sum that lacks a number: its name, in English.
    Missing(String),
    /// Nothing that could be computed.
    Nothing,
    /// One or the other: the sum, where it wrote one, and not surely.
    Unsure(Option<Computed>),
}

/// The sum of a message.
#[derive(Debug)]
pub struct ConversationSum {
    /// The sum.
    pub asked: Asked,
    /// True if the message says all numbers of the sum, and there are several: it may be a question by itself.
    pub is_alone: bool,
    /// The model's work; none where it was not asked.
    pub work: Option<Outcome>,
}

/// Has the model write the sum that a message asks for behind questions with their answers, oldest first, in at most so many milliseconds.
#[must_use]
pub fn conversation_sum(
    message: &str,
    before: &[(&str, &str)],
    language: Language,
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> ConversationSum {
    let in_digits = |text: &str| with_points(&digits::with_digits(text, language), language);
    let begun = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let message = in_digits(message);
    let mut shown = String::new();
    let mut said = String::new();
    for (question, answer) in before {
        let question = in_digits(&begun(question, MAX_QUESTION_CHARACTERS));
        let answer = begun(answer.lines().next().unwrap_or_default(), MAX_ANSWER_CHARS);
        shown.push_str(&format!("Person: {question}\nAssistant: {answer}\n"));
        said.push_str(&format!("{question}\n{answer}\n"));
    }
    shown.push_str(&format!("Person: {message}"));
    said.push_str(&message);
    let said = Question::new(&said, language);
    let numbers = numbers(&said);
    let unsure = |work| ConversationSum {
        asked: Asked::Unsure(None),
        is_alone: false,
        work,
    };
    // A time of day is two numbers to a small model.
    if numbers.is_empty() || said.has_clock_time() {
        return unsure(None);
    }
    let written = line::written(model, turns(&shown), Some(schema(&numbers)), MAX_TOKENS, milliseconds);
    let Some((text, work)) = written else {
        return unsure(None);
    };
    let probability = work.and_then(|outcome| outcome.probability).unwrap_or(0.0);
    let Ok(written) = serde_json::from_str::<String>(text.trim()) else {
        return unsure(work);
    };
    if written == "none" && probability >= SURE_OF_NONE {
        return ConversationSum {
            asked: Asked::Nothing,
            is_alone: false,
            work,
        };
    }
    if let Some(name) = written.strip_prefix(MISSING) {
        let asked = match probability >= SURE_OF_MISSING {
            true => Asked::Missing(name.replace('_', " ")),
            false => Asked::Unsure(None),
        };
        return ConversationSum {
            asked,
            is_alone: false,
            work,
        };
    }
    let read = Question::new(&message, language);
    let of_message = self::numbers(&read);
    let expression = expression::parse(&format!("calc {written}"))
        // A sum of other numbers than those of the message is not what it asks for, and one of none that was said is made up.
        .filter(|_| uses(&written, &numbers) && (of_message.is_empty() || uses(&written, &of_message)))
        // A question by itself says no number for nothing.
        .filter(|_| {
            !before.is_empty()
                || of_message
                    .iter()
                    .all(|number| uses(&written, &BTreeSet::from([number.clone()])))
        });
    let Some(Expression::Arithmetic(term)) = expression else {
        return unsure(work);
    };
    let is_said = |value: &str| of_message.contains(&number::canonical(value));
    let is_alone = of_message.len() > 1 && term.numbers().into_iter().all(is_said);
    let last = before.last().and_then(|(_, answer)| shown::term_of(answer, language));
    let is_change = last.is_some_and(|last| variation::changes(&last, &term, &read, &said.percentages()));
    let of_alone = before.is_empty().then(|| paces::of(&read, &term)).flatten();
    let expression = match of_alone {
        Some(formula) => Expression::Formula(formula),
        None => Expression::Arithmetic(means::as_asked(term, &read, &said)),
    };
    let asked = match compute(&expression, &said, None) {
        Some(computed) if is_change && probability >= SURE_OF_CHANGE => Asked::Changed(computed),
        Some(computed) if probability < SURE => Asked::Unsure(Some(computed)),
        Some(computed) => Asked::Sum(computed),
        None => Asked::Unsure(None),
    };
    ConversationSum { asked, is_alone, work }
}

/// A text whose numbers have a point for their decimals, and no other separators.
fn with_points(text: &str, language: Language) -> String {
    let read = Question::new(text, language);
    // Places are those of the text in lower case and other digits.
    let normal = read.text();
    let (mut plain, mut at, mut is_other) = (String::new(), 0, false);
    for (start, end, value) in read.places() {
        let digits = &normal[start..end];
        let other = value.filter(|value| digits.parse::<f64>() != value.parse::<f64>());
        is_other |= other.is_some();
        plain.push_str(&normal[at..start]);
        plain.push_str(other.unwrap_or(digits));
        at = end;
    }
    plain.push_str(&normal[at..]);
    match is_other {
        true => plain,
        false => text.to_owned(),
    }
}

fn turns(shown: &str) -> Vec<Turn> {
    let mut turns = vec![Turn::new(Role::System, include_str!("conversation_sums.txt").trim())];
    for (shown, sum) in EXAMPLES {
        turns.push(Turn::new(Role::User, shown));
        turns.push(Turn::new(Role::Assistant, format!("\"{sum}\"")));
    }
    turns.push(Turn::new(Role::User, shown));
    turns
}

/// The numbers of a text, with a point for their decimals.
fn numbers(text: &Question) -> BTreeSet<String> {
    text.places()
        .filter_map(|(.., value)| value.map(str::to_owned))
        .collect()
}

/// Returns true if a sum has one of these numbers.
fn uses(sum: &str, numbers: &BTreeSet<String>) -> bool {
    let value = |text: &str| text.parse::<f64>().ok();
    let mut written = sum.split(|c: char| !(c.is_ascii_digit() || c == '.')).filter_map(value);
    written.any(|number| {
        numbers
            .iter()
            .filter_map(|other| value(other))
            .any(|other| other == number)
    })
}

/// The schema of a sum of these numbers and those that nobody says.
fn schema(numbers: &BTreeSet<String>) -> String {
    let mut all: Vec<&str> = numbers.iter().map(String::as_str).chain(number::UNSAID).collect();
    all.sort_unstable();
    all.dedup();
    // "12.5" may stand there as "12.50".
    let pattern = |number: &&str| match number.split_once('.') {
        Some((whole, decimal)) if decimal.len() == 1 => format!(r"{whole}\.{decimal}0?"),
        _ => number.replace('.', r"\."),
    };
    let number = all.iter().map(pattern).collect::<Vec<_>>().join("|");
    let operand = format!(r"\(*({number})%?\)*");
    let name = "[a-z][a-z_0-9]{1,30}";
    let pattern = format!(r"^(none|{MISSING}{name}|{operand}( [-+*/] {operand}){{1,{MAX_OPERATORS}}})$");
    serde_json::json!({"type": "string", "pattern": pattern}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_llm_client::scripted::Scripted;

    fn asked(message: &str, before: &[(&str, &str)], written: &str, probability: f32) -> Asked {
        let mut model = Scripted::new([&*format!("{written:?}")]);
        model.probability = Some(probability);
        conversation_sum(message, before, Language::English, &model, 1_000).asked
    }

    fn value(asked: Asked) -> Option<String> {
        match asked {
            Asked::Sum(computed) | Asked::Changed(computed) => Some(computed.value),
            Asked::Missing(_) | Asked::Nothing | Asked::Unsure(_) => None,
        }
    }

    const TIP: [(&str, &str); 1] = [("whats 15% tip on 64.80", "15 % × 64.80 = 9.72")];

    #[test]
    fn a_sum_is_computed_where_the_model_is_sure_of_it() {
        let sum = |probability| asked("total with that, split 3 ways", &TIP, "(64.80 + 9.72) / 3", probability);
        assert_eq!(value(sum(0.6)).as_deref(), Some("24.84"));
        assert!(matches!(sum(0.3), Asked::Unsure(Some(_))));
        assert_eq!(
            value(asked("and 1800 more 3%?", &[], "1800 + 3%", 0.9)).as_deref(),
            Some("1854")
        );
    }

    #[test]
    fn a_message_that_asks_for_none_has_none() {
        assert_eq!(asked("thanks", &TIP, "none", 0.9), Asked::Nothing);
        assert_eq!(asked("thanks", &TIP, "none", 0.4), Asked::Unsure(None));
        // Nothing was said to compute with.
        assert_eq!(asked("thanks", &[], "1 + 1", 0.9), Asked::Unsure(None));
    }

    #[test]
    fn a_sum_has_what_the_message_says() {
        assert_eq!(asked("make it 20", &TIP, "64.80 + 9.72", 0.9), Asked::Unsure(None));
        assert_eq!(asked("and a year?", &TIP, "12 * 12", 0.9), Asked::Unsure(None));
        let pizzas = |written| asked("6 pizzas at 9.80 and we are 8 people, how much each", &[], written, 0.9);
        assert_eq!(pizzas("9.80 / 8"), Asked::Unsure(None));
        assert_eq!(value(pizzas("6 * 9.80 / 8")).as_deref(), Some("7.35"));
    }

    #[test]
    fn of_a_long_question_before_it_the_beginning_is_shown() {
        let long = "I bought 3 apples. ".repeat(2_000);
        let model = Scripted::new(["\"none\""]);
        let before = [(long.as_str(), long.as_str())];
        let _ = conversation_sum("and 5 more", &before, Language::English, &model, 1_000);
        let asked = model.asked.borrow();
        assert!(asked[0].last().is_some_and(|turn| turn.text.len() < 500));
    }

    #[test]
    fn a_message_without_a_sum_may_ask_for_something_else() {
        for message in [
            "and in weeks?",
            "and until Halloween?",
            "and until Easter?",
            "and in Tokyo?",
            "in stone?",
            "and tomorrow?",
        ] {
            assert!(crate::calculate::may_ask(message, Language::English), "{message}");
        }
        for message in ["thank you!", "cheers", "are you sure?", "you are great"] {
            assert!(!crate::calculate::may_ask(message, Language::English), "{message}");
        }
    }

    #[test]
    fn a_number_may_be_missing() {
        let rent = |probability| asked("my rent goes up 4.5%", &[], "missing rent_now", probability);
        assert_eq!(rent(0.4), Asked::Missing("rent now".to_owned()));
        assert_eq!(rent(0.05), Asked::Unsure(None));
    }

    #[test]
    fn the_sum_before_with_other_numbers_is_a_change() {
        for (message, written, is_change) in [
            ("and of 90?", "15% * 90", true),
            ("and 20%?", "20% * 64.80", true),
            ("and 20% of that?", "20% * 9.72", false),
            ("split by 2?", "9.72 / 2", false),
            // It says one more number.
            ("and of 90 and 80?", "15% * 90", false),
        ] {
            let asked = asked(message, &TIP, written, 0.6);
            assert_eq!(matches!(asked, Asked::Changed(_)), is_change, "{message}: {asked:?}");
        }
    }

    #[test]
    fn numbers_are_shown_with_points() {
        for (text, language, expected) in [
            ("10.8平米 1平米1,980円", Language::Japanese, "10.8平米 1平米1980円"),
            ("Pull à 59,90 et 1.200", Language::French, "pull à 59.9 et 1200"),
            ("Um 9:00 für 64.80", Language::German, "Um 9:00 für 64.80"),
            ("٢٤٠ ريال", Language::Arabic, "٢٤٠ ريال"),
        ] {
            assert_eq!(with_points(text, language), expected);
        }
    }

    #[test]
    fn times_of_day_are_no_numbers_to_compute_with() {
        let before = [("from 8:15 to 9:00", "08:15 → 09:00: 45 minutes")];
        assert_eq!(asked("and 10 more?", &before, "45 + 10", 0.9), Asked::Unsure(None));
    }

    #[test]
    fn every_example_fits_the_schema_of_its_numbers() {
        for (shown, sum) in EXAMPLES {
            let said = Question::new(shown, Language::English);
            let numbers = numbers(&said);
            let parsed = expression::parse(&format!("calc {sum}"));
            assert_eq!(parsed.is_some(), sum != "none" && !sum.starts_with(MISSING), "{shown}");
            if sum.starts_with(MISSING) {
                continue;
            }
            let written = sum
                .split(|c: char| !(c.is_ascii_digit() || c == '.'))
                .filter(|part| !part.is_empty());
            let all = numbers.iter().map(String::as_str).chain(number::UNSAID);
            let all: BTreeSet<_> = all.map(str::to_owned).collect();
            for number in written {
                assert!(uses(number, &all), "{number} in {shown}");
            }
        }
    }
}
