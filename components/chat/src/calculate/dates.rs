//! Days and times: reckoned with the calendar of `jiff`, and said.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, ToSpan as _, Unit};
use quartet_api::Language;
use quartet_api::chat::Computation;

use super::computed::Computed;
use super::expression::{Base, Day, Period, Shift, Which};
use super::lexer::Token;
use super::lexicon::Meaning;
use super::{calendar, messages};

/// Computes a question of nothing but words that ask for a day or the time, and perhaps one whole date. `now` is in UTC.
pub(super) fn answer(tokens: &[Token], language: Language, now: Option<DateTime>) -> Option<Computed> {
    use Meaning::{
        AskDate, AskLeap, AskTime, AskWeekday, Ereyesterday, Glue, Of, Overmorrow, Today, Tomorrow, Years, Yesterday,
    };
    let has = |meaning: Meaning| tokens.iter().any(|token| token.is(meaning));
    let relative = [
        (Ereyesterday, -2),
        (Yesterday, -1),
        (Today, 0),
        (Tomorrow, 1),
        (Overmorrow, 2),
    ];
    let known = |token: &Token| {
        let mut asking = [Glue, Of, AskDate, AskLeap, AskTime, AskWeekday].into_iter();
        asking.any(|meaning| token.is(meaning)) || relative.iter().any(|(meaning, _)| token.is(*meaning))
    };
    let mut dates = Vec::new();
    let mut numbers = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Date(date) => dates.push(*date),
            Token::Number(number) => numbers.push(number.parse::<i16>().ok()?),
            // "2024 году"
            token if token.is(Years) && index > 0 && matches!(tokens[index - 1], Token::Number(_)) => {}
            token if is_day(token) => {}
            token if known(token) => {}
            Token::Phrase(..) => return None,
        }
    }
    let mut days = relative
        .into_iter()
        .filter(|(meaning, _)| has(*meaning))
        .map(|(_, days)| days);
    let (day, more) = (days.next(), days.next());
    // "Data" by itself asks for nothing.
    let asks = has(AskTime) || has(AskWeekday) || tokens.len() > 1;
    if more.is_some() || !asks {
        return None;
    }
    match (&dates[..], &numbers[..]) {
        ([], [year]) if has(AskLeap) && day.is_none() => Some(leap_year(*year, language)).flatten(),
        ([date], []) if has(AskWeekday) && day.is_none() => Some(weekday(*date, language)),
        ([], []) if has(AskTime) && !has(AskDate) && matches!(day, None | Some(0)) => clock(now?, None, "", language),
        ([], []) if has(AskWeekday) || has(AskDate) => {
            let date = now?.date().checked_add(day.unwrap_or(0).days()).ok()?;
            Some(weekday(date, language))
        }
        _ => None,
    }
}

fn is_day(token: &Token) -> bool {
    token
        .meaning(|meaning| match meaning {
            Meaning::Unit(unit) => Some(unit.name),
            _ => None,
        })
        .is_some_and(|name| name == "day")
}

/// The date of a day.
pub(super) fn resolve(day: &Day, today: Date) -> Option<Date> {
    let base = match &day.base {
        Base::Today => today,
        Base::Date { year, month, day } => Date::new(*year, *month, *day).ok()?,
        Base::Yearly { which, month, day } => {
            let in_year = |year: i16| Date::new(year, *month, *day).ok();
            let this = in_year(today.year());
            match which {
                None | Some(Which::This) => this?,
                Some(Which::Next) => this
                    .filter(|date| *date >= today)
                    .or_else(|| in_year(today.year() + 1))?,
                Some(Which::Last) => this
                    .filter(|date| *date <= today)
                    .or_else(|| in_year(today.year() - 1))?,
            }
        }
        Base::Rule(rule) => rule.date(today)?,
        Base::MonthEnd => today.last_of_month(),
        Base::YearEnd => today.last_of_year(),
        Base::Weekday(which, weekday) => {
            let ahead = i64::from(today.weekday().until(*weekday));
            let days = match which {
                Which::Next if ahead == 0 => 7,
                Which::Next => ahead,
                Which::Last => ahead - 7,
                Which::This => i64::from(weekday.to_monday_zero_offset() - today.weekday().to_monday_zero_offset()),
            };
            today.checked_add(days.days()).ok()?
        }
    };
    day.shifts
        .iter()
        .try_fold(base, |date, shift| date.checked_add(span(*shift)?).ok())
}

fn span(shift: Shift) -> Option<Span> {
    let span = Span::new();
    let span = match shift.period {
        Period::Minutes => span.try_minutes(shift.count),
        Period::Hours => span.try_hours(shift.count),
        Period::Days => span.try_days(shift.count),
        Period::Weeks => span.try_weeks(shift.count),
        Period::Months => span.try_months(shift.count),
        Period::Years => span.try_years(shift.count),
    };
    span.ok()
}

/// A time after a period.
pub(super) fn shifted(time: DateTime, shift: Shift) -> Option<DateTime> {
    time.checked_add(span(shift)?).ok()
}

/// A day with its weekday.
pub(super) fn weekday(date: Date, language: Language) -> Computed {
    let result = full(date, language);
    computed(result.clone(), calendar::date(date, language), result, date.to_string())
}

/// The results for several countries, each with their names.
pub(super) fn of_several(days: &[(String, Computed)]) -> Computed {
    let join = |part: &dyn Fn(&Computed) -> &str| {
        let all = days.iter().map(|(countries, computed)| match countries.as_str() {
            "" => part(computed).to_owned(),
            countries => format!("{countries}: {}", part(computed)),
        });
        all.collect::<Vec<_>>().join("; ")
    };
    let computation = |part: fn(&Computation) -> &str| {
        join(&move |computed: &Computed| computed.computation.as_ref().map_or("", part))
    };
    let values: Vec<&str> = days.iter().map(|(_, computed)| computed.value.as_str()).collect();
    computed(
        join(&|computed| &computed.answer),
        computation(|computation| &computation.expression),
        computation(|computation| &computation.result),
        values.join(", "),
    )
}

/// A day that was reckoned from another one.
pub(super) fn day(day: &Day, today: Date, language: Language) -> Option<Computed> {
    let date = resolve(day, today)?;
    if day.shifts.is_empty() {
        return Some(weekday(date, language));
    }
    let base = Day {
        base: day.base.clone(),
        shifts: Vec::new(),
    };
    let mut expression = calendar::date(resolve(&base, today)?, language);
    expression.push_str(&signed(&day.shifts, language));
    let result = full(date, language);
    Some(computed(
        format!("{expression} = {result}"),
        expression,
        result,
        date.to_string(),
    ))
}

/// The day that a period ends on, with the day before it, which is the last one of the period if the first one counts.
pub(super) fn with_last_day(computed: Computed, day: &Day, today: Date, language: Language) -> Option<Computed> {
    let last = resolve(day, today)?.yesterday().ok()?;
    let answer = messages::last_day(&computed.answer, &full(last, language), language);
    Some(Computed { answer, ..computed })
}

/// The time between two days, in a period and days; nothing where the second is the earlier one.
pub(super) fn between(period: Period, from: &Day, to: &Day, today: Date, language: Language) -> Option<Computed> {
    let begin = resolve(from, today)?;
    let mut end = resolve(to, today)?;
    // Of two dates without a year, the second is the later one.
    if let (
        Base::Yearly { which: None, .. },
        Base::Yearly {
            which: None,
            month,
            day,
        },
    ) = (&from.base, &to.base)
        && end < begin
    {
        end = Date::new(today.year() + 1, *month, *day).ok()?;
    }
    if end < begin {
        return None;
    }
    let unit = match period {
        Period::Weeks => Unit::Week,
        Period::Months => Unit::Month,
        Period::Years => Unit::Year,
        Period::Days | Period::Hours | Period::Minutes => Unit::Day,
    };
    let span = begin.until((unit, end)).ok()?;
    let count = match period {
        Period::Weeks => i64::from(span.get_weeks()),
        Period::Months => i64::from(span.get_months()),
        Period::Years => i64::from(span.get_years()),
        Period::Days | Period::Hours | Period::Minutes => i64::from(span.get_days()),
    };
    let mut result = messages::periods(count.unsigned_abs(), period, language);
    if matches!(period, Period::Weeks | Period::Months) && span.get_days() > 0 {
        let days = messages::days(i64::from(span.get_days()), language);
        result = format!("{result} + {days}");
    }
    let expression = format!(
        "{} → {}",
        calendar::date(begin, language),
        calendar::date(end, language)
    );
    Some(computed(
        format!("{expression}: {result}"),
        expression,
        result,
        count.to_string(),
    ))
}

/// Length of a year.
pub(super) fn leap_year(year: i16, language: Language) -> Option<Computed> {
    let leap = Date::new(year, 1, 1).ok()?.in_leap_year();
    let days = messages::days(if leap { 366 } else { 365 }, language);
    let result = format!("{}, {days}", messages::yes_or_no(leap, language));
    let value = if leap { "yes" } else { "no" };
    Some(computed(
        format!("{year}: {result}"),
        year.to_string(),
        result,
        value.to_owned(),
    ))
}

/// A day with its weekday, and if that is the one that is asked about.
pub(super) fn is_on(date: Date, weekday: Weekday, language: Language) -> Computed {
    let is_so = date.weekday() == weekday;
    let (day, said) = (full(date, language), messages::yes_or_no(is_so, language));
    let value = if is_so { "yes" } else { "no" };
    computed(format!("{day}: {said}"), day, said.to_owned(), value.to_owned())
}

/// The number of days that a month with a name, perhaps of a year, has.
pub(super) fn days_of(month: &str, year: Option<i16>, days: i8, language: Language) -> Computed {
    let month = year.map_or_else(|| month.to_owned(), |year| format!("{month} {year}"));
    let result = messages::days(i64::from(days), language);
    computed(format!("{month}: {result}"), month, result, days.to_string())
}

/// A time of `now`'s day in UTC as it is in a zone, which has a name.
pub(super) fn clock(now: DateTime, zone: Option<&TimeZone>, name: &str, language: Language) -> Option<Computed> {
    let at = now.to_zoned(TimeZone::UTC).ok()?;
    let (at, name) = match zone {
        Some(zone) => (at.with_time_zone(zone.clone()), name),
        None => (at, "UTC"),
    };
    let (hour, minute) = (at.hour(), at.minute());
    let mut result = format!("{hour:02}:{minute:02} {name}");
    if at.date() != now.date() {
        result.push_str(&format!(" ({})", full(at.date(), language)));
    }
    let value = format!("{hour:02}:{minute:02}");
    Some(computed(result.clone(), name.to_owned(), result, value))
}

/// A time of day in one zone, as it is in another one now, or on a day.
pub(super) fn clock_elsewhere(
    time: Time,
    (from, from_name): (&TimeZone, &str),
    (to, to_name): (&TimeZone, &str),
    (now, day): (DateTime, Option<Date>),
    language: Language,
) -> Option<Computed> {
    let today = Offset::UTC.to_timestamp(now).ok()?.to_zoned(from.clone()).date();
    let begin = day.unwrap_or(today).to_datetime(time).to_zoned(from.clone()).ok()?;
    let end = begin.with_time_zone(to.clone());
    let shown = |hour: i8, minute: i8, name: &str| format!("{hour:02}:{minute:02} {name}");
    let mut expression = shown(begin.hour(), begin.minute(), from_name);
    if let Some(day) = day {
        expression.push_str(&format!(" ({})", calendar::date(day, language)));
    }
    let mut result = shown(end.hour(), end.minute(), to_name);
    if end.date() != begin.date() {
        result.push_str(&format!(" ({})", full(end.date(), language)));
    }
    let value = format!("{:02}:{:02}", end.hour(), end.minute());
    Some(computed(format!("{expression} = {result}"), expression, result, value))
}

/// The time between two times without the breaks; the second of the next day where it is the earlier one. Nothing where the
/// breaks are longer.
pub(super) fn duration(from: Time, to: Time, breaks: &[Shift], language: Language) -> Option<Computed> {
    let minutes = |time: Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
    let between = (minutes(to) - minutes(from)).rem_euclid(24 * 60);
    let taken: i64 = breaks.iter().map(|part| minutes_of(*part)).sum();
    let all = u64::try_from(between + taken).ok()?;
    let (hours, rest) = (all / 60, all % 60);
    let mut parts = Vec::new();
    if hours > 0 || rest == 0 {
        parts.push(messages::periods(hours, Period::Hours, language));
    }
    if rest > 0 {
        parts.push(messages::periods(rest, Period::Minutes, language));
    }
    let expression = format!("{} → {}{}", shown(from), shown(to), signed(breaks, language));
    let result = parts.join(" ");
    Some(computed(
        format!("{expression}: {result}"),
        expression,
        result,
        format!("{hours}:{rest:02}"),
    ))
}

/// The time of day so much later or earlier, with the number of days that lie between where there are any.
pub(super) fn clock_after(time: Time, shifts: &[Shift], language: Language) -> Option<Computed> {
    let begin = i64::from(time.hour()) * 60 + i64::from(time.minute());
    let end = begin + shifts.iter().map(|part| minutes_of(*part)).sum::<i64>();
    let of_day = end.rem_euclid(24 * 60);
    let at = Time::new(i8::try_from(of_day / 60).ok()?, i8::try_from(of_day % 60).ok()?, 0, 0).ok()?;
    let mut result = shown(at);
    let days = end.div_euclid(24 * 60);
    if days != 0 {
        let sign = if days < 0 { '−' } else { '+' };
        let days = messages::periods(days.unsigned_abs(), Period::Days, language);
        result.push_str(&format!(" ({sign} {days})"));
    }
    let expression = format!("{}{}", shown(time), signed(shifts, language));
    Some(computed(
        format!("{expression} = {result}"),
        expression,
        result,
        shown(at),
    ))
}

fn shown(time: Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// A shift of the clock in minutes.
fn minutes_of(shift: Shift) -> i64 {
    match shift.period {
        Period::Hours => shift.count.saturating_mul(60),
        _ => shift.count,
    }
}

/// Shifts with their signs, as they stand behind what is shifted.
fn signed(shifts: &[Shift], language: Language) -> String {
    let each = shifts.iter().map(|shift| {
        let sign = if shift.count < 0 { '−' } else { '+' };
        let count = messages::periods(shift.count.unsigned_abs(), shift.period, language);
        format!(" {sign} {count}")
    });
    each.collect()
}

/// The age of somebody who was born in a year: two numbers, because nothing says if the birthday has been; nothing for a year
/// that is to come.
pub(super) fn age(born: i16, today: Date, language: Language) -> Option<Computed> {
    let most = u64::try_from(today.year() - born).ok().filter(|years| *years > 0)?;
    let result = format!("{}–{}", most - 1, messages::periods(most, Period::Years, language));
    let expression = format!("{born} → {}", today.year());
    Some(computed(
        format!("{expression}: {result}"),
        expression,
        result,
        format!("{}-{most}", most - 1),
    ))
}

fn computed(answer: String, expression: String, result: String, value: String) -> Computed {
    Computed {
        answer,
        value,
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
