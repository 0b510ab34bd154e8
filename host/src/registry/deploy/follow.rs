//! Deploys the version that all replicas are to serve: by the path of every version, whether or not this machine has a disk to
//! keep it on.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use serde_json::Value;

use super::{Deployed, Deployer, Unchanged, blocking, digest};
use crate::capabilities::Capability;
use crate::registry::Serving;
use crate::registry::refusal::{Refusal, Step};
use crate::rollout::trial::{Plan, Together, Trial};
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
    /// from the replicas again. A trial ends with `trial_ends`.
    pub async fn follow(
        self: &Arc<Self>,
        capability: &Capability,
        digest: &str,
        bytes: Option<Bytes>,
        trial_ends: &str,
    ) -> Result<Deployed, Unchanged> {
        let is_tried = self
            .joined(capability)
            .is_some_and(|trial| trial.candidate.digest == digest);
        let result = self.follow_in_turn(capability, digest, bytes, trial_ends).await;
        let done = if is_tried { Swap::Promoted } else { Swap::Published };
        self.count(capability, Some(done), &result);
        result
    }

    async fn follow_in_turn(
        self: &Arc<Self>,
        capability: &Capability,
        digest: &str,
        bytes: Option<Bytes>,
        trial_ends: &str,
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
        self.publish(&version, trial_ends);
        Ok(self.deployed(&version, before.as_ref(), started))
    }

    /// Begins the trial of a version that all replicas try beside `current`, of which `bytes` are those that have this
    /// digest. It ends when the replicas have decided, and never by itself.
    pub async fn join(
        self: &Arc<Self>,
        capability: &Capability,
        current: &str,
        candidate: (&str, Option<Bytes>),
        plan: Plan,
        together: Together,
    ) -> Result<(), Unchanged> {
        let (digest, bytes) = candidate;
        let _turn = self.turn.lock().await;
        let _change = self.progress.begin(capability);
        let serving = self.registry.serving(capability);
        let Some(serving) = serving.filter(|serving| serving.current.digest == current) else {
            return Err(Unchanged::Conflict(
                "the version that it is compared with does not serve here".to_owned(),
            ));
        };
        if serving.trial.is_some() {
            return Err(Unchanged::Conflict(
                "this replica tries another version by itself".to_owned(),
            ));
        }
        let version = match (in_memory(Some(&*serving), digest), bytes.clone()) {
            (Some(version), _) => version,
            (None, Some(bytes)) => self.pass(capability, bytes).await?,
            (None, None) => return Err(Step::Read.refuses("its bytes are not here").into()),
        };
        if version.digest != digest {
            return Err(Step::Read.refuses("its bytes have another digest").into());
        }
        if let Some(bytes) = bytes {
            let (store, owner, kept) = (self.store.clone(), capability.clone(), bytes.clone());
            let name = version.digest.clone();
            if !matches!(blocking(move || store.keep(&owner, &name, &kept)).await, Ok(Ok(()))) {
                self.keep_aside(&version, bytes).await;
            }
        }
        let trial = Trial::begin(version, Arc::clone(&serving.current), plan, None, Some(together));
        tracing::info!(
            component = capability.name(),
            digest = trial.candidate.short_digest(),
            ?plan,
            "this replica takes part in the trial of all"
        );
        self.registry.set_trial(capability, Some(trial));
        Ok(())
    }

    /// The trial of all replicas in which this one takes part.
    pub fn joined(&self, capability: &Capability) -> Option<Arc<Trial>> {
        let trial = self.registry.serving(capability)?.trial.clone();
        trial.filter(|trial| trial.began().is_some())
    }

    /// Notes how a trial of all replicas has ended, which this one need not have joined.
    pub fn note_end_of_all(&self, capability: &Capability, description: Value) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.insert(capability.clone(), description);
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

/// A version that served before, or is being tried, and is in memory.
fn in_memory(serving: Option<&Serving>, digest: &str) -> Option<Arc<Version>> {
    let serving = serving?;
    let tried = serving.trial.as_ref().map(|trial| &trial.candidate);
    let mut all = serving.previous.iter().chain(tried);
    all.find(|version| version.digest == digest).cloned()
}
