//! Scores of answers and summaries on real PDF documents; the programs are in `src/bin`.

pub mod engine;
