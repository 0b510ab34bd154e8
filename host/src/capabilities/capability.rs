//! One capability: a handle to an immutable definition.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use super::grant::{Environment, Grant};
use super::probe::Step;

/// Everything that the host knows of a capability before it has seen its component.
#[derive(Debug)]
pub struct Definition {
    /// Its name in paths, file names and logs: its component is `<name>.wasm`, its paths are under `/api/v1/<name>`.
    pub name: String,
    /// The graphs that it may have computed, by the names of their files in the folder of the models.
    pub graphs: Arc<[String]>,
    /// Its grants.
    pub grants: Vec<Grant>,
    /// Settings in its environment.
    pub environment: Vec<Environment>,
    /// True if answers are streams, with their longer limits, where the contract has no operations of this capability.
    pub streams: bool,
    /// Requests that a version must answer before it serves.
    pub probe: Vec<Step>,
    /// Requests that are made once the language model is loaded, a few times until they are answered as expected: the
    /// beginning of a prompt, which is the same for every question, is computed before the first person waits for it.
    pub warm_up: Vec<Step>,
}

/// A capability. Cheap to clone; two with the same name are the same.
#[derive(Clone)]
pub struct Capability(Arc<Definition>);

impl Capability {
    /// The name in paths, file names and logs.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// One with nothing but a name.
    #[cfg(test)]
    pub fn bare(name: &str) -> Self {
        Self::from(Definition {
            name: name.to_owned(),
            graphs: Arc::default(),
            grants: Vec::new(),
            environment: Vec::new(),
            streams: false,
            probe: Vec::new(),
            warm_up: Vec::new(),
        })
    }

    /// Returns true if it has this grant.
    pub fn may(&self, grant: Grant) -> bool {
        self.0.grants.contains(&grant)
    }
}

impl From<Definition> for Capability {
    fn from(definition: Definition) -> Self {
        Self(Arc::new(definition))
    }
}

impl Deref for Capability {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        &self.0
    }
}

impl PartialEq for Capability {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Capability {}

impl PartialOrd for Capability {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Capability {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for Capability {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
