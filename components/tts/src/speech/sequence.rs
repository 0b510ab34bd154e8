//! From phoneme codes to sounds in their surroundings.
//!
//! The codes of the engine are a stream in which marks of stress, length and tone stand before or after the sounds they
//! belong to, and boundaries between them. Here every sound gets what belongs to it.

use espeak_ng::phoneme::{PH_PAUSE, PH_STRESS, PH_VOWEL, PHON_END_WORD, PHON_LENGTHEN};
use espeak_ng::synthesize::setlengths::stress_code_to_level;
use espeak_ng::{PhonemeCode, PhonemeData, PhonemeTab};

/// A sound, with what the codes say about it.
#[derive(Debug, Clone)]
pub struct Sound {
    /// The entry of the phoneme table.
    pub entry: PhonemeTab,
    /// From 0, diminished, to 7, emphasised; 6 is the ordinary stressed syllable.
    pub stress: u8,
    /// How much longer than the table says, in milliseconds.
    pub lengthened: u16,
    /// Whether it is the first of a word.
    pub starts_word: bool,
    /// The silence before it in milliseconds, which also keeps it from blending with the sound before.
    pub pause: u16,
    /// The tone of its syllable, where the language has tones: the digits of its pitch, from 1 to 5.
    pub tone: Vec<u8>,
}

impl Sound {
    /// Whether it is a syllable's centre.
    pub fn is_vowel(&self) -> bool {
        self.entry.typ == PH_VOWEL
    }
}

/// The boundary of a clause inside a phrase (after "U.S.", say), in milliseconds.
const BOUNDARY_PAUSE: u16 = 150;

/// The sounds of a phrase, in order.
pub fn sounds(codes: &[PhonemeCode], table: &PhonemeData) -> Vec<Sound> {
    let mut sounds: Vec<Sound> = Vec::with_capacity(codes.len());
    let (mut stress, mut pause, mut starts_word) = (0, 0, true);
    for code in codes.iter().filter(|code| code.marker.is_none()) {
        match code.code {
            0 if code.is_boundary => (pause, starts_word) = (pause.max(BOUNDARY_PAUSE), true),
            0 => {}
            PHON_END_WORD if code.is_boundary => starts_word = true,
            // It stands after its sound.
            PHON_LENGTHEN => {
                if let (Some(sound), Some(entry)) = (sounds.last_mut(), table.get(PHON_LENGTHEN)) {
                    sound.lengthened += 2 * u16::from(entry.std_length);
                }
            }
            mark @ 1..=8 => stress = mark,
            other => {
                let Some(entry) = table.get(other) else { continue };
                match entry.typ {
                    PH_PAUSE => pause = pause.max(2 * u16::from(entry.std_length)),
                    // It stands after its vowel.
                    PH_STRESS => {
                        if let Some(vowel) = sounds.iter_mut().rfind(|sound| sound.is_vowel()) {
                            vowel.tone = entry
                                .mnemonic_str()
                                .bytes()
                                .map(|digit| digit.wrapping_sub(b'0'))
                                .collect();
                        }
                    }
                    _ => {
                        // Stress is the vowel's, which may come after consonants.
                        let is_vowel = entry.typ == PH_VOWEL;
                        sounds.push(Sound {
                            entry: entry.clone(),
                            stress: stress_code_to_level(stress),
                            lengthened: 0,
                            starts_word,
                            pause,
                            tone: Vec::new(),
                        });
                        (pause, starts_word) = (0, false);
                        if is_vowel {
                            stress = 0;
                        }
                    }
                }
            }
        }
    }
    // Silence around everything.
    if let Some(first) = sounds.first_mut() {
        first.pause = 0;
    }
    sounds
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;
    use crate::speech::{engine, phrase};
    use crate::text::{Clause, Ending, Pause, Span};

    fn sounds_of(language: Language, text: &str) -> Vec<Sound> {
        let spans = vec![Span {
            language,
            text: text.to_owned(),
        }];
        let phrases = phrase::translate(&[Clause {
            spans,
            ending: Ending::Statement,
            pause: Pause::Sentence,
        }])
        .remove(0);
        sounds(&phrases[0].codes, &engine::sounds_of(language))
    }

    #[test]
    fn every_sound_has_what_belongs_to_it() {
        let sounds = sounds_of(Language::English, "a banana");
        let names: Vec<String> = sounds.iter().map(|sound| sound.entry.mnemonic_str()).collect();
        assert_eq!(names.len(), 7, "{names:?}");
        assert_eq!(
            sounds.iter().map(|sound| sound.starts_word).collect::<Vec<_>>(),
            [true, true, false, false, false, false, false]
        );
        // The second vowel of "banana" is the stressed one.
        let stressed: Vec<usize> = (0..7).filter(|index| sounds[*index].stress >= 6).collect();
        assert_eq!(stressed, [4], "{names:?}");
    }

    #[test]
    fn tones_are_their_vowels() {
        let sounds = sounds_of(Language::Chinese, "中国人");
        let tones: Vec<&[u8]> = sounds
            .iter()
            .filter(|sound| sound.is_vowel())
            .map(|sound| sound.tone.as_slice())
            .collect();
        assert_eq!(tones, [&[5, 5][..], &[3, 5], &[3, 5]]);
        assert!(sounds.iter().all(|sound| sound.is_vowel() || sound.tone.is_empty()));
    }
}
