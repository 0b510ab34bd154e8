//! The difference between the times of two places: "time difference between London and Sydney".

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

use super::super::computed::Computed;
use super::super::expression::Period;
use super::super::lexer::is_small;
use super::super::question::Question;
use super::super::said::{self, Said};
use super::super::{dates, messages, zones};

const SECONDS_OF_MINUTE: i32 = 60;
const MINUTES_OF_HOUR: u32 = 60;

/// Computes the difference as it is now, with the time in both places, if a question names two and has no other words.
pub(super) fn answer(question: &Question, now: DateTime) -> Option<Computed> {
    let language = question.language();
    let mut rest = question.text().to_owned();
    if !said::cut(&mut rest, Said::TimeDifference, language) || question.has_digits() {
        return None;
    }
    let mut places: Vec<Place> = zones::named(question)
        .map(|zone| place(zone, question))
        .collect::<Option<_>>()?;
    places.sort_by_key(|place| place.at);
    let [from, to] = &places[..] else { return None };
    for place in &places {
        let name = place.shown.to_lowercase();
        let at = rest.find(&name)?;
        rest.replace_range(at..at + name.len(), " , ");
    }
    said::cut(&mut rest, Said::BetweenTwo, language);
    if !is_small(&rest, language) {
        return None;
    }
    let timestamp = Offset::UTC.to_timestamp(now).ok()?;
    let seconds = |zone: &TimeZone| zone.to_offset(timestamp).seconds();
    let minutes = (seconds(&to.zone) - seconds(&from.zone)) / SECONDS_OF_MINUTE;
    let begin = timestamp.to_zoned(from.zone.clone()).time();
    let computed = dates::clock_elsewhere(
        begin,
        (&from.zone, &from.shown),
        (&to.zone, &to.shown),
        (now, None),
        language,
    )?;
    let (hours, rest) = (
        u64::from(minutes.unsigned_abs() / MINUTES_OF_HOUR),
        u64::from(minutes.unsigned_abs() % MINUTES_OF_HOUR),
    );
    let mut difference = messages::periods(hours, Period::Hours, language);
    if rest > 0 {
        difference = format!("{difference} {}", messages::periods(rest, Period::Minutes, language));
    }
    Some(Computed {
        answer: format!("{}: {difference}", computed.answer),
        value: (f64::from(minutes.abs()) / f64::from(MINUTES_OF_HOUR)).to_string(),
        ..computed
    })
}

/// A place that a question names.
struct Place {
    zone: TimeZone,
    /// Its name for a person.
    shown: String,
    /// Its start in the question.
    at: usize,
}

fn place(name: String, question: &Question) -> Option<Place> {
    let shown = zones::shown(&name, question);
    let at = question.text().find(&shown.to_lowercase())?;
    let zone = zones::zone(&name, question)?;
    Some(Place { zone, shown, at })
}

#[cfg(test)]
mod tests {
    use Language::{Chinese, English, French, German, Italian, Japanese, Korean, Portuguese, Spanish};
    use quartet_api::Language;

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        let now = "2026-11-26T12:00".parse().unwrap();
        answer(&Question::new(question, language), now).map(|computed| computed.answer)
    }

    #[test]
    fn the_difference_of_two_places_is_told() {
        for (question, language, expected) in [
            (
                "time difference between London and Sydney",
                English,
                "12:00 London = 23:00 Sydney: 11 hours",
            ),
            (
                "What is the time difference between Tokyo and New York?",
                English,
                "21:00 Tokyo = 07:00 New York: 14 hours",
            ),
            (
                "Wie groß ist der Zeitunterschied zwischen London und Tokio?",
                German,
                "12:00 London = 21:00 Tokio: 9 Stunden",
            ),
            (
                "Quel est le décalage horaire entre Paris et Tokyo ?",
                French,
                "13:00 Paris = 21:00 Tokyo: 8 heures",
            ),
            (
                "¿Cuál es la diferencia horaria entre Madrid y Lima?",
                Spanish,
                "13:00 Madrid = 07:00 Lima: 6 horas",
            ),
            (
                "Qual è la differenza di fuso orario tra Roma e Tokyo?",
                Italian,
                "13:00 Roma = 21:00 Tokyo: 8 ore",
            ),
            (
                "Qual é a diferença de fuso horário entre Lisboa e Tóquio?",
                Portuguese,
                "12:00 Lisboa = 21:00 Tóquio: 9 horas",
            ),
            (
                "東京とロンドンの時差は？",
                Japanese,
                "21:00 東京 = 12:00 ロンドン: 9 時間",
            ),
            ("东京和伦敦的时差是多少？", Chinese, "21:00 东京 = 12:00 伦敦: 9小时"),
            ("서울과 런던의 시차는?", Korean, "21:00 서울 = 12:00 런던: 9시간"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
        let hours = answer(
            &Question::new("time difference between London and Mumbai", English),
            "2026-11-26T12:00".parse().unwrap(),
        );
        assert_eq!(hours.map(|computed| computed.value).as_deref(), Some("5.5"));
        for question in [
            "What is the time difference between London and Sydney in July?",
            "What is the time difference between London and Springfield?",
            "time difference between London, Tokyo and Sydney",
            "How do I cope with the time difference between London and Tokyo?",
        ] {
            assert_eq!(ask(question, English), None, "{question}");
        }
    }
}
