//! Natural speech by Kokoro-82M: clauses whose words are written in phonemes become samples, over [`Graphs`].
//!
//! ```text
//! clauses ─► symbols ─► utterances ─► speech-durations ─► speech-samples
//!            of the     up to a       length of each      sound
//!            model      sentence      symbol
//! ```
//!
//! [`symbols`] writes the phonemes of a language with the symbols of the model, [`utterance`] puts clauses together,
//! `style` mixes the five voices, and [`Plan`] has the graphs computed: first all lengths, and with them the exact size
//! of the speech, then the sound, an utterance at a time. Of a long text only some lengths are computed first; the rest is fitted into
//! a length that is reserved for it. The same request gives the same samples on the same machine.
//!
//! [`Graphs`]: quartet_inference::Graphs

mod hanzi;
mod kana;
mod plan;
mod planned;
mod rest;
mod style;
pub mod symbols;
pub mod utterance;
mod words;

pub use plan::{Ahead, Plan, PlanError};
pub use utterance::{Utterance, utterances};
