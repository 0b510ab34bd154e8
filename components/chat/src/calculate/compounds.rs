//! Quantities in one unit or in two that go together, with a number in words or with a half, in another unit: "5 foot 11 in cm",
//! "two and a half litres in millilitres". A question that has nothing else leaves nothing else to be done.

use quartet_measures::units::{self, Unit};

use super::expression::{Expression, Formula};
use super::measures::{self, Item, Measure};
use super::number;
use super::question::Question;

/// Units of which the second is what is over of the first, and how many of it make one.
const PAIRS: [(&str, &str, f64); 11] = [
    ("foot", "inch", 12.0),
    ("lb", "oz", 16.0),
    ("stone", "lb", 14.0),
    ("hour", "minute", 60.0),
    ("minute", "second", 60.0),
    ("day", "hour", 24.0),
    ("week", "day", 7.0),
    ("kg", "g", 1000.0),
    ("km", "m", 1000.0),
    ("m", "cm", 100.0),
    ("liter", "ml", 1000.0),
];

/// Words between the two.
const AND: [&str; 15] = [
    "", ",", "and", "y", "et", "und", "e", "и", "と", "又", "和", "와", "과", "و", "और",
];

/// The quantity of a question in the one other unit that is asked for.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let items = measures::read(question)?;
    // The half of "two and a half" is in its number.
    let has_half = items.iter().any(|item| item.has_half);
    let is_half_alone = || has_half && !question.asks_for_percentage() && !question.has_clock_time();
    if !measures::are_plain(question, &items) && !is_half_alone() {
        return None;
    }
    let (numbers, others): (Vec<&Item>, Vec<&Item>) = items.iter().partition(|item| item.value.is_some());
    let [to] = others[..] else { return None };
    let parts = match numbers[..] {
        [one] => vec![(one.value.clone()?, one.unit()?)],
        [large, small] => pair(question, large, small)?,
        _ => return None,
    };
    let (unit, from) = (to.unit()?, parts.first()?.1);
    let is_same = parts.len() == 1 && unit == from;
    if unit.dimension != from.dimension || is_same || !measures::is_asked(question, to) {
        return None;
    }
    let engine: Vec<_> = parts
        .iter()
        .map(|(value, unit)| format!("{value} {}", unit.name))
        .collect();
    let language = question.language();
    let written = |item: &Item| {
        let text = question.text();
        question.as_written(&text[item.name.0..item.name.1]).to_owned()
    };
    let shown = numbers.iter().zip(&parts).map(|(item, (value, unit))| {
        let name = match item.measure {
            Some(_) => written(item),
            None => unit.name.to_owned(),
        };
        format!("{} {name}", number::write(value, language))
    });
    Some(Expression::Formula(Formula {
        engine: format!("{} to {}", engine.join(" + "), unit.name),
        shown: shown.collect::<Vec<_>>().join(" "),
        unit: written(to),
    }))
}

/// Two numbers with units that go together. Behind feet a number without a unit is inches, also in "5'11"".
fn pair(question: &Question, large: &Item, small: &Item) -> Option<Vec<(String, &'static Unit)>> {
    let between = question.text()[large.end..small.start].trim();
    let is_marked = large.measure.is_none() && small.measure.is_none() && matches!(between, "'" | "′");
    let first = match large.measure {
        Some(Measure::Unit(unit)) => unit,
        None if is_marked => units::named("foot")?,
        _ => return None,
    };
    let second = match small.measure {
        Some(Measure::Unit(unit)) => unit,
        None if first.name == "foot" => units::named("inch")?,
        _ => return None,
    };
    let mut pairs = PAIRS.iter();
    let (.., count) = pairs.find(|(one, other, _)| *one == first.name && *other == second.name)?;
    let is_less = |value: &str| value.parse::<f64>().is_ok_and(|value| value < *count);
    let (one, other) = (large.value.clone()?, small.value.clone()?);
    (is_less(&other) && (is_marked || AND.contains(&between))).then(|| vec![(one, first), (other, second)])
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::super::conversion;
    use super::*;

    fn result(question: &str, language: Language) -> Option<String> {
        match only(&Question::new(question, language))? {
            Expression::Formula(formula) => Some(conversion::formula(&formula, language)?.value),
            _ => None,
        }
    }

    #[test]
    fn quantities_of_one_unit_and_of_two_are_converted() {
        for (question, language, value) in [
            ("5 foot 11 in cm", Language::English, "180.34"),
            ("How tall is 5'11\" in cm?", Language::English, "180.34"),
            ("how many cm is 6 feet 2 inches", Language::English, "187.96"),
            ("two and a half litres in millilitres", Language::English, "2500"),
            ("How many minutes are 2 hours 35 minutes?", Language::English, "155"),
            (
                "Wie viele Minuten sind 2 Stunden und 35 Minuten?",
                Language::German,
                "155",
            ),
            (
                "Un litre et demi, ça fait combien de centilitres ?",
                Language::French,
                "150",
            ),
            ("3 kg 200 g en libras", Language::Spanish, "7.054792"),
        ] {
            let found = result(question, language);
            assert_eq!(found.as_deref(), Some(value), "{question}");
        }
    }

    #[test]
    fn what_has_more_to_it_is_left() {
        for question in [
            "How far do I get in 2 hours 35 minutes at 5 km/h?",
            "5 feet 14 inches in cm",
            "3 feet by 2 feet in m",
            "10 % of 5 feet 11 in cm",
            "a pound in euros",
            "How many feet are in a mile?",
            "5 feet 11 inches",
            "half of two litres in millilitres",
        ] {
            assert_eq!(result(question, Language::English), None, "{question}");
        }
    }
}
