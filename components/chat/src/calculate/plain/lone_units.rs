//! One of a unit in another unit: "How many seconds are in a day?"

use quartet_measures::units::Unit;

use super::super::computed::Computed;
use super::super::conversion;
use super::super::lexer::{self, Token};
use super::super::lexicon::Meaning;
use super::super::question::Question;
use super::super::said::{self, Said};

/// Converts one of a unit to the unit that a question asks for, if it has no number and no other words. Of months and years, whose
/// days differ, nothing else is said.
pub(super) fn answer(question: &Question) -> Option<Computed> {
    let (text, language) = (question.text(), question.language());
    let tokens = lexer::tokens(text, language)?;
    let mut units: Vec<(&'static Unit, usize, usize)> = Vec::new();
    for token in &tokens {
        let Token::Phrase(_, start, end) = token else {
            return None;
        };
        let unit = token.meaning(|meaning| match meaning {
            Meaning::Unit(unit) => Some(unit),
            _ => None,
        });
        match unit {
            Some(unit) => units.push((unit, *start, *end)),
            None if token.is(Meaning::Glue) => {}
            None => return None,
        }
    }
    let [one, other] = units[..] else { return None };
    let is_asked =
        |(_, start, _): (&Unit, usize, usize)| said::is_at_end(text[..start].trim_end(), Said::HowMany, language);
    let (to, from) = match (is_asked(one), is_asked(other)) {
        (true, false) => (one, other),
        (false, true) => (other, one),
        _ => return None,
    };
    let is_long = |unit: &Unit| matches!(unit.name, "month" | "year");
    if is_long(from.0) != is_long(to.0) {
        return None;
    }
    let name = |(_, start, end): (&Unit, usize, usize)| question.as_written(&text[start..end]);
    let one = [("1".to_owned(), from.0, name(from))];
    conversion::convert(&one, (to.0, name(to)), language)
}

#[cfg(test)]
mod tests {
    use Language::{English, French, German, Italian, Portuguese, Russian, Spanish};
    use quartet_api::Language;

    use super::*;

    #[test]
    fn one_of_a_unit_is_converted() {
        for (question, language, expected) in [
            ("How many seconds are in a day?", English, "86400"),
            ("how many ounces in a pound", English, "16"),
            ("Wie viele Minuten hat ein Tag?", German, "1440"),
            ("Combien de minutes y a-t-il dans une heure ?", French, "60"),
            ("combien y a-t-il de grammes dans un kilo ?", French, "1000"),
            ("¿Cuántos segundos hay en una hora?", Spanish, "3600"),
            ("Quanti metri ci sono in un chilometro?", Italian, "1000"),
            ("Quantos minutos tem uma hora?", Portuguese, "60"),
            ("Сколько секунд в часе?", Russian, "3600"),
        ] {
            let value = answer(&Question::new(question, language)).map(|computed| computed.value);
            assert_eq!(value.as_deref(), Some(expected), "{question}");
        }
        for question in [
            "How many days are in a year?",
            "How many weeks are in a month?",
            "How many hours a day does a cat sleep?",
            "How many minutes in half an hour?",
            "How many miles are 5 kilometers?",
            "How many feet does a mile runner have?",
        ] {
            assert!(answer(&Question::new(question, English)).is_none(), "{question}");
        }
    }
}
