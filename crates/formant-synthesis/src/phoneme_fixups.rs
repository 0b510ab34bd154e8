//! Corrections of phoneme codes that the engine's rules get wrong.
//!
//! - Japanese リャ, リュ and リョ come out with an *a* before their vowel: 旅行 would be *ryaokoo*.
//! - Japanese ッ before a *p* comes out as an *h*: it is the *p* held.
//! - Arabic اء after ص, ض, ط or ظ comes out without its long *a* in words that are not in the dictionary: أعضاء would
//!   be *aʿḍʾ*.

use espeak_ng::phoneme::{PHON_END_WORD, PHON_LENGTHEN, PHON_STRESS_P};
use espeak_ng::{PhonemeCode, PhonemeData};
use quartet_api::Language;

use super::engine;

/// Corrects the codes of a text.
pub fn fix(language: Language, text: &str, codes: &mut Vec<PhonemeCode>) {
    match language {
        Language::Japanese => japanese(codes, &engine::sounds_of(language)),
        Language::Arabic if loses_a_vowel(text) => arabic(codes, &engine::sounds_of(language)),
        _ => {}
    }
}

/// Returns true if an Arabic text has the spelling in question, and none with the same codes (as in بطء).
fn loses_a_vowel(text: &str) -> bool {
    let after = |end: &str| {
        let mut places = text.match_indices(end).map(|(at, _)| &text[..at]);
        places.any(|before| before.ends_with(['ص', 'ض', 'ط', 'ظ']))
    };
    after("اء") && !after("ء")
}

/// Inserts the long vowel where a closed glottis follows an emphatic consonant, and stresses it, as eSpeak NG does.
fn arabic(codes: &mut Vec<PhonemeCode>, sounds: &PhonemeData) {
    let emphatic = ["s[", "dH", "t[", "Z"].map(|name| sounds.lookup_phoneme(name));
    let [glottis, vowel] = ["?", "a."].map(|name| sounds.lookup_phoneme(name));
    let is_sound = |code: &PhonemeCode| !code.is_boundary && code.marker.is_none();
    let ends_word = |code: &PhonemeCode| !is_sound(code) || code.code == PHON_END_WORD;
    let mut index = 1;
    while index < codes.len() {
        let [before, own] = [&codes[index - 1], &codes[index]];
        if is_sound(before) && is_sound(own) && own.code == glottis && emphatic.contains(&before.code) {
            let start = codes[..index].iter().rposition(ends_word).map_or(0, |last| last + 1);
            let end = codes[index..]
                .iter()
                .position(ends_word)
                .map_or(codes.len(), |by| index + by);
            let sound = |code| PhonemeCode {
                code,
                ..codes[index].clone()
            };
            let mut word: Vec<PhonemeCode> = codes[start..index].to_vec();
            word.extend([PHON_STRESS_P, vowel, PHON_LENGTHEN].map(sound));
            word.extend_from_slice(&codes[index..end]);
            let stressed = index - start;
            let mut place = 0;
            word.retain(|code| {
                place += 1;
                code.code != PHON_STRESS_P || place - 1 == stressed
            });
            index = start + word.len();
            codes.splice(start..end, word);
        }
        index += 1;
    }
}

/// Corrects the codes of Japanese text. `sounds` has the Japanese table in use.
fn japanese(codes: &mut Vec<PhonemeCode>, sounds: &PhonemeData) {
    let [flap, glide, a, h, p] = ["r`", "_j", "a", "h", "p"].map(|name| sounds.lookup_phoneme(name));
    let is = |code: Option<&PhonemeCode>, sound: u8| {
        code.is_some_and(|code| code.code == sound && !code.is_boundary && code.marker.is_none())
    };
    let mut index = 0;
    while index < codes.len() {
        if is(codes.get(index), flap) && is(codes.get(index + 1), glide) {
            let vowel = index + 2 + codes[index + 2..].iter().take_while(|code| is_stress(code)).count();
            if is(codes.get(vowel), a) {
                codes.remove(vowel);
            }
        } else if is(codes.get(index), h) && is(codes.get(index + 1), p) {
            codes[index].code = p;
        }
        index += 1;
    }
}

/// The first codes are marks of stress.
fn is_stress(code: &PhonemeCode) -> bool {
    (1..=8).contains(&code.code) && !code.is_boundary && code.marker.is_none()
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use crate::{engine, phrase};
    use quartet_text_normalization::{Clause, Ending, Pause, Span};

    /// The names of the sounds of a text, without stress.
    fn sounds_of(language: Language, text: &str) -> Vec<String> {
        let clause = Clause {
            spans: vec![Span {
                language,
                text: text.to_owned(),
            }],
            ending: Ending::Statement,
            pause: Pause::Sentence,
        };
        let phrases = phrase::translate(&[clause]).remove(0);
        let sounds = engine::sounds_of(language);
        let codes = phrases
            .iter()
            .flat_map(|phrase| &phrase.codes)
            .filter(|code| !code.is_boundary && code.code > 8);
        codes
            .filter_map(|code| sounds.get(code.code))
            .map(|sound| sound.mnemonic_str())
            .collect()
    }

    #[test]
    fn a_palatal_r_has_one_vowel() {
        for (text, vowels) in [
            ("旅行", vec!["o", "o"]),
            ("料理", vec!["o", "i"]),
            ("流行", vec!["u", "o"]),
            ("リャマ", vec!["a", "a"]),
        ] {
            let sounds = sounds_of(Language::Japanese, text);
            let found: Vec<_> = sounds
                .iter()
                .filter_map(|name| "aiueo".chars().find(|vowel| name.to_lowercase().starts_with(*vowel)))
                .collect();
            let expected: Vec<_> = vowels.iter().filter_map(|vowel| vowel.chars().next()).collect();
            assert_eq!(found, expected, "{text}: {sounds:?}");
        }
    }

    #[test]
    fn a_held_p_is_a_p() {
        for text in ["出発", "切符"] {
            let sounds = sounds_of(Language::Japanese, text);
            assert!(sounds.windows(2).any(|pair| pair == ["p", "p"]), "{text}: {sounds:?}");
            assert!(!sounds.iter().any(|name| name == "h"), "{text}: {sounds:?}");
        }
    }

    #[test]
    fn arabic_words_keep_their_long_vowel() {
        for (text, expected) in [
            ("أعضاء", "? A dH a. : ?"),
            ("بيضاء", "b i : dH a. : ?"),
            ("الأخطاء", "? a l/ ? X t[ a. : ?"),
            // In the dictionary, which gives the vowel.
            ("فضاء", "f a dH a : ?"),
            // Without such a vowel.
            ("بطء", "b u t[ ?"),
        ] {
            assert_eq!(sounds_of(Language::Arabic, text).join(" "), expected, "{text}");
        }
    }
}
