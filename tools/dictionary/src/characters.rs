//! Readings of single kanji, for those that the dictionary does not list.
//!
//! The package ships them as a Python dictionary, one character a line, made from the property `kJapanese` of the Unihan
//! database (Unicode License v3), in katakana as written, with long vowels spelt out.

use anyhow::{Result, ensure};

/// The characters and how each is pronounced, in katakana with marks of length.
///
/// # Errors
///
/// When fewer lines than a table of kanji must have are understood.
pub fn readings(source: &str) -> Result<Vec<(char, String)>> {
    let readings: Vec<_> = source.lines().filter_map(line).collect();
    ensure!(
        readings.len() > 20_000,
        "the table of readings is not as expected: {} lines",
        readings.len()
    );
    Ok(readings)
}

fn line(line: &str) -> Option<(char, String)> {
    let (character, reading) = line
        .trim()
        .strip_prefix('"')?
        .strip_suffix("\",")?
        .split_once("\": \"")?;
    let mut characters = character.chars();
    let character = characters.next()?;
    let katakana = !reading.is_empty()
        && reading
            .chars()
            .all(|kana| ('ァ'..='ヴ').contains(&kana) || kana == 'ー');
    (characters.next().is_none() && katakana).then(|| (character, pronounced(reading)))
}

/// An on reading as it sounds: in them, ウ after an o or u and イ after an e are lengths.
fn pronounced(reading: &str) -> String {
    let mut said = String::with_capacity(reading.len());
    for kana in reading.chars() {
        let long = match said.chars().last() {
            Some(last) if kana == 'ウ' => {
                "オコソトノホモヨロゴゾドボポョウクスツヌフムユルグズヅブプュ".contains(last)
            }
            Some(last) if kana == 'イ' => "エケセテネヘメレゲゼデベペェ".contains(last),
            _ => false,
        };
        said.push(if long { 'ー' } else { kana });
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_table() {
        assert_eq!(line("    \"㐀\": \"キュウ\","), Some(('㐀', "キュー".to_owned())));
        assert_eq!(line("    \"㐤\": \"タン\","), Some(('㐤', "タン".to_owned())));
        assert_eq!(line("UNIHAN_READINGS: dict[str, str] = {"), None);
        assert_eq!(line("# 出典: Unihan Database"), None);
    }

    #[test]
    fn long_vowels() {
        assert_eq!(pronounced("ケイ"), "ケー");
        assert_eq!(pronounced("ショウ"), "ショー");
        assert_eq!(pronounced("カイ"), "カイ");
        assert_eq!(pronounced("オウ"), "オー");
    }
}
