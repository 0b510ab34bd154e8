//! The time line of a phrase: glides, recordings and silences one after another, and what goes on over their seams.
//!
//! The rules are those of eSpeak NG (`synthesize.c`, GPL-3.0-or-later).

use espeak_ng::PhonemeData;
use espeak_ng::phoneme::{PH_LIQUID, PH_NASAL, PH_VFRICATIVE};
use espeak_ng::synthesize::phondata::{FRFLAG_BREAK, FRFLAG_BREAK_LF, FRFLAG_VOWEL_CENTRE};
use quartet_api::tts::SAMPLE_RATE;

use super::articulation::{Articulation, Beat, Glide, Prosody, Syllable, WordPlace};
use super::frames::{Firmness, Frame, Stage};
use super::program::{Outcome, Place};
use super::recording::Recording;
use super::sequence::Sound;
use super::smooth::Smoother;

/// The fixed share of a length that is marked as firm, and of the length of a vowel's beginning.
const FIRM_SHARE: f32 = 110.0 / 256.0;
const FIRM_BEGINNING_SHARE: f32 = 100.0 / 256.0;

/// The shortest sound, in milliseconds.
pub const MIN_SOUND_MS: f32 = 1_000.0 / 70.0;
/// The shortest long vowel, in milliseconds.
pub const MIN_LONG_VOWEL_MS: f32 = 2.0 * MIN_SOUND_MS;
/// The shortest change of spectrum, in milliseconds.
const MIN_GLIDE_MS: f32 = 2.9;

/// Flags of frames: the voice is interrupted; a recording begins only with the next frame.
const FLAG_INTERRUPTED: u16 = 0x40;
const FLAG_DEFERRED: u16 = 0x80;

/// The time line of a phrase, up to the last sound that was added.
pub struct Track<'a> {
    table: &'a PhonemeData,
    prosody: &'a Prosody,
    made: Articulation,
    /// The smoothing of formants within syllables.
    smoother: Smoother,
    /// True if the next glide continues the last one.
    pub joins: bool,
    /// The strength of what is voiced; none before the first sound that sets it.
    pub strength: Option<f32>,
    /// The recording that is heard together with what is made now.
    mixed: Option<usize>,
}

/// The stages of a sound, and how they are to be laid out.
pub struct Part {
    /// Its stages.
    pub stages: Vec<Stage>,
    /// A factor on their lengths.
    pub factor: f32,
    /// Their least total length, in milliseconds.
    pub least: f32,
    /// A factor on the loudness of the frames.
    pub share: f32,
    /// A recording that is heard with them.
    pub mixed: Option<Place>,
    /// The interruption of the voice.
    pub beat: Beat,
}

impl<'a> Track<'a> {
    /// An empty time line.
    pub fn new(table: &'a PhonemeData, prosody: &'a Prosody) -> Self {
        Self {
            table,
            prosody,
            made: Articulation::default(),
            smoother: Smoother::default(),
            joins: false,
            strength: None,
            mixed: None,
        }
    }

    /// The articulation that has been laid out.
    pub fn finished(mut self) -> Articulation {
        self.interrupt();
        self.made
    }

    /// Its length so far, in samples.
    pub fn length(&self) -> u32 {
        self.made.length
    }

    /// Begins a syllable: what is voiced goes over into it.
    pub fn begin_syllable(&mut self) {
        self.smoother.begin_syllable(&self.made.glides);
    }

    /// Notes that the centre of a vowel is reached.
    pub fn reach_centre(&mut self) {
        self.smoother.reach_centre(&mut self.made.glides);
    }

    /// Records the place of a syllable.
    pub fn note_syllable(&mut self, sound: &Sound, start: u32) {
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

    /// Records the place of a sound in its word.
    pub fn note_word(&mut self, sound: &Sound, start: u32) {
        let end = self.made.length;
        match self.made.words.last_mut() {
            Some(word) if !sound.starts_word => {
                word.end = end;
                word.sounds += 1;
            }
            _ => self.made.words.push(WordPlace { start, end, sounds: 1 }),
        }
    }

    /// Ends what is voiced: nothing goes on over a silence or a recording.
    pub fn interrupt(&mut self) {
        self.joins = false;
        self.mixed = None;
        self.smoother.end_syllable(&mut self.made.glides);
    }

    /// Adds a silence.
    pub fn pause(&mut self, milliseconds: f32) {
        self.interrupt();
        self.made.length += samples(milliseconds * self.prosody.slowness);
    }

    /// Sets the strength unless an earlier sound has.
    pub fn set_first_strength(&mut self, strength: f32) {
        self.strength.get_or_insert(strength);
    }

    /// A recording alone. Fricatives have a length by their syllable; stops keep theirs (`burst`).
    pub fn record(&mut self, own: &Outcome, length: Option<f32>, burst: bool) {
        self.interrupt();
        let Some(place) = own.recording else { return };
        let recording = Recording::alone(
            self.made.length,
            place,
            2.0 * f32::from(own.length),
            length,
            if burst { None } else { Some(self.prosody.slowness) },
            &self.table.phondata,
        );
        if let Some(recording) = recording {
            self.made.length += recording.length;
            self.made.recordings.push(recording);
        }
    }

    /// Adds stages as glides from each to the next.
    pub fn glide(&mut self, part: Part) {
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
            if let Some(place) = mixed.filter(|_| flags & FLAG_DEFERRED == 0) {
                mixed = None;
                self.mix(place);
            }
            let length = length * self.prosody.slowness;
            if length <= 0.0 {
                self.joins = false;
                continue;
            }
            let length = samples(length.max(MIN_GLIDE_MS));
            self.made.glides.push(Glide {
                start: self.made.length,
                length,
                from: pair[0].frame.clone(),
                to: pair[1].frame.clone(),
                loudness,
                beat: if flags & FLAG_INTERRUPTED != 0 {
                    Beat::Tap
                } else {
                    part.beat
                },
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
        strength.powf(self.prosody.emphasis / 100.0)
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

fn samples(milliseconds: f32) -> u32 {
    (milliseconds * SAMPLE_RATE as f32 / 1_000.0).round() as u32
}

/// The length of a stage in milliseconds.
fn stage_length(stage: &Stage, factor: f32) -> f32 {
    let firm = match stage.firmness {
        Firmness::None => 0.0,
        Firmness::Marked => FIRM_SHARE,
        Firmness::Beginning => FIRM_BEGINNING_SHARE,
    };
    stage.length * (factor * (1.0 - firm) + firm)
}
