//! The length and the strength of every sound of a phrase, and of the silence before it.
//!
//! The rules are those of eSpeak NG (`setlengths.c`, GPL-3.0-or-later) at its ordinary speed of 175 words a minute: a
//! stop is held, a vowel is as long as its stress, its place in the word and what follows make it, and the consonant
//! before a vowel goes with it.

use espeak_ng::phoneme::{
    PH_BRKAFTER, PH_FRICATIVE, PH_LENGTHENSTOP, PH_LIQUID, PH_NASAL, PH_NONSYLLABIC, PH_NOPAUSE, PH_PAUSE, PH_SIBILANT,
    PH_STOP, PH_VFRICATIVE, PH_VOICELESS, PH_VOWEL, PH_VSTOP, PHON_PAUSE_CLAUSE, PHON_PAUSE_VSHORT,
};
use espeak_ng::synthesize::setlengths::{LENGTH_MODS_EN, LENGTH_MODS_EN0};

use super::sequence::Sound;
use super::stress::Stress;

/// The length and the strength of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The silence before it, in milliseconds.
    pub pause: f32,
    /// A factor on the length that the data give.
    pub length: f32,
    /// Its strength; 20 is what the data are made for.
    pub strength: f32,
    /// True if it continues with the strength of the vowel before it.
    pub continues: bool,
}

/// Factors on a vowel's length in the last syllable of a word, in the one before it, and further ahead.
const SYLLABLE_POSITION_FACTORS: [u32; 3] = [87, 80, 78];

/// A factor on the silences before sounds and on recordings, and one on the silences between words.
pub const PAUSE_FACTOR: f32 = 211.0 / 256.0;
const WORD_PAUSE_FACTOR: f32 = 193.0 / 256.0;

/// The shortest silence, in milliseconds.
const MIN_PAUSE_MS: f32 = 5.0;

/// The additional length of the last stressed syllable of a clause, and the greatest of any syllable, in percent.
const TONIC_LENGTH_PERCENT: u32 = 20;
const MAX_LENGTH_PERCENT: u32 = 500;

/// The greatest strength of the last syllable of a clause.
const MAX_LAST_STRENGTH: f32 = 19.0;

/// The greatest strength of a consonant before a vowel, unless it is a liquid.
const MAX_CONSONANT_STRENGTH: f32 = 18.0;

/// The additional silence before a stop that is held longer, in milliseconds.
const HELD_STOP_MS: f32 = 100.0;

/// The extents of all sounds of a phrase.
pub fn extents(sounds: &[Sound], stress: &Stress) -> Vec<Extent> {
    let weak = f32::from(stress.strengths[0]);
    let usual = |sound: &Sound| Extent {
        pause: if sound.is(PH_PAUSE) { between(sound.pause) } else { 0.0 },
        length: match sound.entry.typ {
            PH_FRICATIVE | PH_VFRICATIVE | PH_LIQUID | PH_NASAL => 1.0,
            _ => 0.5,
        },
        strength: if matches!(sound.entry.typ, PH_LIQUID | PH_NASAL) {
            weak
        } else {
            20.0
        },
        continues: false,
    };
    let mut extents: Vec<Extent> = sounds.iter().map(usual).collect();
    // Of the vowel before: whether syllables follow in its word.
    let mut more_syllables = 0;
    let (mut sonorant, mut voiced) = (false, false);
    for index in 1..sounds.len() - 1 {
        let (before, sound, next) = (&sounds[index - 1], &sounds[index], &sounds[index + 1]);
        let kind = if sound.syllabic { PH_VOWEL } else { sound.entry.typ };
        let mut pause = 0.0;
        match kind {
            PH_STOP => {
                pause = match before.entry.typ {
                    PH_STOP => 60.0,
                    PH_FRICATIVE => 25.0,
                    _ if more_syllables > 0 || sound.stress < 4 => 48.0,
                    _ => 60.0,
                };
                pause += if sound.has(PH_LENGTHENSTOP) { 30.0 } else { 0.0 };
                pause += if sound.lengthened { HELD_STOP_MS } else { 0.0 };
            }
            PH_FRICATIVE | PH_VFRICATIVE => {
                pause = pause_before_fricative(before, sound, next);
                if sound.has(PH_SIBILANT) && next.is(PH_STOP) && !next.starts_word {
                    extents[index].length = if before.is_vowel() { 200.0 } else { 150.0 } / 256.0;
                }
                if kind == PH_VFRICATIVE {
                    voiced |= next.is_vowel();
                    if matches!(before.entry.typ, PH_VOWEL | PH_LIQUID) {
                        extents[index].length = (1.0 + extents[index - 1].length) / 2.0;
                    }
                }
            }
            PH_VSTOP => {
                voiced |= next.is_vowel() || next.is(PH_LIQUID) && !next.starts_word;
                pause = pause_before_voiced_stop(before, sound, next);
            }
            PH_LIQUID | PH_NASAL => {
                if sound.starts_word {
                    pause = match before.entry.typ {
                        PH_LIQUID => 25.0,
                        PH_VOWEL if !sound.has(PH_NOPAUSE) => 12.0,
                        _ => 0.0,
                    };
                }
                if next.is_vowel() {
                    sonorant = true;
                } else {
                    if matches!(before.entry.typ, PH_VOWEL | PH_LIQUID) {
                        let own = match kind {
                            PH_LIQUID => SYLLABLE_POSITION_FACTORS[0] as f32 / 256.0,
                            _ => extents[index - 1].length,
                        };
                        extents[index].length = own
                            * match next.entry.typ {
                                PH_VSTOP => 1.6,
                                PH_VFRICATIVE => 1.2,
                                _ => 1.0,
                            };
                    }
                    voiced = false;
                }
            }
            PH_VOWEL => {
                let strength = f32::from(stress.strengths[usize::from(level(sound))]) - f32::from(u8::from(sonorant));
                // In the last three places of the list, two of which are the silence at the end.
                let last = index + 3 >= sounds.len();
                extents[index].strength = if last {
                    strength.min(MAX_LAST_STRENGTH)
                } else {
                    strength
                };
                more_syllables = syllables_after(sounds, index);
                let length = vowel_length(sounds, index, more_syllables, stress);
                extents[index].length = if sound.is_vowel() { length } else { 1.0 };
                if sonorant || voiced {
                    let strength = extents[index].strength;
                    let liquid = before.is(PH_LIQUID);
                    extents[index - 1].length = extents[index].length;
                    extents[index - 1].strength = if liquid {
                        strength
                    } else {
                        strength.min(MAX_CONSONANT_STRENGTH)
                    };
                }
                let second = sounds.get(index + 2);
                let vowel_follows = second.is_some_and(Sound::is_vowel);
                extents[index + 1].continues = matches!(next.entry.typ, PH_NASAL | PH_LIQUID) && !vowel_follows;
                (sonorant, voiced) = (false, false);
            }
            _ => {}
        }
        if pause > 0.0 {
            extents[index].pause = (pause * PAUSE_FACTOR).max(MIN_PAUSE_MS);
        }
    }
    extents
}

/// The length of a silence between words, in milliseconds.
fn between(milliseconds: u16) -> f32 {
    match milliseconds {
        0 => 0.0,
        other => (f32::from(other) * WORD_PAUSE_FACTOR).max(MIN_PAUSE_MS),
    }
}

fn pause_before_fricative(before: &Sound, sound: &Sound, next: &Sound) -> f32 {
    if before.has(PH_BRKAFTER) {
        30.0
    } else if next.is(PH_PAUSE) && before.is(PH_NASAL) && !sound.has(PH_VOICELESS) {
        25.0
    } else if sound.starts_word && !(before.is_vowel() && sound.has(PH_NOPAUSE)) {
        15.0
    } else {
        0.0
    }
}

fn pause_before_voiced_stop(before: &Sound, sound: &Sound, next: &Sound) -> f32 {
    if matches!(next.entry.typ, PH_VOWEL | PH_LIQUID) {
        match before.entry.typ {
            // It murmurs instead.
            PH_VOWEL => 0.0,
            PH_PAUSE => (40.0 - f32::from(before.pause)).max(0.0),
            PH_LIQUID if !sound.starts_word => 20.0,
            PH_NASAL if !sound.starts_word => 12.0,
            PH_STOP if !sound.starts_word && !before.has(PH_VOICELESS) => 0.0,
            _ => 40.0,
        }
    } else if matches!(before.entry.typ, PH_VFRICATIVE | PH_FRICATIVE | PH_LIQUID) || before.has(PH_SIBILANT) {
        30.0
    } else {
        0.0
    }
}

/// The level of a syllable's stress as the tables count it: 0 unstressed, 1 diminished.
fn level(sound: &Sound) -> u8 {
    match sound.stress.min(7) {
        weak @ 0..=1 => weak ^ 1,
        other => other,
    }
}

/// The number of syllables that follow in the same word.
fn syllables_after(sounds: &[Sound], index: usize) -> usize {
    let word = sounds[index + 1..].iter().take_while(|sound| !sound.starts_word);
    word.filter(|sound| sound.is_vowel() && !sound.has(PH_NONSYLLABIC))
        .count()
}

/// The factor on a vowel's length.
fn vowel_length(sounds: &[Sound], index: usize, more_syllables: usize, stress: &Stress) -> f32 {
    let sound = &sounds[index];
    let at = |by: usize| sounds.get(index + by).unwrap_or(&sounds[sounds.len() - 1]);
    let (mut next, mut second, mut third) = (at(1), at(2), at(3));
    if next.entry.code == PHON_PAUSE_VSHORT && second.is(PH_PAUSE) {
        (next, second, third) = (second, third, at(4));
    }
    let group = |sound: &Sound| usize::from(sound.entry.length_mod.min(9));
    let mut factor = if more_syllables == 0 {
        // What is behind the end of the word does not count, unless it is silence.
        let beyond = (next.starts_word || second.starts_word) && group(second) != SILENCE_LENGTH_GROUP;
        let second = if beyond { 0 } else { group(second) };
        let table = if stress.long_last {
            &LENGTH_MODS_EN0
        } else {
            &LENGTH_MODS_EN
        };
        u32::from(table[second * 10 + group(next)])
    } else {
        let own = u32::from(LENGTH_MODS_EN[group(second) * 10 + group(next)]);
        let stop = matches!(second.entry.typ, PH_STOP | PH_VSTOP);
        if next.is(PH_NASAL) && stop && third.has(PH_VOICELESS) {
            own - 15
        } else {
            own
        }
    };
    factor = (factor * SYLLABLE_POSITION_FACTORS[more_syllables.min(2)] / 128).max(8);
    let level = level(sound);
    if level >= 7 {
        factor += TONIC_LENGTH_PERCENT;
    }
    let lengths = &stress.lengths;
    factor *= u32::from(match lengths[usize::from(level)] {
        0 => lengths[6],
        own => own,
    });
    if sound.tone_length > 0 {
        factor = factor * u32::from(sound.tone_length) / 100;
    }
    if ends_clause(sounds, index, more_syllables) {
        // Short vowels are lengthened more.
        let length = 2 * i32::from(sound.entry.std_length);
        factor = factor * (256 + (280 - length) / 3).unsigned_abs() / 256;
    }
    (factor.min(MAX_LENGTH_PERCENT * SYLLABLE_POSITION_FACTORS[0]) / 128) as f32 / 256.0
}

/// The group of silences in the tables of lengths.
const SILENCE_LENGTH_GROUP: usize = 1;

/// Returns true in the last syllable of a clause.
fn ends_clause(sounds: &[Sound], index: usize, more_syllables: usize) -> bool {
    let end = sounds[index + 1..]
        .iter()
        .position(|sound| sound.starts_word)
        .map(|by| index + 1 + by);
    let last = end.unwrap_or(sounds.len() - 1);
    let boundary = |sound: &Sound| sound.entry.code == PHON_PAUSE_CLAUSE;
    sounds[index + 1..=last].iter().any(boundary) || last + 2 >= sounds.len() && more_syllables == 0
}
