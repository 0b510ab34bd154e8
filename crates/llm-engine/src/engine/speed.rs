//! Speed of this machine with this model.

use std::time::Instant;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;

/// Tokens of the first step, which also brings the weights from the disk into memory.
const WARM_UP_TOKENS: i32 = 4;
/// Tokens of the step that is timed: half a second on a slow machine.
const TIMED_TOKENS: i32 = 32;

/// Reads some tokens and returns how many a second. The context holds nothing afterwards.
///
/// # Errors
/// When nothing can be computed.
pub fn measure(llama: &mut LlamaContext<'_>, token: LlamaToken) -> Result<f32, String> {
    let mut read = |tokens: i32| {
        llama.clear_kv_cache();
        let mut batch = LlamaBatch::new(tokens.unsigned_abs() as usize, 1);
        for position in 0..tokens {
            batch
                .add(token, position, &[0], position + 1 == tokens)
                .map_err(|error| error.to_string())?;
        }
        let started = Instant::now();
        llama.decode(&mut batch).map_err(|error| error.to_string())?;
        // Only who asks for the result waits for it.
        let _ = llama.get_logits_ith(tokens - 1);
        Ok::<_, String>(started.elapsed())
    };
    read(WARM_UP_TOKENS)?;
    let took = read(TIMED_TOKENS)?;
    llama.clear_kv_cache();
    Ok(TIMED_TOKENS as f32 / took.as_secs_f32().max(f32::EPSILON))
}
