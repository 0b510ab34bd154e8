//! Brings text into the spelling of the dictionary: full-width letters and digits, composed kana, no half-width katakana,
//! no ligatures, and clock times in words, which the dictionary's rules for numbers do not know.

use unicode_normalization::UnicodeNormalization;

/// The text in the spelling of the dictionary.
pub fn normalise(text: &str) -> String {
    let mut compatible = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // Their compatibility forms are a space and a combining mark, or several marks of punctuation.
            '゛' => compatible.push('\u{3099}'),
            '゜' => compatible.push('\u{309a}'),
            '…' | '‥' | '´' | '¨' | '℃' => compatible.push(character),
            '°' | '℉' => compatible.push('度'),
            '№' => compatible.push_str("ナンバー"),
            // Two in a row are not one number.
            '①'..='⑳' => {
                compatible.extend(std::iter::once(character).nfkc());
                compatible.push(' ');
            }
            _ => compatible.extend(std::iter::once(character).nfkc()),
        }
    }
    let composed: Vec<char> = compatible.nfc().map(full_width).collect();
    let repeated = repeat(composed);
    clock_times(&minutes(repeated))
}

/// The full-width form that the dictionary knows.
fn full_width(character: char) -> char {
    match character {
        '-' | '\u{2010}'..='\u{2012}' => '−',
        '~' => '〜',
        '\\' | '¥' => '￥',
        '"' => '”',
        '\'' => '’',
        '`' => '‘',
        '\u{2014}' | '\u{2015}' => '―',
        '!'..='}' => char::from_u32(u32::from(character) + 0xfee0).unwrap_or(character),
        _ => character,
    }
}

/// Replaces the marks ゝ, ゞ, ヽ and ヾ by the kana they repeat. The dictionary knows 々.
fn repeat(text: Vec<char>) -> Vec<char> {
    let mut done: Vec<char> = Vec::with_capacity(text.len());
    for character in text {
        let repeated = match (character, done.last()) {
            ('ゝ' | 'ヽ', Some(kana)) if is_kana(*kana) => unvoiced(*kana),
            ('ゞ' | 'ヾ', Some(kana)) if is_kana(*kana) => voiced(unvoiced(*kana)),
            _ => character,
        };
        done.push(repeated);
    }
    done
}

/// Writes the minutes of a time of day in digits ("三時十五分"), because in characters 五分 is also a measure (ゴブ).
fn minutes(text: Vec<char>) -> Vec<char> {
    const DIGITS: &str = "〇一二三四五六七八九";
    let mut done: Vec<char> = Vec::with_capacity(text.len());
    let mut index = 0;
    while index < text.len() {
        let after_hour = index > 0 && text[index - 1] == '時';
        let number: Vec<char> = text[index..]
            .iter()
            .take(4)
            .take_while(|character| **character == '十' || DIGITS.contains(**character))
            .copied()
            .collect();
        if after_hour && (1..=3).contains(&number.len()) && text.get(index + number.len()) == Some(&'分') {
            let value = |character: char| DIGITS.chars().position(|digit| digit == character).unwrap_or(1);
            let tens = number.iter().position(|character| *character == '十');
            let minutes = match tens {
                Some(0) => 10 + number.get(1).map_or(0, |ones| value(*ones)),
                Some(at) => value(number[at - 1]) * 10 + number.get(at + 1).map_or(0, |ones| value(*ones)),
                None => number.iter().fold(0, |sum, digit| sum * 10 + value(*digit)),
            };
            done.extend(minutes.to_string().chars().map(full_width));
            index += number.len();
        } else {
            done.push(text[index]);
            index += 1;
        }
    }
    done
}

fn is_kana(character: char) -> bool {
    matches!(character, 'ぁ'..='ゔ' | 'ァ'..='ヴ')
}

fn voiced(kana: char) -> char {
    [kana, '\u{3099}'].into_iter().nfc().next().unwrap_or(kana)
}

fn unvoiced(kana: char) -> char {
    std::iter::once(kana).nfd().next().unwrap_or(kana)
}

/// The greatest length of a time: hours, minutes, seconds, and one more to see that nothing follows.
const MAX_TIME_CHARS: usize = 9;

/// Writes 14:30 as 14時30分 and 14:30:05 as 14時30分5秒, in full-width digits.
fn clock_times(text: &[char]) -> String {
    let mut done = String::with_capacity(text.len() * 3);
    let mut index = 0;
    while index < text.len() {
        if let Some((said, length)) = clock_time(text, index) {
            done.push_str(&said);
            index += length;
        } else {
            done.push(text[index]);
            index += 1;
        }
    }
    done
}

/// The clock time at that index: in words, and its length.
fn clock_time(text: &[char], index: usize) -> Option<(String, usize)> {
    let joins = |character: &char| is_digit(*character) || matches!(character, '：' | '．' | '／');
    if index > 0 && joins(&text[index - 1]) {
        return None;
    }
    let longest = &text[index..text.len().min(index + MAX_TIME_CHARS)];
    let numbers = longest.split(|character| *character == '：').take(4);
    let mut fields = Vec::new();
    for number in numbers {
        let digits = number.iter().take_while(|digit| is_digit(**digit)).count();
        fields.push((digits, value(&number[..digits])));
        if digits < number.len() {
            break;
        }
    }
    let (&(first, hours), rest) = fields.split_first()?;
    let length = first + rest.len() * 3;
    let whole = (1..=2).contains(&first)
        && hours <= 24
        && (1..=2).contains(&rest.len())
        && rest.iter().all(|&(digits, value)| digits == 2 && value < 60)
        && !text.get(index + length).is_some_and(joins);
    if !whole {
        return None;
    }
    let mut said = format!("{hours}時");
    let units = if rest.len() == 1 && rest[0].1 == 0 {
        &[][..]
    } else {
        &["分", "秒"][..]
    };
    for (&(_, value), unit) in rest.iter().zip(units) {
        said.push_str(&format!("{value}{unit}"));
    }
    Some((said.chars().map(full_width).collect(), length))
}

fn is_digit(character: char) -> bool {
    ('０'..='９').contains(&character)
}

fn value(digits: &[char]) -> u32 {
    digits
        .iter()
        .take(3)
        .fold(0, |value, digit| value * 10 + (u32::from(*digit) - u32::from('０')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_composition() {
        assert_eq!(normalise("ｶﾞｷﾞｸﾞ ﾊﾟﾋﾟ"), "ガギグ\u{3000}パピ".replace('\u{3000}', " "));
        assert_eq!(normalise("abc-123%"), "ａｂｃ−１２３％");
        assert_eq!(normalise("か\u{3099}は゜"), "がぱ");
        assert_eq!(normalise("㌔㍉㈱①②"), "キロミリ（株）１ ２ ");
        assert_eq!(normalise("…、。"), "…、。");
    }

    #[test]
    fn repetition_of_kana() {
        assert_eq!(normalise("こゝろ すゞめ いすゞ バナヽ"), "こころ すずめ いすず バナナ");
        assert_eq!(normalise("ゞ"), "ゞ");
        assert_eq!(normalise("じゝ"), "じし");
    }

    #[test]
    fn times() {
        assert_eq!(normalise("14:30に"), "１４時３０分に");
        assert_eq!(normalise("9:00〜17:05"), "９時〜１７時５分");
        assert_eq!(normalise("23:59:08"), "２３時５９分８秒");
        assert_eq!(normalise("三時十五分"), "三時１５分");
        assert_eq!(normalise("七時五分前"), "七時５分前");
        assert_eq!(normalise("五分咲き"), "五分咲き");
        assert_eq!(normalise("1:2"), "１：２");
        assert_eq!(normalise("25:00"), "２５：００");
        assert_eq!(normalise("12:34:56:78"), "１２：３４：５６：７８");
        assert_eq!(normalise("10:123"), "１０：１２３");
    }
}
