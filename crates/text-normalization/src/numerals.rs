//! Whole numbers in words, and in the numerals of Chinese and Japanese.

use quartet_api::Language;

use crate::clauses;

/// A whole number in the words of a language.
#[must_use]
pub fn spelled(value: &str, language: Language) -> Option<String> {
    let number: u64 = value.parse().ok()?;
    // Without its comma, "2025" is read as a year.
    let digits = match language {
        Language::English if (1_000..10_000).contains(&number) => format!("{},{:03}", number / 1_000, number % 1_000),
        _ => number.to_string(),
    };
    let mut words = String::new();
    for clause in clauses(&digits, language) {
        for span in clause.spans {
            words.push_str(&span.text);
        }
    }
    let words = words.trim().to_lowercase();
    (!words.is_empty() && !words.contains(|c: char| c.is_ascii_digit())).then_some(words)
}

/// The ways in which a whole number is written in the words of a language: in one word as in German, with an "and" as in Britain.
#[must_use]
pub fn spellings(value: &str, language: Language) -> Vec<String> {
    let Some(words) = spelled(value, language) else {
        return Vec::new();
    };
    let bare = words.replace(" and ", " ");
    let with_and = ["hundred ", "thousand "].map(|scale| bare.replacen(scale, &format!("{scale}and "), 1));
    let of_english = with_and
        .into_iter()
        .chain([bare])
        .filter(|_| language == Language::English);
    let joined = [words.replace('-', " "), words.replace(' ', "")];
    let mut spellings: Vec<String> = of_english.chain(joined).chain([words]).collect();
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

/// The numbers of a text in the numerals of Chinese and Japanese, with their places: "百二十五" is 125.
pub fn chinese_numerals(text: &str) -> impl Iterator<Item = (u64, (usize, usize))> {
    let sign = |c: char| digit(c).is_some() || scale(c).is_some();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(sign)?;
        let length = text[start..].find(|c| !sign(c)).unwrap_or(text.len() - start);
        at = start + length;
        Some((numeral(&text[start..at]), (start, at)))
    })
    .filter_map(|(value, place)| Some((value?, place)))
}

/// The value of a numeral; none where its signs do not make one.
fn numeral(text: &str) -> Option<u64> {
    let (mut whole, mut part, mut number) = (0_u64, 0_u64, None::<u64>);
    for c in text.chars() {
        match (digit(c), scale(c)) {
            // Digits one after the other, as in years.
            (Some(digit), _) => number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?),
            (_, Some(scale)) if scale < 10_000 => {
                part = part.checked_add(number.take().unwrap_or(1).checked_mul(scale)?)?;
            }
            (_, Some(scale)) => {
                let all = part.checked_add(number.take().unwrap_or(0))?.max(1);
                whole = whole.checked_add(all.checked_mul(scale)?)?;
                part = 0;
            }
            (None, None) => return None,
        }
    }
    whole.checked_add(part)?.checked_add(number.unwrap_or(0))
}

fn digit(c: char) -> Option<u64> {
    let at = "零一二三四五六七八九".chars().position(|sign| sign == c);
    match c {
        '〇' => Some(0),
        '两' | '兩' => Some(2),
        _ => at.map(|digit| digit as u64),
    }
}

fn scale(c: char) -> Option<u64> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' | '萬' => 10_000,
        '亿' | '億' => 100_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_in_words() {
        for (number, language, words) in [
            ("25", Language::English, Some("twenty-five")),
            ("2025", Language::English, Some("two thousand and twenty-five")),
            ("25", Language::German, Some("fünf und zwanzig")),
            ("80", Language::French, Some("quatre-vingts")),
            ("30", Language::Russian, Some("тридцать")),
            // Japanese reads digits with what they count.
            ("25", Language::Japanese, None),
        ] {
            assert_eq!(spelled(number, language).as_deref(), words, "{number}");
        }
        for (number, language, spelling) in [
            ("2025", Language::English, "two thousand twenty-five"),
            ("240", Language::English, "two hundred forty"),
            ("25", Language::English, "twenty five"),
            ("25", Language::German, "fünfundzwanzig"),
        ] {
            assert!(
                spellings(number, language).iter().any(|other| other == spelling),
                "{spelling}"
            );
        }
    }

    #[test]
    fn numerals_are_read() {
        for (text, value) in [
            ("百二十五", Some(125)),
            ("四十八", Some(48)),
            ("三万六千", Some(36_000)),
            ("二〇二四", Some(2_024)),
            ("一億二千万", Some(120_000_000)),
            ("两千零五", Some(2_005)),
        ] {
            assert_eq!(numeral(text), value, "{text}");
        }
        let all: Vec<_> = chinese_numerals("百二十五かける四十八は")
            .map(|(value, _)| value)
            .collect();
        assert_eq!(all, [125, 48]);
    }
}
