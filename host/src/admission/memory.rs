//! The memory that all sandboxes may have together.
//!
//! A request takes what it is expected to need before it runs. If it turns out to need more, its sandbox takes that when it
//! grows, and where nothing is left it is refused: one request fails, instead of the process that serves all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Part of the budget that requests are let in for; the rest is for those that need more than expected.
const ADMITTED_PERCENT: usize = 85;

/// Bytes that are shared out.
#[derive(Debug)]
pub struct MemoryBudget {
    most: usize,
    used: AtomicUsize,
}

/// Bytes of a budget, given back when dropped.
#[derive(Debug)]
pub struct MemoryShare {
    budget: Arc<MemoryBudget>,
    bytes: usize,
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl MemoryBudget {
    /// A budget of so many bytes.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            used: AtomicUsize::new(0),
        })
    }

    /// Bytes that are taken, and how many there are.
    pub fn bytes(&self) -> (usize, usize) {
        (self.used.load(Ordering::Relaxed), self.most)
    }

    /// Takes bytes for a request that is let in. The first one gets what it asks for in any case: there is nobody whose end
    /// it could wait for.
    pub fn admit(self: &Arc<Self>, bytes: usize) -> Option<MemoryShare> {
        let limit = self.most / 100 * ADMITTED_PERCENT;
        let fits = |used: usize| (used == 0 || used.saturating_add(bytes) <= limit).then(|| used.saturating_add(bytes));
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        taken.is_ok().then(|| MemoryShare {
            budget: Arc::clone(self),
            bytes,
        })
    }
}

impl MemoryShare {
    /// Makes it at least so many bytes. Returns false if there are not as many left.
    pub fn reach(&mut self, bytes: usize) -> bool {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else {
            return true;
        };
        let most = self.budget.most;
        let fits = |used: usize| used.checked_add(more).filter(|after| *after <= most);
        let used = &self.budget.used;
        let taken = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok();
        if taken {
            self.bytes = bytes;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back_and_never_more_than_there_is() {
        let budget = MemoryBudget::new(1_000);
        let mut first = budget.admit(400).unwrap();
        let second = budget.admit(400).unwrap();
        assert!(budget.admit(100).is_none(), "the rest is for those that grow");
        assert!(first.reach(300) && first.reach(600) && !first.reach(601));
        assert_eq!(budget.bytes(), (1_000, 1_000));
        drop(second);
        assert!(first.reach(601));
        drop(first);
        assert_eq!(budget.bytes().0, 0);
        let alone = budget.admit(5_000).unwrap();
        assert!(budget.admit(1).is_none());
        drop(alone);
    }
}
