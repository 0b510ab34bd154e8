//! Another quantity for a rate: "and 350?" behind "the dollar is at 3.75 riyal, how much are 200 dollars?"

use std::ops::Range;

use quartet_api::Language;

use super::computed::Computed;
use super::measures::{self, Item};
use super::question::Question;
use super::{compute, lexer, rates};

/// Limit in characters for what a message says beside the quantity.
const MAX_BESIDE: usize = 16;

/// The result of a question about a rate with the quantity of a message in the place of its own. Nothing where the message says more, or
/// the question does not come to the answer that was given.
pub(super) fn vary(message: &Question, question: &str, answer: &str, language: Language) -> Option<Computed> {
    let asked = Question::new(question, language);
    let computed = compute(&rates::only(&asked)?, &asked, None)?;
    if !answer.contains(&computed.computation.as_ref()?.result) {
        return None;
    }
    let old = rates::quantity(&asked)?;
    let new = only_quantity(message)?;
    let text = message.text();
    let (place, with) = match new.measure {
        Some(_) => (old.start..old.end, &text[new.start..new.end]),
        None => (old.number_in(asked.text()), &text[new.number_in(text)]),
    };
    let changed = replaced(question, asked.text(), place, with);
    let changed = Question::new(&changed, language);
    compute(&rates::only(&changed)?, &changed, None)
}

/// A question with something else at a place of its normalised text, in its own letters where both have as many.
fn replaced(question: &str, text: &str, place: Range<usize>, with: &str) -> String {
    let own: String = question.trim().chars().take(text.chars().count()).collect();
    let at = |index: usize| {
        own.char_indices()
            .nth(text[..index].chars().count())
            .map_or(own.len(), |(at, _)| at)
    };
    match lexer::normalised(&own) == text {
        true => format!("{}{with}{}", &own[..at(place.start)], &own[at(place.end)..]),
        false => format!("{}{with}{}", &text[..place.start], &text[place.end..]),
    }
}

/// The quantity of a message that says hardly anything else.
fn only_quantity(message: &Question) -> Option<Item> {
    let items = measures::read(message)?;
    let [item] = &items[..] else { return None };
    let beside = message.text()[..item.start]
        .chars()
        .chain(message.text()[item.end..].chars());
    let is_all = item.value.is_some() && beside.filter(|c| c.is_alphanumeric()).count() <= MAX_BESIDE;
    (is_all && measures::are_plain(message, &items)).then(|| item.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(question: &str, answer: &str, message: &str, language: Language) -> Option<String> {
        vary(&Question::new(message, language), question, answer, language).map(|computed| computed.answer)
    }

    #[test]
    fn another_quantity_is_computed_by_the_same_rate() {
        use Language::{Arabic, English, German};
        for (question, answer, message, language, expected) in [
            (
                "لو الدولار 3.75 ريال كم يساوي 200 دولار",
                "(3.75 ريال / دولار) × 200 دولار = 750 ريال",
                "و 350؟",
                Arabic,
                Some("(3.75 ريال / دولار) × 350 دولار = 1312.5 ريال"),
            ),
            (
                "Cheese is 12 € per kg, what do 350 g cost?",
                "(12 € / kg) × 350 g = 4.2 €",
                "and for 1 kg?",
                English,
                Some("(12 € / kg) × 1 kg = 12 €"),
            ),
            (
                "Mein Auto braucht 6,5 Liter auf 100 km. Wie viel Liter sind das bei 350 km?",
                "(6,5 Liter / 100 km) × 350 km = 22,75 Liter",
                "und bei 400 km?",
                German,
                Some("(6,5 Liter / 100 km) × 400 km = 26 Liter"),
            ),
            // More is said, or something else was computed.
            (
                "Cheese is 12 € per kg, what do 350 g cost?",
                "(12 € / kg) × 350 g = 4.2 €",
                "and for 1 kg with 20% off?",
                English,
                None,
            ),
            (
                "Cheese is 12 € per kg, what do 350 g cost?",
                "4.5 €",
                "and 500 g?",
                English,
                None,
            ),
            ("what is 12 * 350", "12 × 350 = 4200", "and 500?", English, None),
        ] {
            assert_eq!(
                after(question, answer, message, language).as_deref(),
                expected,
                "{message}"
            );
        }
    }
}
