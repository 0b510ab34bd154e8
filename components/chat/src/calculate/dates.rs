//! Dates: the current date, weekdays, days between dates, dates a number of days away, leap years.

use jiff::civil::{Date, DateTime};
use jiff::{Span, ToSpan as _};
use quartet_api::Language;
use quartet_api::chat::Computation;

use super::computed::Computed;
use super::lexer::{Token, month};
use super::lexicon::Meaning;
use super::{calendar, messages};

/// The parts of a question about dates.
struct Found {
    dates: Vec<Date>,
    /// A number of days, weeks, months or years.
    span: Option<(Span, String)>,
    /// A number that stands alone.
    number: Option<i16>,
    asks_days: bool,
}

/// Computes a question about dates. `now` is in UTC.
pub(super) fn answer(tokens: &[Token], language: Language, now: Option<DateTime>) -> Option<Computed> {
    let has = |meaning: Meaning| tokens.iter().any(|token| token.is(meaning));
    let today = now.map(DateTime::date);
    let found = found(tokens, today)?;
    if has(Meaning::AskTime) && found.dates.iter().all(|date| Some(*date) == today) && found.span.is_none() {
        let now = now?;
        let result = format!("{:02}:{:02} UTC", now.hour(), now.minute());
        return Some(computed(result.clone(), "UTC".to_owned(), result));
    }
    if has(Meaning::AskLeap) {
        let year = found.number?;
        let leap = Date::new(year, 1, 1).ok()?.in_leap_year();
        let days = messages::days(if leap { 366 } else { 365 }, language);
        let result = format!("{}, {days}", messages::yes_or_no(leap, language));
        return Some(computed(format!("{year}: {result}"), year.to_string(), result));
    }
    let asks = has(Meaning::AskWeekday) || has(Meaning::AskDate);
    if let Some((span, words)) = found.span {
        let base = match found.dates[..] {
            [date] => date,
            [] => today?,
            _ => return None,
        };
        if !asks || !(has(Meaning::After) || has(Meaning::Before)) {
            return None;
        }
        // A word with both meanings begins "in …", and looks ahead.
        let back = has(Meaning::Before) && !has(Meaning::After);
        let day = if back {
            base.checked_sub(span)
        } else {
            base.checked_add(span)
        }
        .ok()?;
        let sign = if back { '−' } else { '+' };
        let expression = format!("{} {sign} {words}", calendar::date(base, language));
        return Some(computed(
            format!("{expression} = {}", full(day, language)),
            expression,
            full(day, language),
        ));
    }
    if found.number.is_some() {
        return None;
    }
    if found.asks_days && !asks {
        let (from, to) = match found.dates[..] {
            [one, other] => (one, other),
            [date] if has(Meaning::Since) && !has(Meaning::Until) => (date, today?),
            [date] if has(Meaning::Until) => (today?, date),
            _ => return None,
        };
        let days = from.until(to).ok()?.get_days();
        let expression = format!("{} → {}", calendar::date(from, language), calendar::date(to, language));
        let result = messages::days(i64::from(days), language);
        return Some(computed(format!("{expression}: {result}"), expression, result));
    }
    if !asks || found.asks_days && found.dates.is_empty() {
        return None;
    }
    match found.dates[..] {
        [] => {
            let result = full(today?, language);
            Some(computed(result.clone(), "UTC".to_owned(), result))
        }
        [date] => {
            let result = calendar::weekday(date, language);
            Some(computed(full(date, language), calendar::date(date, language), result))
        }
        _ => None,
    }
}

fn computed(answer: String, expression: String, result: String) -> Computed {
    Computed {
        answer,
        computation: Some(Computation {
            kind: "date".to_owned(),
            expression,
            result,
            approximate: false,
        }),
    }
}

fn full(date: Date, language: Language) -> String {
    messages::date_with_weekday(
        &calendar::weekday(date, language),
        &calendar::date(date, language),
        language,
    )
}

/// Sorts the pieces of a question; nothing where one has no place in a question about dates.
fn found(tokens: &[Token], today: Option<Date>) -> Option<Found> {
    let mut found = Found {
        dates: Vec::new(),
        span: None,
        number: None,
        asks_days: false,
    };
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        let relative = token.meaning(|meaning| match meaning {
            Meaning::Today => Some(0),
            Meaning::Tomorrow => Some(1),
            Meaning::Yesterday => Some(-1),
            _ => None,
        });
        if let Token::Date(date) = token {
            found.dates.push(*date);
        } else if let Some((length, date)) = without_year(&tokens[at..], today) {
            found.dates.push(date);
            at += length - 1;
        } else if let Token::Number(number) = token {
            let count: i64 = number.parse().ok().filter(|count| (0..=1_000_000).contains(count))?;
            match next.and_then(|next| span(next, count)) {
                Some(span) if found.span.is_none() => {
                    found.span = Some(span);
                    at += 1;
                }
                Some(_) => return None,
                None if found.number.is_none() => {
                    found.number = Some(i16::try_from(count).ok()?);
                    // "2024 году"
                    at += usize::from(next.is_some_and(|next| next.is(Meaning::Years)));
                }
                None => return None,
            }
        } else if let Some(days) = relative {
            let date = today?.checked_add(days.days()).ok()?;
            if !found.dates.contains(&date) {
                found.dates.push(date);
            }
        } else if unit(token) == Some("day") {
            found.asks_days = true;
        } else if !is_known(token) {
            return None;
        }
        at += 1;
    }
    Some(found)
}

fn unit(token: &Token) -> Option<&'static str> {
    token.meaning(|meaning| match meaning {
        Meaning::Unit(unit) => Some(unit.name),
        _ => None,
    })
}

fn is_known(token: &Token) -> bool {
    use Meaning::{After, AskDate, AskLeap, AskTime, AskWeekday, Before, Between, Glue, Of, Since, Until, Whose};
    let known = [
        Glue, AskWeekday, AskDate, AskTime, AskLeap, Until, Since, Between, After, Before, Of, Whose,
    ];
    known.into_iter().any(|meaning| token.is(meaning))
}

fn span(token: &Token, count: i64) -> Option<(Span, String)> {
    let span = if token.is(Meaning::Months) {
        (Span::new().try_months(count).ok()?, format!("{count} mo."))
    } else if unit(token) == Some("week") {
        (Span::new().try_weeks(count).ok()?, format!("{count} × 7 d"))
    } else if unit(token) == Some("day") {
        (Span::new().try_days(count).ok()?, format!("{count} d"))
    } else if token.is(Meaning::Years) && count < 1_000 {
        (Span::new().try_years(count).ok()?, format!("{count} y"))
    } else {
        return None;
    };
    Some(span)
}

/// "December 25": the next one.
fn without_year(tokens: &[Token], today: Option<Date>) -> Option<(usize, Date)> {
    let day = |token: &Token| match token {
        Token::Number(number) => number.parse::<i8>().ok().filter(|day| (1..=31).contains(day)),
        _ => None,
    };
    let (length, month, day) = match tokens {
        [one, other, ..] if month(one).is_some() => (2, month(one)?, day(other)?),
        [one, other, ..] if month(other).is_some() => (2, month(other)?, day(one)?),
        [one, filler, other, ..] if month(other).is_some() && is_known(filler) => (3, month(other)?, day(one)?),
        _ => return None,
    };
    let today = today?;
    let this = Date::new(today.year(), month, day).ok()?;
    let next = if this < today {
        Date::new(today.year() + 1, month, day).ok()?
    } else {
        this
    };
    Some((length, next))
}
