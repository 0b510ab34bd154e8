//! Recorded sounds: the noises of stops and fricatives, from the engine's data.
//!
//! Their lengths and levels are those of eSpeak NG (`synthesize.c`, `wavegen.c`; GPL-3.0-or-later).

use super::gains::ENGINE_GAIN;
use super::lengths::PAUSE_FACTOR;
use super::program::Place;
use super::resample::{resampled, resampled_length};

/// Factors from the data to samples from -1 to 1, for a sound alone and for one that is heard with the voice.
const ALONE_GAIN: f32 = 1.235 * ENGINE_GAIN / 32_768.0;
const MIXED_GAIN: f32 = 0.996 * ENGINE_GAIN / 32_768.0;

/// The rate of the data in samples a millisecond.
const DATA_SAMPLES_PER_MS: f32 = 22.05;

/// The shortest that a recording is made, in samples of the data.
const MIN_DATA_SAMPLES: f32 = 450.0;

/// The length of the fade of a recording that is cut off.
const CUT_FADE_SAMPLES: usize = 72;

/// A recorded sound in its place.
#[derive(Debug)]
pub struct Recording {
    /// Its beginning, in samples.
    pub start: u32,
    /// Its length, in samples.
    pub length: u32,
    /// Its place in the data.
    place: usize,
    /// Its length in samples of the data.
    made: usize,
    /// A factor on the samples.
    strength: f32,
    /// True if it is heard with the voice.
    mixed: bool,
}

impl Recording {
    /// A sound by itself, or none if there is none at that place.
    ///
    /// `own` is its length in milliseconds, or zero where the recording says it. `length` is a factor on it, and
    /// `slowness` another, which a burst does not have.
    pub fn alone(
        start: u32,
        place: Place,
        own: f32,
        length: Option<f32>,
        slowness: Option<f32>,
        sounds: &[u8],
    ) -> Option<Self> {
        let recorded = Samples::at(place.at as usize, sounds)?.length() as f32;
        let (mut wanted, mut least) = (recorded, MIN_DATA_SAMPLES);
        if own > 0.0 {
            wanted = own * DATA_SAMPLES_PER_MS;
            least = least.max(MIN_DATA_SAMPLES * wanted / recorded);
        }
        let made = (wanted * length.unwrap_or(1.0) * PAUSE_FACTOR).max(least) * slowness.unwrap_or(1.0);
        Some(Self::new(start, place, made, ALONE_GAIN * share(place), false))
    }

    /// A sound that is heard with the voice, whose loudness is `loudness`.
    pub fn mixed(start: u32, place: Place, loudness: f32, sounds: &[u8]) -> Option<Self> {
        let recorded = Samples::at(place.at as usize, sounds)?.length() as f32;
        let made = (recorded * PAUSE_FACTOR).max(MIN_DATA_SAMPLES);
        Some(Self::new(
            start,
            place,
            made,
            MIXED_GAIN * share(place) * loudness,
            true,
        ))
    }

    fn new(start: u32, place: Place, made: f32, strength: f32, mixed: bool) -> Self {
        let made = (made as usize).max(1);
        Self {
            start,
            length: resampled_length(made as u64) as u32,
            place: place.at as usize,
            made,
            strength,
            mixed,
        }
    }

    /// Its samples, as many as its length.
    pub fn samples(&self, sounds: &[u8]) -> Vec<f32> {
        let Some(samples) = Samples::at(self.place, sounds) else {
            return Vec::new();
        };
        let recorded = samples.length();
        let at = |index: usize| {
            self.strength
                * samples.get(if self.mixed {
                    index
                } else {
                    turned(index, self.made, recorded)
                })
        };
        let mut samples = if self.mixed {
            // It goes back to where its steady part begins.
            let again = (3 * recorded / 4).max(1);
            let back = |index: usize| {
                if index < recorded {
                    index
                } else {
                    recorded - again + (index - recorded) % again
                }
            };
            resampled(&(0..self.made).map(|index| at(back(index))).collect::<Vec<_>>())
        } else {
            resampled(&(0..self.made).map(at).collect::<Vec<_>>())
        };
        let length = self.length as usize;
        if length < samples.len() {
            samples.truncate(length);
            let fade = CUT_FADE_SAMPLES.min(length);
            for (left, sample) in samples.iter_mut().rev().take(fade).enumerate() {
                *sample *= left as f32 / fade as f32;
            }
        }
        samples
    }
}

/// The sample of a recording that is heard at `index` of `made`: of a longer sound the middle again and again, then the
/// end.
fn turned(index: usize, made: usize, recorded: usize) -> usize {
    let quarter = recorded / 4;
    if made <= recorded || quarter == 0 {
        return index % recorded;
    }
    if index < 3 * quarter {
        return index;
    }
    let turns = (made - 3 * quarter).saturating_sub(3 * quarter).div_ceil(2 * quarter);
    let (beyond, turning) = (index - 3 * quarter, turns * 2 * quarter);
    if beyond < turning {
        quarter + beyond % (2 * quarter)
    } else {
        recorded - (made - index)
    }
}

/// The level of a recording, as a factor.
fn share(place: Place) -> f32 {
    if place.value == 0 {
        1.0
    } else {
        f32::from(place.value) / 100.0
    }
}

/// The samples of a recording in the data.
struct Samples<'a> {
    bytes: &'a [u8],
    /// The factor on samples of one byte; zero where a sample has two bytes.
    scale: u8,
}

impl<'a> Samples<'a> {
    /// Reads the header of four bytes, the length in bytes and the scale; none where nothing is.
    fn at(place: usize, sounds: &'a [u8]) -> Option<Self> {
        let at = place & 0x7f_ffff;
        let header = sounds.get(at..at + 4)?;
        let length = usize::from(u16::from_le_bytes([header[0], header[1]]));
        let samples = Self {
            bytes: sounds.get(at + 4..at + 4 + length)?,
            scale: header[2],
        };
        (samples.length() > 0).then_some(samples)
    }

    fn length(&self) -> usize {
        if self.scale == 0 {
            self.bytes.len() / 2
        } else {
            self.bytes.len()
        }
    }

    fn get(&self, index: usize) -> f32 {
        if self.scale == 0 {
            f32::from(i16::from_le_bytes([self.bytes[2 * index], self.bytes[2 * index + 1]]))
        } else {
            f32::from(self.bytes[index].cast_signed()) * f32::from(self.scale)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine, phrase, program, sequence, stress};
    use quartet_api::Language;
    use quartet_text_normalization::{Clause, Ending, Pause, Span};

    #[test]
    fn lengths_are_known_without_the_sound() {
        let text = "Six thick thistle sticks, perfect fish chips".to_owned();
        let spans = vec![Span {
            language: Language::English,
            text,
        }];
        let clause = Clause {
            spans,
            ending: Ending::Statement,
            pause: Pause::Sentence,
        };
        let phrases = phrase::translate(&[clause]).remove(0);
        let table = engine::sounds_of(Language::English);
        let sounds = sequence::sounds(&phrases[0].codes, &table, &stress::of(Language::English));
        let mut count = 0;
        for slowness in [0.5, 0.8, 1.0, 1.7, 4.0] {
            for index in 1..sounds.len() - 2 {
                let own = program::outcome(&sounds, index, &table, false);
                let alone = own.recording.map(|place| {
                    Recording::alone(
                        0,
                        place,
                        2.0 * f32::from(own.length),
                        None,
                        Some(slowness),
                        &table.phondata,
                    )
                });
                let mixed = own.mixed.map(|place| Recording::mixed(0, place, 1.0, &table.phondata));
                for recording in [alone, mixed].into_iter().flatten() {
                    let mut recording = recording.unwrap();
                    assert_eq!(recording.samples(&table.phondata).len(), recording.length as usize);
                    recording.length /= 2;
                    assert_eq!(recording.samples(&table.phondata).len(), recording.length as usize);
                    count += 1;
                }
            }
        }
        assert!(count > 40, "{count} recordings");
        let nowhere = Place {
            at: 0x7f_fffe,
            value: 0,
        };
        assert!(Recording::mixed(0, nowhere, 1.0, &table.phondata).is_none());
    }

    #[test]
    fn a_longer_recording_has_its_own_beginning_and_end() {
        let recorded = 401;
        for made in [100, 401, 402, 700, 1_000, 5_000] {
            let turned: Vec<usize> = (0..made).map(|index| turned(index, made, recorded)).collect();
            assert!(turned.iter().all(|index| *index < recorded), "{made}");
            assert_eq!(turned[0], 0);
            assert!(made < recorded || turned[made - 1] == recorded - 1, "{made}");
        }
    }
}
