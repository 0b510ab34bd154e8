//! The side of a day on which another one lies, as the words of a question say it, and the end of a period.

use super::expression::{Base, Day, Period, Shift};
use super::measures;
use super::question::Question;
use super::said::{self, Said};

/// The side of a day on which another one lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Earlier,
    Later,
}

/// The side that the words of a question say; none where they say both or nothing.
pub(super) fn direction(question: &Question) -> Option<Direction> {
    let later = question.says(Said::After) || question.says(Said::Starts);
    match (question.says(Said::Before), later) {
        (true, false) => Some(Direction::Earlier),
        (false, true) => Some(Direction::Later),
        // "Vor" and "from" stand with both.
        (true, true) if says_directly(question, Said::Before) => Some(Direction::Earlier),
        _ => None,
    }
}

/// Returns true if a word stands right behind the period of a question: "6 weeks before 1 May".
fn says_directly(question: &Question, said: Said) -> bool {
    let Some(items) = measures::read(question) else {
        return false;
    };
    let period = items.iter().find(|item| item.value.is_some() && item.measure.is_some());
    period.is_some_and(|item| {
        let after = question.text()[item.end..].trim_start();
        said::at_start(after, said, question.language()).is_some()
    })
}

/// Returns true unless the words of a question say that a day lies on the other side than a period puts it.
pub(super) fn is_on_its_side(question: &Question, day: &Day) -> bool {
    // "Yesterday" has its side in itself.
    let ([shift], true) = (&day.shifts[..], question.has_number()) else {
        return true;
    };
    let (before, after) = (
        question.says(Said::Before),
        question.says(Said::After) || question.says(Said::Starts),
    );
    match (before, after) {
        (true, false) => shift.count <= 0,
        (false, true) => shift.count >= 0,
        _ => true,
    }
}

/// Returns true if a question asks for the end of a period that begins on a given day, which may be counted as its first one.
pub(super) fn asks_for_end(question: &Question, day: &Day) -> bool {
    let forward = |shift: &Shift| shift.count > 0 && !shift.period.is_of_clock();
    let is_long = day
        .shifts
        .iter()
        .any(|shift| shift.period != Period::Days || shift.count > 1);
    let ends = question.says(Said::Ends) && question.says(Said::Starts);
    ends && is_long && matches!(day.base, Base::Date { .. } | Base::Yearly { .. }) && day.shifts.iter().all(forward)
}

#[cfg(test)]
mod tests {
    use super::super::expression::{Expression, parse};
    use super::*;
    use quartet_api::Language;

    #[test]
    fn words_say_the_side() {
        let is_on_its_side = |question: &str, expression: &str| match parse(expression) {
            Some(Expression::Day(day)) => is_on_its_side(&Question::new(question, Language::English), &day),
            _ => false,
        };
        assert!(is_on_its_side("6 weeks before 1 May 2026", "date 2026-05-01 - 6 weeks"));
        assert!(!is_on_its_side(
            "6 weeks before 1 May 2026",
            "date 2026-05-01 + 6 weeks"
        ));
        assert!(!is_on_its_side("what date is it in 3 days", "date today - 3 days"));
        assert!(is_on_its_side("3 days", "date today - 3 days"));
    }
}
