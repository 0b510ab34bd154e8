//! The memory limit of one sandbox, and its peak.

use wasmtime::ResourceLimiter;

/// Counts and bounds the linear memory and the tables of a sandbox.
#[derive(Debug)]
pub struct MemoryLimiter {
    limit: usize,
    /// Peak of all memories together, in bytes.
    pub peak: usize,
    current: usize,
    /// True if the sandbox asked for more than it may have.
    pub refused: bool,
}

impl MemoryLimiter {
    /// A limiter for this many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            peak: 0,
            current: 0,
            refused: false,
        }
    }
}

/// Elements of one table; far above what compilers emit.
const MAX_TABLE_ELEMENTS: usize = 100_000;

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let after = self.current + desired.saturating_sub(current);
        if after > self.limit {
            self.refused = true;
            return Ok(false);
        }
        self.current = after;
        self.peak = self.peak.max(after);
        Ok(true)
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        self.refused = true;
        Ok(())
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let granted = desired <= MAX_TABLE_ELEMENTS;
        self.refused |= !granted;
        Ok(granted)
    }
}
