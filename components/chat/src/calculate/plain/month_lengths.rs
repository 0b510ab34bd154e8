//! The days of a month: "How many days are in February 2028?"

use jiff::civil::{Date, DateTime};

use super::super::computed::Computed;
use super::super::day_rule::Year;
use super::super::expression::Period;
use super::super::lexer::Token;
use super::super::lexicon::Meaning;
use super::super::question::Question;
use super::super::ruled_day_words::{named_month, without, year};
use super::super::said::{self, Said};
use super::super::{dates, evidence, lexer};

/// Counts the days that the month of a question has, if there are no other words. February is left alone where no year is named.
pub(super) fn answer(question: &Question, now: DateTime) -> Option<Computed> {
    let language = question.language();
    if !evidence::names_period(question, Period::Days) || !question.says(Said::HowMany) {
        return None;
    }
    let (month, place) = named_month(question.text(), language)?;
    let mut rest = without(question.text(), place);
    let year = match year(&mut rest, language)? {
        Year::Given(year) => Some(year),
        Year::After(years) => Some(now.year().checked_add(years)?),
        Year::Coming => None,
        Year::Gone => return None,
    };
    if month == 2 && year.is_none() {
        return None;
    }
    said::cut(&mut rest, Said::HowMany, language);
    let is_known = |token: &Token| {
        let is_of_calendar = |meaning| match meaning {
            Meaning::Unit(unit) if matches!(unit.name, "day" | "month") => Some(()),
            _ => None,
        };
        token.is(Meaning::Glue) || token.is(Meaning::Of) || token.meaning(is_of_calendar).is_some()
    };
    if !lexer::tokens(&rest, language)?.iter().all(is_known) {
        return None;
    }
    let name = question.as_written(&question.text()[place.0..place.1]);
    let days = Date::new(year.unwrap_or(now.year()), month, 1).ok()?.days_in_month();
    Some(dates::days_of(name, year, days, language))
}

#[cfg(test)]
mod tests {
    use Language::{Arabic, English, French, German, Italian, Portuguese, Spanish};
    use quartet_api::Language;

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        let now = "2026-11-26T12:00".parse().unwrap();
        answer(&Question::new(question, language), now).map(|computed| computed.answer)
    }

    #[test]
    fn the_days_of_a_month_are_counted() {
        for (question, language, expected) in [
            ("how many days in february 2028", English, "february 2028: 29 days"),
            ("How many days are there in March?", English, "March: 31 days"),
            ("Wie viele Tage hat der April?", German, "April: 30 Tage"),
            (
                "Wie viele Tage hat der Februar nächstes Jahr?",
                German,
                "Februar 2027: 28 Tage",
            ),
            (
                "Combien de jours y a-t-il en février 2028 ?",
                French,
                "février 2028: 29 jours",
            ),
            ("¿Cuántos días tiene febrero de 2028?", Spanish, "febrero 2028: 29 días"),
            ("Quanti giorni ha febbraio 2028?", Italian, "febbraio 2028: 29 giorni"),
            (
                "Quantos dias tem fevereiro de 2028?",
                Portuguese,
                "fevereiro 2028: 29 dias",
            ),
            ("كم يوما في شهر فبراير 2027؟", Arabic, "فبراير 2027: 28 يوم"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
        for question in [
            "How many days are in February?",
            "How many days are left in March?",
            "How many days until March?",
            "How many rainy days are there in March?",
            "How many days are there from March to May?",
            "How many days until March 3?",
        ] {
            assert_eq!(ask(question, English), None, "{question}");
        }
    }
}
