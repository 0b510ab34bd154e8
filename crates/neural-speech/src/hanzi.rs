//! Chinese characters in the model's symbols, by way of pinyin.
//!
//! Every syllable is an initial, a final and a tone. The tables are those of the usual transcription of pinyin in the
//! International Phonetic Alphabet, without the signs that the model does not have; tones are its arrows: → high, ↗
//! rising, ↓ low, ↘ falling, none for the neutral one.

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

/// The text's syllables in symbols, without a space between them: words are not known.
pub fn symbols(text: &str) -> String {
    let mut symbols = String::new();
    for (character, said) in quartet_chinese_g2p::reading(text) {
        match (character, said) {
            (_, Some(said)) => symbols.push_str(&syllable(&said.letters, said.tone).unwrap_or_default()),
            ('，' | '、', None) => symbols.push(','),
            (character, None) if character.is_whitespace() => symbols.push(' '),
            _ => {}
        }
    }
    symbols
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
            ("银行 行走", "i↗nxa↗ŋ ɕi↗ŋʦou↓"),
        ] {
            assert_eq!(symbols(text), expected, "{text}");
        }
    }

    #[test]
    fn all_syllables_are_known() {
        for character in '\u{3400}'..='\u{9fff}' {
            for (_, said) in quartet_chinese_g2p::reading(&character.to_string()) {
                let Some(said) = said else { continue };
                let odd = ["m", "n", "ng", "hm", "hng", "ê"].contains(&said.letters.as_str());
                assert!(
                    odd || syllable(&said.letters, said.tone).is_some(),
                    "{character} {said}"
                );
            }
        }
        for (phrase, reading) in quartet_chinese_g2p::phrases() {
            for said in reading {
                assert!(syllable(&said.letters, said.tone).is_some(), "{phrase} {said}");
            }
        }
    }
}
