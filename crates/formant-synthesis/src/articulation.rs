//! A phrase laid out in time: which spectrum becomes which, when, and how long it all takes.
//!
//! Lengths are whole samples at the rate of the result, so that a phrase's length is known without its sound being
//! made.

use espeak_ng::PhonemeData;

use super::frames::Frame;
use super::layout::Layout;
use super::recording::Recording;
use super::sequence::Sound;
use super::stress::Stress;

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
    pub from: Frame,
    /// The spectrum at the end.
    pub to: Frame,
    /// Its loudness: 1 is what the data are made for.
    pub loudness: f32,
    /// Whether and how the loudness is interrupted.
    pub beat: Beat,
}

/// How the tongue interrupts the voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// Not at all.
    None,
    /// Again and again: a rolled sound.
    Trill,
    /// Once, at the beginning.
    Tap,
}

/// Where a syllable's centre is.
#[derive(Debug)]
pub struct Syllable {
    /// When it begins, in samples.
    pub start: u32,
    /// When it ends, with what is voiced after it in the same syllable.
    pub end: u32,
    /// See [`Sound::accent`].
    pub accent: u8,
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
    /// What stress does in the language.
    pub stress: Stress,
}

/// Lays out the sounds of a phrase.
pub fn articulate(sounds: &[Sound], table: &PhonemeData, manner: &Manner) -> Articulation {
    let mut layout = Layout::new(sounds, table, manner);
    // Not the silences around.
    for index in 1..sounds.len() - 2 {
        layout.add(index);
    }
    layout.finished()
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
        let mut manner = voice::character(Voice::Kore).manner(language);
        manner.slowness *= slowness;
        let sounds = sequence::sounds(&phrases[0].codes, &table, &manner.stress);
        articulate(&sounds, &table, &manner)
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
