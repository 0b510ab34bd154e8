//! Chinese characters in the model's symbols, by way of pinyin.
//!
//! Every syllable is an initial, a final and a tone. The tables are those of the usual transcription of pinyin in the
//! International Phonetic Alphabet, without the signs that the model does not have; tones are its arrows: → high, ↗
//! rising, ↓ low, ↘ falling, none for the neutral one. The crate `pinyin` reads a character by itself: of characters with
//! several readings it has the usual one, but for a few particles below.

use pinyin::ToPinyin;

/// Initials; those of two letters come first.
const INITIALS: &[(&str, &str)] = &[
    ("zh", "ꭧ"),
    ("ch", "ꭧʰ"),
    ("sh", "ʂ"),
    ("b", "p"),
    ("p", "pʰ"),
    ("m", "m"),
    ("f", "f"),
    ("d", "t"),
    ("t", "tʰ"),
    ("n", "n"),
    ("l", "l"),
    ("g", "k"),
    ("k", "kʰ"),
    ("h", "x"),
    ("j", "ʨ"),
    ("q", "ʨʰ"),
    ("x", "ɕ"),
    ("r", "ɻ"),
    ("z", "ʦ"),
    ("c", "ʦʰ"),
    ("s", "s"),
];

/// Finals; `0` is where the tone stands.
const FINALS: &[(&str, &str)] = &[
    ("a", "a0"),
    ("o", "wo0"),
    ("e", "ɤ0"),
    ("ai", "ai0"),
    ("ei", "ei0"),
    ("ao", "au0"),
    ("ou", "ou0"),
    ("an", "a0n"),
    ("en", "ə0n"),
    ("ang", "a0ŋ"),
    ("eng", "ə0ŋ"),
    ("er", "ɚ0"),
    ("ong", "ʊ0ŋ"),
    ("i", "i0"),
    ("ia", "ja0"),
    ("ie", "je0"),
    ("iao", "jau0"),
    ("iu", "jou0"),
    ("ian", "jɛ0n"),
    ("in", "i0n"),
    ("iang", "ja0ŋ"),
    ("ing", "i0ŋ"),
    ("iong", "jʊ0ŋ"),
    ("u", "u0"),
    ("ua", "wa0"),
    ("uo", "wo0"),
    ("uai", "wai0"),
    ("ui", "wei0"),
    ("uan", "wa0n"),
    ("un", "wə0n"),
    ("uang", "wa0ŋ"),
    ("ueng", "wə0ŋ"),
    ("v", "y0"),
    ("ve", "ɥe0"),
    ("van", "ɥɛ0n"),
    ("vn", "y0n"),
];

/// Syllables without an initial are written with a letter that is none.
const BARE: &[(&str, &str)] = &[
    ("yi", "i"),
    ("ya", "ia"),
    ("ye", "ie"),
    ("yao", "iao"),
    ("you", "iu"),
    ("yan", "ian"),
    ("yin", "in"),
    ("yang", "iang"),
    ("ying", "ing"),
    ("yong", "iong"),
    ("yo", "o"),
    ("yu", "v"),
    ("yue", "ve"),
    ("yuan", "van"),
    ("yun", "vn"),
    ("wu", "u"),
    ("wa", "ua"),
    ("wo", "uo"),
    ("wai", "uai"),
    ("wei", "ui"),
    ("wan", "uan"),
    ("wen", "un"),
    ("wang", "uang"),
    ("weng", "ueng"),
];

/// Particles and words whose usual reading is not the first of their character.
const READINGS: &[(&str, &[&str])] = &[
    ("的", &["de5"]),
    ("了", &["le5"]),
    ("着", &["zhe5"]),
    ("吗", &["ma5"]),
    ("呢", &["ne5"]),
    ("吧", &["ba5"]),
    ("们", &["men5"]),
    ("么", &["me5"]),
    ("得", &["de5"]),
    ("地方", &["di4", "fang1"]),
    ("银行", &["yin2", "hang2"]),
    ("音乐", &["yin1", "yue4"]),
    ("重要", &["zhong4", "yao4"]),
    ("觉得", &["jue2", "de5"]),
    ("还是", &["hai2", "shi4"]),
    ("还有", &["hai2", "you3"]),
    ("长大", &["zhang3", "da4"]),
    ("睡觉", &["shui4", "jiao4"]),
    ("都", &["dou1"]),
    ("还", &["hai2"]),
    ("会", &["hui4"]),
    ("和", &["he2"]),
    ("为了", &["wei4", "le5"]),
    ("因为", &["yin1", "wei4"]),
    ("东西", &["dong1", "xi5"]),
    ("朋友", &["peng2", "you5"]),
    ("什么", &["shen2", "me5"]),
    ("怎么", &["zen3", "me5"]),
];

/// The text's syllables in symbols, without a space between them: words are not known.
pub fn symbols(text: &str) -> String {
    let mut syllables: Vec<(String, u8)> = Vec::new();
    let mut symbols = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let known = READINGS
            .iter()
            .filter(|(word, _)| rest.starts_with(word))
            .max_by_key(|(word, _)| word.len());
        if let Some((word, readings)) = known {
            syllables.extend(readings.iter().map(|reading| parted(character, reading)));
            rest = &rest[word.len()..];
            continue;
        }
        rest = &rest[character.len_utf8()..];
        if let Some(reading) = character.to_pinyin() {
            syllables.push(parted(character, reading.with_tone_num_end()));
        } else {
            say(&mut syllables, &mut symbols);
            symbols.push_str(match character {
                '，' | '、' => ",",
                character if character.is_whitespace() => " ",
                _ => "",
            });
        }
    }
    say(&mut syllables, &mut symbols);
    symbols
}

/// A syllable and its tone, five for the neutral one; 一 and 不, whose tone goes by what follows, are marked by six and
/// seven.
fn parted(character: char, reading: &str) -> (String, u8) {
    let syllable = reading.trim_end_matches(|character: char| character.is_ascii_digit());
    let tone = match character {
        '一' => 6,
        '不' => 7,
        _ => reading[syllable.len()..].parse().unwrap_or(5),
    };
    (syllable.replace('ü', "v"), tone)
}

/// Says syllables in a row: a low tone before another one rises, as 一 and 不 do before a falling one.
fn say(syllables: &mut Vec<(String, u8)>, symbols: &mut String) {
    for index in 0..syllables.len() {
        let next = syllables.get(index + 1).map(|(_, tone)| *tone);
        let tone = match (syllables[index].1, next) {
            (3, Some(3)) | (6 | 7, Some(4)) => 2,
            (6, Some(1..=3)) | (7, _) => 4,
            (6, _) => 1,
            (tone, _) => tone,
        };
        symbols.push_str(&syllable(&syllables[index].0, tone).unwrap_or_default());
    }
    syllables.clear();
}

fn syllable(written: &str, tone: u8) -> Option<String> {
    let mark = ["→", "↗", "↓", "↘"]
        .get(usize::from(tone).wrapping_sub(1))
        .copied()
        .unwrap_or_default();
    let (initial, last) = match BARE.iter().find(|(bare, _)| *bare == written) {
        Some((_, last)) => ("", *last),
        None => {
            let initial = INITIALS.iter().find(|(initial, _)| written.starts_with(initial));
            initial.map_or(("", written), |(initial, _)| written.split_at(initial.len()))
        }
    };
    let sound = INITIALS
        .iter()
        .find(|(known, _)| *known == initial)
        .map_or("", |(_, sound)| sound);
    // After these, i is only the consonant held, and u is ü.
    if last == "i" && ["zh", "ch", "sh", "r", "z", "c", "s"].contains(&initial) {
        return Some(format!("{sound}ɨ{mark}"));
    }
    let rounded = ["j", "q", "x"].contains(&initial) && last.starts_with('u') && last != "ui";
    let last = if rounded && last != "iu" {
        last.replacen('u', "v", 1)
    } else {
        last.to_owned()
    };
    let (_, ending) = FINALS.iter().find(|(known, _)| *known == last)?;
    Some(format!("{sound}{}", ending.replace('0', mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_become_symbols() {
        for (text, expected) in [
            ("中国", "ꭧʊ→ŋkwo↗"),
            ("学生", "ɕɥe↗ʂə→ŋ"),
            ("是的", "ʂɨ↘tɤ"),
            ("女", "ny↓"),
            ("居", "ʨy→"),
            ("不是", "pu↗ʂɨ↘"),
            ("一天", "i↘tʰjɛ→n"),
            ("你好，月", "ni↗xau↓,ɥe↘"),
        ] {
            assert_eq!(symbols(text), expected, "{text}");
        }
    }

    #[test]
    fn all_syllables_are_known() {
        for character in '\u{4e00}'..='\u{9fa5}' {
            if let Some(reading) = character.to_pinyin() {
                let (written, tone) = parted(character, reading.with_tone_num_end());
                let odd = ["m", "n", "ng", "hm", "hng", "ê"].contains(&written.as_str());
                assert!(odd || syllable(&written, tone).is_some(), "{character} {written}");
            }
        }
    }
}
