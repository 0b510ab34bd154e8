//! Deploys the version that all replicas are to serve: by the path of every version, whether or not this machine has a disk to
//! keep it on.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;

use super::{Deployed, Deployer, Unchanged, blocking, digest};
use crate::capabilities::Capability;
use crate::registry::Serving;
use crate::registry::refusal::{Refusal, Step};
use crate::telemetry::metrics::Swap;
use crate::version::Version;

impl Deployer {
    /// Takes a version through all steps but the last two, and returns its digest: nothing changes.
    pub async fn examine(self: &Arc<Self>, capability: &Capability, bytes: Bytes) -> Result<String, Refusal> {
        let _turn = self.turn.lock().await;
        let _change = self.progress.begin(capability);
        let digest = digest(bytes.clone()).await?;
        if self
            .registry
            .current(capability)
            .is_some_and(|current| current.digest == digest)
        {
            return Ok(digest);
        }
        let passed = self.pass(capability, bytes).await;
        passed
            .map(|_| digest)
            .inspect_err(|_| self.observer.metrics.swap(capability, Swap::Refused))
    }

    /// Serves the version that all replicas are to serve. Of one that was not kept in memory, `bytes` are those that have
    /// this digest. Where the folder of the components cannot be written, it serves all the same: the next start gets it
    /// from the replicas again.
    pub async fn follow(
        self: &Arc<Self>,
        capability: &Capability,
        digest: &str,
        bytes: Option<Bytes>,
    ) -> Result<Deployed, Unchanged> {
        let result = self.follow_in_turn(capability, digest, bytes).await;
        self.count(capability, Some(Swap::Published), &result);
        result
    }

    async fn follow_in_turn(
        self: &Arc<Self>,
        capability: &Capability,
        digest: &str,
        bytes: Option<Bytes>,
    ) -> Result<Deployed, Unchanged> {
        let started = Instant::now();
        let _turn = self.turn.lock().await;
        let _change = self.progress.begin(capability);
        let serving = self.registry.serving(capability);
        let before = serving.as_ref().map(|serving| Arc::clone(&serving.current));
        if let Some(current) = before.as_ref().filter(|current| current.digest == digest) {
            return Ok(self.deployed(current, Some(current), started));
        }
        let version = match (in_memory(serving.as_deref(), digest), bytes.clone()) {
            (Some(version), _) => version,
            (None, Some(bytes)) => self.pass(capability, bytes).await?,
            (None, None) => return Err(Step::Read.refuses("its bytes are not here").into()),
        };
        if version.digest != digest {
            return Err(Step::Read.refuses("its bytes have another digest").into());
        }
        if let Err(refusal) = self.keep(&version, bytes.clone()).await {
            tracing::debug!(component = capability.name(), reason = %refusal, "the version is kept aside");
            if let Some(bytes) = bytes {
                self.keep_aside(&version, bytes).await;
            }
        }
        self.publish(&version, "replaced by the version of the fleet");
        Ok(self.deployed(&version, before.as_ref(), started))
    }

    async fn keep_aside(&self, version: &Version, bytes: Bytes) {
        let (store, capability, digest) = (self.store.clone(), version.capability.clone(), version.digest.clone());
        let kept = blocking(move || store.keep_aside(&capability, &digest, &bytes)).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(component = version.capability.name(), %error, "the version cannot be kept on this machine");
        }
    }

    /// Returns true if a version can serve without its bytes.
    pub fn has(&self, capability: &Capability, digest: &str) -> bool {
        let serving = self.registry.serving(capability);
        let serving = serving.as_deref();
        serving.is_some_and(|serving| serving.current.digest == digest) || in_memory(serving, digest).is_some()
    }

    /// The bytes of a version, if this machine has them: of one that was kept, or in the capability's file.
    pub async fn bytes_of(&self, capability: &Capability, wanted: &str) -> Option<Bytes> {
        let (store, owner, kept) = (self.store.clone(), capability.clone(), wanted.to_owned());
        if let Ok(Ok(bytes)) = blocking(move || store.read(&owner, &kept)).await {
            return Some(bytes.into());
        }
        let bytes = self.read(capability).await.ok()?;
        let found = digest(bytes.clone()).await.ok()?;
        (found == wanted).then_some(bytes)
    }
}

/// A version that served before and is still in memory.
fn in_memory(serving: Option<&Serving>, digest: &str) -> Option<Arc<Version>> {
    let mut previous = serving?.previous.iter();
    previous.find(|version| version.digest == digest).cloned()
}
