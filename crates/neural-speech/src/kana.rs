//! Katakana in the model's symbols.
//!
//! The model learned Japanese in a phonetic notation of its own, a symbol or two for each kana, which the tables have as
//! its front end (misaki, Apache-2.0) defines it; ッ is a stop of the glottis, ン sounds like the place of what follows.

/// Two kana that are one sound.
const PAIRS: &[(&str, &str)] = &[
    ("イェ", "je"),
    ("ウィ", "βi"),
    ("ウェ", "βe"),
    ("ウォ", "βo"),
    ("キェ", "kʲe"),
    ("キャ", "kʲa"),
    ("キュ", "kʲɨ"),
    ("キョ", "kʲo"),
    ("ギャ", "ɡʲa"),
    ("ギュ", "ɡʲɨ"),
    ("ギョ", "ɡʲo"),
    ("クァ", "kᵝa"),
    ("クィ", "kᵝi"),
    ("クェ", "kᵝe"),
    ("クォ", "kᵝo"),
    ("グァ", "ɡᵝa"),
    ("グィ", "ɡᵝi"),
    ("グェ", "ɡᵝe"),
    ("グォ", "ɡᵝo"),
    ("シェ", "ɕe"),
    ("シャ", "ɕa"),
    ("シュ", "ɕɨ"),
    ("ショ", "ɕo"),
    ("ジェ", "ʥe"),
    ("ジャ", "ʥa"),
    ("ジュ", "ʥɨ"),
    ("ジョ", "ʥo"),
    ("チェ", "ʨe"),
    ("チャ", "ʨa"),
    ("チュ", "ʨɨ"),
    ("チョ", "ʨo"),
    ("ヂャ", "ʥa"),
    ("ヂュ", "ʥɨ"),
    ("ヂョ", "ʥo"),
    ("ツァ", "ʦa"),
    ("ツィ", "ʦʲi"),
    ("ツェ", "ʦe"),
    ("ツォ", "ʦo"),
    ("ティ", "tʲi"),
    ("テュ", "tʲɨ"),
    ("ディ", "dʲi"),
    ("デュ", "dʲɨ"),
    ("トゥ", "tɯ"),
    ("ドゥ", "dɯ"),
    ("ニェ", "ɲe"),
    ("ニャ", "ɲa"),
    ("ニュ", "ɲɨ"),
    ("ニョ", "ɲo"),
    ("ヒェ", "çe"),
    ("ヒャ", "ça"),
    ("ヒュ", "çɨ"),
    ("ヒョ", "ço"),
    ("ビャ", "bʲa"),
    ("ビュ", "bʲɨ"),
    ("ビョ", "bʲo"),
    ("ピャ", "pʲa"),
    ("ピュ", "pʲɨ"),
    ("ピョ", "pʲo"),
    ("ファ", "ɸa"),
    ("フィ", "ɸʲi"),
    ("フェ", "ɸe"),
    ("フォ", "ɸo"),
    ("フュ", "ɸʲɨ"),
    ("フョ", "ɸʲo"),
    ("ミャ", "mʲa"),
    ("ミュ", "mʲɨ"),
    ("ミョ", "mʲo"),
    ("リャ", "ɾʲa"),
    ("リュ", "ɾʲɨ"),
    ("リョ", "ɾʲo"),
    ("ヴァ", "va"),
    ("ヴィ", "vʲi"),
    ("ヴェ", "ve"),
    ("ヴォ", "vo"),
    ("ヴュ", "bʲɨ"),
    ("ヴョ", "bʲo"),
];

/// Kana by themselves.
const SINGLE: &[(&str, &str)] = &[
    ("ァ", "a"),
    ("ア", "a"),
    ("ィ", "i"),
    ("イ", "i"),
    ("ゥ", "ɯ"),
    ("ウ", "ɯ"),
    ("ェ", "e"),
    ("エ", "e"),
    ("ォ", "o"),
    ("オ", "o"),
    ("カ", "ka"),
    ("ガ", "ɡa"),
    ("キ", "kʲi"),
    ("ギ", "ɡʲi"),
    ("ク", "kɯ"),
    ("グ", "ɡɯ"),
    ("ケ", "ke"),
    ("ゲ", "ɡe"),
    ("コ", "ko"),
    ("ゴ", "ɡo"),
    ("サ", "sa"),
    ("ザ", "ʣa"),
    ("シ", "ɕi"),
    ("ジ", "ʥi"),
    ("ス", "sɨ"),
    ("ズ", "zɨ"),
    ("セ", "se"),
    ("ゼ", "ʣe"),
    ("ソ", "so"),
    ("ゾ", "ʣo"),
    ("タ", "ta"),
    ("ダ", "da"),
    ("チ", "ʨi"),
    ("ヂ", "ʥi"),
    ("ツ", "ʦɨ"),
    ("ヅ", "zɨ"),
    ("テ", "te"),
    ("デ", "de"),
    ("ト", "to"),
    ("ド", "do"),
    ("ナ", "na"),
    ("ニ", "ɲi"),
    ("ヌ", "nɯ"),
    ("ネ", "ne"),
    ("ノ", "no"),
    ("ハ", "ha"),
    ("バ", "ba"),
    ("パ", "pa"),
    ("ヒ", "çi"),
    ("ビ", "bʲi"),
    ("ピ", "pʲi"),
    ("フ", "ɸɯ"),
    ("ブ", "bɯ"),
    ("プ", "pɯ"),
    ("ヘ", "he"),
    ("ベ", "be"),
    ("ペ", "pe"),
    ("ホ", "ho"),
    ("ボ", "bo"),
    ("ポ", "po"),
    ("マ", "ma"),
    ("ミ", "mʲi"),
    ("ム", "mɯ"),
    ("メ", "me"),
    ("モ", "mo"),
    ("ャ", "ja"),
    ("ヤ", "ja"),
    ("ュ", "jɯ"),
    ("ユ", "jɯ"),
    ("ョ", "jo"),
    ("ヨ", "jo"),
    ("ラ", "ɾa"),
    ("リ", "ɾʲi"),
    ("ル", "ɾɯ"),
    ("レ", "ɾe"),
    ("ロ", "ɾo"),
    ("ヮ", "βa"),
    ("ワ", "βa"),
    ("ヰ", "i"),
    ("ヱ", "e"),
    ("ヲ", "o"),
    ("ヴ", "vɯ"),
    ("ヵ", "ka"),
    ("ヶ", "ke"),
    ("ヷ", "va"),
    ("ヸ", "vʲi"),
    ("ヹ", "ve"),
    ("ヺ", "vo"),
];

/// A reading in katakana, with ー for long vowels and spaces between phrases, in symbols.
pub fn symbols(reading: &str) -> String {
    let mut symbols = String::new();
    let mut rest = reading;
    while let Some(first) = rest.chars().next() {
        let (sound, length) = match sound(rest) {
            Some(found) => found,
            None => (mark(first, &rest[first.len_utf8()..]), first.len_utf8()),
        };
        symbols.push_str(sound);
        rest = &rest[length..];
    }
    symbols
}

/// The sound that a reading begins with, and its length in bytes.
fn sound(reading: &str) -> Option<(&'static str, usize)> {
    let mut both = PAIRS.iter().chain(SINGLE);
    let (kana, sound) = both.find(|(kana, _)| reading.starts_with(kana))?;
    Some((sound, kana.len()))
}

/// Signs that have no sound by themselves.
fn mark(character: char, next: &str) -> &'static str {
    match character {
        'ー' => "ː",
        'ッ' => "ʔ",
        'ン' => match sound(next).map_or("", |(sound, _)| sound) {
            sound if sound.starts_with(['m', 'p', 'b']) => "m",
            sound if sound.starts_with(['k', 'ɡ']) => "ŋ",
            sound if sound.starts_with(['ɲ', 'ʨ', 'ʥ']) => "ɲ",
            sound if sound.starts_with(['n', 't', 'd', 'ɾ', 'z']) => "n",
            _ => "ɴ",
        },
        ' ' | '\u{3000}' | '・' => " ",
        '、' | '，' => ",",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_become_symbols() {
        for (reading, expected) in [
            ("キョー", "kʲoː"),
            ("シンブン", "ɕimbɯɴ"),
            ("ガッコー ニ", "ɡaʔkoː ɲi"),
            ("センセー", "seɴseː"),
            ("？", ""),
        ] {
            assert_eq!(symbols(reading), expected, "{reading}");
        }
    }
}
