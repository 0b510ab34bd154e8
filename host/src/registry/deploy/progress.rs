//! The steps that changes have reached, for whoever watches one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::capabilities::Capability;
use crate::registry::refusal::Step;

/// The step of each change that is under way. A capability has at most one.
#[derive(Debug, Default)]
pub struct Progress(Mutex<BTreeMap<Capability, Step>>);

impl Progress {
    /// Begins a change at its first step; it is over when the value is dropped.
    pub fn begin(&self, capability: &Capability) -> Change<'_> {
        self.steps().insert(capability.clone(), Step::Read);
        Change {
            progress: self,
            capability: capability.clone(),
        }
    }

    /// Notes that the change of a capability has come to a step. Outside of a change, as at the start, nothing is noted.
    pub fn reach(&self, capability: &Capability, step: Step) {
        if let Some(at) = self.steps().get_mut(capability) {
            *at = step;
        }
    }

    /// The step that a capability's change has reached.
    pub fn step(&self, capability: &Capability) -> Option<Step> {
        self.steps().get(capability).copied()
    }

    fn steps(&self) -> MutexGuard<'_, BTreeMap<Capability, Step>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A change that is under way.
#[derive(Debug)]
pub struct Change<'a> {
    progress: &'a Progress,
    capability: Capability,
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        self.progress.steps().remove(&self.capability);
    }
}
