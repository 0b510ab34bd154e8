//! A weekday of a month by its number, such as the last Sunday of March, and its date.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// A weekday of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MonthWeekday {
    /// 1 for the first, up to 5; -1 for the last.
    pub nth: i8,
    pub weekday: Weekday,
    pub month: Month,
}

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Month {
    /// So many months after this one.
    After(i32),
    /// The month with this number.
    Of(i8, Year),
}

/// The year of a month.
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

impl MonthWeekday {
    /// Its date; none where the month has no fifth such day.
    pub fn date(&self, today: Date) -> Option<Date> {
        let in_month = |year: i16, month: i8| {
            let first = Date::new(year, month, 1).ok()?;
            first.nth_weekday_of_month(self.nth, self.weekday).ok()
        };
        match self.month {
            Month::After(months) => {
                let span: Span = months.months();
                let month = today.first_of_month().checked_add(span).ok()?;
                in_month(month.year(), month.month())
            }
            Month::Of(month, Year::Given(year)) => in_month(year, month),
            Month::Of(month, Year::After(years)) => in_month(today.year().checked_add(years)?, month),
            Month::Of(month, Year::Coming) => {
                let this = in_month(today.year(), month).filter(|date| *date >= today);
                this.or_else(|| in_month(today.year() + 1, month))
            }
            Month::Of(month, Year::Gone) => {
                let this = in_month(today.year(), month).filter(|date| *date <= today);
                this.or_else(|| in_month(today.year() - 1, month))
            }
        }
    }

    /// Returns true unless its year is given.
    pub fn depends_on_now(&self) -> bool {
        !matches!(self.month, Month::Of(_, Year::Given(_)))
    }
}
