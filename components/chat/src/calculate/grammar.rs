//! The schema that an expression is held to: a string of the language of [`expression`](super::expression) with no other numbers,
//! times, units and zones than the question can bear out. What it cannot rule out, `evidence` refuses.

use quartet_measures::units;
use std::collections::BTreeSet;

use super::notations;
use super::question::Question;
use super::term::{Operation, factors};
use super::zones;

/// Limit for the times of day that a schema lists; with more of them it takes any.
const MAX_TIMES: usize = 64;

/// Limit for the operators of a term: a small model repeats them for ever.
const MAX_OPERATORS: usize = 9;

/// Limit for the numbers of which a schema lists all orders.
const MAX_ORDERED: usize = 4;

/// The schema for the expression of a question.
pub(super) fn schema(question: &Question) -> String {
    let pattern = format!("^({})$", commands(question).join("|"));
    serde_json::json!({"type": "string", "pattern": pattern}).to_string()
}

fn commands(question: &Question) -> Vec<String> {
    let numbers = question.values();
    // What a model writes for hundredths is put right later.
    let decimals = match question.begins_like_a_factor() {
        true => Vec::new(),
        false => question.percentages(),
    };
    let decimals = decimals.iter().flat_map(|percentage| factors(percentage));
    let written = numbers.clone().map(|numbers| match question.has_percentage() {
        true => numbers
            .into_iter()
            .chain(decimals)
            .chain(["1".to_owned(), "100".to_owned()])
            .collect(),
        false => numbers,
    });
    let number = any_of(written.as_ref(), r"[0-9]+(\.[0-9]+)?");
    // Hundredths are written as such, or asked for, but not both.
    let percent = if question.has_percentage() { "%" } else { "" };
    let share = match (percent.is_empty(), question.asks_for_percentage()) {
        (true, true) => r"|share\(|change\(",
        (true, false) => r"|change\(",
        (false, _) => "",
    };
    let factorial = if question.names(Operation::Factorial) { "!" } else { "" };
    let functions = format!(r"(-|\(|sqrt\(|cbrt\(|mean\(|gcd\(|lcm\({share})*");
    let opened = format!("{functions}{number}[{percent}{factorial})]*");
    let term = match each_once(question) {
        Some(numbers) => in_any_order(&numbers, &|number| {
            format!(r"{functions}{}[{factorial})]*", number.replace('.', r"\."))
        }),
        None => format!("{opened}({SIGN}{opened}){{1,{MAX_OPERATORS}}}"),
    };
    let root = format!(r"{opened}[{factorial})]");
    // "How many feet are in a mile?"
    let quantity = any_of(
        numbers.clone().map(|numbers| with(numbers, [1])).as_ref(),
        r"[0-9]+(\.[0-9]+)?",
    );
    let convert = units(question).map(|units| {
        let unit = any_of(Some(&units), "");
        format!("convert (-?{quantity} {unit} )+to {unit}")
    });
    let counts = numbers.clone().map(|numbers| {
        let whole: Vec<u32> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
        // A period by itself is one, weeks may be counted in days, and half an hour in minutes.
        let in_days = whole.iter().map(|weeks| weeks.saturating_mul(7));
        let all: Vec<u32> = whole.iter().copied().chain(in_days).chain([1, 7, 30]).collect();
        with(BTreeSet::new(), all)
    });
    let count = any_of(counts.as_ref(), "[0-9]+");
    let shifts = format!("( [+-] {count} (minutes|hours|days|weeks|months|years))*");
    let weekday = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday)";
    let year = numbers.map(|numbers| {
        numbers
            .into_iter()
            .filter(|number| is_year(number))
            .collect::<BTreeSet<_>>()
    });
    let year = any_of(year.as_ref(), "[0-9]{4}");
    let date = "[0-9]{2}-[0-9]{2}";
    let day = format!("(today|month-end|year-end|{year}-{date}|{date}|(next|last|this) ({date}|{weekday})){shifts}");
    let zones: BTreeSet<_> = zones::named(question).collect();
    let zone = any_of(Some(&zones), "(UTC|[A-Z][A-Za-z]+(/[A-Z][A-Za-z_]+)+)");
    let times = question.times().filter(|times| times.len() <= MAX_TIMES);
    let time = any_of(times.as_ref(), "[0-9]{2}:[0-9]{2}");
    let (given, asked) = match zones.iter().collect::<Vec<_>>()[..] {
        // The direction is the question's, not the model's.
        [one, other] => match zones::given_in([one, other], question) {
            Some(given) if given == one => (one.clone(), other.clone()),
            Some(_) => (other.clone(), one.clone()),
            None => (zone.clone(), zone.clone()),
        },
        _ => (zone.clone(), zone.clone()),
    };
    let mut commands = vec![
        "none".to_owned(),
        format!("calc ({term}|{root})"),
        format!("date {day}"),
        format!("(days|weeks|months|years) {day} to {day}"),
        "leap [0-9]{4}".to_owned(),
        format!("time (now{shifts}( in {zone})?|{time} {given}{shifts} in {asked})"),
        format!("hours {time} to {time}( - {count} (minutes|hours))*"),
    ];
    // Where a place is named, it is asked for the time there.
    if zones.is_empty() {
        commands.push(format!("time {time}( [+-] {count} (minutes|hours))+"));
    }
    commands.extend(convert);
    let written: BTreeSet<_> = notations::candidates(question).into_iter().collect();
    if !written.is_empty() {
        let notation = "(binary|octal|decimal|hex|roman)";
        let written = any_of(Some(&written), "");
        commands.push(format!("write {written} from {notation} in {notation}"));
    }
    commands
}

/// Sign between two numbers of a term.
const SIGN: &str = r"( [-+*/] |\^|, | of | mod )";

/// The numbers of a question of which a term uses each once, as the evidence asks for; nothing where it may use others, or where
/// there are too many to list their orders.
fn each_once(question: &Question) -> Option<Vec<String>> {
    question.values().filter(|_| !question.has_percentage())?;
    let numbers: Option<Vec<_>> = question.places().map(|(.., value)| value.map(str::to_owned)).collect();
    numbers.filter(|numbers| (2..=MAX_ORDERED).contains(&numbers.len()))
}

/// A pattern of some numbers in any order, with a sign between every two of them.
fn in_any_order(numbers: &[String], operand: &dyn Fn(&str) -> String) -> String {
    let first: BTreeSet<&String> = numbers.iter().collect();
    let orders = first.into_iter().map(|number| {
        let mut others = numbers.to_vec();
        others.remove(others.iter().position(|other| other == number).unwrap_or_default());
        match others.is_empty() {
            true => operand(number),
            false => format!("{}{SIGN}{}", operand(number), in_any_order(&others, operand)),
        }
    });
    format!("({})", orders.collect::<Vec<_>>().join("|"))
}

/// A pattern of texts, or another one where there are none.
fn any_of(texts: Option<&BTreeSet<String>>, otherwise: &str) -> String {
    match texts.filter(|texts| !texts.is_empty()) {
        Some(texts) => {
            let escaped: Vec<_> = texts.iter().map(|text| text.replace('.', r"\.")).collect();
            format!("({})", escaped.join("|"))
        }
        None => otherwise.to_owned(),
    }
}

fn with(mut numbers: BTreeSet<String>, more: impl IntoIterator<Item = u32>) -> BTreeSet<String> {
    numbers.extend(more.into_iter().map(|number| number.to_string()));
    numbers
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The English names and the signs of the units that the question names. A list of all units would take long to compile.
fn units(question: &Question) -> Option<BTreeSet<String>> {
    let named = units::all().filter(|unit| units::names_of(unit).into_iter().any(|name| question.has(name)));
    let names: BTreeSet<_> = named
        .flat_map(units::english_names)
        .map(|name| name.replace('^', r"\^"))
        .collect();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::Language;

    fn commands_of(question: &str, language: Language) -> String {
        commands(&Question::new(question, language)).join("\n")
    }

    #[test]
    fn an_expression_has_what_the_question_has() {
        let commands = commands_of("¿Cuántas horas hay entre las 9:30 y las 17:00?", Language::Spanish);
        assert!(
            commands.contains("|09:30|") && commands.contains("17:00") && !commands.contains("17:15"),
            "{commands}"
        );
        let commands = commands_of("what is 25% of $54,788", Language::English);
        assert!(
            commands.contains("(0\\.25|0\\.75|1|1\\.25|100|25|54788)[%)]")
                && commands.contains('%')
                && !commands.contains("share"),
            "{commands}"
        );
        let commands = commands_of("18 is what percent of 60", Language::English);
        assert!(commands.contains("share") && !commands.contains('%'), "{commands}");
        let commands = commands_of("What time is it in China right now?", Language::English);
        assert!(commands.contains("in (Asia/Shanghai))?"), "{commands}");
        let commands = commands_of("What time is it in Springfield?", Language::English);
        assert!(
            commands.contains("[A-Z][A-Za-z]+(/") && !commands.contains("convert"),
            "{commands}"
        );
        let commands = commands_of("Quantos graus Fahrenheit são 37°C?", Language::Portuguese);
        assert!(
            commands.contains("°F") && commands.contains("°C") && !commands.contains("mile"),
            "{commands}"
        );
        let commands = commands_of("Which day is 5 days after July 20, 1969?", Language::English);
        assert!(commands.contains("|(1969)-[0-9]{2}-[0-9]{2}|"), "{commands}");
        assert!(
            commands.contains("( [+-] (1|13783|140|1969|20|30|35|5|7) (minutes"),
            "{commands}"
        );
    }

    #[test]
    fn a_term_has_each_of_a_few_numbers_once() {
        let commands = commands_of("4 people need 250 g, how much do 7 people need", Language::English);
        let first = commands.lines().find(|line| line.starts_with("calc")).unwrap();
        // In each of the six orders, and as a root.
        assert_eq!(first.matches("250").count(), 1 + 2 + 2 + 1, "{first}");
        assert!(!first.contains('!'), "{first}");
        let commands = commands_of("what is the factorial of 5 plus 3", Language::English);
        assert!(commands.contains("[!)]*"), "{commands}");
    }

    #[test]
    fn numbers_in_words_may_be_any() {
        for (question, language) in [
            ("twenty-five plus 12", Language::English),
            ("Wie viel ist hunderttausend mal 7?", Language::German),
            ("half of 30", Language::English),
            ("3 million plus 5", Language::English),
            ("三十三乘以7", Language::Chinese),
        ] {
            let commands = commands_of(question, language);
            assert!(commands.contains(r")*[0-9]+(\.[0-9]+)?["), "{question}: {commands}");
        }
    }
}
