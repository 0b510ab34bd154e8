//! Messages around the results of calculations.

use quartet_api::Language;

use super::engine::EvaluationError;
use super::expression::Period;
use crate::messages::messages;

/// A date with its weekday.
pub(super) fn date_with_weekday(weekday: &str, date: &str, language: Language) -> String {
    messages(language).format("date_with_weekday", &[("weekday", weekday), ("date", date)])
}

/// A day that a period ends on, with the last day of the period if the first one counts.
pub(super) fn last_day(answer: &str, date: &str, language: Language) -> String {
    messages(language).format("last_day", &[("answer", answer), ("date", date)])
}

/// A number of days.
pub(super) fn days(count: i64, language: Language) -> String {
    messages(language).plural("days", count.unsigned_abs(), &[("count", &count.to_string())])
}

/// A number of periods.
pub(super) fn periods(count: u64, period: Period, language: Language) -> String {
    let key = match period {
        Period::Minutes => "minutes",
        Period::Hours => "hours",
        Period::Days => "days",
        Period::Weeks => "weeks",
        Period::Months => "months",
        Period::Years => "years",
    };
    messages(language).plural(key, count, &[("count", &count.to_string())])
}

/// Yes or no.
pub(super) fn yes_or_no(yes: bool, language: Language) -> &'static str {
    messages(language).get(if yes { "yes" } else { "no" })
}

/// The reason why an expression has no value.
pub(super) fn error(expression: &str, error: EvaluationError, language: Language) -> String {
    let key = match error {
        EvaluationError::DivisionByZero => "division_by_zero",
        EvaluationError::TooLarge | EvaluationError::Invalid => "too_large",
    };
    messages(language).format(key, &[("expression", expression)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_has_its_values_in_every_language() {
        for language in Language::ALL {
            let date = date_with_weekday("{date}", "5.1.", language);
            assert!(date.contains("{date}") && date.contains("5.1."), "{language}: {date}");
            assert!(!yes_or_no(true, language).is_empty() && yes_or_no(true, language) != yes_or_no(false, language));
            for count in [-3, 0, 1, 2, 5, 11, 21, 103] {
                let days = days(count, language);
                assert!(days.starts_with(&count.to_string()), "{language}: {days}");
            }
            for reason in [EvaluationError::DivisionByZero, EvaluationError::TooLarge] {
                let text = error("1 {x}", reason, language);
                assert!(text.starts_with("1 {x}: ") && text.len() > 12, "{language}: {text}");
            }
        }
    }

    #[test]
    fn days_are_counted_by_the_rules_of_the_language() {
        let counted = |language, counts: [i64; 5]| counts.map(|count| days(count, language)).join(", ");
        assert_eq!(
            counted(Language::English, [0, 1, -1, 2, 21]),
            "0 days, 1 day, -1 day, 2 days, 21 days"
        );
        assert_eq!(
            counted(Language::Russian, [1, 3, 5, 12, 21]),
            "1 день, 3 дня, 5 дней, 12 дней, 21 день"
        );
        assert_eq!(
            counted(Language::Arabic, [1, 3, 11, 103, 365]),
            "1 يوم, 3 أيام, 11 يوم, 103 أيام, 365 يوم"
        );
        assert_eq!(counted(Language::Japanese, [0, 1, 2, 3, 4]), "0日, 1日, 2日, 3日, 4日");
    }
}
