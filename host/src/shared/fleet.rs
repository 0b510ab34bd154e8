//! The versions that the replicas are to serve, as values: one desired version for each capability, with a generation that
//! grows with each change.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// First bytes of a sealed value, which tell one from the next.
const HEAD_BYTES: usize = 12;

/// A component, by its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// SHA-256 of the bytes in hexadecimal.
    pub digest: String,
    /// Number of bytes.
    pub bytes: u64,
}

impl Artifact {
    /// True if it has a digest, which may then stand in a path.
    fn is_valid(&self) -> bool {
        self.digest.len() == 64
            && self
                .digest
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }
}

/// The version of a capability that all replicas are to serve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Desired {
    /// The capability's name.
    pub capability: String,
    /// Number of the change that led here; the first is 1.
    pub generation: u64,
    /// The version; none where each replica serves its own file.
    pub current: Option<Artifact>,
    /// The version before, for a rollback.
    pub previous: Option<Artifact>,
}

impl Desired {
    /// The components that it names.
    pub fn artifacts(&self) -> impl Iterator<Item = &Artifact> {
        self.current.iter().chain(&self.previous)
    }

    pub(super) fn is_valid(&self) -> bool {
        self.generation > 0 && self.artifacts().all(Artifact::is_valid)
    }
}

/// Contents of the store in the place of a desired version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The sealed value.
    pub(super) raw: Vec<u8>,
    /// The desired version; none where nothing is there, or something that this service has not sealed.
    pub desired: Option<Desired>,
}

impl Found {
    /// The bytes by which the store tells whether it is still there.
    pub(super) fn head(&self) -> &[u8] {
        &self.raw[..self.raw.len().min(HEAD_BYTES)]
    }
}

/// The desired versions that the store had at the last sign of life, by their places; none before the first.
pub type Heard = Option<Arc<BTreeMap<String, Found>>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_digest_names_a_component() {
        let artifact = |digest: &str| Artifact {
            digest: digest.to_owned(),
            bytes: 1,
        };
        assert!(artifact(&"0a".repeat(32)).is_valid());
        for wrong in ["", "0a", &"0A".repeat(32), &"../".repeat(22)[..64], &"0a".repeat(33)] {
            assert!(!artifact(wrong).is_valid(), "{wrong}");
        }
    }

    #[test]
    fn it_has_a_generation_and_names_digests() {
        let artifact = |digest: &str| Artifact {
            digest: digest.to_owned(),
            bytes: 1,
        };
        let desired = |generation, current| Desired {
            capability: "tts".to_owned(),
            generation,
            current,
            previous: None,
        };
        assert!(desired(1, None).is_valid() && desired(1, Some(artifact(&"0a".repeat(32)))).is_valid());
        assert!(!desired(0, None).is_valid());
        assert!(!desired(1, Some(artifact("x"))).is_valid());
    }
}
