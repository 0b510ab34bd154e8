//! What the words and the units of a question rule out for the arithmetic that a model wrote: sums of different units, quotients the
//! wrong way round, roots and powers that were mistaken for each other.

use std::collections::BTreeSet;

use super::lexicon::{self, Row};
use super::measures::{self, Item, Measure};
use super::question::Question;
use super::said::{self, Said};
use super::term::Term;
use super::{discounts, number, rates};

/// Dimensions in which a quantity is one number whatever its unit is.
const DIMENSIONS: [&str; 7] = ["mass", "volume", "length", "area", "energy", "power", "data"];

/// Returns true unless the question rules a term out.
pub(super) fn are_possible(question: &Question, term: &Term) -> bool {
    // What a discount in tenths leaves is for its own form to say.
    if discounts::has(question) || !roots_agree(question, term) || !powers_agree(question, term) {
        return false;
    }
    let items = measures::read(question).unwrap_or_default();
    !has_mixed_units(question, &items)
        && !is_price_of_dozen(question, term)
        && sides_agree(question, &items, term)
        && quotients_agree(question, &items, term)
        && rates_agree(question, term)
        && !rates::are_of_two_clocks(question)
        && change_agrees(question, &items, term)
}

/// Returns true for a mean of temperatures that are all on one scale, with their signs.
pub(super) fn is_mean_of_temperatures(question: &Question, term: &Term) -> bool {
    let (Term::Mean(terms), Some(items)) = (term, measures::read(question)) else {
        return false;
    };
    let scales: BTreeSet<&str> = items
        .iter()
        .filter(|item| {
            item.dimension()
                .is_some_and(|dimension| dimension == "temperature" || dimension == "speed")
        })
        .filter_map(|item| Some(item.unit()?.name))
        .collect();
    let numbers: Vec<&Item> = items.iter().filter(|item| item.value.is_some()).collect();
    let agrees = |(item, term): (&&Item, &Term)| {
        let (term, is_negative) = match term {
            Term::Negative(term) => (&**term, true),
            term => (term, false),
        };
        let same = term.as_number().map(number::canonical) == item.value;
        same && is_negative == question.is_negative_at((item.start, item.end))
    };
    let only = ["°C", "°F", "K"]
        .into_iter()
        .any(|scale| scales.iter().all(|other| *other == scale));
    only && !question.says(Said::BelowZero) && numbers.len() == terms.len() && numbers.iter().zip(terms).all(agrees)
}

/// Returns true if twelve is multiplied where a price is that of a dozen already: "three dozen eggs at 2.85 a dozen".
fn is_price_of_dozen(question: &Question, term: &Term) -> bool {
    let text = question.text();
    let per_dozen = |word: &str| {
        let mut places = text.match_indices(word).map(|(start, _)| text[..start].trim_end());
        places.any(|before| {
            // "A dozen at 0.40 each" has no price before it.
            let mut words = before.split_whitespace().rev().take(3);
            said::is_at_end(before, Said::Per, question.language()) && words.any(|word| word.contains(char::is_numeric))
        })
    };
    let counts = term.numbers().into_iter().any(|number| number == "12");
    counts && !text.contains("12") && lexicon::rows_of(Row::Value("12")).any(per_dozen)
}

/// Returns true if there is a cube root where one is asked for, and nowhere else.
fn roots_agree(question: &Question, term: &Term) -> bool {
    let (cube, square) = (question.says(Said::CubeRoot), question.text().contains('√'));
    cube == term.has_cube_root() && (!cube || square || !term.has_square_root())
}

/// Returns true if the exponents of a term may be those of the question.
fn powers_agree(question: &Question, term: &Term) -> bool {
    let mut powers = term.binaries().into_iter().filter(|(sign, ..)| *sign == '^');
    powers.all(|(_, base, exponent)| match (base.as_number(), exponent.as_number()) {
        (Some(base), Some(exponent)) if base != exponent => is_power(question, base, exponent),
        _ => true,
    })
}

/// Returns true if a base stands before its exponent, or its exponent is an ordinal; and is none itself.
fn is_power(question: &Question, base: &str, exponent: &str) -> bool {
    let place = |value: &str| {
        let value = number::canonical(value);
        let mut places = question.places().filter(|(.., found)| *found == Some(value.as_str()));
        places.next().map(|(start, end, _)| (start, end))
    };
    let is_ordinal = |(_, end): (usize, usize)| {
        let after = &question.text()[end..];
        let marks = [
            "st ", "nd ", "rd ", "th ", "ª", "º", "ème ", "eme ", "-я", "-й", "-ю", "次", "乗", "제곱", "승",
        ];
        marks.iter().any(|mark| after.starts_with(mark))
            || after
                .strip_prefix('.')
                .is_some_and(|after| said::at_start(after.trim_start(), Said::PowerOf, question.language()).is_some())
    };
    let in_words = |value: &str| {
        let mut words = said::ordinals(question.language()).filter(|(ordinal, _)| ordinal.to_string() == value);
        words.any(|(_, word)| question.find(word).is_some())
    };
    match (place(base), place(exponent)) {
        (Some(base), _) if is_ordinal(base) => false,
        (Some(base), Some(exponent)) => base.0 < exponent.0 || is_ordinal(exponent),
        // "The third power of 5" is not three to the fifth.
        (None, _) => !in_words(base),
        _ => true,
    }
}

/// Returns true if quantities of one kind are in two units, or are asked for in another one.
fn has_mixed_units(question: &Question, items: &[Item]) -> bool {
    let counts = |item: &&Item| {
        let before = question.text()[..item.start].trim_end();
        item.value.is_some()
            || measures::is_asked(question, item)
            || said::is_at_end(before, Said::Per, question.language())
    };
    let counted: Vec<&Item> = items.iter().filter(counts).collect();
    let mixed = |dimension: &str, names: &dyn Fn(&str) -> bool| {
        let of_it = counted.iter().filter(|item| item.dimension() == Some(dimension));
        let units: BTreeSet<&str> = of_it
            .filter_map(|item| Some(item.unit()?.name))
            .filter(|name| names(name))
            .collect();
        units.len() > 1
    };
    DIMENSIONS.into_iter().any(|dimension| mixed(dimension, &|_| true))
        || mixed("time", &|name| matches!(name, "hour" | "minute" | "second"))
}

/// Returns true unless lengths are multiplied to something that they do not make.
fn sides_agree(question: &Question, items: &[Item], term: &Term) -> bool {
    let lengths: Vec<&Item> = items
        .iter()
        .filter(|item| item.value.is_some() && item.dimension() == Some("length"))
        .collect();
    let multiplied = term.binaries().iter().any(|(sign, ..)| *sign == '*');
    if lengths.len() < 2 || !multiplied {
        return true;
    }
    let unit = lengths[0].unit().map_or("", |unit| unit.name);
    let asked = items.iter().filter(|item| {
        item.value.is_none()
            && matches!(item.dimension(), Some("area" | "volume"))
            && measures::is_asked(question, item)
    });
    let powers = [format!("{unit}^2"), format!("{unit}^3")];
    let mut names = asked.filter_map(|item| Some(item.unit()?.name));
    !question.says(Said::Shape) && names.all(|name| powers.iter().any(|power| power == name))
}

/// Returns true unless something is divided by money, or people are divided.
fn quotients_agree(question: &Question, items: &[Item], term: &Term) -> bool {
    let item = |term: &Term| {
        let value = number::canonical(term.as_number()?);
        items.iter().find(|item| item.value.as_ref() == Some(&value))
    };
    let is_money = |term: &Term| item(term).is_some_and(|item| matches!(item.measure, Some(Measure::Money(_))));
    let are_people = |term: &Term| {
        item(term).is_some_and(|item| {
            let after = question.text()[item.end..].trim_start();
            let starts = |phrase: &str| after.starts_with(phrase.trim_end());
            item.measure.is_none() && said::phrases(Said::People, question.language()).any(starts)
        })
    };
    let mut quotients = term.binaries().into_iter().filter(|(sign, ..)| *sign == '/');
    quotients.all(|(_, left, right)| {
        let by_money = is_money(right) && left.as_number().is_some() && !is_money(left);
        !by_money && (!are_people(left) || are_people(right))
    })
}

/// Returns true if every amount that is said to be for each is multiplied.
fn rates_agree(question: &Question, term: &Term) -> bool {
    let products: Vec<_> = term.binaries().into_iter().filter(|(sign, ..)| *sign == '*').collect();
    question.rates().all(|rate| {
        let is_it = |term: &Term| term.as_number().map(number::canonical).as_deref() == Some(rate);
        products.iter().any(|(_, left, right)| is_it(left) || is_it(right))
    })
}

/// Returns true if what is left of what was paid with is a difference of money.
fn change_agrees(question: &Question, items: &[Item], term: &Term) -> bool {
    let Term::Binary('-', paid, _) = term else { return true };
    if !question.says(Said::Change) {
        return true;
    }
    let is_product = paid.binaries().iter().any(|(sign, ..)| matches!(sign, '*' | '/'));
    // A whole number without a currency may count something.
    let is_count = |term: &Term| {
        let value = term.as_number().map(number::canonical);
        value.is_some_and(|value| {
            let item = items.iter().find(|item| item.value.as_ref() == Some(&value));
            !value.contains('.') && !item.is_some_and(|item| matches!(item.measure, Some(Measure::Money(_))))
        })
    };
    // "4 coffees at 3.20" are not 4 and 3.20.
    let taken = term.binaries().into_iter().filter(|(sign, ..)| *sign == '-');
    let counts = taken.filter(|(_, _, right)| is_count(right)).count();
    !is_product && !is_count(paid) && (counts == 0 || term.numbers().len() == 2)
}
