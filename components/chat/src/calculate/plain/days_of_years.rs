//! A day and a month of this year or of one beside it: "What day is July 4 next year?" Small language models write a year of their own,
//! or count it twice.

use jiff::civil::{Date, DateTime};

use super::super::computed::Computed;
use super::super::day_rule::Year;
use super::super::lexer::is_small;
use super::super::question::Question;
use super::super::ruled_day_words::{cut, without, year};
use super::super::{dates, whole_dates};

/// Tells the weekday of such a day, if there are no other words.
pub(super) fn answer(question: &Question, now: DateTime) -> Option<Computed> {
    let language = question.language();
    let (month, day, place) = whole_dates::one_without_year(question)?;
    let mut rest = without(question.text(), place);
    let Year::After(years) = year(&mut rest, language)? else {
        return None;
    };
    let asks = cut(&mut rest, "asks", language);
    cut(&mut rest, "past", language);
    cut(&mut rest, "beside", language);
    if !asks || !is_small(&rest, language) {
        return None;
    }
    let date = Date::new(now.year().checked_add(years)?, month, day).ok()?;
    Some(dates::weekday(date, language))
}

#[cfg(test)]
mod tests {
    use Language::{Chinese, English, French, German, Italian, Japanese, Portuguese, Russian, Spanish};
    use quartet_api::Language;

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        let now = "2026-11-26T12:00".parse().unwrap();
        answer(&Question::new(question, language), now).map(|computed| computed.value)
    }

    #[test]
    fn a_day_of_a_year_is_told() {
        for (question, language, expected) in [
            ("what day is july 4 this year", English, "2026-07-04"),
            ("What day of the week was March 3 last year?", English, "2025-03-03"),
            ("Quel jour tombe le 14 juillet cette année ?", French, "2026-07-14"),
            (
                "Auf welchen Wochentag fällt der 3. Oktober nächstes Jahr?",
                German,
                "2027-10-03",
            ),
            (
                "¿Qué día de la semana cae el 3 de marzo del próximo año?",
                Spanish,
                "2027-03-03",
            ),
            ("Che giorno è il 2 giugno dell'anno prossimo?", Italian, "2027-06-02"),
            (
                "Que dia da semana cai 7 de setembro do ano que vem?",
                Portuguese,
                "2027-09-07",
            ),
            ("Какой день недели 9 мая следующего года?", Russian, "2027-05-09"),
            ("来年の7月4日は何曜日ですか？", Japanese, "2027-07-04"),
            ("明年7月4日是星期几？", Chinese, "2027-07-04"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
        for question in [
            "What day is July 4?",
            "What happened on July 4 last year?",
            "What day is July 4 2027?",
            "How many days from March 3 to July 4 this year?",
            "What day is February 29 next year?",
        ] {
            assert_eq!(ask(question, English), None, "{question}");
        }
    }
}
