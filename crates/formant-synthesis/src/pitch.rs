//! The tune of a phrase: its pitch over time.
//!
//! Two tunes are laid over each other. That of the phrase is the engine's (`intonation.c` of eSpeak NG: a head that
//! steps down, a nucleus that falls or rises, a tail), one value a syllable. That of the syllable is the engine's too,
//! or, in a language with tones, the tone itself: its digits say how high the syllable is, from 1 to 5.

use espeak_ng::synthesize::intonation::{self, SYL_RISE, calc_pitches, tone_for_clause};
use quartet_api::tts::SAMPLE_RATE;

use super::articulation::Syllable;
use quartet_text_normalization::Ending;

/// The pitch range of a voice.
#[derive(Debug, Clone, Copy)]
pub struct Register {
    /// The lowest pitch of its tunes, in Hz.
    pub base: f32,
    /// The width of its tunes: 1 is the engine's own range, which is 38 Hz above its lowest 73.
    pub range: f32,
    /// Random-looking variation of the pitch from syllable to syllable, as a fraction of it.
    pub tremble: f32,
}

/// Points of the tune: a time in samples and a pitch in Hz. Between them, pitch changes evenly.
pub type Tune = Vec<(u32, f32)>;

/// Points in the tune of a syllable.
const POINTS_PER_SYLLABLE: usize = 9;

/// The engine's range in its own units.
const ENGINE_PITCH_RANGE: f64 = 4_104.0;

/// The tune of a phrase. `tunes` is the language's row in the engine's table of tunes.
pub fn tune(syllables: &[Syllable], ending: Ending, tunes: usize, register: &Register) -> Tune {
    let mut engine: Vec<intonation::Syllable> = syllables
        .iter()
        .map(|syllable| intonation::Syllable::new(syllable.accent))
        .collect();
    let kind = match ending {
        Ending::Statement => 0,
        Ending::Continuation => 1,
        Ending::Question => 2,
        Ending::Exclamation => 3,
    };
    calc_pitches(&mut engine, tone_for_clause(tunes, kind), None);
    let tonal = syllables.iter().any(|syllable| !syllable.tone.is_empty());
    let last = syllables.len().saturating_sub(1);
    let end = syllables.last().map_or(0, |syllable| syllable.end);
    let mut tune = Tune::with_capacity(syllables.len() * POINTS_PER_SYLLABLE);
    for (index, (syllable, engine)) in syllables.iter().zip(&engine).enumerate() {
        let along = index as f32 / last.max(1) as f32;
        for point in 0..POINTS_PER_SYLLABLE {
            let t = point as f32 / (POINTS_PER_SYLLABLE - 1) as f32;
            let time = syllable.start + ((syllable.end - syllable.start) as f32 * t) as u32;
            let late = lateness(end - time);
            let (value, rise) = match (tonal, ending) {
                (true, Ending::Question) => (
                    tonal_value(syllable, t, ending, along),
                    TONAL_QUESTION_RISE_SEMITONES * late,
                ),
                (true, _) => (tonal_value(syllable, t, ending, along), 0.0),
                (false, Ending::Question) => {
                    let own = engine_value(engine, t);
                    (
                        own + (QUESTION_END_PITCH - own) * late * late,
                        QUESTION_RISE_SEMITONES * late * late,
                    )
                }
                (false, _) => (engine_value(engine, t), 0.0),
            };
            let range = ENGINE_PITCH_RANGE * f64::from(register.range);
            let pitch = intonation::pitch_to_hz(f64::from(value), f64::from(register.base), range) as f32;
            tune.push((time, pitch * (rise / 12.0).exp2() * trembling(index, register.tremble)));
        }
    }
    tune
}

/// The pitch of the engine's tune at `t` of a syllable, in the engine's units.
fn engine_value(syllable: &intonation::Syllable, t: f32) -> f32 {
    // What rises is laid out as what falls, with a mark.
    let t = if syllable.flags & SYL_RISE != 0 { 1.0 - t } else { t };
    syllable.pitch_at(f64::from(t)) as f32
}

/// The pitch of a tone at `t` of a syllable, which is `along` the phrase, in the engine's units.
fn tonal_value(syllable: &Syllable, t: f32, ending: Ending, along: f32) -> f32 {
    TONE_RANGE_PITCH * tone(&syllable.tone, t) + drift(ending, along)
}

/// The distance between the highest and the lowest digit of a tone, in the engine's units of pitch.
const TONE_RANGE_PITCH: f32 = 116.0;

/// The height of a tone at `t` of its syllable, from 0 to 1: evenly from digit to digit. A syllable that has lost its
/// tone is low.
fn tone(digits: &[u8], t: f32) -> f32 {
    let height = |digit: u8| (f32::from(digit.clamp(1, 5)) - 1.0) / 4.0;
    match digits {
        [] => 0.3,
        [one] => height(*one),
        _ => {
            let place = t * (digits.len() - 1) as f32;
            let from = (place as usize).min(digits.len() - 2);
            height(digits[from]) + (height(digits[from + 1]) - height(digits[from])) * (place - from as f32)
        }
    }
}

/// The declination that a phrase adds to its tones: it sinks towards the end of a statement and stays up in a question.
fn drift(ending: Ending, along: f32) -> f32 {
    match ending {
        Ending::Statement => 4.0 - 18.0 * along,
        Ending::Continuation => 2.0 - 8.0 * along,
        Ending::Exclamation => 18.0 - 26.0 * along,
        Ending::Question => 4.0,
    }
}

/// The part of a question's rise that is done `left` samples before its end.
fn lateness(left: u32) -> f32 {
    (1.0 - left as f32 / (SAMPLE_RATE as f32 * RISE_SECONDS)).max(0.0)
}

/// The duration of a question's rise, in seconds.
const RISE_SECONDS: f32 = 0.4;

/// The pitch at the end of a question, in the engine's units, whatever the language's own tune would be, and the rise on
/// top in semitones: the engine's tunes for questions rise in some languages only.
const QUESTION_END_PITCH: f32 = 120.0;
const QUESTION_RISE_SEMITONES: f32 = 4.0;

/// The same in a language with tones, which are kept: semitones only.
const TONAL_QUESTION_RISE_SEMITONES: f32 = 8.0;

/// A factor near one that differs from syllable to syllable without repeating itself soon.
fn trembling(index: usize, strength: f32) -> f32 {
    let place = index as f32;
    1.0 + strength * 0.5 * ((0.9 * place).sin() + (2.3 * place).sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTER: Register = Register {
        base: 100.0,
        range: 1.0,
        tremble: 0.0,
    };

    fn syllables(tones: &[&[u8]]) -> Vec<Syllable> {
        let syllable = |(index, tone): (usize, &&[u8])| {
            let start = index as u32 * 4_800;
            Syllable {
                start,
                end: start + 4_800,
                accent: if index % 2 == 0 { 4 } else { 1 },
                tone: tone.to_vec(),
            }
        };
        tones.iter().enumerate().map(syllable).collect()
    }

    #[test]
    fn tones_are_their_digits() {
        assert_eq!(tone(&[5, 1], 0.0), 1.0);
        assert_eq!(tone(&[5, 1], 1.0), 0.0);
        assert_eq!(tone(&[2, 1, 4], 0.5), 0.0);
        assert_eq!(tone(&[3, 5], 0.5), 0.75);
        assert_eq!(tone(&[5, 5], 0.3), 1.0);
        // What is no digit from 1 to 5 stays within the voice.
        assert_eq!(tone(&[9, 0], 0.0), 1.0);
        assert_eq!(tone(&[9, 0], 1.0), 0.0);
    }

    #[test]
    fn tunes_run_from_start_to_end() {
        for tones in [&[&[][..]; 5][..], &[&[3, 5][..], &[5, 1], &[], &[2, 1, 4], &[5, 5]]] {
            for ending in [
                Ending::Statement,
                Ending::Continuation,
                Ending::Question,
                Ending::Exclamation,
            ] {
                let tune = tune(&syllables(tones), ending, 1, &REGISTER);
                assert_eq!(tune.first().unwrap().0, 0);
                assert_eq!(tune.last().unwrap().0, 5 * 4_800);
                assert!(tune.windows(2).all(|pair| pair[0].0 <= pair[1].0));
                assert!(
                    tune.iter().all(|point| (80.0..280.0).contains(&point.1)),
                    "{ending:?}: {tune:?}"
                );
            }
        }
        assert!(tune(&[], Ending::Statement, 1, &REGISTER).is_empty());
    }

    #[test]
    fn questions_end_high_in_every_row_of_tunes() {
        for tunes in 0..8 {
            let end = |ending| {
                tune(&syllables(&[&[][..]; 6]), ending, tunes, &REGISTER)
                    .last()
                    .unwrap()
                    .1
            };
            assert!(end(Ending::Question) > 1.3 * end(Ending::Statement), "row {tunes}");
        }
    }
}
