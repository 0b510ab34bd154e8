//! A phrase laid out in time: which spectrum becomes which, when, and how long it all takes.
//!
//! Lengths are whole samples at the rate of the result, so that a phrase's length is known without its sound being
//! made.

use espeak_ng::PhonemeData;
use espeak_ng::phoneme::{PH_FRICATIVE, PH_STOP, PH_VSTOP};
use espeak_ng::synthesize::phondata::{
    FRFLAG_BREAK, FRFLAG_BREAK_LF, FRFLAG_FORMANT_RATE, FRFLAG_VOWEL_CENTRE, SpectFrame,
};
use espeak_ng::synthesize::setlengths::{STRESS_AMPS_EN, calc_vowel_length_mod};
use quartet_api::speech::SAMPLE_RATE;

use super::frames::{self, Parts};
use super::recording::Recording;
use super::sequence::Sound;

/// A phrase in time.
#[derive(Debug, Default)]
pub struct Articulation {
    /// The changes of voiced sound, in order.
    pub glides: Vec<Glide>,
    /// The recorded sounds, in order; some are heard together with glides.
    pub recordings: Vec<Recording>,
    /// The syllables, in order.
    pub syllables: Vec<Syllable>,
    /// The length of everything, in samples.
    pub length: u32,
}

/// One spectrum becoming another.
#[derive(Debug)]
pub struct Glide {
    /// When it begins, in samples.
    pub start: u32,
    /// How long it takes, in samples.
    pub length: u32,
    /// The spectrum at the beginning.
    pub from: SpectFrame,
    /// The spectrum at the end.
    pub to: SpectFrame,
    /// The loudness of its syllable: 1 is that of an ordinary stressed one.
    pub loudness: f32,
    /// Whether it is the centre of a syllable, which its neighbours bend to.
    centre: bool,
}

/// Where a syllable's vowel is.
#[derive(Debug)]
pub struct Syllable {
    /// When it begins, in samples.
    pub start: u32,
    /// When it ends, with what is voiced after it in the same syllable.
    pub end: u32,
    /// See [`Sound::stress`].
    pub stress: u8,
    /// See [`Sound::tone`].
    pub tone: Vec<u8>,
}

/// How fast a phrase is spoken, and how strong its syllables are.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// A factor on all lengths: 1 is ordinary.
    pub slowness: f32,
    /// How much louder stressed syllables are, in percent of what is usual.
    pub emphasis: f32,
    /// Length of syllables by stress in 1/128, where the language has its own.
    pub stress_lengths: Option<[u32; 8]>,
}

/// Factors on the lengths that the data give, at ordinary speed: of vowels, of voiced consonants, and of recorded
/// consonants. Fitted to the lengths that eSpeak NG 1.51 makes of the same texts at its ordinary 175 words a minute.
const VOWELS: f32 = 0.72;
const CONSONANTS: f32 = 0.80;
const RECORDINGS: f32 = 0.80;

/// The silence in which a stop is held, in milliseconds.
const HOLD: f32 = 42.0;

/// No change of spectrum takes less, in milliseconds.
const SHORTEST: f32 = 4.0;

/// What the data's length of a vowel has for its beginning, in milliseconds.
const BEGINNING: i32 = 45;

/// Lays out the sounds of a phrase.
pub fn articulate(sounds: &[Sound], table: &PhonemeData, manner: &Manner) -> Articulation {
    let mut articulation = Articulation::default();
    for index in 0..sounds.len() {
        let parts = frames::parts(sounds, index, table);
        let factor = manner.slowness * length_factor(sounds, index, &parts, manner);
        articulation.add(&sounds[index], parts, factor, table, manner);
    }
    articulation.smooth();
    articulation.connect();
    articulation
}

/// The factor on the lengths of a sound's frames.
fn length_factor(sounds: &[Sound], index: usize, parts: &Parts, manner: &Manner) -> f32 {
    let sound = &sounds[index];
    if !sound.is_vowel() {
        return CONSONANTS;
    }
    // What follows in the phrase, and after how many sounds of the same word or clause there is no vowel left.
    let follows = |place: usize| sounds.get(place).filter(|next| next.pause == 0);
    let group = |sound: Option<&Sound>| sound.map_or(SILENCE_GROUP, |sound| sound.entry.length_mod);
    let next = follows(index + 1);
    let second = next.and_then(|_| follows(index + 2));
    let rest = &sounds[index + 1..];
    let more_in_word = rest.iter().take_while(|next| !next.starts_word).any(Sound::is_vowel);
    let more_in_clause = rest
        .iter()
        .take_while(|next| next.pause < LONG_PAUSE)
        .any(Sound::is_vowel);
    let half_length = parts.length.unwrap_or(180) / 2;
    let factor = calc_vowel_length_mod(
        sound.stress,
        group(next),
        group(second),
        more_in_word,
        !more_in_clause,
        half_length.min(255) as u8,
        manner.stress_lengths.as_ref(),
    );
    VOWELS * factor as f32 / 256.0
}

/// The group of silences in the engine's table of how neighbours change a vowel's length.
const SILENCE_GROUP: u8 = 1;

/// From this pause on, in milliseconds, what comes before it is as long as at the end of a clause.
const LONG_PAUSE: u16 = 60;

fn samples(milliseconds: f32) -> u32 {
    (milliseconds * SAMPLE_RATE as f32 / 1_000.0).round() as u32
}

impl Articulation {
    fn add(&mut self, sound: &Sound, mut parts: Parts, factor: f32, table: &PhonemeData, manner: &Manner) {
        let pause = f32::from(sound.pause.max(parts.pause));
        let hold = if sound.entry.typ == PH_STOP { HOLD } else { 0.0 };
        self.length += samples((pause + hold) * manner.slowness);
        let start = self.length;
        let loudness = loudness(sound, manner);
        let recorded = matches!(sound.entry.typ, PH_STOP | PH_FRICATIVE);
        if let Some(recording) = parts.recording.and_then(|(place, loudness)| {
            Recording::new(start, place, loudness, manner.slowness * RECORDINGS, &table.phondata)
        }) {
            if recorded {
                self.length += recording.length;
            }
            self.recordings.push(recording);
            if recorded {
                return;
            }
        }
        if parts.frames.is_empty() {
            return;
        }
        set_body_length(&mut parts, sound);
        self.join(&parts.frames[0]);
        // The last frame of all is only what the one before it becomes, unless it is alone.
        let count = parts.frames.len();
        for at in 0..count.max(2) - 1 {
            let (from, to) = (&parts.frames[at], parts.frames.get(at + 1).unwrap_or(&parts.frames[at]));
            let length = samples((f32::from(from.length) * factor).max(SHORTEST));
            self.glides.push(Glide {
                start: self.length,
                length,
                from: from.clone(),
                to: to.clone(),
                loudness,
                centre: sound.is_vowel() && at == parts.body.start,
            });
            self.length += length;
        }
        if sound.is_vowel() {
            let (stress, tone) = (sound.stress, sound.tone.clone());
            self.syllables.push(Syllable {
                start,
                end: self.length,
                stress,
                tone,
            });
        } else if !sound.starts_word
            && sound.pause == 0
            && sound.entry.typ != PH_VSTOP
            && let Some(syllable) = self.syllables.last_mut()
            && syllable.end == start
        {
            // A nasal or liquid after the vowel carries its tune on.
            syllable.end = self.length;
        }
    }

    /// Lets the glide before become `frame` instead of what it was to become, where the data leave that open.
    fn join(&mut self, frame: &SpectFrame) {
        let Some(last) = self.glides.last_mut() else { return };
        let open = last.to.length < 2 || last.to.frflags & FRFLAG_VOWEL_CENTRE != 0;
        if last.start + last.length == self.length && open && last.to.frflags & FRFLAG_BREAK == 0 {
            last.to = frame.clone();
        }
    }

    /// Keeps formants from jumping: in each syllable, outward from its centre, what lies further out is drawn to what
    /// lies further in.
    fn smooth(&mut self) {
        let centres: Vec<usize> = self
            .glides
            .iter()
            .enumerate()
            .filter(|(_, glide)| glide.centre)
            .map(|(index, _)| index)
            .collect();
        for (place, &centre) in centres.iter().enumerate() {
            let first = if place == 0 {
                0
            } else {
                (centres[place - 1] + centre).div_ceil(2)
            };
            let end = centres
                .get(place + 1)
                .map_or(self.glides.len(), |next| (centre + next).div_ceil(2));
            for index in centre..end {
                let (left, right) = self.glides.split_at_mut(index);
                let glide = &mut right[0];
                if let Some(before) = left
                    .last()
                    .filter(|before| index > centre && before.start + before.length == glide.start)
                {
                    if before.to.frflags & FRFLAG_BREAK != 0 {
                        break;
                    }
                    // Nothing lies between the two: the later one begins where the earlier one ended, nearly.
                    limit(&before.to, &mut glide.from, JOINT, 0);
                }
                let (length, flags) = (glide.length, glide.from.frflags);
                limit(&glide.from, &mut glide.to, allowed(length, flags), 0);
            }
            for index in (first..centre).rev() {
                let (left, right) = self.glides.split_at_mut(index + 1);
                let (glide, after) = (&mut left[index], &right[0]);
                if glide.from.frflags & FRFLAG_BREAK != 0 || glide.start + glide.length != after.start {
                    break;
                }
                limit(&after.from, &mut glide.to, JOINT, 0);
                let (length, flags) = (glide.length, glide.from.frflags);
                let kept = if flags & FRFLAG_BREAK_LF != 0 { 3 } else { 0 };
                limit(&glide.to, &mut glide.from, allowed(length, flags), kept);
            }
        }
    }

    /// Lets formants meet halfway where one glide follows another at once, unless the data want a break.
    fn connect(&mut self) {
        for index in 1..self.glides.len() {
            let (left, right) = self.glides.split_at_mut(index);
            let (before, after) = (&mut left[index - 1], &mut right[0]);
            if before.start + before.length == after.start && before.to.frflags & FRFLAG_BREAK == 0 {
                for (from, to) in before.to.ffreq.iter_mut().zip(&mut after.from.ffreq) {
                    let middle = i16::midpoint(*from, *to);
                    (*from, *to) = (middle, middle);
                }
            }
        }
    }
}

/// How much a formant may change within `length` samples, as a part of its frequency.
fn allowed(length: u32, flags: u16) -> f32 {
    let rate = if flags & FRFLAG_FORMANT_RATE != 0 { 1.2 } else { 1.0 };
    rate * RATE * length as f32 / SAMPLE_RATE as f32
}

/// The fastest change of a formant, as a part of its frequency in a second: 17 % in 11.6 ms.
const RATE: f32 = 14.6;

/// The largest change between two frames that follow each other at once, as a part of the frequency.
const JOINT: f32 = 0.08;

/// Draws the formants of `outer` to those of `inner`, to within `part` of their frequency; the first `kept` formants
/// stay as they are.
fn limit(inner: &SpectFrame, outer: &mut SpectFrame, part: f32, kept: usize) {
    for formant in kept..6 {
        let middle = f32::from(inner.ffreq[formant]);
        let reach = middle * part;
        outer.ffreq[formant] = f32::from(outer.ffreq[formant]).clamp(middle - reach, middle + reach) as i16;
    }
}

/// The loudness of a sound: 1 is that of an ordinary stressed syllable.
fn loudness(sound: &Sound, manner: &Manner) -> f32 {
    let usual = |stress: u8| f32::from(STRESS_AMPS_EN[usize::from(stress).min(7)]) / f32::from(STRESS_AMPS_EN[6]);
    let own = if sound.is_vowel() {
        usual(sound.stress)
    } else {
        usual(1)
    };
    own.powf(manner.emphasis / 100.0)
}

/// Gives the body of a vowel the vowel's own length, and a consonant its own if it has one, before the speed.
fn set_body_length(parts: &mut Parts, sound: &Sound) {
    let body = parts.body.start..parts.body.end.saturating_sub(1);
    let now: u32 = parts.frames[body.clone()]
        .iter()
        .map(|frame| u32::from(frame.length))
        .sum();
    let Some(length) = parts.length else { return };
    let wanted = i32::from(length) + i32::from(parts.longer) + i32::from(sound.lengthened)
        - if sound.is_vowel() { BEGINNING } else { 0 };
    let factor = wanted.max(10) as f32 / now.max(1) as f32;
    for frame in &mut parts.frames[body] {
        frame.length = (f32::from(frame.length) * factor).round().min(255.0) as u8;
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::{Language, Voice};

    use super::*;
    use crate::speech::{engine, phrase, sequence, voice};
    use crate::text::{Clause, Ending, Pause, Span};

    fn articulated(language: Language, text: &str, slowness: f32) -> Articulation {
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
        let table = engine::sounds_of(language);
        let mut manner = voice::character(Voice::Kore).manner(language);
        manner.slowness *= slowness;
        articulate(&sequence::sounds(&phrases[0].codes, &table), &table, &manner)
    }

    const TEXT: &str = "Sphinx of black quartz, judge my vow";

    #[test]
    fn everything_lies_inside_and_in_order() {
        let articulation = articulated(Language::English, TEXT, 1.0);
        let mut end = 0;
        for glide in &articulation.glides {
            assert!(glide.start >= end);
            end = glide.start + glide.length;
        }
        assert!(end <= articulation.length);
        assert!(
            articulation
                .recordings
                .iter()
                .all(|recording| recording.start < articulation.length)
        );
        assert!(
            articulation
                .syllables
                .windows(2)
                .all(|pair| pair[0].end <= pair[1].start)
        );
        assert_eq!(articulation.syllables.len(), 7);
    }

    #[test]
    fn slower_is_longer() {
        let length = |slowness| articulated(Language::English, TEXT, slowness).length as f32;
        let ratio = length(1.5) / length(1.0);
        assert!((1.4..1.6).contains(&ratio), "{ratio}");
    }

    #[test]
    fn formants_do_not_jump() {
        let articulation = articulated(Language::English, "we are always away", 1.0);
        let follows = |pair: &&[Glide]| pair[0].start + pair[0].length == pair[1].start;
        for pair in articulation.glides.windows(2).filter(follows) {
            let whole = pair[0].to.frflags & FRFLAG_BREAK == 0;
            assert!(!whole || pair[0].to.ffreq == pair[1].from.ffreq);
        }
    }
}
