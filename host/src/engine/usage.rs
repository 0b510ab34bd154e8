//! What a sandbox used, known to whoever outlives it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Written once, when the sandbox goes, however it goes: done, failed, or dropped because its client left.
#[derive(Debug, Default)]
pub struct Usage {
    fuel: AtomicU64,
    memory: AtomicUsize,
    known: AtomicBool,
}

impl Usage {
    /// Keeps what was used: computation in units of fuel, and the most memory at once in bytes.
    pub fn record(&self, fuel: u64, memory: usize) {
        self.fuel.store(fuel, Ordering::Relaxed);
        self.memory.store(memory, Ordering::Relaxed);
        self.known.store(true, Ordering::Release);
    }

    /// Units of fuel and bytes of memory, once the sandbox is gone.
    pub fn get(&self) -> Option<(u64, usize)> {
        self.known
            .load(Ordering::Acquire)
            .then(|| (self.fuel.load(Ordering::Relaxed), self.memory.load(Ordering::Relaxed)))
    }
}
