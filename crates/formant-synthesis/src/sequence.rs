//! The sounds of a phrase, in the sequence in which they are spoken, made of phoneme codes.
//!
//! The codes of the engine are a stream in which marks of stress, length and tone stand before or after the sounds they
//! belong to, and boundaries between them. Here every sound gets what belongs to it. Silences are sounds too, and there
//! is one before the first and two after the last, so that every sound has neighbours.

use espeak_ng::phoneme::{
    PH_FRICATIVE, PH_LIQUID, PH_NASAL, PH_PAUSE, PH_STOP, PH_STRESS, PH_VFRICATIVE, PH_VOWEL, PH_VSTOP, PHON_END_WORD,
    PHON_LENGTHEN, PHON_PAUSE, PHON_PAUSE_CLAUSE, PHON_PAUSE_SHORT, PHON_STRESS_2, PHON_STRESS_3, PHON_STRESS_D,
    PHON_STRESS_P, PHON_STRESS_P2, PHON_STRESS_TONIC, PHON_SYLLABIC,
};
use espeak_ng::{PhonemeCode, PhonemeData, PhonemeTab};

use super::stress::{Diminished, Stress};

/// A sound, with what the codes say about it.
#[derive(Debug, Clone, Default)]
pub struct Sound {
    /// The entry of the phoneme table.
    pub entry: PhonemeTab,
    /// The stress of its syllable as the codes give it: 0 diminished, 1 unstressed, 2 and 3 secondary, 4 and above
    /// primary.
    pub accent: u8,
    /// The stress of its syllable within the phrase: 6 for what has primary stress, 7 for the last of those.
    pub stress: u8,
    /// The highest `accent` of its word.
    pub word_stress: u8,
    /// True for a syllable's centre, which a consonant can be too.
    pub syllabic: bool,
    /// True if it is held longer than usual.
    pub lengthened: bool,
    /// True for the first of a word.
    pub starts_word: bool,
    /// The length of a silence, in milliseconds.
    pub pause: u16,
    /// The tone of its syllable, where the language has tones: the digits of its pitch, from 1 to 5.
    pub tone: Vec<u8>,
    /// The effect of the tone on the length of the syllable, in percent; zero for none.
    pub tone_length: u8,
    /// True for a stop or a voiced fricative without a vowel or a liquid after it, into which it would open.
    pub unreleased: bool,
}

impl Sound {
    /// Returns true for a vowel.
    pub fn is_vowel(&self) -> bool {
        self.entry.typ == PH_VOWEL
    }

    /// Returns true for a sound of this type.
    pub fn is(&self, typ: u8) -> bool {
        self.entry.typ == typ
    }

    /// Returns true if it has this flag of the phoneme table.
    pub fn has(&self, flag: u32) -> bool {
        self.entry.phflags & flag != 0
    }

    fn silence(table: &PhonemeData, code: u8, pause: u16) -> Self {
        Self {
            entry: table.get(code).cloned().unwrap_or_default(),
            pause,
            ..Self::default()
        }
    }
}

/// The silence at the boundary of a clause inside a phrase (after "U.S.", say), in milliseconds.
const BOUNDARY_PAUSE_MS: u16 = 150;

/// The sounds of a phrase, in order.
pub fn sounds(codes: &[PhonemeCode], table: &PhonemeData, stress: &Stress) -> Vec<Sound> {
    let mut sounds = collected(codes, table, stress);
    // Behind the end there is a silence, as at the start of a word, and one more.
    let mut end = Sound::silence(table, PHON_PAUSE, 0);
    end.starts_word = true;
    sounds.push(end);
    sounds.push(Sound::silence(table, PHON_PAUSE_SHORT, 0));
    double(&mut sounds);
    for index in 1..sounds.len() - 2 {
        let next = &sounds[index + 1];
        let opens = next.is_vowel() || next.is(PH_LIQUID) && !next.starts_word;
        sounds[index].unreleased = matches!(sounds[index].entry.typ, PH_STOP | PH_VSTOP | PH_VFRICATIVE) && !opens;
    }
    set_word_stress(&mut sounds);
    diminish(&mut sounds, stress.diminished);
    set_stress(&mut sounds);
    sounds
}

/// The sounds that the codes name, behind a first silence.
fn collected(codes: &[PhonemeCode], table: &PhonemeData, stress: &Stress) -> Vec<Sound> {
    const UNSTRESSED: u8 = 1;
    let mut sounds = vec![Sound::silence(table, PHON_PAUSE, 0)];
    let (mut accent, mut starts_word) = (UNSTRESSED, true);
    for code in codes.iter().filter(|code| code.marker.is_none()) {
        match code.code {
            0 if code.is_boundary => {
                sounds.push(Sound::silence(table, PHON_PAUSE_CLAUSE, BOUNDARY_PAUSE_MS));
                (accent, starts_word) = (UNSTRESSED, true);
            }
            0 => {}
            PHON_END_WORD => (accent, starts_word) = (UNSTRESSED, true),
            // These two stand after their sounds.
            PHON_LENGTHEN => {
                if let Some(sound) = sounds.last_mut() {
                    sound.lengthened = true;
                }
            }
            PHON_SYLLABIC => {
                if let Some(sound) = sounds.last_mut() {
                    (sound.syllabic, sound.accent) = (true, accent);
                    accent = UNSTRESSED;
                }
            }
            PHON_STRESS_D => accent = 0,
            PHON_STRESS_2 => accent = 2,
            PHON_STRESS_3 => accent = 3,
            PHON_STRESS_P => accent = 4,
            PHON_STRESS_P2 => accent = 5,
            PHON_STRESS_TONIC => accent = 6,
            1..=8 => accent = UNSTRESSED,
            other => {
                let Some(entry) = table.get(other) else { continue };
                match entry.typ {
                    PH_PAUSE if entry.std_length == 0 && !stress.boundaries => {}
                    PH_PAUSE => sounds.push(Sound::silence(table, other, 2 * u16::from(entry.std_length))),
                    // It stands after its vowel.
                    PH_STRESS => {
                        if let Some(vowel) = sounds.iter_mut().rfind(|sound| sound.is_vowel()) {
                            let name = entry.mnemonic_str();
                            vowel.tone = name.bytes().map(|digit| digit.wrapping_sub(b'0')).collect();
                            vowel.tone_length = entry.std_length;
                        }
                    }
                    _ => {
                        let syllabic = entry.typ == PH_VOWEL;
                        sounds.push(Sound {
                            entry: entry.clone(),
                            accent: if syllabic { accent } else { 0 },
                            syllabic,
                            starts_word,
                            ..Sound::default()
                        });
                        starts_word = false;
                        if syllabic {
                            accent = UNSTRESSED;
                        }
                    }
                }
            }
        }
    }
    sounds
}

/// Doubles consonants that are to be held, where their kind can be.
fn double(sounds: &mut Vec<Sound>) {
    for index in (2..sounds.len()).rev() {
        let sound = &mut sounds[index];
        if sound.lengthened && matches!(sound.entry.typ, PH_FRICATIVE | PH_VFRICATIVE | PH_NASAL | PH_LIQUID) {
            sound.lengthened = false;
            let first = Sound {
                entry: sound.entry.clone(),
                starts_word: std::mem::take(&mut sound.starts_word),
                ..Sound::default()
            };
            sounds.insert(index, first);
        }
    }
}

fn set_word_stress(sounds: &mut [Sound]) {
    let mut start = 0;
    while start < sounds.len() {
        let length = 1 + sounds[start + 1..]
            .iter()
            .take_while(|sound| !sound.starts_word)
            .count();
        let word = &mut sounds[start..start + length];
        let highest = word
            .iter()
            .filter(|sound| sound.syllabic)
            .map(|sound| sound.accent)
            .max()
            .unwrap_or(0);
        for sound in word {
            sound.word_stress = highest;
        }
        start += length;
    }
}

/// Takes strength from unstressed syllables that follow one another.
fn diminish(sounds: &mut [Sound], diminished: Diminished) {
    let mut count = 0;
    for index in 0..sounds.len() {
        if !sounds[index].is_vowel() {
            continue;
        }
        if sounds[index].accent > 1 {
            count = 0;
            continue;
        }
        count += 1;
        match diminished {
            Diminished::Never => {}
            Diminished::InWeakWords => {
                let next = sounds[index + 1..]
                    .iter()
                    .take_while(|sound| !sound.is(PH_PAUSE))
                    .position(Sound::is_vowel)
                    .map(|by| index + 1 + by);
                if let Some(next) = next.filter(|next| sounds[*next].accent <= 1) {
                    for place in [index, next] {
                        if sounds[place].word_stress < 4 {
                            sounds[place].accent = 0;
                        }
                    }
                }
            }
            Diminished::Alternate => {
                if count > 1 && count % 2 == 0 {
                    // Not the last syllable of a word with stress.
                    if sounds[index].word_stress > 3 && sounds[index + 1].starts_word {
                        count = 1;
                    } else {
                        sounds[index].accent = 0;
                    }
                }
            }
        }
    }
}

/// Sets the stress within the phrase, of consonants to that of the syllable that follows.
fn set_stress(sounds: &mut [Sound]) {
    let tonal = sounds.iter().any(|sound| !sound.tone.is_empty());
    let mut end = sounds.len();
    // From the last clause of the phrase to the first.
    while end > 0 {
        let ends_clause = |sound: &Sound| sound.entry.code == PHON_PAUSE_CLAUSE;
        let start = sounds[..end - 1]
            .iter()
            .rposition(ends_clause)
            .map_or(0, |last| last + 1);
        let clause = &mut sounds[start..end];
        let highest = clause
            .iter()
            .filter(|sound| sound.syllabic)
            .map(|sound| sound.accent)
            .max();
        let least = highest.unwrap_or(0).min(4);
        let nucleus = clause.iter().rposition(|sound| sound.syllabic && sound.accent >= least);
        let mut following = 0;
        for (index, sound) in clause.iter_mut().enumerate().rev() {
            if sound.syllabic {
                following = match sound.accent {
                    _ if tonal => tonal_stress(sound, Some(index) == nucleus),
                    _ if Some(index) == nucleus => 7,
                    4.. => 6,
                    weak => weak,
                };
            }
            sound.stress = following;
        }
        end = start;
    }
}

/// The stress in a language with tones: a syllable without a tone of its own is weak, and the last one is long, but not
/// where its tone is the high or the falling one.
fn tonal_stress(sound: &Sound, last: bool) -> u8 {
    match (&sound.tone[..], last) {
        ([first, second], _) if first == second && *first < 5 => 0,
        ([5, _], true) => 6,
        (_, true) => 7,
        _ => sound.accent,
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;
    use crate::{engine, phrase, stress};
    use quartet_text_normalization::{Clause, Ending, Pause, Span};

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
        let mut sounds = sounds(&phrases[0].codes, &engine::sounds_of(language), &stress::of(language));
        // Without the silences around.
        sounds.truncate(sounds.len() - 2);
        sounds.split_off(1)
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
        let stressed: Vec<usize> = (0..7)
            .filter(|index| sounds[*index].syllabic && sounds[*index].stress >= 6)
            .collect();
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
