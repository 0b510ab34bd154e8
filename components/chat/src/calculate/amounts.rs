//! Amounts of money: what the result of an arithmetic expression is in, where the question says its numbers are money.

use quartet_api::Language;

use super::measures::{self, Item, Measure};
use super::number;
use super::question::Question;
use super::term::Term;

/// The signs or names around a number that is an amount: "$36", "36 euros".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Around {
    pub before: String,
    pub after: String,
    /// True for an amount of money.
    is_money: bool,
}

impl Around {
    /// Signs of a percentage.
    pub fn percentage() -> Self {
        Self {
            after: " %".to_owned(),
            ..Self::default()
        }
    }

    /// A number as it is written, and whether that is rounded: of money, with two decimals where it has any.
    pub fn decimals(&self, value: &str) -> (String, bool) {
        let decimals = value.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        match value.parse::<f64>() {
            _ if !self.is_money || decimals == 0 || decimals == 2 => (value.to_owned(), false),
            _ if decimals == 1 => (format!("{value}0"), false),
            // Of less than one, as of a price of electricity, thousandths may be all that there is.
            Ok(number) if (1.0..1e12).contains(&number.abs()) => (format!("{number:.2}"), true),
            _ => (value.to_owned(), false),
        }
    }

    fn currency(before: &str, after: &str) -> Self {
        Self {
            before: before.to_owned(),
            after: after.to_owned(),
            is_money: true,
        }
    }
}

/// The currency around the result of a term, as the question writes it; nothing where the result is no amount of one currency.
pub(super) fn around(question: &Question, term: &Term) -> Around {
    let items = measures::read(question).unwrap_or_default();
    let mut money = items.iter().filter(|item| code(item).is_some());
    let Some(first) = money.next() else {
        return Around::default();
    };
    if money.any(|item| code(item) != code(first)) || power(&items, term) != Some(Power::Money(1)) {
        return Around::default();
    }
    written(question, first)
}

/// The currency of an item.
fn code(item: &Item) -> Option<&'static str> {
    match item.measure? {
        Measure::Money(code) => Some(code),
        Measure::Unit(_) => None,
    }
}

/// A currency as it stands beside a number of the question.
fn written(question: &Question, item: &Item) -> Around {
    let (start, end) = item.name;
    let name = question.as_written(&question.text()[start..end]).to_owned();
    let is_word = name.chars().all(char::is_alphabetic) && name.chars().count() > 3;
    // Words follow the number in their form: "31 рубль", "32 рубля".
    let inflects = matches!(question.language(), Language::Russian | Language::Arabic);
    let is_before = item.value.is_some() && start == item.start && item.end > end;
    let is_dense = matches!(
        question.language(),
        Language::Chinese | Language::Japanese | Language::Korean
    );
    match code(item) {
        Some(code) if is_word && inflects => Around::currency("", &format!(" {code}")),
        _ if is_before && is_word => Around::currency(&format!("{name} "), ""),
        _ if is_before => Around::currency(&name, ""),
        _ if is_dense => Around::currency("", &name),
        _ => Around::currency("", &format!(" {name}")),
    }
}

/// The power of money in a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Power {
    /// A number of the question that nothing stands beside: it may be money that is not said to be.
    Bare,
    /// Money to this power; 0 for a number or a quantity of something else.
    Money(i32),
}

/// The power of money that a term has; none where it makes no sense, or is not known.
fn power(items: &[Item], term: &Term) -> Option<Power> {
    let plain = |term: &Term| matches!(power(items, term), Some(Power::Bare | Power::Money(0)));
    match term {
        Term::Number(number) => of_number(items, number),
        Term::Negative(term) => power(items, term),
        Term::Binary('+' | '-', left, right) if matches!(**right, Term::Percent(_)) => power(items, left),
        Term::Binary('+' | '-', left, right) => sum(power(items, left)?, power(items, right)?),
        Term::Binary('*', left, right) => Some(Power::Money(
            exponent(power(items, left)?) + exponent(power(items, right)?),
        )),
        Term::Binary('/', left, right) => Some(Power::Money(
            exponent(power(items, left)?) - exponent(power(items, right)?),
        )),
        Term::Binary(_, left, right) => (plain(left) && plain(right)).then_some(Power::Money(0)),
        Term::Percent(term) | Term::Factorial(term) | Term::SquareRoot(term) | Term::CubeRoot(term) => {
            plain(term).then_some(Power::Money(0))
        }
        Term::Mean(terms) => {
            let mut powers = terms.iter().map(|term| power(items, term));
            let first = powers.next()??;
            powers.try_fold(first, |all, other| sum(all, other?))
        }
        Term::Share(..) | Term::Change(..) | Term::Common(..) => Some(Power::Money(0)),
    }
}

/// The power of a number of the question, which must be the same wherever it stands there.
fn of_number(items: &[Item], number: &str) -> Option<Power> {
    let value = number::canonical(number);
    let mut powers = items
        .iter()
        .filter(|item| item.value.as_ref() == Some(&value))
        .map(|item| match item.measure {
            Some(Measure::Money(_)) => Power::Money(1),
            Some(Measure::Unit(_)) => Power::Money(0),
            None => Power::Bare,
        });
    let first = powers.next().unwrap_or(Power::Bare);
    powers.all(|other| other == first).then_some(first)
}

fn sum(one: Power, other: Power) -> Option<Power> {
    match (one, other) {
        (Power::Bare, power) | (power, Power::Bare) => Some(power),
        (one, other) => (one == other).then_some(one),
    }
}

fn exponent(power: Power) -> i32 {
    match power {
        Power::Bare => 0,
        Power::Money(exponent) => exponent,
    }
}

#[cfg(test)]
mod tests {
    use super::super::term::term;
    use super::*;

    #[test]
    fn an_amount_has_two_decimals_or_none() {
        let money = Around::currency("$", "");
        for (value, written, rounded) in [
            ("2.8", "2.80", false),
            ("2.85", "2.85", false),
            ("2", "2", false),
            ("1049.5798319328", "1049.58", true),
            ("0.0345", "0.0345", false),
        ] {
            assert_eq!(money.decimals(value), (written.to_owned(), rounded));
        }
        assert_eq!(Around::percentage().decimals("2.8"), ("2.8".to_owned(), false));
    }

    #[test]
    fn what_is_an_amount_has_its_currency() {
        use Language::{English, French, German, Japanese, Portuguese, Russian};
        for (question, language, expression, before, after) in [
            ("Quanto é 15% de 240 euros?", Portuguese, "240 * 15%", "", " euros"),
            ("Was sind 15 % von 240 Euro?", German, "240 * 15%", "", " Euro"),
            ("What is $80 minus 15%?", English, "80 - 15%", "$", ""),
            (
                "Three tickets cost £45. What do 5 cost?",
                English,
                "45 / 3 * 5",
                "£",
                "",
            ),
            ("240 € partagés entre 8 amis ?", French, "240 / 8", "", " €"),
            ("Сколько будет 15% от 240 рублей?", Russian, "240 * 15%", "", " RUB"),
            ("240円の15%はいくらですか？", Japanese, "240 * 15%", "", "円"),
            (
                "I earn 3000 dollars and spend 1200. What is left?",
                English,
                "3000 - 1200",
                "",
                " dollars",
            ),
            // Counts, shares and quotients of money are none.
            ("How many 5 euro notes make 60 euros?", English, "60 / 5", "", ""),
            ("What is 15% of 240?", English, "240 * 15%", "", ""),
            (
                "How many kg at 4 euros do I get for 20 euros?",
                English,
                "20 / 4",
                "",
                "",
            ),
            // Nobody says which of the two it is in.
            ("What is 5 dollars and 7 euros?", English, "5 + 7", "", ""),
        ] {
            let question_read = Question::new(question, language);
            let around = around(&question_read, &term(expression).unwrap());
            assert_eq!((&*around.before, &*around.after), (before, after), "{question}");
        }
    }
}
