//! A time in one place as it is in another one: of two places that are named, the time is given in the one beside it.

use quartet_api::Language;

use super::expression::Expression;
use super::question::Question;
use super::{times, zones};

/// The time of a question that names one time and two places, and has no other number.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let mentions = times::mentions(question);
    let [mention] = &mentions[..] else { return None };
    let within = |start: usize, end: usize| mention.start <= start && end <= mention.end;
    if !question.places().all(|(start, end, _)| within(start, end)) {
        return None;
    }
    let time = match mention.readings[..] {
        [time] => time,
        // "At 9" may be in the evening where twelve hours are counted.
        _ if question.language() != Language::English => mention.as_written,
        _ => return None,
    };
    let named: Vec<String> = zones::named(question).collect();
    let [one, other] = &named[..] else { return None };
    let is_one = zones::given_in([one, other], question)? == one;
    let (from, to) = if is_one { (one, other) } else { (other, one) };
    Some(Expression::Clock {
        time: Some(time),
        from: Some(from.clone()),
        shifts: Vec::new(),
        to: Some(to.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;

    #[test]
    fn a_time_and_two_places_leave_one_thing() {
        for (question, language, expected) in [
            (
                "Wenn es in Wien 9 Uhr ist, wie spät ist es in Tokio?",
                Language::German,
                Some("time 09:00 Europe/Vienna in Asia/Tokyo"),
            ),
            (
                "What time is it in London when it is 3 pm in Tokyo?",
                Language::English,
                Some("time 15:00 Asia/Tokyo in Europe/London"),
            ),
            (
                "si en Lima son las 15:00, ¿qué hora es en Madrid?",
                Language::Spanish,
                Some("time 15:00 America/Lima in Europe/Madrid"),
            ),
            (
                "what time is 3pm EST in Berlin",
                Language::English,
                Some("time 15:00 America/New_York in Europe/Berlin"),
            ),
            (
                "If it is 9 in Vienna, what time is it in Tokyo?",
                Language::English,
                None,
            ),
            ("What time is it in London and Tokyo?", Language::English, None),
            (
                "Um 9 Uhr fliege ich 11 Stunden von Wien nach Tokio, wann bin ich da?",
                Language::German,
                None,
            ),
        ] {
            let found = only(&Question::new(question, language));
            assert_eq!(found, expected.and_then(parse), "{question}");
        }
    }
}
