//! The language that the model writes a question in: one command with its operands, parsed into types.
//!
//! ```text
//! none
//! calc 35 - 15%
//! convert 5 foot 10 inch to cm
//! date today + 3 days
//! days today to next 12-25
//! days today to year-end
//! leap 2100
//! time now in Asia/Tokyo
//! time 17:48 + 2 hours + 35 minutes
//! hours 09:30 to 17:15 - 45 minutes
//! write 45 from decimal in binary
//! ```

use jiff::civil::{Time, Weekday};

use quartet_measures::units::{self, Unit};

use super::day_rule::DayRule;
use super::notations::{Notation, Rewriting};
use super::term::{Term, term};

/// A question, as the model understood it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// Numbers and operators.
    Arithmetic(Term),
    /// Quantities, which are added up, in another unit.
    Conversion {
        /// Numbers with their units, such as 5 ft 10 in.
        parts: Vec<(String, &'static Unit)>,
        /// The unit of the result.
        to: &'static Unit,
    },
    /// Date and weekday of a day.
    Day(Day),
    /// The time between two days.
    Between {
        /// What it is counted in.
        period: Period,
        /// The first day.
        from: Day,
        /// The last day.
        to: Day,
    },
    /// The years since a year whose day is not known.
    Age {
        /// The year.
        born: i16,
    },
    /// Length of a year.
    LeapYear(i16),
    /// A time of day.
    Clock {
        /// The time to begin with; none for now.
        time: Option<Time>,
        /// The zone that it is given in; none for UTC, or for wherever the question is asked.
        from: Option<String>,
        /// Minutes that are added.
        shifts: Vec<Shift>,
        /// The zone of the result.
        to: Option<String>,
    },
    /// Quantities that the form of the question puts together in one way only; no model writes it.
    Formula(Formula),
    /// A whole number in another notation.
    Notation(Rewriting),
    /// The time between two times of one day, or of one day and the next.
    Duration {
        /// The first time.
        from: Time,
        /// The last time.
        to: Time,
        /// Breaks, which are taken away.
        breaks: Vec<Shift>,
    },
}

/// Quantities with what is done with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    /// The expression for the engine.
    pub engine: String,
    /// The expression for a person.
    pub shown: String,
    /// Name of the result's unit; empty for a number.
    pub unit: String,
}

/// A day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Day {
    /// The day to count from.
    pub base: Base,
    /// Periods that are added, in order.
    pub shifts: Vec<Shift>,
}

/// A day that something is counted from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Base {
    Today,
    Date {
        year: i16,
        month: i8,
        day: i8,
    },
    /// A date without a year.
    Yearly {
        which: Option<Which>,
        month: i8,
        day: i8,
    },
    Weekday(Which, Weekday),
    /// Such as the last Sunday of March, or Easter; no model writes it.
    Rule(DayRule),
    /// The last day of this month.
    MonthEnd,
    /// The last day of this year.
    YearEnd,
}

/// The direction in which a day without a year or week is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Next,
    Last,
    This,
}

/// A period that is added, or taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The number of periods; negative to take them away.
    pub count: i64,
    /// The kind of period.
    pub period: Period,
}

/// A period of the calendar or the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Period {
    Minutes,
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

impl Period {
    /// The period with this name, singular or plural.
    fn named(name: &str) -> Option<Self> {
        Some(match name.trim_end_matches('s') {
            "minute" => Period::Minutes,
            "hour" => Period::Hours,
            "day" => Period::Days,
            "week" => Period::Weeks,
            "month" => Period::Months,
            "year" => Period::Years,
            _ => return None,
        })
    }

    /// Returns true for periods of the clock.
    pub fn is_of_clock(self) -> bool {
        matches!(self, Period::Minutes | Period::Hours)
    }
}

impl Expression {
    /// Returns true if the result depends on the day or the time at which it is computed.
    pub fn depends_on_now(&self) -> bool {
        let is_relative = |day: &Day| match day.base {
            Base::Date { .. } | Base::Yearly { which: None, .. } => false,
            Base::Rule(rule) => rule.depends_on_now(),
            _ => true,
        };
        match self {
            Expression::Day(day) => is_relative(day),
            Expression::Between { from, to, .. } => is_relative(from) || is_relative(to),
            // A time after a time is the same every day, the difference between two zones is that of today.
            Expression::Clock { time, from, to, .. } => time.is_none() || from.is_some() || to.is_some(),
            Expression::Age { .. } => true,
            Expression::Arithmetic(_)
            | Expression::Conversion { .. }
            | Expression::LeapYear(_)
            | Expression::Formula(_)
            | Expression::Notation(_)
            | Expression::Duration { .. } => false,
        }
    }
}

/// Parses what the model wrote: nothing where it is `none` or no expression of the language.
pub(super) fn parse(text: &str) -> Option<Expression> {
    let text = text.trim();
    let (command, rest) = text.split_once(' ')?;
    let rest = rest.trim();
    Some(match command {
        "calc" => Expression::Arithmetic(term(rest)?),
        "convert" => conversion(rest)?,
        "date" => Expression::Day(day(rest)?),
        "leap" => Expression::LeapYear(rest.parse().ok()?),
        "time" => clock(rest)?,
        "write" => {
            let (written, rest) = rest.split_once(" from ")?;
            let (from, to) = rest.split_once(" in ")?;
            Expression::Notation(Rewriting {
                written: written.to_owned(),
                from: Notation::named(from)?,
                to: Notation::named(to)?,
            })
        }
        "hours" => {
            let (from, to) = rest.split_once(" to ")?;
            let mut words = to.split_whitespace();
            let to = time(words.next()?)?;
            let breaks = shifts(&words.collect::<Vec<_>>())?;
            if !breaks.iter().all(|part| part.period.is_of_clock() && part.count < 0) {
                return None;
            }
            Expression::Duration {
                from: time(from)?,
                to,
                breaks,
            }
        }
        _ => {
            let period = Period::named(command).filter(|period| !period.is_of_clock())?;
            let (from, to) = rest.split_once(" to ")?;
            Expression::Between {
                period,
                from: day(from)?,
                to: day(to)?,
            }
        }
    })
}

/// Returns true if a text begins with a command, whatever follows.
pub(super) fn is_begun(text: &str) -> bool {
    let command = text.trim().split(' ').next().unwrap_or_default();
    let others = ["calc", "convert", "date", "leap", "time", "hours", "write"];
    others.contains(&command) || Period::named(command).is_some_and(|period| !period.is_of_clock())
}

fn conversion(text: &str) -> Option<Expression> {
    let (quantities, to) = text.rsplit_once(" to ")?;
    let mut parts = Vec::new();
    let mut words = quantities.split(' ').peekable();
    while let Some(number) = words.next() {
        number.parse::<f64>().ok().filter(|number| number.is_finite())?;
        let mut name = words.next()?.to_owned();
        // A name may have several words.
        while let Some(more) = words.next_if(|word| word.parse::<f64>().is_err()) {
            name.push(' ');
            name.push_str(more);
        }
        parts.push((number.to_owned(), units::named(&name)?));
    }
    Some(Expression::Conversion {
        parts,
        to: units::named(to.trim())?,
    })
}

fn day(text: &str) -> Option<Day> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let which = match *words.first()? {
        "next" => Some(Which::Next),
        "last" => Some(Which::Last),
        "this" => Some(Which::This),
        _ => None,
    };
    let at = usize::from(which.is_some());
    let base = match *words.get(at)? {
        "today" if which.is_none() => Base::Today,
        "month-end" if which.is_none() => Base::MonthEnd,
        "year-end" if which.is_none() => Base::YearEnd,
        word => match (weekday(word), which) {
            (Some(weekday), Some(which)) => Base::Weekday(which, weekday),
            (Some(_), None) => return None,
            (None, _) => date(word, which)?,
        },
    };
    Some(Day {
        base,
        shifts: shifts(&words[at + 1..])?,
    })
}

fn date(text: &str, which: Option<Which>) -> Option<Base> {
    let numbers: Vec<i16> = text.split('-').map(str::parse).collect::<Result<_, _>>().ok()?;
    let small = |number: i16| i8::try_from(number).ok();
    match (numbers[..].as_ref(), which) {
        ([year, month, day], None) if *year >= 1000 => Some(Base::Date {
            year: *year,
            month: small(*month)?,
            day: small(*day)?,
        }),
        ([month, day], which) => Some(Base::Yearly {
            which,
            month: small(*month)?,
            day: small(*day)?,
        }),
        _ => None,
    }
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

/// `+ 3 days - 1 week`.
fn shifts(words: &[&str]) -> Option<Vec<Shift>> {
    let groups = words.chunks(3).map(|group| match group {
        [sign @ ("+" | "-"), count, period] => {
            let count: i64 = count.parse().ok().filter(|count| (0..=1_000_000).contains(count))?;
            Some(Shift {
                count: if *sign == "-" { -count } else { count },
                period: Period::named(period)?,
            })
        }
        _ => None,
    });
    groups.collect()
}

fn time(text: &str) -> Option<Time> {
    let (hour, minute) = text.trim().split_once(':')?;
    Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

fn clock(text: &str) -> Option<Expression> {
    let (text, to) = match text.split_once(" in ") {
        Some((text, zone)) => (text, Some(zone.trim().to_owned())),
        None => (text, None),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    let time = match *first {
        "now" => None,
        word => Some(time(word)?),
    };
    let (from, rest) = match rest {
        [zone, rest @ ..] if !matches!(*zone, "+" | "-") => (Some((*zone).to_owned()), rest),
        rest => (None, rest),
    };
    let shifts = shifts(rest)?;
    // A time without a zone is somebody's own: nothing is known of it elsewhere, but what time is later is.
    let own = time.is_some() && from.is_none();
    if !shifts.iter().all(|shift| shift.period.is_of_clock())
        || time.is_some() && from.is_none() != to.is_none()
        || own && shifts.is_empty()
    {
        return None;
    }
    Some(Expression::Clock { time, from, shifts, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_read() {
        for text in [
            "calc 17 * 23",
            "calc 35 - 15%",
            "convert 5 foot 10 inch to cm",
            "convert -40 °C to °F",
            "date today + 3 days - 1 week",
            "date next monday",
            "days today to next 12-25",
            "days 11-01 to 12-25",
            "days today to year-end",
            "date month-end - 1 days",
            "years 1990-05-03 to today",
            "leap 2100",
            "time now",
            "time now in Asia/Tokyo",
            "time now + 3 hours + 30 minutes",
            "time 15:00 Europe/London in Asia/Tokyo",
            "time 17:48 + 2 hours + 35 minutes",
            "hours 09:30 to 17:15",
            "hours 09:30 to 17:15 - 1 hours - 10 minutes",
            "write 45 from decimal in binary",
        ] {
            assert!(parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn some_depend_on_now() {
        for (text, depends) in [
            ("date today + 3 days", true),
            ("date next friday", true),
            ("days 11-01 to year-end", true),
            ("time now in Asia/Tokyo", true),
            ("date 1969-07-20", false),
            ("time 15:00 Europe/London in Asia/Tokyo", true),
            ("days 11-01 to 12-25", false),
            ("time 15:00 + 90 minutes", false),
            ("calc 2 + 2", false),
        ] {
            assert_eq!(
                parse(text).map(|parsed| parsed.depends_on_now()),
                Some(depends),
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "none",
            "",
            "calc",
            "calc 3 +",
            "calc import os",
            "convert 3 wishes to cm",
            "convert km to mile",
            "date monday",
            "date soon",
            "date next 2024-01-01",
            "date next month-end",
            "date today + three days",
            "days today",
            "hours today to 12:00",
            "hours 08:00 to 12:00 + 3 hours",
            "time 15:00",
            "time 25:00",
            "time 15:00 in Asia/Tokyo",
            "time now + 3 days",
            "leap year",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
