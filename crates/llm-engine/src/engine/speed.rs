//! Speed of this machine with this model.

use std::time::{Duration, Instant};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;
use rustix::time::{ClockId, clock_gettime};

/// Tokens of the first step, which also brings the weights from the disk into memory.
const WARM_UP_TOKENS: i32 = 4;
/// Tokens of the step that is timed: half a second on a slow machine.
const TIMED_TOKENS: i32 = 32;
/// The same for a graphics processor, which is not busy with few. Its driver makes its programs at their first use, so that
/// a step of the same size comes before.
const ACCELERATED_TOKENS: i32 = 256;

/// Tokens of a prompt in a second.
#[derive(Debug, Clone, Copy)]
pub struct Speed {
    /// As it was, with whatever else this machine did.
    pub measured: f32,
    /// As it would be with the processors to itself, by the time that they gave.
    pub alone: f32,
}

/// Reads some tokens in so many threads, or on a graphics processor, and returns how many a second. The context holds nothing
/// afterwards.
///
/// # Errors
/// When nothing can be computed.
pub fn measure(
    llama: &mut LlamaContext<'_>,
    token: LlamaToken,
    threads: u32,
    is_accelerated: bool,
) -> Result<Speed, String> {
    let mut read = |tokens: i32| {
        llama.clear_kv_cache();
        let mut batch = LlamaBatch::new(tokens.unsigned_abs() as usize, 1);
        for position in 0..tokens {
            batch
                .add(token, position, &[0], position + 1 == tokens)
                .map_err(|error| error.to_string())?;
        }
        let (started, given) = (Instant::now(), processor_time());
        llama.decode(&mut batch).map_err(|error| error.to_string())?;
        // Only who asks for the result waits for it.
        let _ = llama.get_logits_ith(tokens - 1);
        Ok::<_, String>((started.elapsed(), processor_time().saturating_sub(given)))
    };
    let tokens = if is_accelerated {
        ACCELERATED_TOKENS
    } else {
        TIMED_TOKENS
    };
    read(if is_accelerated { tokens } else { WARM_UP_TOKENS })?;
    let (took, given) = read(tokens)?;
    llama.clear_kv_cache();
    let speed = |time: Duration| tokens as f32 / time.as_secs_f32().max(f32::EPSILON);
    let measured = speed(took);
    // The processor's time says nothing of another's work.
    let given = if is_accelerated { took * threads } else { given };
    Ok(Speed {
        measured,
        // Threads wait for each other asleep, so that what they were given is what they needed.
        alone: speed(given / threads.max(1)).max(measured),
    })
}

/// Time of processors that this process was given so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}
