//! Has capabilities serve at a start: the version that served last where it can be loaded, or else one that can.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{Deployer, blocking};
use crate::capabilities::Capability;
use crate::registry::probe;
use crate::registry::refusal::{Refusal, Step};
use crate::runtime::cache::Origin;
use crate::runtime::compile::Pace;
use crate::version::{self, Version};

/// The version that a start has for a capability.
struct First {
    version: Arc<Version>,
    /// Another one would serve in its place that was late.
    is_second: bool,
}

/// What serves in place of the version that should.
enum Instead {
    /// The version of this digest.
    Serves(String),
    /// Nothing; true if one that passed before was late.
    Nothing { is_late: bool },
}

impl Deployer {
    /// Loads the components of the folder. What cannot be loaded is logged and left out; where a version is on disk
    /// that passed before, that one serves instead. Returns those of which a version was late to answer its probe: while all
    /// are compiled that says little of it, and [`ask_again`](crate::registry::late::ask_again) gives it another chance.
    pub async fn start(self: &Arc<Self>) -> Vec<Capability> {
        let mut loading = tokio::task::JoinSet::new();
        for capability in self.registry.capabilities().iter() {
            let (this, capability) = (Arc::clone(self), capability.clone());
            loading.spawn(async move { this.load(&capability).await.then_some(capability) });
        }
        loading.join_all().await.into_iter().flatten().collect()
    }

    /// Returns true if a version was late that would serve otherwise.
    async fn load(self: &Arc<Self>, capability: &Capability) -> bool {
        let passed = self.store.passed(capability);
        let clock = self.limits.probe_seconds;
        let refusal = match self.first(capability, &passed, clock).await {
            Ok(First { version, is_second }) => {
                self.publish_first(version);
                return is_second;
            }
            Err(refusal) => refusal,
        };
        let path = self.store.file(capability);
        tracing::error!(component = capability.name(), path = %path.display(), reason = %refusal, "component not loaded");
        match self.load_passed(capability, &passed, clock).await {
            // It may have been in time when it was asked once more.
            Instead::Serves(digest) => refusal.is_late && !self.is_of_file(capability, &digest).await,
            Instead::Nothing { is_late } => refusal.is_late || is_late,
        }
    }

    /// Returns true if a version is that of the capability's file.
    async fn is_of_file(self: &Arc<Self>, capability: &Capability, digest: &str) -> bool {
        let bytes = self.read(capability).await;
        bytes.is_ok_and(|bytes| version::digest(&bytes) == digest)
    }

    /// Has the version serve that passed last, where there is one.
    async fn load_passed(self: &Arc<Self>, capability: &Capability, passed: &[String], clock: Duration) -> Instead {
        let mut is_late = false;
        // A file that a person removed is not served from a copy.
        let file = std::fs::metadata(self.store.file(capability));
        if matches!(file, Err(error) if error.kind() == ErrorKind::NotFound) {
            return Instead::Nothing { is_late };
        }
        for digest in passed {
            let bytes = match self.store.read(capability, digest) {
                Ok(bytes) => Bytes::from(bytes),
                Err(_) => continue,
            };
            match self.probed(capability, bytes, clock).await {
                Ok(version) => {
                    tracing::warn!(
                        component = capability.name(),
                        digest = version.short_digest(),
                        "serving the version that passed last instead"
                    );
                    self.publish_first(version);
                    return Instead::Serves(digest.clone());
                }
                Err(refusal) => {
                    is_late |= refusal.is_late;
                    tracing::error!(component = capability.name(), digest, reason = %refusal, "component not loaded");
                }
            }
        }
        Instead::Nothing { is_late }
    }

    /// Loads a capability that was late at the start once more, with the time of a request for its probe, and has the
    /// version serve; where nothing serves, one that passed before may do so instead.
    ///
    /// # Errors
    /// When the version that should serve does not pass now either.
    pub async fn load_again(self: &Arc<Self>, capability: &Capability) -> Result<(), Refusal> {
        let _turn = self.turn.lock().await;
        let clock = self.limits.respond_seconds.max(self.limits.probe_seconds);
        let passed = self.store.passed(capability);
        let first = match self.first(capability, &passed, clock).await {
            Ok(first) => first,
            Err(refusal) => {
                if self.registry.current(capability).is_none() {
                    self.load_passed(capability, &passed, clock).await;
                }
                return Err(refusal);
            }
        };
        let current = self.registry.current(capability);
        if current.is_none_or(|current| current.digest != first.version.digest) {
            self.publish(&first.version, "replaced by the version that was late at the start");
        }
        Ok(())
    }

    /// The version that was swapped in over the capability's file, or else the one in the file. One that passed before, and
    /// whose compiled code is from an engine like this one, is not probed again: a restart is quick.
    async fn first(
        self: &Arc<Self>,
        capability: &Capability,
        passed: &[String],
        clock: Duration,
    ) -> Result<First, Refusal> {
        let bytes = self.read(capability).await?;
        let mut is_second = false;
        match self.swapped(capability, bytes.clone(), passed, clock).await {
            Ok(Some(version)) => return Ok(First { version, is_second }),
            Ok(None) => {}
            Err(refusal) => {
                is_second = refusal.is_late;
                tracing::error!(
                    component = capability.name(), reason = %refusal,
                    "the version that was swapped in is not loaded; that of the components folder serves"
                );
            }
        }
        let version = self.ready(capability, bytes.clone(), passed, clock).await?;
        // One that was late stays the one that is swapped in.
        if !is_second
            && passed.first() != Some(&version.digest)
            && let Err(refusal) = self.keep(&version, Some(bytes)).await
        {
            tracing::warn!(component = capability.name(), reason = %refusal, "the version cannot be kept for a rollback");
        }
        Ok(First { version, is_second })
    }

    /// The version that was swapped in over a file with these bytes, where there is one.
    async fn swapped(
        self: &Arc<Self>,
        capability: &Capability,
        file: Bytes,
        passed: &[String],
        clock: Duration,
    ) -> Result<Option<Arc<Version>>, Refusal> {
        let (store, owner) = (self.store.clone(), capability.clone());
        let read = move || {
            let swapped = store.swapped_over(&owner, &version::digest(&file));
            swapped.map(|digest| store.read(&owner, &digest)).transpose()
        };
        let read = blocking(read).await?;
        match read.map_err(|error| Step::Read.refuses(format!("it cannot be read: {error}")))? {
            Some(bytes) => Ok(Some(self.ready(capability, bytes.into(), passed, clock).await?)),
            None => Ok(None),
        }
    }

    /// A version that is compiled, and probed where that is needed.
    async fn ready(
        self: &Arc<Self>,
        capability: &Capability,
        bytes: Bytes,
        passed: &[String],
        clock: Duration,
    ) -> Result<Arc<Version>, Refusal> {
        let version = self.compiled(capability, bytes, Pace::Full).await?;
        if version.origin == Origin::Compiled || !passed.contains(&version.digest) {
            probe::run(&self.runtime, &version, &self.limits, clock).await?;
        }
        Ok(version)
    }

    /// A version that is compiled and probed.
    async fn probed(
        self: &Arc<Self>,
        capability: &Capability,
        bytes: Bytes,
        clock: Duration,
    ) -> Result<Arc<Version>, Refusal> {
        let version = self.compiled(capability, bytes, Pace::Full).await?;
        probe::run(&self.runtime, &version, &self.limits, clock).await?;
        Ok(version)
    }

    fn publish_first(&self, version: Arc<Version>) {
        tracing::info!(
            component = version.capability.name(), digest = version.short_digest(), origin = ?version.origin,
            "component loaded"
        );
        self.registry.publish(version, 0);
    }
}
