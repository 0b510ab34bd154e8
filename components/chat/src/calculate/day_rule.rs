//! A day that a rule gives for each year: a weekday of a month by its number, such as the last Sunday of March, and what goes by Easter.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// Days by which the calendar of Julius is behind, and the years in which it is.
const JULIAN_DAYS: i32 = 13;
const JULIAN_YEARS: std::ops::Range<i16> = 1900..2100;

/// A day of each year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayRule {
    /// A weekday of a month: 1 for the first, up to 5; -1 for the last.
    Weekday {
        /// Its number.
        nth: i8,
        /// The weekday.
        weekday: Weekday,
        /// The month.
        month: Month,
    },
    /// A day so many days after Easter Sunday.
    Easter {
        /// Negative for a day before it.
        days: i32,
        /// Whose Easter it is.
        church: Church,
        /// Its year.
        year: Year,
    },
}

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Month {
    /// So many months after this one.
    After(i32),
    /// The month with this number.
    Of(i8, Year),
}

/// The churches that reckon Easter alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Church {
    /// By the calendar of Gregory.
    Western,
    /// By that of Julius, of Russia for example.
    Eastern,
}

/// The year of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Year {
    Given(i16),
    /// So many years after this one.
    After(i16),
    /// The one in which the day is the next one from today on.
    Coming,
    /// The one in which the day was the last one.
    Gone,
}

impl DayRule {
    /// The same day of a year; what counts months from this one stays.
    pub fn of_year(self, year: Year) -> Self {
        match self {
            DayRule::Weekday {
                nth,
                weekday,
                month: Month::Of(month, _),
            } => DayRule::Weekday {
                nth,
                weekday,
                month: Month::Of(month, year),
            },
            DayRule::Easter { days, church, .. } => DayRule::Easter { days, church, year },
            DayRule::Weekday { .. } => self,
        }
    }

    /// Its date; none where a month has no fifth such day, or Easter is not reckoned in a year.
    pub fn date(&self, today: Date) -> Option<Date> {
        match *self {
            DayRule::Weekday { nth, weekday, month } => match month {
                Month::After(months) => {
                    let span: Span = months.months();
                    let month = today.first_of_month().checked_add(span).ok()?;
                    month.nth_weekday_of_month(nth, weekday).ok()
                }
                Month::Of(month, year) => year.find(today, |year| {
                    let first = Date::new(year, month, 1).ok()?;
                    first.nth_weekday_of_month(nth, weekday).ok()
                }),
            },
            DayRule::Easter { days, church, year } => {
                year.find(today, |year| easter(church, year)?.checked_add(days.days()).ok())
            }
        }
    }

    /// Returns true unless its year is given.
    pub fn depends_on_now(&self) -> bool {
        let (DayRule::Weekday {
            month: Month::Of(_, year),
            ..
        }
        | DayRule::Easter { year, .. }) = self
        else {
            return true;
        };
        !matches!(year, Year::Given(_))
    }

    /// The same day, the last one from today instead of the next one.
    pub fn gone(self) -> Self {
        match self {
            DayRule::Weekday {
                nth,
                weekday,
                month: Month::Of(month, Year::Coming),
            } => DayRule::Weekday {
                nth,
                weekday,
                month: Month::Of(month, Year::Gone),
            },
            DayRule::Easter {
                days,
                church,
                year: Year::Coming,
            } => DayRule::Easter {
                days,
                church,
                year: Year::Gone,
            },
            other => other,
        }
    }
}

impl Year {
    /// The day of the year that is meant.
    fn find(self, today: Date, in_year: impl Fn(i16) -> Option<Date>) -> Option<Date> {
        let this = || in_year(today.year());
        match self {
            Year::Given(year) => in_year(year),
            Year::After(years) => in_year(today.year().checked_add(years)?),
            Year::Coming => this()
                .filter(|date| *date >= today)
                .or_else(|| in_year(today.year().checked_add(1)?)),
            Year::Gone => this()
                .filter(|date| *date <= today)
                .or_else(|| in_year(today.year().checked_sub(1)?)),
        }
    }
}

/// Easter Sunday of a year.
fn easter(church: Church, year: i16) -> Option<Date> {
    let small = |number: u32| i8::try_from(number).ok();
    let (found, later) = match church {
        Church::Western => (computus::gregorian(year.into()).ok()?, 0),
        Church::Eastern if JULIAN_YEARS.contains(&year) => (computus::julian(year.into()).ok()?, JULIAN_DAYS),
        Church::Eastern => return None,
    };
    let date = Date::new(year, small(found.month)?, small(found.day)?).ok()?;
    date.checked_add(later.days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easter_and_what_goes_by_it_are_where_calendars_have_them() {
        let today = Date::new(2026, 11, 26).unwrap();
        let of = |days, church, year| {
            DayRule::Easter { days, church, year }
                .date(today)
                .map(|date| date.to_string())
        };
        assert_eq!(of(0, Church::Western, Year::Coming).as_deref(), Some("2027-03-28"));
        assert_eq!(of(0, Church::Western, Year::Gone).as_deref(), Some("2026-04-05"));
        assert_eq!(of(0, Church::Eastern, Year::Given(2026)).as_deref(), Some("2026-04-12"));
        assert_eq!(of(0, Church::Eastern, Year::Given(2027)).as_deref(), Some("2027-05-02"));
        assert_eq!(
            of(-2, Church::Western, Year::Given(2024)).as_deref(),
            Some("2024-03-29")
        );
        assert_eq!(of(49, Church::Western, Year::After(-1)).as_deref(), Some("2025-06-08"));
        assert_eq!(of(0, Church::Western, Year::Given(1500)), None);
        assert_eq!(of(0, Church::Eastern, Year::Given(2100)), None);
    }
}
