//! The numbers of a passage, against which those of a statement are held.

use std::collections::HashSet;

use quartet_api::Language;
use quartet_text_normalization::spellings;

use crate::calendar::Dates;
use crate::numerals::numerals;
use crate::words::{Words, has_parts};

/// The numbers of a text that others are held against: in digits, in words, and in its dates.
pub(crate) struct Numbers {
    language: Language,
    numbers: HashSet<String>,
    words: Words,
}

impl Numbers {
    /// Reads a text with its dates.
    pub fn of(text: &str, dates: &Dates, language: Language) -> Self {
        let of_dates = dates.numeric.iter().flat_map(|date| {
            let days = date.readings.iter().map(|(day, _)| *day);
            let century = (date.year < 100).then_some(date.year + 2000);
            days.chain([date.year]).chain(century).map(|number| number.to_string())
        });
        let short = Dates::short(text, language).into_iter().map(|(day, _)| day.to_string());
        Self {
            language,
            numbers: numerals(text, language).chain(of_dates).chain(short).collect(),
            words: Words::of(text, language),
        }
    }

    /// Returns true if a number in digits stands here, in digits or in words.
    pub fn have(&self, number: &str) -> bool {
        self.numbers.contains(number) || self.have_in_words(number)
    }

    fn have_in_words(&self, number: &str) -> bool {
        // Parts of words are numbers of their own there: 열 in 열한.
        !has_parts(self.language)
            && spellings(number, self.language)
                .iter()
                .any(|words| self.words.text().contains(Words::of(words, self.language).text()))
    }
}

#[cfg(test)]
mod tests {
    use Language::{Arabic, Chinese, English, German, Hindi, Spanish};

    use super::*;

    #[test]
    fn numbers_stand_in_digits_in_words_and_in_dates() {
        for (text, language, number, stands) in [
            ("It has twenty-five rooms.", English, "25", true),
            ("It has twenty-five rooms.", English, "26", false),
            ("Two hundred and forty people came.", English, "240", true),
            ("Nach fünfundzwanzig Jahren", German, "25", true),
            ("treinta días", Spanish, "30", true),
            ("二百四十人", Chinese, "240", true),
            ("٢٥ يوما", Arabic, "25", true),
            ("२५ दिन", Hindi, "25", true),
            ("It takes 0.5 hours.", English, "05", true),
            ("It takes 0.5 hours.", English, "5", false),
            ("at 07 hours", English, "7", true),
            ("ab 01.04.2025", German, "1", true),
            ("ab 01.04.25", German, "2025", true),
            ("ab 1.4. geöffnet", German, "1", true),
        ] {
            let numbers = Numbers::of(text, &Dates::of(text, language), language);
            assert_eq!(numbers.have(number), stands, "{text} {number}");
        }
    }
}
