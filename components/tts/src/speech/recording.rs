//! Recorded sounds: the noises of stops and fricatives, from the engine's data.

use espeak_ng::synthesize::sample::parse_wav_sample;

use super::resample::{resampled, resampled_length};

/// From the data to samples from -1 to 1: 3 dB above what the engine makes of them, which gives consonants the share in
/// the sound that they have in eSpeak NG 1.51.
const STRENGTH: f32 = 1.41 / 32_768.0;

/// A recorded sound in its place.
#[derive(Debug)]
pub struct Recording {
    /// When it begins, in samples.
    pub start: u32,
    /// How long it lasts, in samples.
    pub length: u32,
    /// Where it is in the data.
    place: u32,
    /// Its loudness in percent; zero for all of it.
    loudness: i32,
    /// Its length as a factor on that in the data.
    factor: f64,
}

impl Recording {
    /// The recording at `place` of the engine's sounds, or none if there is none.
    pub fn new(start: u32, place: u32, loudness: i32, factor: f32, sounds: &[u8]) -> Option<Self> {
        // A header of four bytes: the length in bytes, and zero where two bytes are a sample.
        let at = place as usize & 0x7f_ffff;
        let header = sounds.get(at..at + 4)?;
        let bytes = usize::from(u16::from_le_bytes([header[0], header[1]]));
        sounds.get(at + 4..at + 4 + bytes)?;
        let samples = if header[2] == 0 { bytes / 2 } else { bytes };
        if samples == 0 {
            return None;
        }
        let factor = f64::from(factor);
        let made = ((samples as f64 * factor) as u64).max(1);
        Some(Self {
            start,
            length: resampled_length(made) as u32,
            place,
            loudness,
            factor,
        })
    }

    /// Its samples.
    pub fn samples(&self, sounds: &[u8]) -> Vec<f32> {
        let samples = parse_wav_sample(self.place, sounds, self.factor, self.loudness).unwrap_or_default();
        let samples: Vec<f32> = samples.iter().map(|sample| f32::from(*sample) * STRENGTH).collect();
        resampled(&samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::{engine, frames, phrase, sequence};
    use crate::text::{Clause, Ending, Pause, Span};
    use quartet_api::Language;

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
        let sounds = sequence::sounds(&phrases[0].codes, &table);
        let mut count = 0;
        for factor in [0.5, 0.8, 1.0, 1.7] {
            for index in 0..sounds.len() {
                let Some((place, loudness)) = frames::parts(&sounds, index, &table).recording else {
                    continue;
                };
                let recording = Recording::new(0, place, loudness, factor, &table.phondata).unwrap();
                assert_eq!(recording.samples(&table.phondata).len(), recording.length as usize);
                count += 1;
            }
        }
        assert!(count > 40, "{count} recordings");
        assert!(Recording::new(0, 0x7f_fffe, 0, 1.0, &table.phondata).is_none());
    }
}
