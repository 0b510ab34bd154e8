//! Readings of characters in pinyin: the longest phrase that begins at a character, else the character by itself.
//!
//! The phrases are in simplified characters. A text with traditional ones is looked up in both, and read as it is written: 髮 is *fà*,
//! though it becomes the 发 of 发现.
//!
//! The build script has this file, too: it keeps only the phrases that are not read so without them.

use pinyin::{ToPinyin, ToPinyinMulti};

use crate::syllable::Syllable;

/// Characters of the longest phrases.
pub const LONGEST: usize = 8;

/// Verbs before which 地 behind a word makes an adverb of it.
const BEFORE_VERBS: &str = "说问答笑哭喊叫走跑看听想做写读讲告吃喝睡坐站来去回";

/// The characters of a text, with the readings of those that have one. `phrase` has the readings of a phrase or character,
/// with a space between them, and `simplified` what a traditional character has become.
pub fn readings_by<S: AsRef<str>>(
    text: &str,
    phrase: impl Fn(&str) -> Option<S>,
    simplified: impl Fn(char) -> char,
) -> Vec<(char, Option<Syllable>)> {
    let is_traditional = text.chars().any(|character| simplified(character) != character);
    let phrase = |word: &str| match is_traditional {
        true => in_both(word, &phrase, &simplified),
        false => phrase(word),
    };
    let mut readings: Vec<(char, Option<Syllable>)> = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let known = longest(rest, &phrase);
        let word = known.as_ref().map_or(&rest[..character.len_utf8()], |(word, _)| *word);
        rest = &rest[word.len()..];
        if word == "地" && makes_adverb(&readings, rest) {
            readings.push((character, Some(Syllable::new("de5"))));
        } else if let Some((_, found)) = known {
            let syllables = found.as_ref().split(' ').map(|written| Some(Syllable::new(written)));
            readings.extend(word.chars().zip(syllables));
        } else {
            // The table has the usual reading of 兴 first, and another one of 興.
            let other = simplified(character);
            let is_read_so = other == character || is_read_otherwise(character, other);
            readings.push((character, usual(if is_read_so { character } else { other })));
        }
    }
    readings
}

/// The usual reading of a character by itself.
fn usual(character: char) -> Option<Syllable> {
    let reading = character.to_pinyin()?;
    Some(Syllable::new(reading.with_tone_num_end()))
}

/// All readings of a character.
fn all(character: char) -> impl Iterator<Item = Syllable> {
    let readings = character.to_pinyin_multi().into_iter().flatten();
    readings.map(|reading| Syllable::new(reading.with_tone_num_end()))
}

/// The reading of a word of a traditional text, as it stands there or in simplified characters.
fn in_both<S>(word: &str, phrase: &impl Fn(&str) -> Option<S>, simplified: &impl Fn(char) -> char) -> Option<S> {
    let other: String = word.chars().map(simplified).collect();
    let mut alone = word.chars();
    if let (Some(character), None) = (alone.next(), alone.next())
        && is_read_otherwise(character, simplified(character))
    {
        return phrase(word);
    }
    // 著 is the 着 of 看着, but for words such as 著名, which it is written with everywhere.
    let as_particle = || phrase(&other.replace('著', "着"));
    phrase(word).or_else(|| phrase(&other)).or_else(as_particle)
}

/// Returns true if what a traditional character has become is usually read otherwise than it may be: 隻 is *zhī*, 只 is *zhǐ*.
fn is_read_otherwise(traditional: char, simplified: char) -> bool {
    let usual = usual(simplified);
    !usual.is_some_and(|usual| all(traditional).any(|reading| reading == usual))
}

/// The longest phrase that the text begins with.
fn longest<'t, S>(text: &'t str, phrase: &impl Fn(&str) -> Option<S>) -> Option<(&'t str, S)> {
    let ideographs = text
        .char_indices()
        .take(LONGEST)
        .take_while(|(_, character)| is_ideograph(*character));
    let ends: Vec<usize> = ideographs.map(|(at, character)| at + character.len_utf8()).collect();
    let mut words = ends.into_iter().rev().map(|end| &text[..end]);
    words.find_map(|word| phrase(word).map(|reading| (word, reading)))
}

/// Returns true for what phrases are made of, 〇 among it.
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3007}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..)
}

/// Returns true if 地 behind `before` and in front of `after` is the particle: behind a doubled character, as in 慢慢地走, or
/// between a word and a verb.
fn makes_adverb(before: &[(char, Option<Syllable>)], after: &str) -> bool {
    let Some(next) = after.chars().next().filter(|next| is_ideograph(*next)) else {
        return false;
    };
    match before {
        [.., (third, _), (second, _)] if third == second => true,
        [.., (_, Some(_)), (_, Some(_))] => BEFORE_VERBS.contains(next),
        _ => false,
    }
}
