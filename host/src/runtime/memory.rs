//! The memory limit of one sandbox, its peak, and its part of the memory that all sandboxes share.

use std::sync::Arc;

use wasmtime::ResourceLimiter;

use crate::admission::{MemoryShare, Meter};

/// Counts and bounds the linear memory and the tables of a sandbox.
#[derive(Debug)]
pub struct MemoryLimiter {
    limit: usize,
    /// Peak of all memories together, in bytes.
    pub peak: usize,
    current: usize,
    /// Bytes that it began with, which are its component's and mapped from there.
    initial: usize,
    /// True if the sandbox asked for more than it may have.
    pub refused: bool,
    /// True if it asked for more than all sandboxes together have left.
    pub shortage: bool,
    share: Option<MemoryShare>,
    meter: Option<Arc<Meter>>,
}

impl MemoryLimiter {
    /// A limiter for this many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            peak: 0,
            current: 0,
            initial: 0,
            refused: false,
            shortage: false,
            share: None,
            meter: None,
        }
    }

    /// The most bytes that the sandbox may have.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Has what the sandbox grows by be part of a share of all memory, and counted.
    pub fn share(&mut self, share: Option<MemoryShare>, meter: Arc<Meter>) {
        self.share = share;
        self.meter = Some(meter);
    }

    /// Takes what the sandbox grows by out of what all sandboxes share.
    fn shares(&mut self, after: usize) -> bool {
        let grown = after - self.initial;
        if let Some(share) = &mut self.share
            && !share.reach(grown)
        {
            self.shortage = true;
            return false;
        }
        if let Some(meter) = &self.meter {
            meter.holds(grown);
        }
        true
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
        if current == 0 {
            self.initial += desired;
        }
        if !self.shares(after) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admission::MemoryBudget;

    #[test]
    fn what_a_sandbox_grows_by_is_taken_from_what_all_share() {
        let budget = MemoryBudget::new(1_000);
        let meter = Arc::<Meter>::default();
        let mut memory = MemoryLimiter::new(10_000);
        memory.share(budget.admit(300), Arc::clone(&meter));
        // What it is made of is mapped, and none of its own.
        assert!(memory.memory_growing(0, 5_000, None).unwrap());
        assert!(memory.memory_growing(5_000, 5_900, None).unwrap());
        assert_eq!((budget.bytes().0, meter.memory()), (900, 900));
        assert!(!memory.memory_growing(5_900, 6_001, None).unwrap());
        assert!(memory.shortage && !memory.refused);
        assert!(!memory.memory_growing(5_900, 10_001, None).unwrap());
        assert!(memory.refused);
        drop(memory);
        assert_eq!(budget.bytes().0, 0);
    }
}
