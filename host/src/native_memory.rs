//! Memory of native libraries, which take it from the C library and not from the program's own allocator.
//!
//! glibc has up to eight pools of memory (arenas) for each processor, one for each of the threads that ask first, and what one of
//! them has free another cannot use. Graphs are computed one at a time, but each on the thread that is free, so that
//! after a while every pool had the memory of a large one: several times what one of them needs.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Pools of memory for all threads together.
#[cfg(target_env = "gnu")]
const ARENAS: libc::c_int = 2;

/// Least time between two times at which free memory is given back. It takes about ten milliseconds.
const INTERVAL: Duration = Duration::from_secs(10);

/// Has all threads share two pools of memory.
///
/// # Safety
/// No other thread may be there yet.
pub unsafe fn share_arenas() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it sets a number that is read when a thread asks for memory for the first time; there are no others yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS);
    }
}

/// Gives free memory of native libraries back to the system, if that was not done just before.
pub fn give_back() {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    // Whoever does it already does it for all.
    let Ok(mut last) = LAST.try_lock() else { return };
    if last.is_some_and(|last| last.elapsed() < INTERVAL) {
        return;
    }
    #[cfg(target_env = "gnu")]
    // SAFETY: it takes the locks of the pools itself, and frees nothing that is used.
    unsafe {
        libc::malloc_trim(0);
    }
    *last = Some(Instant::now());
}
