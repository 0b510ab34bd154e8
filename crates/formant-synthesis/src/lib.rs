//! From clauses to samples.
//!
//! ```text
//! clauses ─► phrase ─► sequence ─► program, lengths, frames ─► layout, smooth ─► pitch, wave, recording ─► post_process ─► samples
//!            codes     sounds      what each is made of        in time           sound                     even
//! ```
//!
//! The engine is the crate `espeak-ng`: [`phrase`] has it turn words into phoneme codes by its rules and dictionaries,
//! and its data describe every sound. The sound itself is made here, after the model of eSpeak NG for which the data
//! are made, because the crate's own does not keep vowels apart by length, leaves the tones of Chinese out, and is
//! silent for the first 64 samples of every frame of voiced sound. [`data`] and `files` give the engine its data
//! without a file system; [`voice`] makes five voices of one; [`synthesis`] puts everything in its place, with the total
//! known beforehand.
//!
//! [`init`] loads everything that does not depend on a request. [`Plan`] is the way in:
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
