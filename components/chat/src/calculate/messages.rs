//! Messages around the results of calculations.

use quartet_api::Language;

use super::engine::EvaluationError;
use crate::messages::messages;

/// A date with its weekday.
pub(super) fn date_with_weekday(weekday: &str, date: &str, language: Language) -> String {
    messages(language).format("date_with_weekday", &[("weekday", weekday), ("date", date)])
}

/// A number of days.
pub(super) fn days(count: i64, language: Language) -> String {
    messages(language).plural("days", count.unsigned_abs(), &[("count", &count.to_string())])
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
mod golden {
    use super::*;
    use crate::calculate::calendar;

    /// Every sentence in every language, as it was when the sentences stood in the code.
    #[test]
    fn sentences_are_as_they_were() {
        let mut all = String::new();
        for language in Language::ALL {
            let mut line = |text: String| all.push_str(&format!("{}\t{text}\n", language.code()));
            for count in [
                -21, -5, -3, -1, 0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 14, 15, 19, 20, 21, 22, 25, 99, 100, 101, 103, 111,
                112, 121, 1001, 365, 366,
            ] {
                line(days(count, language));
            }
            line(yes_or_no(true, language).to_owned());
            line(yes_or_no(false, language).to_owned());
            line(error("1 {reason} {weekday}", EvaluationError::DivisionByZero, language));
            line(error("1", EvaluationError::TooLarge, language));
            line(error("1", EvaluationError::Invalid, language));
            line(date_with_weekday("{date}", "{weekday}", language));
            for month in 1..=12 {
                let day = jiff::civil::Date::new(2023 + i16::from(month), month, 2 * month).unwrap();
                line(date_with_weekday(
                    &calendar::weekday(day, language),
                    &calendar::date(day, language),
                    language,
                ));
            }
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/calculate/messages.golden");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &all).unwrap();
        }
        assert_eq!(all, std::fs::read_to_string(path).unwrap());
    }
}
