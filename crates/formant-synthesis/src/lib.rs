//! Formant synthesis of speech in twelve languages and five voices, from clauses of text to samples.
//!
//! Words become phonemes by the rules and dictionaries of eSpeak NG (crate `espeak-ng`), whose data also describe every
//! sound. The sound itself is made here, after the model of eSpeak NG for which the data are made, because the crate's
//! own does not keep vowels apart by length, leaves the tones of Chinese out, and is silent for the first 64 samples of
//! every frame of voiced sound. The exact length of the speech is known before its first sample is made, and samples
//! come in chunks. The licence is that of eSpeak NG, GPL-3.0-or-later.
//!
//! ```text
//! clauses ─► phrase ─► sequence ─► program, lengths, frames ─► layout, smooth ─► pitch, wave, recording ─► post_process
//!            codes     sounds      data of each sound          in time           sound                     samples
//! ```
//!
//! [`render`] makes the sound of a clause, [`synthesis`] that of a whole text. [`voice`] has the settings of the five
//! voices. [`data`] and `files` give the engine its data without a file system.
//!
//! [`init`] loads everything that does not depend on a request. [`Plan`] is the entry point:
//!
//! ```
//! use quartet_api::{Language, Voice};
//! use quartet_formant_synthesis::Plan;
//! use quartet_text_normalization::{Clause, Ending, Pause, Span};
//!
//! let clauses = [Clause {
//!     spans: vec![Span { language: Language::English, text: "Good morning".to_owned() }],
//!     ending: Ending::Exclamation,
//!     pause: Pause::Sentence,
//! }];
//! let plan = Plan::new(clauses.iter().cloned(), Voice::Kore);
//! let samples = plan.samples();
//! let speech: Vec<i16> = plan.synthesise(clauses.iter().cloned()).flatten().collect();
//! assert_eq!(speech.len() as u64, samples);
//! ```

pub mod articulation;
pub mod data;
pub mod engine;
mod files;
pub mod frames;
pub mod gains;
mod layout;
pub mod lengths;
mod phoneme_fixups;
pub mod phrase;
pub mod pitch;
pub mod post_process;
pub mod program;
pub mod recording;
pub mod render;
mod resample;
pub mod sequence;
mod smooth;
pub mod spectrum;
pub mod stress;
pub mod synthesis;
mod track;
pub mod transcription;
pub mod voice;
pub mod wave;

pub use synthesis::{Plan, SpeechChunks, seconds};

/// Loads the engine's data and makes all tables, so that a snapshot of the component has them.
///
/// The same every time: asks for no environment, time or randomness.
pub fn init() {
    engine::init();
    resample::init();
}
