//! Lays out the sounds of a phrase in time, by the kind of each sound. [`super::track`] puts them together.
//!
//! The order of things is that of eSpeak NG (`synthesize.c`, GPL-3.0-or-later).

use espeak_ng::PhonemeData;
use espeak_ng::phoneme::{
    PH_FRICATIVE, PH_LIQUID, PH_LONG, PH_NASAL, PH_NOPAUSE, PH_PAUSE, PH_PREVOICE, PH_STOP, PH_TRILL, PH_VFRICATIVE,
    PH_VSTOP,
};

use super::articulation::{Articulation, Beat, Prosody};
use super::frames;
use super::lengths::{self, Extent};
use super::program::{self, Outcome, Place};
use super::sequence::Sound;
use super::track::{MIN_LONG_VOWEL_MS, MIN_SOUND_MS, Part, Track};

/// The silence inside a voiced stop that is held longer, with a murmur and without, in milliseconds.
const HELD_MURMUR_PAUSE_MS: f32 = 25.0;
const HELD_SILENT_PAUSE_MS: f32 = 50.0;

/// The level that the data give frames and recordings, as a factor; zero in the data stands for all of it.
fn share(place: Option<Place>) -> f32 {
    place.map_or(1.0, |place| {
        if place.value == 0 {
            1.0
        } else {
            f32::from(place.value) / 100.0
        }
    })
}

/// Lays out the sounds of a phrase.
pub fn articulate(sounds: &[Sound], table: &PhonemeData, prosody: &Prosody) -> Articulation {
    let mut layout = Layout::new(sounds, table, prosody);
    // Not the silences around.
    for index in 1..sounds.len() - 2 {
        layout.add(index);
    }
    layout.finished()
}

/// A phrase that is being laid out.
struct Layout<'a> {
    sounds: &'a [Sound],
    table: &'a PhonemeData,
    prosody: &'a Prosody,
    extents: Vec<Extent>,
    track: Track<'a>,
}

impl<'a> Layout<'a> {
    /// An empty layout.
    fn new(sounds: &'a [Sound], table: &'a PhonemeData, prosody: &'a Prosody) -> Self {
        Self {
            sounds,
            table,
            prosody,
            extents: lengths::extents(sounds, &prosody.stress),
            track: Track::new(table, prosody),
        }
    }

    /// The articulation that has been laid out.
    fn finished(self) -> Articulation {
        self.track.finished()
    }

    /// Adds the sound at `index`; sounds are added in order.
    fn add(&mut self, index: usize) {
        let (sounds, extent) = (self.sounds, self.extents[index]);
        let (before, sound, next) = (&sounds[index - 1], &sounds[index], &sounds[index + 1]);
        // Words are set apart.
        if sound.starts_word && !sound.has(PH_NOPAUSE) {
            self.track.joins = false;
        }
        let voiced_ahead = sound.has(PH_PREVOICE);
        if extent.pause > 0.0 && !voiced_ahead {
            self.track.pause(extent.pause);
        }
        let own = program::outcome(sounds, index, self.table, false);
        let start = self.track.length();
        match sound.entry.typ {
            PH_PAUSE => self.track.interrupt(),
            PH_STOP => {
                if voiced_ahead {
                    self.track.set_first_strength(self.extents[index + 1].strength);
                    self.murmur(index);
                }
                self.track.record(&own, None, true);
            }
            PH_FRICATIVE => {
                for _ in 0..if sound.lengthened { 2 } else { 1 } {
                    self.track.record(&own, Some(extent.length), false);
                }
            }
            PH_VSTOP => {
                self.set_strength_before(index);
                let opens = next.is_vowel() || next.is(PH_LIQUID) && !next.starts_word;
                if before.is_vowel() || voiced_ahead {
                    self.murmur(index);
                    if sound.lengthened {
                        self.track.pause(HELD_MURMUR_PAUSE_MS * lengths::PAUSE_FACTOR);
                        self.murmur(index);
                    }
                } else if sound.lengthened {
                    self.track.pause(HELD_SILENT_PAUSE_MS * lengths::PAUSE_FACTOR);
                }
                if opens {
                    self.track.begin_syllable();
                }
                self.consonant(index, &own, true, Beat::None);
                // A fricative in the same word is set apart.
                if !sound.starts_word && !sounds[index + 2].starts_word {
                    match next.entry.typ {
                        PH_VFRICATIVE => self.track.pause(20.0 * lengths::PAUSE_FACTOR),
                        PH_FRICATIVE => self.track.pause(12.0 * lengths::PAUSE_FACTOR),
                        _ => {}
                    }
                }
            }
            PH_VFRICATIVE => {
                self.set_strength_before(index);
                if !sound.unreleased {
                    self.track.begin_syllable();
                }
                for _ in 0..if sound.lengthened { 2 } else { 1 } {
                    self.consonant(index, &own, false, Beat::None);
                }
            }
            PH_NASAL => {
                self.set_own_strength(index);
                self.track.joins &= !before.is(PH_NASAL);
                if next.is_vowel() {
                    self.track.begin_syllable();
                    self.consonant(index, &own, false, Beat::None);
                } else if before.is_vowel() && extent.continues {
                    self.consonant(index, &own, false, Beat::None);
                } else {
                    self.track.joins = false;
                    self.consonant(index, &own, false, Beat::None);
                    self.track.joins = false;
                }
            }
            PH_LIQUID => {
                self.set_own_strength(index);
                self.track.joins &= !before.is(PH_NASAL);
                if next.is_vowel() {
                    self.track.begin_syllable();
                }
                let pause = f32::from(own.pause) * lengths::PAUSE_FACTOR;
                if pause > extent.pause {
                    self.track.pause(pause - extent.pause);
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
        self.track.note_syllable(sound, start);
        if !sound.is(PH_PAUSE) {
            self.track.note_word(sound, start);
        }
    }

    /// Sets the strength of a consonant to that of the vowel or the liquid that follows.
    fn set_strength_before(&mut self, index: usize) {
        let (sound, next) = (&self.sounds[index], &self.sounds[index + 1]);
        let strengths = (self.extents[index].strength, self.extents[index + 1].strength);
        match next.entry.typ {
            _ if next.is_vowel() => self.track.strength = Some(strengths.0),
            PH_LIQUID if !next.starts_word || sound.is(PH_VFRICATIVE) => self.track.strength = Some(strengths.1),
            _ => self
                .track
                .set_first_strength(if sound.is(PH_VSTOP) { strengths.1 } else { strengths.0 }),
        }
    }

    fn set_own_strength(&mut self, index: usize) {
        if !self.extents[index].continues || self.track.strength.is_none() {
            self.track.strength = Some(self.extents[index].strength);
        }
    }

    /// Adds the voice in which a stop is held.
    fn murmur(&mut self, index: usize) {
        let voicing = program::outcome(self.sounds, index, self.table, true);
        let stages = frames::consonant(&voicing, true, self.table);
        self.track.glide(Part {
            stages,
            factor: self.extents[index].length,
            least: MIN_SOUND_MS,
            share: share(voicing.frames),
            mixed: None,
            beat: Beat::None,
        });
    }

    fn consonant(&mut self, index: usize, own: &Outcome, fixed: bool, beat: Beat) {
        self.track.glide(Part {
            stages: frames::consonant(own, fixed, self.table),
            factor: self.extents[index].length,
            least: MIN_SOUND_MS,
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
        self.track.begin_syllable();
        self.track.strength = Some(self.extents[index].strength);
        let factor = self.extents[index].length;
        // The way out of a liquid or a nasal is not shortened as much as the vowel.
        let sonorant = matches!(before.entry.typ, PH_LIQUID | PH_NASAL);
        let least = f32::from(self.prosody.stress.sonorant) / 256.0;
        self.track.glide(Part {
            stages: frames::vowel_beginning(own, earlier.as_ref(), self.table),
            factor: if sonorant { factor.max(least) } else { factor },
            least: MIN_SOUND_MS,
            share: share(own.frames),
            mixed: None,
            beat: Beat::None,
        });
        let long = i16::from(sound.entry.std_length) >= self.prosody.stress.long_vowel
            || sound.lengthened
            || sound.has(PH_LONG);
        let stages = frames::vowel_body(sound, own, later.as_ref(), self.table);
        self.track.reach_centre();
        self.track.glide(Part {
            stages,
            factor,
            least: if long { MIN_LONG_VOWEL_MS } else { MIN_SOUND_MS },
            share: share(own.frames),
            mixed: None,
            beat: Beat::None,
        });
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::{Language, Voice};

    use super::*;
    use crate::{engine, phrase, sequence, voice};
    use quartet_text_normalization::{Clause, Ending, Pause, Span};

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
        let mut prosody = voice::profile(Voice::Kore).prosody(language);
        prosody.slowness *= slowness;
        let sounds = sequence::sounds(&phrases[0].codes, &table, &prosody.stress);
        articulate(&sounds, &table, &prosody)
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
        assert_eq!(articulation.words.len(), 7);
        assert!(articulation.words.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn slower_is_longer() {
        let length = |slowness| articulated(Language::English, TEXT, slowness).length as f32;
        let ratio = length(1.5) / length(1.0);
        assert!((1.4..1.6).contains(&ratio), "{ratio}");
    }

    #[test]
    fn formants_do_not_jump_inside_a_syllable() {
        for word in ["why", "yell", "ways", "bead"] {
            let articulation = articulated(Language::English, word, 1.0);
            let mut joints = 0;
            for pair in articulation
                .glides
                .windows(2)
                .filter(|pair| pair[0].to.meets(&pair[1].from))
            {
                assert_eq!(pair[0].to.spectrum.ffreq, pair[1].from.spectrum.ffreq, "{word}");
                joints += 1;
            }
            assert!(joints > 1, "{word}: {joints} joints");
        }
    }
}
