//! Readings of Arabic text (grapheme to phoneme). Arabic is written without its short vowels, doubled letters are not marked,
//! and a reader knows them: [`vowelled`] asks a network for them, and [`reading`] turns text that has them into sounds.
//!
//! ```
//! let said = quartet_arabic_g2p::reading("فِي الْبَيْتِ الْكَبِيرِ", str::to_owned);
//! assert_eq!(said, "fˈil bˈajtil kabˈiːr");
//! ```

mod letters;
mod numbers;
mod sounds;
#[cfg(test)]
mod tests;
mod vowels;
mod word;

use letters::Vowel;
use sounds::{Length, Sound};
pub use vowels::{GRAPH, vowelled};
use word::Word;

/// A word of a text: its sounds, or what somebody else says of it.
enum Said {
    Sounds(Vec<Sound>),
    Other(String),
}

/// The sounds of a text with its marks, in the International Phonetic Alphabet: a word of it for each of the text, `ˈ` before
/// stressed vowels. The text is said in one breath, with a pause behind it. `other` gives the sounds of what is neither a word
/// in Arabic letters nor a number that text normalisation leaves in digits.
pub fn reading(text: &str, other: impl Fn(&str) -> String) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let mut said = Vec::with_capacity(words.len());
    for (index, written) in words.iter().enumerate() {
        let word = numbers::word(written).and_then(|word| word::read(word, index + 1 == words.len()));
        let word = match word {
            Some(Word { mut sounds, joins }) => {
                if let Some(vowel) = joins {
                    join(said.last_mut(), vowel, &mut sounds);
                }
                Said::Sounds(sounds)
            }
            None => Said::Other(other(written)),
        };
        said.push(word);
    }
    let said = said.into_iter().map(|word| match word {
        Said::Sounds(sounds) => sounds::write(&sounds),
        Said::Other(said) => said,
    });
    let said: Vec<_> = said.filter(|word| !word.is_empty()).collect();
    said.join(" ")
}

/// Joins a word that begins with `vowel` where no vowel is before it to the word before. The first of the two consonants behind
/// that vowel closes the syllable before it, in which it is heard.
fn join(before: Option<&mut Said>, vowel: Vowel, sounds: &mut Vec<Sound>) {
    let Some(Said::Sounds(before)) = before else {
        sounds.splice(..0, [Sound::Consonant('ء'), Sound::short(vowel)]);
        return;
    };
    match before.last_mut() {
        // The vowel before takes its place, and is short.
        Some(Sound::Vowel(_, length)) => *length = Length::Short,
        // Two consonants at the end of a word have a vowel between them and the next one.
        _ => before.push(Sound::short(Vowel::I)),
    }
    if sounds.len() > 1 {
        before.push(sounds.remove(0));
    }
}
