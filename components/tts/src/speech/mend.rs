//! What the engine's rules for Japanese get wrong, put right in the codes.
//!
//! - リャ, リュ and リョ come out with an *a* before their vowel: 旅行 would be *ryaokoo*.
//! - ッ before a *p* comes out as an *h*: it is the *p* held.

use espeak_ng::{PhonemeCode, PhonemeData};

/// Mends the codes of Japanese text. `sounds` has the Japanese table in use.
pub fn japanese(codes: &mut Vec<PhonemeCode>, sounds: &PhonemeData) {
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

    use crate::speech::{engine, phrase};
    use crate::text::{Clause, Ending, Pause, Span};

    /// The names of the sounds of a text, without stress.
    fn sounds_of(text: &str) -> Vec<String> {
        let clause = Clause {
            spans: vec![Span {
                language: Language::Japanese,
                text: text.to_owned(),
            }],
            ending: Ending::Statement,
            pause: Pause::Sentence,
        };
        let phrases = phrase::translate(&[clause]).remove(0);
        let sounds = engine::sounds_of(Language::Japanese);
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
            let sounds = sounds_of(text);
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
            let sounds = sounds_of(text);
            assert!(sounds.windows(2).any(|pair| pair == ["p", "p"]), "{text}: {sounds:?}");
            assert!(!sounds.iter().any(|name| name == "h"), "{text}: {sounds:?}");
        }
    }
}
