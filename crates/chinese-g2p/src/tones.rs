//! Tones as they are said: 一 and 不 go by what follows, and a low tone before another one rises.

use crate::syllable::Syllable;

/// Digits as numbers and years are written with them.
const DIGITS: &str = "〇零一二三四五六七八九";

/// Powers of ten that 一 counts: 一百 is said as 一天 is.
const POWERS: &str = "百千万亿";

/// Words at whose end 一 has its own tone, without it.
const BEFORE_ONE: &[&str] = &[
    "星期", "礼拜", "周", "统", "唯", "惟", "单", "之", "专", "划", "逐", "合", "归",
];

/// Characters with which 一 begins a word, even behind one of those: 唯一一个, 一周一次.
const COUNTED: &str = "个次下共起切样直般";

/// Characters that make an ordinal of 一 before them: 一月 is January, 一楼 the first floor.
const ORDINALS: &[&str] = &["月", "号", "楼", "级", "年级", "等奖"];

/// Changes the tones of a text's syllables to those that are said.
pub fn settle(syllables: &mut [(char, Option<Syllable>)]) {
    let tone = |index: usize| {
        let (_, syllable): &(char, Option<Syllable>) = syllables.get(index)?;
        syllable.as_ref().map(|syllable| syllable.tone)
    };
    let said: Vec<Option<u8>> = (0..syllables.len())
        .map(|index| match (syllables[index].0, tone(index)?, tone(index + 1)) {
            ('一', 1..=4, _) if by_itself(syllables, index) => Some(1),
            ('一' | '不', 1..=4, Some(4)) => Some(2),
            ('一', 1..=4, Some(1..=3)) | ('不', 1..=4, _) => Some(4),
            ('一', 1..=4, _) => Some(1),
            (_, 3, Some(3)) => Some(2),
            (_, tone, _) => Some(tone),
        })
        .collect();
    for ((_, syllable), said) in syllables.iter_mut().zip(said) {
        if let (Some(syllable), Some(said)) = (syllable, said) {
            syllable.tone = said;
        }
    }
}

/// Returns true if the 一 at `index` is a digit, an ordinal, or the end of a word.
fn by_itself(syllables: &[(char, Option<Syllable>)], index: usize) -> bool {
    let character = |(character, _): &(char, Option<Syllable>)| *character;
    let before: Vec<char> = syllables[index.saturating_sub(2)..index]
        .iter()
        .map(character)
        .collect();
    let after: Vec<char> = syllables[index + 1..].iter().take(2).map(character).collect();
    let behind = |word: &str| before.ends_with(&word.chars().collect::<Vec<_>>());
    let ahead = |word: &str| after.starts_with(&word.chars().collect::<Vec<_>>());
    let digit = |character: &char| DIGITS.contains(*character);
    let next = after.first().copied();
    let counts = |counted: &str| next.is_some_and(|next| counted.contains(next));
    match before[..] {
        [.., '十'] => return true,
        [.., '第' | '初' | '百' | '千' | '万' | '亿'] if !counts(POWERS) => return true,
        // Decimals, and not a quarter past.
        [hour, '点'] if digit(&hour) && next != Some('刻') => return true,
        [.., '月'] if next == Some('日') => return true,
        [.., '一'] if counts(COUNTED) => return false,
        [.., last] if digit(&last) && !counts(POWERS) => return true,
        _ => {}
    }
    match after[..] {
        [next, ..] if digit(&next) => true,
        ['点', next] if digit(&next) => true,
        ['十', ..] => true,
        _ if ORDINALS.iter().any(|word| ahead(word)) => true,
        _ => BEFORE_ONE.iter().any(|word| behind(word)) && !counts(COUNTED),
    }
}
