//! A day that a rule gives for each year: a weekday of a month by its number, such as the last Sunday of March, what goes by Easter, and
//! days of the calendars of China and Korea. Those of the crate `icu_calendar` agree with what the Purple Mountain Observatory and the
//! Hong Kong Observatory publish, up to 2100.

use icu_calendar::types::Month;
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// Days by which the calendar of Julius is behind, and the years in which it is.
const JULIAN_DAYS: i32 = 13;
const JULIAN_YEARS: std::ops::Range<i16> = 1900..2100;
/// The years in which the calendars of China and Korea are known.
const LUNAR_YEARS: std::ops::RangeInclusive<i16> = 1901..=2100;
/// Days from Easter to Pentecost.
const PENTECOST: i32 = 49;

/// One day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayRule {
    /// A weekday of a month near this one: 1 for the first, up to 5; -1 for the last.
    OfMonth {
        /// Its number.
        nth: i8,
        /// The weekday.
        weekday: Weekday,
        /// Months from this one.
        months: i32,
    },
    /// A day of each year, in one year.
    Yearly(YearlyRule, Year),
}

/// A day of each year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum YearlyRule {
    /// A weekday of a month: 1 for the first, up to 5; -1 for the last.
    Weekday {
        /// Its number.
        nth: i8,
        /// The weekday.
        weekday: Weekday,
        /// The month.
        month: i8,
        /// Days after it that are meant: 1 for the day after Thanksgiving.
        later: i32,
    },
    /// The first such weekday from a date on.
    From {
        /// The weekday.
        weekday: Weekday,
        /// The month of the date.
        month: i8,
        /// The day of the date.
        day: i8,
    },
    /// A date that is the same each year.
    Date {
        /// The month.
        month: i8,
        /// The day.
        day: i8,
    },
    /// A day so many days after Easter Sunday.
    Easter {
        /// Negative for a day before it.
        days: i32,
        /// Whose Easter it is.
        church: Church,
    },
    /// A day of a year that goes by the moon and begins in January or February.
    Lunar {
        /// The calendar that it is a day of.
        calendar: LunarCalendar,
        /// The month, up to the tenth: later ones may end in the next year.
        month: u8,
        /// The day.
        day: u8,
        /// Days after it that are meant: -1 for the last day of the year before.
        later: i32,
    },
    /// The last Sunday of May, or the first of June where that is Pentecost: article D215-1 of France's Code de l'action
    /// sociale et des familles.
    MothersDayOfFrance,
}

/// Calendars that go by the moon and the sun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LunarCalendar {
    /// Of China.
    Chinese,
    /// Of Korea, whose midnight is another one.
    Korean,
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
    /// Its date; none where a month has no fifth such day, or Easter is not reckoned in a year.
    pub fn date(&self, today: Date) -> Option<Date> {
        match *self {
            DayRule::OfMonth { nth, weekday, months } => {
                let span: Span = months.months();
                let month = today.first_of_month().checked_add(span).ok()?;
                month.nth_weekday_of_month(nth, weekday).ok()
            }
            DayRule::Yearly(rule, year) => year.find(today, |year| rule.in_year(year)),
        }
    }

    /// Returns true unless its year is given.
    pub fn depends_on_now(&self) -> bool {
        !matches!(self, DayRule::Yearly(_, Year::Given(_)))
    }

    /// The same day, the last one from today instead of the next one.
    pub fn gone(self) -> Self {
        match self {
            DayRule::Yearly(rule, Year::Coming) => DayRule::Yearly(rule, Year::Gone),
            other => other,
        }
    }
}

impl YearlyRule {
    /// Its date in a year; none where a month has no fifth such day, or Easter is not reckoned then.
    fn in_year(self, year: i16) -> Option<Date> {
        match self {
            YearlyRule::Weekday {
                nth,
                weekday,
                month,
                later,
            } => {
                let day = Date::new(year, month, 1)
                    .ok()?
                    .nth_weekday_of_month(nth, weekday)
                    .ok()?;
                day.checked_add(later.days()).ok()
            }
            YearlyRule::From { weekday, month, day } => {
                let first = Date::new(year, month, day).ok()?;
                first.yesterday().ok()?.nth_weekday(1, weekday).ok()
            }
            YearlyRule::Date { month, day } => Date::new(year, month, day).ok(),
            YearlyRule::Easter { days, church } => easter(church, year)?.checked_add(days.days()).ok(),
            YearlyRule::Lunar {
                calendar,
                month,
                day,
                later,
            } => lunar(calendar, year, month, day)?.checked_add(later.days()).ok(),
            YearlyRule::MothersDayOfFrance => {
                let of = |nth, month| {
                    Date::new(year, month, 1)
                        .ok()?
                        .nth_weekday_of_month(nth, Weekday::Sunday)
                        .ok()
                };
                let pentecost = easter(Church::Western, year)?.checked_add(PENTECOST.days()).ok()?;
                of(-1, 5).filter(|sunday| *sunday != pentecost).or_else(|| of(1, 6))
            }
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

/// A day of a lunar calendar, in the year that begins in this one.
fn lunar(calendar: LunarCalendar, year: i16, month: u8, day: u8) -> Option<Date> {
    if !LUNAR_YEARS.contains(&year) {
        return None;
    }
    let month = Month::new(month);
    let found = match calendar {
        LunarCalendar::Chinese => icu_calendar::Date::try_new_chinese_traditional(year.into(), month, day)
            .ok()?
            .to_calendar(icu_calendar::Iso),
        LunarCalendar::Korean => icu_calendar::Date::try_new_korean_traditional(year.into(), month, day)
            .ok()?
            .to_calendar(icu_calendar::Iso),
    };
    let year = i16::try_from(found.year().extended_year()).ok()?;
    let month = i8::try_from(found.month().number()).ok()?;
    Date::new(year, month, i8::try_from(found.day_of_month().0).ok()?).ok()
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
            DayRule::Yearly(YearlyRule::Easter { days, church }, year)
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

    #[test]
    fn days_that_go_by_the_moon_are_where_observatories_have_them() {
        let today = Date::new(2026, 11, 26).unwrap();
        let of = |calendar, month, day, later, year| {
            let rule = YearlyRule::Lunar {
                calendar,
                month,
                day,
                later,
            };
            DayRule::Yearly(rule, year).date(today).map(|date| date.to_string())
        };
        use LunarCalendar::{Chinese, Korean};
        for (month, day, later, year, expected) in [
            (1, 1, 0, Year::Coming, "2027-02-06"),
            (1, 1, 0, Year::Gone, "2026-02-17"),
            (1, 1, -1, Year::Given(2025), "2025-01-28"),
            (5, 5, 0, Year::Given(2025), "2025-05-31"),
            (8, 15, 0, Year::Given(2024), "2024-09-17"),
            // After a leap month.
            (8, 15, 0, Year::Given(2025), "2025-10-06"),
            (9, 9, 0, Year::Given(2023), "2023-10-23"),
        ] {
            assert_eq!(of(Chinese, month, day, later, year).as_deref(), Some(expected));
        }
        // A day apart from China's.
        assert_eq!(of(Chinese, 1, 1, 0, Year::Given(1997)).as_deref(), Some("1997-02-07"));
        assert_eq!(of(Korean, 1, 1, 0, Year::Given(1997)).as_deref(), Some("1997-02-08"));
        assert_eq!(of(Korean, 8, 15, 0, Year::Given(2026)).as_deref(), Some("2026-09-25"));
        assert_eq!(of(Chinese, 1, 1, 0, Year::Given(2300)), None);
    }

    #[test]
    fn days_with_names_are_where_calendars_have_them() {
        let today = Date::new(2026, 11, 26).unwrap();
        let of = |rule: YearlyRule, year| {
            DayRule::Yearly(rule, Year::Given(year))
                .date(today)
                .map(|date| date.to_string())
                .unwrap_or_default()
        };
        let thursday = |later| YearlyRule::Weekday {
            nth: 4,
            weekday: Weekday::Thursday,
            month: 11,
            later,
        };
        let from = |weekday, month, day| YearlyRule::From { weekday, month, day };
        assert_eq!(of(thursday(0), 2026), "2026-11-26");
        // Not the fourth Friday of the month.
        assert_eq!(of(thursday(1), 2019), "2019-11-29");
        assert_eq!(of(thursday(4), 2027), "2027-11-29");
        let advent = from(Weekday::Sunday, 11, 27);
        assert_eq!(of(advent, 2026), "2026-11-29");
        assert_eq!(of(advent, 2022), "2022-11-27");
        assert_eq!(of(advent, 2023), "2023-12-03");
        assert_eq!(of(from(Weekday::Wednesday, 11, 16), 2026), "2026-11-18");
        assert_eq!(of(from(Weekday::Monday, 5, 18), 2027), "2027-05-24");
        // Pentecost was the last Sunday of May in 2023.
        assert_eq!(of(YearlyRule::MothersDayOfFrance, 2023), "2023-06-04");
        assert_eq!(of(YearlyRule::MothersDayOfFrance, 2026), "2026-05-31");
        let mothering = YearlyRule::Easter {
            days: -21,
            church: Church::Western,
        };
        assert_eq!(of(mothering, 2026), "2026-03-15");
    }
}
