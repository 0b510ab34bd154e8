//! Which version of each capability serves.

pub mod imports;
pub mod version;

use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use quartet_api::Capability;

use crate::engine::Machine;
use crate::engine::cache::CodeCache;
pub use version::Version;

/// One atomic pointer for each capability. Requests in flight keep the version that they began with.
#[derive(Default)]
pub struct Registry {
    tts: ArcSwapOption<Version>,
}

impl Registry {
    /// The version that serves a capability now, if one is loaded.
    pub fn current(&self, capability: Capability) -> Option<Arc<Version>> {
        self.slot(capability).load_full()
    }

    /// Makes a version the one that serves.
    pub fn publish(&self, version: Version) {
        self.slot(version.capability).store(Some(Arc::new(version)));
    }

    /// The capabilities that nothing serves.
    pub fn missing(&self) -> Vec<Capability> {
        Capability::ALL
            .iter()
            .copied()
            .filter(|capability| self.slot(*capability).load().is_none())
            .collect()
    }

    fn slot(&self, capability: Capability) -> &ArcSwapOption<Version> {
        match capability {
            Capability::Tts => &self.tts,
        }
    }

    /// Loads `<capability>.wasm` from a folder for every capability. What cannot be loaded is logged and left out.
    pub fn load_folder(&self, folder: &Path, machine: &Machine, cache: &CodeCache) {
        for capability in Capability::ALL.iter().copied() {
            let path = folder.join(format!("{}.wasm", capability.name()));
            match Version::load(capability, &path, machine, cache) {
                Ok(version) => {
                    tracing::info!(
                        component = capability.name(), digest = version.short_digest(), origin = ?version.origin,
                        "component loaded"
                    );
                    self.publish(version);
                }
                Err(reason) => {
                    tracing::error!(component = capability.name(), path = %path.display(), %reason, "component not loaded");
                }
            }
        }
    }
}
