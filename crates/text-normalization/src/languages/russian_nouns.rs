//! Russian numbers before nouns: the case of a year's or a century's ordinal, the gender of one and two.

use super::super::rules::Agreement;
use super::{cardinal, ordinal};

/// The words for a number before a noun: years and centuries as ordinals in the noun's case, one and two in its gender.
/// Returns the words and how many bytes of `following` (the text after the number and its space) they say too.
pub(in super::super) fn counted(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    if let Some(said) = abbreviated_year(number, previous, following) {
        return Some(said);
    }
    counted_before_noun(number, following).map(|words| (words, 0))
}

/// The case of the ordinal and of "год" after the preposition before it ("1999 г.").
fn abbreviated_year(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    let rest = following.strip_prefix('г')?.trim_start_matches('.');
    if !(1000..2200).contains(&number) || rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let (suffix, noun) = match previous {
        "в" | "во" | "о" => ("м", "году"),
        "" => ("й", "год"),
        _ => ("го", "года"),
    };
    // The full stop stays if a sentence seems to end with it.
    let ends = following.starts_with("г.") && {
        let after = rest.trim_start();
        after.is_empty() || after.starts_with(char::is_uppercase)
    };
    let consumed = following.len() - rest.len() - usize::from(ends);
    ordinal(number, suffix).map(|words| (format!("{words} {noun}"), consumed))
}

fn counted_before_noun(number: u64, following: &str) -> Option<String> {
    let word: String = following.chars().take_while(|c| c.is_alphabetic()).take(24).collect();
    let suffix = match word.as_str() {
        "год" | "век" => Some("й"),
        "году" | "веке" => Some("м"),
        "года" | "века" if number > 4 => Some("го"),
        "годом" | "веком" => Some("ым"),
        "годы" if number >= 20 => Some("е"),
        _ => None,
    };
    if let Some(suffix) = suffix.filter(|_| number != 1 || word != "год") {
        return ordinal(number, suffix);
    }
    if !word.chars().next().is_some_and(char::is_lowercase) || word.chars().count() < 3 {
        return None;
    }
    let last = word.chars().next_back();
    let agreement = match (number % 10, number % 100 / 10) {
        (_, 1) => return None,
        (1, _) => match last {
            Some('а' | 'я') => Agreement::Feminine,
            Some('о' | 'е') => Agreement::Neuter,
            _ => Agreement::Masculine,
        },
        // After two the noun's genitive shows its gender: книги, but стола; new ones: новые, but новых.
        (2, _) if matches!(last, Some('ы' | 'и')) || word.ends_with("ые") || word.ends_with("ие") => {
            Agreement::Feminine
        }
        _ => return None,
    };
    Some(cardinal(number, agreement))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gender_follows_the_noun() {
        for (number, previous, following, words, consumed) in [
            (2, "", "книги", "две", 0),
            (1, "", "книга", "одна", 0),
            (21, "", "окно", "двадцать одно", 0),
            (1999, "в", "году", "тысяча девятьсот девяносто девятом", 0),
            (1999, "в", "г. он", "тысяча девятьсот девяносто девятом году", 3),
        ] {
            assert_eq!(counted(number, previous, following), Some((words.to_owned(), consumed)));
        }
        assert_eq!(counted(2, "", "стола"), None);
    }
}
