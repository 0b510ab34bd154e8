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

/// A version that all replicas try beside the one that serves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The version.
    pub artifact: Artifact,
    /// The generation that began it, by which it is told from others.
    pub began: u64,
    /// Percentage of the persons whose requests it answers.
    pub percent: f64,
    /// Requests that it answers on all replicas together before it is promoted.
    pub requests: u64,
    /// Allowed ratio of its 95th percentiles to the current version's.
    pub latency_ratio: f64,
    /// Longest duration in seconds.
    pub seconds: u64,
}

impl Tried {
    fn is_valid(&self) -> bool {
        self.artifact.is_valid() && self.percent > 0.0 && self.percent <= 100.0 && self.latency_ratio >= 1.0
    }
}

/// Counts of one version in a trial of all replicas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Requests with an outcome.
    pub requests: u64,
    /// Requests that failed in the service.
    pub failed: u64,
    /// Requests that the component refused.
    pub refused: u64,
}

/// The end of the last trial of all replicas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Digest of the version that was tried.
    pub digest: String,
    /// The generation that began the trial.
    pub began: u64,
    /// The end, with the reason.
    pub how: String,
    /// Counts of the version that was tried, where they were known.
    pub candidate: Counts,
    /// Counts of the version that it was compared with.
    pub current: Counts,
}

/// The version of a capability that all replicas are to serve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Desired {
    /// The capability's name.
    pub capability: String,
    /// Number of the change that led here; the first is 1.
    pub generation: u64,
    /// The version; none where each replica serves its own file.
    pub current: Option<Artifact>,
    /// The version before, for a rollback.
    pub previous: Option<Artifact>,
    /// The version that is tried beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<Tried>,
    /// The end of the trial before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
}

impl Desired {
    /// The components that it names.
    pub fn artifacts(&self) -> impl Iterator<Item = &Artifact> {
        let tried = self.trial.as_ref().map(|trial| &trial.artifact);
        self.current.iter().chain(&self.previous).chain(tried)
    }

    pub(super) fn is_valid(&self) -> bool {
        self.generation > 0
            && self.artifacts().all(Artifact::is_valid)
            && self.trial.as_ref().is_none_or(Tried::is_valid)
    }
}

/// Contents of the store in the place of a desired version.
#[derive(Debug, Clone, Default, PartialEq)]
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
            trial: None,
            ended: None,
        };
        assert!(desired(1, None).is_valid() && desired(1, Some(artifact(&"0a".repeat(32)))).is_valid());
        assert!(!desired(0, None).is_valid());
        assert!(!desired(1, Some(artifact("x"))).is_valid());
        let mut tries = desired(2, Some(artifact(&"0a".repeat(32))));
        let tried = |digest: &str, percent| Tried {
            artifact: artifact(digest),
            began: 2,
            percent,
            requests: 200,
            latency_ratio: 1.5,
            seconds: 3600,
        };
        for (digest, percent, valid) in [
            ("0b", 5.0, true),
            ("0B", 5.0, false),
            ("0b", 0.0, false),
            ("0b", f64::NAN, false),
        ] {
            tries.trial = Some(tried(&digest.repeat(32), percent));
            assert_eq!(tries.is_valid(), valid, "{digest} {percent}");
        }
    }

    #[test]
    fn what_an_earlier_release_has_written_is_read() {
        let text = r#"{"capability":"tts","generation":3,"current":null,"previous":null}"#;
        let desired: Desired = serde_json::from_str(text).unwrap();
        assert_eq!((desired.trial.as_ref(), desired.ended.as_ref()), (None, None));
        assert_eq!(serde_json::to_string(&desired).unwrap(), text);
    }
}
