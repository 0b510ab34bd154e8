//! A phrase laid out in time: which spectrum becomes which, when, and how long it all takes.
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
    /// See [`super::sequence::Sound::accent`].
    pub accent: u8,
    /// See [`super::sequence::Sound::tone`].
    pub tone: Vec<u8>,
}

/// How fast a phrase is spoken, and how strong its syllables are.
#[derive(Debug, Clone, Copy)]
pub struct Prosody {
    /// A factor on all lengths: 1 is ordinary.
    pub slowness: f32,
    /// How much louder stressed syllables are, in percent of what is usual.
    pub emphasis: f32,
    /// What stress does in the language.
    pub stress: Stress,
}
