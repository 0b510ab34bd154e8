//! The one path on which a version comes to serve, whoever brings it: read, check, compile, link, probe, keep, publish.
//!
//! One at a time. A version that does not pass a step is refused with the reason, and nothing has changed. Publishing
//! is the last step and cannot fail: what is on disk by then is what the next start serves.

mod follow;
mod progress;
mod start;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use self::progress::Progress;
use super::refusal::{Refusal, Step};
use super::store::Store;
use super::{Registry, load, probe};
use crate::capabilities::Capability;
use crate::config::Limits;
use crate::rollout::shadow::ShadowRequest;
use crate::rollout::trial::{Decision, Plan, Trial};
use crate::runtime::Runtime;
use crate::runtime::cache::CodeCache;
use crate::runtime::compile::Pace;
use crate::telemetry::Observer;
use crate::telemetry::metrics::Swap;
use crate::version::{self, Version};

/// Time between two looks at the clock and at the numbers of a trial.
const TRIAL_TICK: Duration = Duration::from_millis(100);

/// The source of a version.
#[derive(Debug, Clone)]
pub enum Source {
    /// The capability's file in the folder of the components.
    File,
    /// These bytes, from the admin interface.
    Bytes(Bytes),
}

/// The result of a change.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deployed {
    /// The capability's name.
    pub capability: String,
    /// The version that serves now, or that is tried now.
    pub digest: String,
    /// The version that served before.
    pub previous: Option<String>,
    /// False where this version served already.
    pub changed: bool,
    /// Duration of all steps together.
    pub milliseconds: u64,
}

/// The reason why nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unchanged {
    /// The version did not pass a step.
    Refused(Refusal),
    /// The change is not possible now.
    Conflict(String),
    /// The other replicas cannot be told, or there is no room for the version among them.
    Unavailable(String),
}

impl From<Refusal> for Unchanged {
    fn from(refusal: Refusal) -> Self {
        Unchanged::Refused(refusal)
    }
}

/// Deploys versions.
pub struct Deployer {
    registry: Arc<Registry>,
    runtime: Arc<Runtime>,
    cache: CodeCache,
    store: Store,
    limits: Limits,
    shadow_requests: mpsc::Sender<ShadowRequest>,
    observer: Arc<Observer>,
    turn: tokio::sync::Mutex<()>,
    progress: Progress,
    ended: Mutex<BTreeMap<Capability, Value>>,
}

impl Deployer {
    /// Creates a deployer. Requests for shadows go to `shadow_requests`; `observer` counts what becomes of
    /// versions.
    pub fn new(
        registry: Arc<Registry>,
        runtime: Arc<Runtime>,
        cache: CodeCache,
        store: Store,
        limits: Limits,
        shadow_requests: mpsc::Sender<ShadowRequest>,
        observer: Arc<Observer>,
    ) -> Arc<Self> {
        Arc::new(Self {
            registry,
            runtime,
            cache,
            store,
            limits,
            shadow_requests,
            observer,
            turn: tokio::sync::Mutex::default(),
            progress: Progress::default(),
            ended: Mutex::default(),
        })
    }

    /// The versions that serve.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The versions on disk.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The step that a capability's new version has reached, while it is on its way.
    pub fn step(&self, capability: &Capability) -> Option<Step> {
        self.progress.step(capability)
    }

    /// Deploys a version.
    pub async fn swap(self: &Arc<Self>, capability: &Capability, source: Source) -> Result<Deployed, Unchanged> {
        let result = self.swap_in_turn(capability, source).await;
        self.count(capability, Some(Swap::Published), &result);
        result
    }

    async fn swap_in_turn(self: &Arc<Self>, capability: &Capability, source: Source) -> Result<Deployed, Unchanged> {
        let started = Instant::now();
        let _turn = self.turn.lock().await;
        let _change = self.progress.begin(capability);
        let before = self.registry.current(capability);
        let (bytes, is_file) = match source {
            Source::File => (self.read(capability).await?, true),
            Source::Bytes(bytes) => (bytes, false),
        };
        let digest = digest(bytes.clone()).await?;
        // A package that is installed again brings the file that the version was swapped in over.
        let stays = |current: &&Arc<Version>| {
            current.digest == digest || is_file && self.store.swapped_over(capability, &digest).is_some()
        };
        if let Some(current) = before.as_ref().filter(stays) {
            return Ok(self.deployed(current, Some(current), started));
        }
        let version = self.pass(capability, bytes.clone()).await?;
        match self.keep(&version, Some(bytes)).await {
            // The file is where the version came from: the next start finds it there.
            Err(refusal) if is_file => {
                tracing::warn!(component = capability.name(), reason = %refusal, "the version cannot be kept for a rollback");
            }
            kept => kept?,
        }
        self.publish(&version, "replaced by another version");
        Ok(self.deployed(&version, before.as_ref(), started))
    }

    /// Goes back to the version that served before. A second rollback undoes the first.
    pub async fn rollback(self: &Arc<Self>, capability: &Capability) -> Result<Deployed, Unchanged> {
        let result = self.rollback_in_turn(capability).await;
        self.count(capability, Some(Swap::RolledBack), &result);
        result
    }

    async fn rollback_in_turn(self: &Arc<Self>, capability: &Capability) -> Result<Deployed, Unchanged> {
        let started = Instant::now();
        let _turn = self.turn.lock().await;
        let _change = self.progress.begin(capability);
        let serving = self.registry.serving(capability);
        let before = serving.as_ref().map(|serving| Arc::clone(&serving.current));
        let version = match serving.as_ref().and_then(|serving| serving.previous.first()) {
            Some(version) => Arc::clone(version),
            None => self.last_kept(capability, before.as_deref()).await?,
        };
        self.keep(&version, None).await?;
        self.publish(&version, "rolled back");
        Ok(self.deployed(&version, before.as_ref(), started))
    }

    /// After a restart the version before is on disk only.
    async fn last_kept(
        self: &Arc<Self>,
        capability: &Capability,
        current: Option<&Version>,
    ) -> Result<Arc<Version>, Unchanged> {
        let digest = self
            .store
            .passed(capability)
            .into_iter()
            .find(|digest| current.is_none_or(|current| current.digest != *digest))
            .ok_or_else(|| {
                Unchanged::Conflict(format!(
                    "there is no earlier version of {} to go back to",
                    capability.name()
                ))
            })?;
        let bytes = self
            .store
            .read(capability, &digest)
            .map_err(|error| Step::Read.refuses(format!("the version {digest} cannot be read: {error}")))?;
        Ok(self.pass(capability, bytes.into()).await?)
    }

    /// Begins a trial of a candidate beside the version that serves.
    pub async fn begin(
        self: &Arc<Self>,
        capability: &Capability,
        bytes: Bytes,
        plan: Plan,
    ) -> Result<Deployed, Unchanged> {
        let result = self.begin_in_turn(capability, bytes, plan).await;
        self.count(capability, None, &result);
        result
    }

    async fn begin_in_turn(
        self: &Arc<Self>,
        capability: &Capability,
        bytes: Bytes,
        plan: Plan,
    ) -> Result<Deployed, Unchanged> {
        let started = Instant::now();
        let _turn = self.turn.lock().await;
        let _change = self.progress.begin(capability);
        let name = capability.name();
        let Some(serving) = self.registry.serving(capability) else {
            return Err(Unchanged::Conflict(format!(
                "nothing serves {name} to compare with; swap instead"
            )));
        };
        if serving.trial.is_some() {
            return Err(Unchanged::Conflict(format!(
                "a version of {name} is being tried already; abort it first"
            )));
        }
        let candidate = self.pass(capability, bytes.clone()).await?;
        if candidate.digest == serving.current.digest {
            return Err(Unchanged::Conflict(format!("this version of {name} serves already")));
        }
        let (store, owner, digest) = (self.store.clone(), capability.clone(), candidate.digest.clone());
        self.progress.reach(capability, Step::Keep);
        blocking(move || store.keep(&owner, &digest, &bytes))
            .await?
            .map_err(|error| Step::Keep.refuses(format!("it cannot be written: {error}")))?;
        let shadow_requests = plan.shadow.then(|| self.shadow_requests.clone());
        let trial = Trial::begin(
            Arc::clone(&candidate),
            Arc::clone(&serving.current),
            plan,
            shadow_requests,
            None,
        );
        self.registry.set_trial(capability, Some(Arc::clone(&trial)));
        tracing::info!(
            component = name,
            digest = candidate.short_digest(),
            ?plan,
            "trial begins"
        );
        tokio::spawn(Arc::clone(self).end_in_time(trial));
        Ok(self.deployed(&candidate, Some(&serving.current), started))
    }

    /// Makes the candidate of a trial the version that serves: `trial` where it must be this one.
    pub async fn promote(
        self: &Arc<Self>,
        capability: &Capability,
        trial: Option<&Arc<Trial>>,
        reason: &str,
    ) -> Result<Deployed, Unchanged> {
        let started = Instant::now();
        let _turn = self.turn.lock().await;
        let trial = self.trial(capability, trial)?;
        self.keep(&trial.candidate, None).await?;
        self.publish(&trial.candidate, &format!("promoted: {reason}"));
        self.observer.metrics.swap(capability, Swap::Promoted);
        Ok(self.deployed(&trial.candidate, Some(&trial.current), started))
    }

    /// Ends a trial without its candidate: `trial` where it must be this one.
    pub async fn abort(
        self: &Arc<Self>,
        capability: &Capability,
        trial: Option<&Arc<Trial>>,
        reason: &str,
    ) -> Result<Deployed, Unchanged> {
        let started = Instant::now();
        let _turn = self.turn.lock().await;
        let trial = self.trial(capability, trial)?;
        self.note_end(&trial, &format!("ended: {reason}"));
        self.registry.set_trial(capability, None);
        self.observer.metrics.swap(capability, Swap::Abandoned);
        let (store, owner) = (self.store.clone(), capability.clone());
        blocking(move || store.forget(&owner, &store.passed(&owner))).await?;
        Ok(self.deployed(&trial.current, Some(&trial.current), started))
    }

    /// Ends a trial when its numbers have spoken or its time is over, unless somebody ends it before.
    async fn end_in_time(self: Arc<Self>, trial: Arc<Trial>) {
        let capability = &trial.candidate.capability;
        loop {
            tokio::time::sleep(TRIAL_TICK).await;
            if self.trial(capability, Some(&trial)).is_err() {
                return;
            }
            let ended = match trial.decision() {
                Decision::GoOn => continue,
                Decision::Promote(reason) => self.promote(capability, Some(&trial), &reason).await,
                Decision::Abort(reason) => self.abort(capability, Some(&trial), &reason).await,
            };
            match ended {
                Ok(_) => return,
                // Somebody else has ended it meanwhile, or it cannot be written; the next round tells.
                Err(unchanged) => tracing::warn!(component = capability.name(), ?unchanged, "a trial cannot be ended"),
            }
        }
    }

    /// Counts the outcome of a change: `done` where the version serves now.
    fn count(&self, capability: &Capability, done: Option<Swap>, result: &Result<Deployed, Unchanged>) {
        let outcome = match result {
            Ok(deployed) => done.filter(|_| deployed.changed),
            Err(Unchanged::Refused(_)) => Some(Swap::Refused),
            // Nothing was brought.
            Err(Unchanged::Conflict(_) | Unchanged::Unavailable(_)) => None,
        };
        if let Some(outcome) = outcome {
            self.observer.metrics.swap(capability, outcome);
        }
    }

    fn trial(&self, capability: &Capability, expected: Option<&Arc<Trial>>) -> Result<Arc<Trial>, Unchanged> {
        self.registry
            .serving(capability)
            .and_then(|serving| serving.trial.clone())
            .filter(|trial| expected.is_none_or(|expected| Arc::ptr_eq(expected, trial)))
            .ok_or_else(|| Unchanged::Conflict(format!("no version of {} is being tried", capability.name())))
    }

    /// Describes how the last trial ended, without the versions themselves.
    pub fn ended(&self, capability: &Capability) -> Option<Value> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.get(capability).cloned()
    }

    fn note_end(&self, trial: &Trial, how: &str) {
        let mut description = trial.describe();
        description["ended"] = how.into();
        tracing::info!(
            component = trial.candidate.capability.name(), digest = trial.candidate.short_digest(), how,
            numbers = %description, "trial ended"
        );
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.insert(trial.candidate.capability.clone(), description);
    }

    /// Takes a version through all steps but the last two.
    async fn pass(self: &Arc<Self>, capability: &Capability, bytes: Bytes) -> Result<Arc<Version>, Refusal> {
        let most = self.limits.component_bytes;
        if bytes.len() as u64 > most {
            return Err(Step::Read.refuses(format!("it is larger than the {most} bytes allowed")));
        }
        let version = self.compiled(capability, bytes, Pace::GivingWay).await?;
        self.progress.reach(capability, Step::Probe);
        probe::run(&self.runtime, &version, &self.limits, self.limits.probe_seconds).await?;
        Ok(version)
    }

    async fn compiled(
        self: &Arc<Self>,
        capability: &Capability,
        bytes: Bytes,
        pace: Pace,
    ) -> Result<Arc<Version>, Refusal> {
        let (this, capability) = (Arc::clone(self), capability.clone());
        let load = move || {
            let reached = |step| this.progress.reach(&capability, step);
            load::load(&capability, &bytes, &this.runtime, &this.cache, pace, reached).map(Arc::new)
        };
        blocking(load).await?
    }

    async fn read(&self, capability: &Capability) -> Result<Bytes, Refusal> {
        let (path, most) = (self.store.file(capability), self.limits.component_bytes);
        let read = move || {
            let length = std::fs::metadata(&path)?.len();
            if length > most {
                return Ok(Err(
                    Step::Read.refuses(format!("it is larger than the {most} bytes allowed"))
                ));
            }
            std::fs::read(path).map(|bytes| Ok(Bytes::from(bytes)))
        };
        blocking(read)
            .await?
            .map_err(|error| Step::Read.refuses(format!("it cannot be read: {error}")))?
    }

    /// Makes a version the one on disk; `bytes` where they are not there yet.
    async fn keep(&self, version: &Arc<Version>, bytes: Option<Bytes>) -> Result<(), Refusal> {
        let (store, capability, digest) = (self.store.clone(), version.capability.clone(), version.digest.clone());
        let kept = self.limits.kept_versions;
        self.progress.reach(&version.capability, Step::Keep);
        let write = move || {
            if let Some(bytes) = bytes {
                store.keep(&capability, &digest, &bytes)?;
            }
            let mut order = store.passed(&capability);
            order.retain(|other| *other != digest);
            order.insert(0, digest);
            order.truncate(1 + kept);
            store.install(&capability, &order)
        };
        blocking(write)
            .await?
            .map_err(|error| Step::Keep.refuses(self.unwritten(&error)))
    }

    /// The reason why a version cannot be kept.
    fn unwritten(&self, error: &std::io::Error) -> String {
        let folder = self.store.versions();
        format!(
            "it cannot be written to {}: {error}; `component_versions` names the folder for it",
            folder.display()
        )
    }

    fn publish(&self, version: &Arc<Version>, trial_ends: &str) {
        if let Ok(trial) = self.trial(&version.capability, None) {
            self.note_end(&trial, trial_ends);
        }
        self.registry.publish(Arc::clone(version), self.limits.kept_versions);
        tracing::info!(
            component = version.capability.name(), digest = version.short_digest(), origin = ?version.origin,
            "version published"
        );
    }

    fn deployed(&self, version: &Version, before: Option<&Arc<Version>>, started: Instant) -> Deployed {
        let previous = before.map(|before| before.digest.clone());
        Deployed {
            capability: version.capability.name().to_owned(),
            changed: previous.as_ref() != Some(&version.digest),
            digest: version.digest.clone(),
            previous,
            milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// The digest of bytes, computed on a thread for that.
pub(super) async fn digest(bytes: Bytes) -> Result<String, Refusal> {
    blocking(move || version::digest(&bytes)).await
}

/// Runs blocking work on a thread for that.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Step::Read.refuses(format!("the work ended: {error}")))
}
