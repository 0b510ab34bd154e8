//! Readings of characters in pinyin: the longest phrase that begins at a character, else the character by itself.
//!
//! The build script has this file, too: it keeps only the phrases that are not read so without them.

use pinyin::ToPinyin;

use crate::syllable::Syllable;

/// Characters of the longest phrases.
pub const LONGEST: usize = 8;

/// Verbs before which 地 behind a word makes an adverb of it.
const BEFORE_VERBS: &str = "说问答笑哭喊叫走跑看听想做写读讲告吃喝睡坐站来去回";

/// The characters of a text, with the readings of those that have one. `phrase` has the readings of a phrase or character,
/// with a space between them.
pub fn readings_by<S: AsRef<str>>(text: &str, phrase: impl Fn(&str) -> Option<S>) -> Vec<(char, Option<Syllable>)> {
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
            let usual = character
                .to_pinyin()
                .map(|reading| Syllable::new(reading.with_tone_num_end()));
            readings.push((character, usual));
        }
    }
    readings
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
