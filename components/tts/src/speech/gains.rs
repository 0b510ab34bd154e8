//! How much louder or softer each voice is made in each language, so that all are equally loud.
//!
//! Measured, not chosen: integrated loudness (ITU-R BS.1770) of the same document in all languages, against -18 LUFS.
//! `cargo run --release --example voices -- --gains` measures and prints the table anew.

use quartet_api::{Language, Voice};

/// In decibels: a row for each language and a column for each voice, in the order of the contract's tables.
const GAINS: [[f32; 5]; 12] = [
    [-2.5, -4.0, -0.3, -2.1, -2.7],
    [-3.5, -4.4, -1.2, -3.1, -3.5],
    [-2.3, -3.2, 0.1, -2.1, -2.0],
    [-1.9, -3.1, 0.6, -1.4, -1.8],
    [-2.0, -3.4, 0.3, -1.6, -2.2],
    [-2.7, -4.0, -0.3, -2.1, -2.6],
    [-2.8, -4.2, -0.4, -2.6, -2.7],
    [-1.4, -2.7, 1.0, -1.0, -1.8],
    [-2.4, -3.8, -0.0, -2.1, -2.1],
    [-3.7, -4.7, -1.3, -3.7, -3.9],
    [-3.1, -4.4, -0.8, -2.6, -3.1],
    [-2.2, -3.1, 0.1, -2.1, -1.8],
];

/// The factor on the samples.
pub fn gain(voice: Voice, language: Language) -> f32 {
    // `ALL` of both is in the order of the variants.
    10f32.powf(GAINS[language as usize][voice as usize] / 20.0)
}
