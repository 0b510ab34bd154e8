//! The context of all sequences: its size, and how it computes.

use std::num::NonZeroU32;

use llama_cpp_2::context::params::LlamaContextParams;

/// Parameters of a context for so many tokens of all sequences together, at most `step` of them computed at once.
pub fn parameters(cells: u32, sequences: u32, step: usize, threads: u32) -> LlamaContextParams {
    let threads = i32::try_from(threads).unwrap_or(1);
    let step = u32::try_from(step).unwrap_or(u32::MAX);
    LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(cells))
        .with_n_seq_max(sequences)
        // One pool for all sequences: a step is one computation, whichever of them are in it, and a beginning that two share
        // is there once.
        .with_kv_unified(true)
        .with_n_batch(step)
        .with_n_ubatch(step)
        .with_n_threads(threads)
        .with_n_threads_batch(threads)
        .with_no_perf(true)
}
