//! Katakana as the speech engine pronounces them: it knows fewer combinations than the script has.

/// Combinations that the engine reads wrongly (it drops the small kana), and the nearest ones that it reads.
const REPLACEMENTS: &[(&str, &str)] = &[
    ("クヮ", "クァ"),
    ("グヮ", "グァ"),
    ("フュ", "ヒュ"),
    ("フョ", "ヒョ"),
    ("フャ", "ヒャ"),
    ("ヴャ", "ビャ"),
    ("ヴョ", "ビョ"),
    ("スィ", "シ"),
    ("ズィ", "ジ"),
    ("ウァ", "ワ"),
    ("ウュ", "ユ"),
    ("ヂェ", "ジェ"),
    ("ヂャ", "ジャ"),
    ("ヂュ", "ジュ"),
    ("ヂョ", "ジョ"),
    ("ヰ", "イ"),
    ("ヱ", "エ"),
    ("ヲ", "オ"),
    ("ヷ", "ヴァ"),
    ("ヸ", "ヴィ"),
    ("ヹ", "ヴェ"),
    ("ヺ", "ヴォ"),
    ("ヮ", "ワ"),
    ("ヵ", "カ"),
    ("ヶ", "ケ"),
];

/// Two kana that the engine joins into one sound, beside those with a small ャ, ュ or ョ, which it all knows.
const COMBINATIONS: &[&str] = &[
    "シェ", "ジェ", "チェ", "ツァ", "ツィ", "ツェ", "ツォ", "ティ", "ディ", "トゥ", "ドゥ", "ファ", "フィ", "フェ",
    "フォ", "ヴァ", "ヴィ", "ヴェ", "ヴォ", "ウィ", "ウェ", "ウォ", "イェ", "クァ", "クィ", "クェ", "クォ", "グァ",
    "グィ", "グェ", "グォ",
];

/// The same text in katakana that the engine reads.
///
/// Small vowels that belong to no combination lengthen the vowel before them or stand for the large ones; the engine
/// would not say them.
pub fn for_engine(text: &str) -> String {
    let mut replaced = text.to_owned();
    for (from, to) in REPLACEMENTS {
        if replaced.contains(from) {
            replaced = replaced.replace(from, to);
        }
    }
    let mut said = String::with_capacity(replaced.len());
    let mut before = None;
    for kana in replaced.chars() {
        let large = match kana {
            'ァ' => 'ア',
            'ィ' => 'イ',
            'ゥ' => 'ウ',
            'ェ' => 'エ',
            'ォ' => 'オ',
            _ => kana,
        };
        let joined = before.is_some_and(|before| COMBINATIONS.iter().any(|joined| joined.chars().eq([before, kana])));
        if large == kana || joined {
            said.push(kana);
        } else if before.and_then(vowel) == Some(large) {
            said.push('ー');
        } else {
            said.push(large);
        }
        before = Some(kana);
    }
    said
}

/// Hiragana as katakana; everything else as it is.
pub fn katakana(character: char) -> char {
    match character {
        'ぁ'..='ゖ' => char::from_u32(u32::from(character) + u32::from('ァ') - u32::from('ぁ')).unwrap_or(character),
        _ => character,
    }
}

/// The vowel that a katakana ends with.
fn vowel(kana: char) -> Option<char> {
    let rows = [
        ('ア', "アカサタナハマヤラワガザダバパァャ"),
        ('イ', "イキシチニヒミリギジヂビピィ"),
        ('ウ', "ウクスツヌフムユルグズヅブプゥュヴ"),
        ('エ', "エケセテネヘメレゲゼデベペェ"),
        ('オ', "オコソトノホモヨロゴゾドボポォョ"),
    ];
    rows.into_iter()
        .find(|(_, row)| row.contains(kana))
        .map(|(vowel, _)| vowel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_vowels() {
        assert_eq!(for_engine("ファイル"), "ファイル");
        assert_eq!(for_engine("ニェット"), "ニエット");
        assert_eq!(for_engine("ワァッ"), "ワーッ");
        assert_eq!(for_engine("クヮルテット"), "クァルテット");
        assert_eq!(for_engine("ァ"), "ア");
    }

    #[test]
    fn scripts() {
        assert_eq!("がっこうゔゖ".chars().map(katakana).collect::<String>(), "ガッコウヴヶ");
    }
}
