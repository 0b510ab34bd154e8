//! A request's use of the model, from its first question to its end.

use std::sync::{Arc, OnceLock, Weak};

use super::local::Local;

/// A request that may ask the model. Its end is told to the built-in engine, if it has asked that.
#[derive(Debug, Default)]
pub struct Visit(OnceLock<(u64, Weak<Local>)>);

impl Visit {
    /// Its number at the built-in engine.
    pub(super) fn number(&self, local: &Arc<Local>) -> u64 {
        self.0.get_or_init(|| (local.number_request(), Arc::downgrade(local))).0
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some((number, local)) = self.0.get()
            && let Some(local) = local.upgrade()
        {
            local.leave(*number);
        }
    }
}
