//! The steps in which a phrase is laid out in time: what each kind of sound is made of, and what goes on from what.
//!
//! The order of things is that of eSpeak NG (`synthesize.c`, GPL-3.0-or-later).

use espeak_ng::PhonemeData;
use espeak_ng::phoneme::{
    PH_FRICATIVE, PH_LIQUID, PH_LONG, PH_NASAL, PH_NOPAUSE, PH_PAUSE, PH_PREVOICE, PH_STOP, PH_TRILL, PH_VFRICATIVE,
    PH_VSTOP,
};
use espeak_ng::synthesize::phondata::{FRFLAG_BREAK, FRFLAG_BREAK_LF, FRFLAG_VOWEL_CENTRE};
use quartet_api::speech::SAMPLE_RATE;

use super::articulation::{Articulation, Beat, Glide, Manner, Syllable};
use super::frames::{self, Firmness, Frame, Stage};
use super::lengths::{self, Extent};
use super::program::{self, Outcome, Place};
use super::recording::Recording;
use super::sequence::Sound;
use super::smooth::Smoother;

/// How much of a length that is marked as firm is fixed, and how much of a vowel's beginning.
const FIRM: f32 = 110.0 / 256.0;
const FIRM_BEGINNING: f32 = 100.0 / 256.0;

/// No sound takes less, in milliseconds; nor does a long vowel, nor any change of spectrum.
const SHORTEST_SOUND: f32 = 1_000.0 / 70.0;
const SHORTEST_LONG: f32 = 2.0 * SHORTEST_SOUND;
const SHORTEST_CHANGE: f32 = 2.9;

/// Flags of frames: the voice is interrupted; a recording begins only with the next frame.
const INTERRUPTED: u16 = 0x40;
const DEFERRED: u16 = 0x80;

/// The silence inside a voiced stop that is held longer, with a murmur and without, in milliseconds.
const HELD_MURMUR: f32 = 25.0;
const HELD: f32 = 50.0;

/// What is said of the loudness of frames and recordings, where zero stands for all of it.
fn share(place: Option<Place>) -> f32 {
    place.map_or(1.0, |place| {
        if place.value == 0 {
            1.0
        } else {
            f32::from(place.value) / 100.0
        }
    })
}

fn samples(milliseconds: f32) -> u32 {
    (milliseconds * SAMPLE_RATE as f32 / 1_000.0).round() as u32
}

/// A phrase that is being laid out.
pub struct Layout<'a> {
    sounds: &'a [Sound],
    table: &'a PhonemeData,
    manner: &'a Manner,
    extents: Vec<Extent>,
    made: Articulation,
    smoother: Smoother,
    /// Whether the next glide goes on from the last one.
    joins: bool,
    /// The strength of what is voiced; none before the first sound that sets it.
    strength: Option<f32>,
    /// The recording that is heard together with what is made now.
    mixed: Option<usize>,
}

/// What the stages of a sound are to become.
struct Part {
    stages: Vec<Stage>,
    /// A factor on their lengths.
    factor: f32,
    /// The least that they take together, in milliseconds.
    least: f32,
    /// What is heard of the frames.
    share: f32,
    /// What is heard with them.
    mixed: Option<Place>,
    beat: Beat,
}

impl<'a> Layout<'a> {
    /// Nothing yet.
    pub fn new(sounds: &'a [Sound], table: &'a PhonemeData, manner: &'a Manner) -> Self {
        Self {
            sounds,
            table,
            manner,
            extents: lengths::extents(sounds, &manner.stress),
            made: Articulation::default(),
            smoother: Smoother::default(),
            joins: false,
            strength: None,
            mixed: None,
        }
    }

    /// What has been laid out.
    pub fn finished(mut self) -> Articulation {
        self.interrupt();
        self.made
    }

    /// Adds the sound at `index`; sounds are added in order.
    pub fn add(&mut self, index: usize) {
        let (sounds, extent) = (self.sounds, self.extents[index]);
        let (before, sound, next) = (&sounds[index - 1], &sounds[index], &sounds[index + 1]);
        // Words are set apart.
        if sound.starts_word && !sound.has(PH_NOPAUSE) {
            self.joins = false;
        }
        let voiced_ahead = sound.has(PH_PREVOICE);
        if extent.pause > 0.0 && !voiced_ahead {
            self.pause(extent.pause);
        }
        let own = program::outcome(sounds, index, self.table, false);
        let start = self.made.length;
        match sound.entry.typ {
            PH_PAUSE => self.interrupt(),
            PH_STOP => {
                if voiced_ahead {
                    self.set_first_strength(self.extents[index + 1].strength);
                    self.murmur(index);
                }
                self.record(&own, None, true);
            }
            PH_FRICATIVE => {
                for _ in 0..if sound.lengthened { 2 } else { 1 } {
                    self.record(&own, Some(extent.length), false);
                }
            }
            PH_VSTOP => {
                self.set_strength_before(index);
                let opens = next.is_vowel() || next.is(PH_LIQUID) && !next.starts_word;
                if before.is_vowel() || voiced_ahead {
                    self.murmur(index);
                    if sound.lengthened {
                        self.pause(HELD_MURMUR * lengths::RECORDED);
                        self.murmur(index);
                    }
                } else if sound.lengthened {
                    self.pause(HELD * lengths::RECORDED);
                }
                if opens {
                    self.smoother.begin_syllable(&self.made.glides);
                }
                self.consonant(index, &own, true, Beat::None);
                // A fricative in the same word is set apart.
                if !sound.starts_word && !sounds[index + 2].starts_word {
                    match next.entry.typ {
                        PH_VFRICATIVE => self.pause(20.0 * lengths::RECORDED),
                        PH_FRICATIVE => self.pause(12.0 * lengths::RECORDED),
                        _ => {}
                    }
                }
            }
            PH_VFRICATIVE => {
                self.set_strength_before(index);
                if !sound.unreleased {
                    self.smoother.begin_syllable(&self.made.glides);
                }
                for _ in 0..if sound.lengthened { 2 } else { 1 } {
                    self.consonant(index, &own, false, Beat::None);
                }
            }
            PH_NASAL => {
                self.set_own_strength(index);
                self.joins &= !before.is(PH_NASAL);
                if next.is_vowel() {
                    self.smoother.begin_syllable(&self.made.glides);
                    self.consonant(index, &own, false, Beat::None);
                } else if before.is_vowel() && extent.continues {
                    self.consonant(index, &own, false, Beat::None);
                } else {
                    self.joins = false;
                    self.consonant(index, &own, false, Beat::None);
                    self.joins = false;
                }
            }
            PH_LIQUID => {
                self.set_own_strength(index);
                self.joins &= !before.is(PH_NASAL);
                if next.is_vowel() {
                    self.smoother.begin_syllable(&self.made.glides);
                }
                let pause = f32::from(own.pause) * lengths::RECORDED;
                if pause > extent.pause {
                    self.pause(pause - extent.pause);
                }
                self.consonant(
                    index,
                    &own,
                    false,
                    if sound.has(PH_TRILL) { Beat::Trill } else { Beat::None },
                );
            }
            _ if sound.is_vowel() => self.vowel(index, &own),
            _ => {}
        }
        self.note_syllable(sound, start);
    }

    /// Keeps where a syllable is.
    fn note_syllable(&mut self, sound: &Sound, start: u32) {
        let end = self.made.length;
        if sound.syllabic {
            self.made.syllables.push(Syllable {
                start,
                end,
                accent: sound.accent,
                tone: sound.tone.clone(),
            });
        } else if !sound.starts_word
            && matches!(sound.entry.typ, PH_LIQUID | PH_NASAL | PH_VFRICATIVE)
            && let Some(syllable) = self.made.syllables.last_mut()
            && syllable.end == start
        {
            // What is voiced after the vowel carries its tune on.
            syllable.end = end;
        }
    }

    /// Ends what is voiced: nothing goes on over a silence or a recording.
    fn interrupt(&mut self) {
        self.joins = false;
        self.mixed = None;
        self.smoother.end_syllable(&mut self.made.glides);
    }

    fn pause(&mut self, milliseconds: f32) {
        self.interrupt();
        self.made.length += samples(milliseconds * self.manner.slowness);
    }

    fn set_first_strength(&mut self, strength: f32) {
        self.strength.get_or_insert(strength);
    }

    /// The strength of a consonant goes with the vowel or the liquid that follows.
    fn set_strength_before(&mut self, index: usize) {
        let (sound, next) = (&self.sounds[index], &self.sounds[index + 1]);
        let strengths = (self.extents[index].strength, self.extents[index + 1].strength);
        match next.entry.typ {
            _ if next.is_vowel() => self.strength = Some(strengths.0),
            PH_LIQUID if !next.starts_word || sound.is(PH_VFRICATIVE) => self.strength = Some(strengths.1),
            _ => self.set_first_strength(if sound.is(PH_VSTOP) { strengths.1 } else { strengths.0 }),
        }
    }

    fn set_own_strength(&mut self, index: usize) {
        if !self.extents[index].continues || self.strength.is_none() {
            self.strength = Some(self.extents[index].strength);
        }
    }

    /// A recording alone. Fricatives have a length by their syllable; stops keep theirs (`burst`).
    fn record(&mut self, own: &Outcome, length: Option<f32>, burst: bool) {
        self.interrupt();
        let Some(place) = own.recording else { return };
        let recording = Recording::alone(
            self.made.length,
            place,
            2.0 * f32::from(own.length),
            length,
            if burst { None } else { Some(self.manner.slowness) },
            &self.table.phondata,
        );
        if let Some(recording) = recording {
            self.made.length += recording.length;
            self.made.recordings.push(recording);
        }
    }

    /// The voice in which a stop is held.
    fn murmur(&mut self, index: usize) {
        let voicing = program::outcome(self.sounds, index, self.table, true);
        let stages = frames::consonant(&voicing, true, self.table);
        self.glide(Part {
            stages,
            factor: self.extents[index].length,
            least: SHORTEST_SOUND,
            share: share(voicing.frames),
            mixed: None,
            beat: Beat::None,
        });
    }

    fn consonant(&mut self, index: usize, own: &Outcome, fixed: bool, beat: Beat) {
        self.glide(Part {
            stages: frames::consonant(own, fixed, self.table),
            factor: self.extents[index].length,
            least: SHORTEST_SOUND,
            share: share(own.frames),
            mixed: own.mixed,
            beat,
        });
    }

    fn vowel(&mut self, index: usize, own: &Outcome) {
        let (before, sound, next) = (&self.sounds[index - 1], &self.sounds[index], &self.sounds[index + 1]);
        let neighbour = |other: &Sound, at: usize| {
            (!other.is(PH_PAUSE)).then(|| program::outcome(self.sounds, at, self.table, false))
        };
        let (earlier, later) = (neighbour(before, index - 1), neighbour(next, index + 1));
        self.smoother.begin_syllable(&self.made.glides);
        self.strength = Some(self.extents[index].strength);
        let factor = self.extents[index].length;
        // The way out of a liquid or a nasal is not shortened as much as the vowel.
        let sonorant = matches!(before.entry.typ, PH_LIQUID | PH_NASAL);
        let least = f32::from(self.manner.stress.sonorant) / 256.0;
        self.glide(Part {
            stages: frames::vowel_beginning(own, earlier.as_ref(), self.table),
            factor: if sonorant { factor.max(least) } else { factor },
            least: SHORTEST_SOUND,
            share: share(own.frames),
            mixed: None,
            beat: Beat::None,
        });
        let long = i16::from(sound.entry.std_length) >= self.manner.stress.long_vowel
            || sound.lengthened
            || sound.has(PH_LONG);
        let stages = frames::vowel_body(sound, own, later.as_ref(), self.table);
        self.smoother.reach_centre(&mut self.made.glides);
        self.glide(Part {
            stages,
            factor,
            least: if long { SHORTEST_LONG } else { SHORTEST_SOUND },
            share: share(own.frames),
            mixed: None,
            beat: Beat::None,
        });
    }

    /// Adds stages as glides from each to the next.
    fn glide(&mut self, part: Part) {
        let Part { stages, .. } = &part;
        let Some(first) = stages.first() else { return };
        self.join(&first.frame);
        if self.mixed.is_some() && part.mixed.is_none() {
            self.cut_mixed();
        }
        let mut lengths: Vec<f32> = stages[..stages.len() - 1]
            .iter()
            .map(|stage| stage_length(stage, part.factor))
            .collect();
        let sum: f32 = lengths.iter().sum();
        if sum > 0.0 && sum < part.least {
            lengths.iter_mut().for_each(|length| *length *= part.least / sum);
        }
        let loudness = self.loudness() * part.share;
        let mut mixed = part.mixed;
        for (pair, length) in stages.windows(2).zip(lengths) {
            let flags = pair[0].frame.spectrum.frflags;
            if let Some(place) = mixed.filter(|_| flags & DEFERRED == 0) {
                mixed = None;
                self.mix(place);
            }
            let length = length * self.manner.slowness;
            if length <= 0.0 {
                self.joins = false;
                continue;
            }
            let length = samples(length.max(SHORTEST_CHANGE));
            self.made.glides.push(Glide {
                start: self.made.length,
                length,
                from: pair[0].frame.clone(),
                to: pair[1].frame.clone(),
                loudness,
                beat: if flags & INTERRUPTED != 0 { Beat::Tap } else { part.beat },
            });
            self.made.length += length;
            self.joins = true;
        }
    }

    /// Starts a recording that is heard with what is voiced.
    fn mix(&mut self, place: Place) {
        self.cut_mixed();
        let strength = self.loudness();
        if let Some(recording) = Recording::mixed(self.made.length, place, strength, &self.table.phondata) {
            self.mixed = Some(self.made.recordings.len());
            self.made.recordings.push(recording);
        }
    }

    /// Ends the recording that is heard with what is voiced.
    fn cut_mixed(&mut self) {
        if let Some(recording) = self.mixed.take() {
            let recording = &mut self.made.recordings[recording];
            recording.length = recording.length.min(self.made.length - recording.start);
        }
    }

    /// The loudness of what is voiced, with the voice's emphasis.
    fn loudness(&self) -> f32 {
        let strength = self.strength.unwrap_or(20.0) / 20.0;
        strength.powf(self.manner.emphasis / 100.0)
    }

    /// Lets the glide before become `frame` instead of what it was to become, where the data leave that open.
    fn join(&mut self, frame: &Frame) {
        let Some(last) = self.made.glides.last_mut().filter(|_| self.joins) else {
            return;
        };
        let spectrum = &last.to.spectrum;
        let open = spectrum.length < 2 || spectrum.frflags & FRFLAG_VOWEL_CENTRE != 0;
        if !open || spectrum.frflags & FRFLAG_BREAK != 0 {
            return;
        }
        let mut joined = frame.clone();
        if spectrum.frflags & FRFLAG_BREAK_LF != 0 {
            // The higher formants stay as they were.
            joined.id |= 1 << 31;
            joined.spectrum.ffreq[3..].copy_from_slice(&spectrum.ffreq[3..]);
            joined.spectrum.fheight[3..].copy_from_slice(&spectrum.fheight[3..]);
        }
        last.to = joined;
    }
}

/// The length of a stage in milliseconds.
fn stage_length(stage: &Stage, factor: f32) -> f32 {
    let firm = match stage.firmness {
        Firmness::None => 0.0,
        Firmness::Marked => FIRM,
        Firmness::Beginning => FIRM_BEGINNING,
    };
    stage.length * (factor * (1.0 - firm) + firm)
}
