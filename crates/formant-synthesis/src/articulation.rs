//! The articulation of a phrase: its spectra, recordings and syllables laid out in time.
//!
//! Lengths are whole samples at the rate of the result, so that a phrase's length is known without its sound being
//! made.

use super::frames::Frame;
use super::recording::Recording;
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
    /// The words, in order.
    pub words: Vec<WordPlace>,
    /// The length of everything, in samples.
    pub length: u32,
}

/// The place of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordPlace {
    /// Its beginning in samples, after the silence before it.
    pub start: u32,
    /// Its end in samples.
    pub end: u32,
    /// Number of its sounds.
    pub sounds: u32,
}

/// One spectrum becoming another.
#[derive(Debug)]
pub struct Glide {
    /// Its beginning, in samples.
    pub start: u32,
    /// Its length, in samples.
    pub length: u32,
    /// The spectrum at the beginning.
    pub from: Frame,
    /// The spectrum at the end.
    pub to: Frame,
    /// Its loudness: 1 is the level that the data are made for.
    pub loudness: f32,
    /// The interruption of the voice, if any.
    pub beat: Beat,
}

/// An interruption of the voice by the tongue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// None.
    None,
    /// Again and again: a rolled sound.
    Trill,
    /// Once, at the beginning.
    Tap,
}

/// The place of a syllable, its accent and its tone.
#[derive(Debug)]
pub struct Syllable {
    /// Its beginning, in samples.
    pub start: u32,
    /// Its end in samples, voiced consonants after the vowel included.
    pub end: u32,
    /// See [`super::sequence::Sound::accent`].
    pub accent: u8,
    /// See [`super::sequence::Sound::tone`].
    pub tone: Vec<u8>,
}

/// The prosody of a voice in a language: tempo and stress.
#[derive(Debug, Clone, Copy)]
pub struct Prosody {
    /// A factor on all lengths: 1 is ordinary.
    pub slowness: f32,
    /// The emphasis on stressed syllables, in percent of the usual.
    pub emphasis: f32,
    /// The effect of stress in the language.
    pub stress: Stress,
}
