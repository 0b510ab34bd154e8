//! Questions whose form leaves one thing to compute and nothing to understand: no model is asked. Each form knows all of its words, and
//! leaves a question with others alone.

mod days_of_years;
mod fractions;
mod later_times;
mod lone_units;
mod month_lengths;
mod primes;
mod rounding;
mod weekdays;
mod zone_differences;

use jiff::civil::DateTime;

use super::computed::Computed;
use super::question::Question;

/// Computes a question of one of these forms. `now` is in UTC.
pub(super) fn answer(question: &Question, now: Option<DateTime>) -> Option<Computed> {
    fractions::answer(question)
        .or_else(|| lone_units::answer(question))
        .or_else(|| primes::answer(question))
        .or_else(|| rounding::answer(question))
        .or_else(|| later_times::answer(question, now?))
        .or_else(|| month_lengths::answer(question, now?))
        .or_else(|| weekdays::answer(question, now?))
        .or_else(|| days_of_years::answer(question, now?))
        .or_else(|| zone_differences::answer(question, now?))
}
