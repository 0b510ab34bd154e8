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
