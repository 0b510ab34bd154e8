//! Gains that make all voices equally loud in all languages.
//!
//! Measured, not chosen: integrated loudness (ITU-R BS.1770) of the same document in all languages, against -18 LUFS.
//! `cargo run --release --example voices -- --gains` measures and prints the table anew.

use quartet_api::{Language, Voice};

/// Gain over the level of eSpeak NG, which leaves room for its loudest voice.
pub const ENGINE_GAIN: f32 = 1.66;

/// Gains in decibels: a row for each language and a column for each voice, in the order of the contract's tables.
const GAINS: [[f32; 5]; 12] = [
    [-1.9, -1.7, -1.8, -2.4, -1.3],
    [-2.4, -1.9, -2.4, -2.7, -1.8],
    [-0.4, 0.3, -0.0, -0.9, 0.3],
    [-0.2, 0.2, -0.1, 0.6, 0.3],
    [-1.7, -1.5, -1.7, -2.7, -1.1],
    [-0.4, 0.2, -0.1, -0.8, 0.4],
    [-1.3, -0.9, -1.1, -2.3, -0.4],
    [2.5, 2.2, 2.5, 1.0, 2.0],
    [-2.3, -1.8, -2.1, -2.7, -1.5],
    [-1.0, -0.1, -0.8, -2.4, -0.2],
    [-2.4, -2.1, -2.4, -2.8, -1.9],
    [-1.5, -0.4, -1.6, -2.4, -0.5],
];

/// The gain of a voice in a language, as a factor on the samples.
pub fn gain(voice: Voice, language: Language) -> f32 {
    // `ALL` of both is in the order of the variants.
    10f32.powf(GAINS[language as usize][voice as usize] / 20.0)
}
