//! One loaded version of a capability: an immutable value, and the record of what it has done.

pub mod figures;
pub mod record;
pub mod sample;

use std::sync::Arc;

use quartet_api::ComponentInfo;
use sha2::{Digest, Sha256};

use self::record::Record;
use crate::capabilities::Capability;
use crate::runtime::cache::Origin;
use crate::runtime::guest::Guest;

/// A version that may serve, with what it has done so far.
pub struct Version {
    /// The capability that it serves.
    pub capability: Capability,
    /// The code that runs.
    pub guest: Arc<Guest>,
    /// SHA-256 of the component's bytes in hexadecimal.
    pub digest: String,
    /// True if it asks the language model.
    pub language: bool,
    /// The source of its compiled code.
    pub origin: Origin,
    /// Counts of its requests so far.
    pub record: Record,
}

impl Version {
    /// The beginning of the digest, enough for a log line.
    pub fn short_digest(&self) -> &str {
        &self.digest[..12]
    }

    /// The name in responses and logs, such as `tts@0123456789ab`.
    pub fn name(&self) -> String {
        format!("{}@{}", self.capability.name(), self.short_digest())
    }

    /// The part of a capability's `info` that describes the version: since when it serves, and how it fares.
    pub fn info(&self) -> ComponentInfo {
        let (requests, errors) = self.record.counts();
        ComponentInfo {
            digest: self.digest.clone(),
            since: self.record.since(),
            requests,
            errors,
        }
    }
}

/// The digest that names a component's bytes.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
