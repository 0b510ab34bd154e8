//! Resources that a sandbox used, known after its end.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Callback that takes units of fuel and bytes of memory.
type Late = Box<dyn FnOnce(u64, usize) + Send>;

/// Usage of a sandbox, written once at its end: done, failed, or dropped because its client left.
#[derive(Default)]
pub struct Usage {
    fuel: AtomicU64,
    memory: AtomicUsize,
    known: AtomicBool,
    late: Mutex<Option<Late>>,
}

impl Usage {
    /// Records the usage: computation in units of fuel, and the peak of memory in bytes.
    pub fn record(&self, fuel: u64, memory: usize) {
        self.fuel.store(fuel, Ordering::Relaxed);
        self.memory.store(memory, Ordering::Relaxed);
        let late = {
            let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
            self.known.store(true, Ordering::Release);
            late.take()
        };
        if let Some(late) = late {
            late(fuel, memory);
        }
    }

    /// Units of fuel and bytes of memory, once the sandbox is gone.
    pub fn get(&self) -> Option<(u64, usize)> {
        self.known
            .load(Ordering::Acquire)
            .then(|| (self.fuel.load(Ordering::Relaxed), self.memory.load(Ordering::Relaxed)))
    }

    /// Calls `late` when the sandbox is gone, for requests that are over before, as when the client left. Where there
    /// never was a sandbox, it is not called.
    pub fn when_known(&self, late: impl FnOnce(u64, usize) + Send + 'static) {
        let mut waiting = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        match self.get() {
            None => *waiting = Some(Box::new(late)),
            Some((fuel, memory)) => {
                drop(waiting);
                late(fuel, memory);
            }
        }
    }
}

impl fmt::Debug for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Usage").field(&self.get()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn who_comes_too_early_hears_of_it_later() {
        let heard = Arc::new(AtomicU64::new(0));
        let listener = |heard: &Arc<AtomicU64>| {
            let heard = Arc::clone(heard);
            move |fuel, _| _ = heard.fetch_add(fuel, Ordering::Relaxed)
        };
        let usage = Usage::default();
        usage.when_known(listener(&heard));
        assert_eq!((usage.get(), heard.load(Ordering::Relaxed)), (None, 0));
        usage.record(7, 65_536);
        assert_eq!((usage.get(), heard.load(Ordering::Relaxed)), (Some((7, 65_536)), 7));
        usage.when_known(listener(&heard));
        assert_eq!(heard.load(Ordering::Relaxed), 14);
    }
}
