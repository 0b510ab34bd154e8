//! A time in one place as it is in another one: of two places that are named, the time is given in the one beside it. Where a month
//! is named, it is as in that month: summer time changes it.

use jiff::ToSpan as _;
use jiff::civil::Date;
use quartet_api::Language;

use super::calendar;
use super::expression::Expression;
use super::question::Question;
use super::{times, zones};

/// The time of a question that names one time and two places, and has no other number.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let mentions = times::mentions(question);
    let [mention] = &mentions[..] else { return None };
    let within = |start: usize, end: usize| mention.start <= start && end <= mention.end;
    let month = month(question).map(|(_, place)| place);
    let of_month = |start: usize, end: usize| month.is_some_and(|place| place.0 <= start && end <= place.1);
    if !question
        .places()
        .all(|(start, end, _)| within(start, end) || of_month(start, end))
    {
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

/// Shortest name of a month that is no other word, as "may" and "sept" are.
const MIN_NAME_CHARS: usize = 5;

/// Month of a question that names one, and its place.
pub(super) fn month(question: &Question) -> Option<(i8, (usize, usize))> {
    let text = question.text();
    let numbered = question.places().find_map(|(start, end, value)| {
        let sign = ["月", "월"].into_iter().find(|sign| text[end..].starts_with(sign))?;
        let month = value?.parse().ok().filter(|month| (1..=12).contains(month))?;
        Some((month, (start, end + sign.len())))
    });
    let named = || {
        (1..=12).find_map(|month| {
            let names = calendar::names_of_month(month).into_iter();
            let mut long = names.filter(|name| name.chars().count() >= MIN_NAME_CHARS);
            Some((month, long.find_map(|name| question.find(&name))?))
        })
    };
    numbered.or_else(named)
}

/// The middle of the month that a question names, of this year or the next one.
pub(super) fn day_in_month(question: &Question, today: Date) -> Option<Date> {
    let (month, _) = month(question)?;
    let day = Date::new(today.year(), month, 15).ok()?;
    match month < today.month() {
        true => day.checked_add(1.year()).ok(),
        false => Some(day),
    }
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
