//! The registry of versions: for each capability the one that serves, those before it, and the one that is being tried.

pub mod deploy;
pub mod fleet;
pub mod grants;
pub mod late;
pub mod load;
pub mod probe;
pub mod refusal;
pub mod store;
pub mod warm_up;
pub mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use tokio::sync::watch::{Receiver, Sender};

use crate::auth::person::Person;
use crate::capabilities::{Capabilities, Capability};
use crate::rollout::trial::Trial;
use crate::version::Version;

/// One atomic pointer for each capability. Requests in flight keep the version that they began with.
pub struct Registry {
    capabilities: Capabilities,
    slots: BTreeMap<Capability, ArcSwapOption<Serving>>,
    changes: Sender<()>,
}

/// The versions of a capability: replaced as a whole, never changed.
pub struct Serving {
    /// The version that answers requests.
    pub current: Arc<Version>,
    /// Versions that served before, the last first: kept for a rollback.
    pub previous: Vec<Arc<Version>>,
    /// The trial that goes on.
    pub trial: Option<Arc<Trial>>,
}

/// The version chosen for one request.
pub struct Chosen {
    /// The version that answers.
    pub version: Arc<Version>,
    /// The trial whose candidate hears the request, too.
    pub shadow: Option<Arc<Trial>>,
}

impl Registry {
    /// A registry in which nothing serves.
    pub fn new(capabilities: Capabilities) -> Self {
        let slots = capabilities
            .iter()
            .map(|capability| (capability.clone(), ArcSwapOption::empty()));
        Self {
            slots: slots.collect(),
            capabilities,
            changes: Sender::new(()),
        }
    }

    /// Changes whenever another version serves or is tried.
    pub fn changes(&self) -> Receiver<()> {
        self.changes.subscribe()
    }

    /// Every capability, whether anything serves it or not.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Chooses the version for the next request to a capability, if anything serves it: the request of a person, or the
    /// service's own.
    pub fn choose(&self, capability: &Capability, person: Option<&Person<'_>>) -> Option<Chosen> {
        let serving = self.slot(capability).load();
        let serving = serving.as_ref()?;
        let trial = serving.trial.as_ref().filter(|trial| trial.is_drawn(person));
        Some(match trial {
            Some(trial) if !trial.plan.shadow => Chosen {
                version: Arc::clone(&trial.candidate),
                shadow: None,
            },
            shadow => Chosen {
                version: Arc::clone(&serving.current),
                shadow: shadow.cloned(),
            },
        })
    }

    /// The versions of a capability, if anything serves it.
    pub fn serving(&self, capability: &Capability) -> Option<Arc<Serving>> {
        self.slot(capability).load_full()
    }

    /// The version that serves a capability now, if one is loaded.
    pub fn current(&self, capability: &Capability) -> Option<Arc<Version>> {
        self.serving(capability).map(|serving| Arc::clone(&serving.current))
    }

    /// The capabilities that nothing serves.
    pub fn missing(&self) -> Vec<&Capability> {
        let capabilities = self.capabilities.iter();
        capabilities
            .filter(|capability| self.slot(capability).load().is_none())
            .collect()
    }

    /// Returns true if a version that serves may have the host compute this graph.
    pub fn needs(&self, graph: &str) -> bool {
        let mut current = self
            .capabilities
            .iter()
            .filter_map(|capability| self.current(capability));
        current.any(|version| version.guest.graphs.iter().any(|own| own == graph))
    }

    /// Returns true if a version that serves may ask the language model.
    pub fn needs_language(&self) -> bool {
        let mut current = self
            .capabilities
            .iter()
            .filter_map(|capability| self.current(capability));
        current.any(|version| version.language)
    }

    /// Makes a version the one that serves. The one before it is kept, with at most `kept` of those before that; a
    /// trial is over.
    fn publish(&self, version: Arc<Version>, kept: usize) {
        let capability = version.capability.clone();
        let before = self.serving(&capability);
        let previous = before.iter().flat_map(|serving| {
            std::iter::once(&serving.current)
                .chain(&serving.previous)
                .filter(|other| other.digest != version.digest)
        });
        let previous = previous.take(kept).cloned().collect();
        version.record.begin();
        self.set(&capability, version, previous, None);
    }

    /// Begins a trial, or ends one.
    fn set_trial(&self, capability: &Capability, trial: Option<Arc<Trial>>) {
        if let Some(serving) = self.serving(capability) {
            self.set(
                capability,
                Arc::clone(&serving.current),
                serving.previous.clone(),
                trial,
            );
        }
    }

    fn set(
        &self,
        capability: &Capability,
        current: Arc<Version>,
        previous: Vec<Arc<Version>>,
        trial: Option<Arc<Trial>>,
    ) {
        let serving = Serving {
            current,
            previous,
            trial,
        };
        let before = self.slot(capability).swap(Some(Arc::new(serving)));
        if let Some(ended) = before.as_ref().and_then(|before| before.trial.as_ref()) {
            ended.end();
        }
        self.changes.send_replace(());
    }

    fn slot(&self, capability: &Capability) -> &ArcSwapOption<Serving> {
        &self.slots[capability]
    }
}
