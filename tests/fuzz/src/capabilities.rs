//! Stands in for the capabilities, which the host's build collects: keys name them.

#[path = "../../../host/src/capabilities/capability.rs"]
pub mod capability;
#[path = "../../../host/src/capabilities/grant.rs"]
pub mod grant;
#[path = "../../../host/src/capabilities/probe.rs"]
pub mod probe;

pub use capability::{Capability, Definition};

/// The capabilities: none.
#[derive(Debug, Clone, Default)]
pub struct Capabilities;

impl Capabilities {
    /// The capability with a name.
    pub fn get(&self, _: &str) -> Option<&Capability> {
        None
    }

    /// The names of all.
    pub fn names(&self) -> String {
        String::new()
    }
}
