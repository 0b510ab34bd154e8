//! The follower: has this replica serve the version that all replicas are to serve.
//!
//! 1. The highest generation that a replica has heard of counts. Where the store has a lower one or none, because it came
//!    back empty or somebody put an old value back, the replica puts the higher one back, with the bytes that it has.
//! 2. A version that is refused is not tried again before the next generation; bytes that cannot be had are asked for again,
//!    after longer and longer pauses. Meanwhile the version before serves.
//! 3. A version that is given to this replica alone serves until the next generation, or the next start.
//! 4. A version that all replicas try is tried here once the one that it is compared with serves (`trial`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use uuid::Uuid;

use crate::capabilities::Capability;
use crate::config::Limits;
use crate::registry::deploy::{Deployer, Unchanged, digest};
use crate::registry::refusal::Step;
use crate::shared::{Artifact, Desired, Found, GetError, Progress, Report, SharedState, VersionReport};

/// Time between two looks while nothing is heard.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Time that a start waits for the store's first word.
const FIRST_WORD_TIMEOUT: Duration = Duration::from_secs(3);

/// Pause before bytes are asked for again, which doubles each time.
const PAUSES: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(60);

/// Time between two attempts to put a desired version back, and the most by which replicas do it at different times.
const RESTORE_INTERVAL: Duration = Duration::from_secs(10);
const RESTORE_JITTER: Duration = Duration::from_secs(2);

/// Time between two renewals of what the store keeps, and the most by which replicas do it at different times.
const RENEW_INTERVAL: Duration = Duration::from_secs(60);
const RENEW_JITTER: Duration = Duration::from_secs(20);

/// Longest reason in a report, in characters.
const MAX_REASON_CHARS: usize = 500;

/// The versions of all replicas, as one of them.
pub struct Fleet {
    pub(super) deployer: Arc<Deployer>,
    pub(super) shared: Arc<SharedState>,
    component_bytes: u64,
    pub(super) name: String,
    known: Mutex<BTreeMap<Capability, Known>>,
    renew_at: Mutex<Instant>,
}

/// A desired version, and how far this replica has come with it.
pub(super) struct Known {
    desired: Desired,
    /// The way to serve it.
    serve: Way,
    /// The way to try the version that all try beside it.
    pub(super) join: Way,
    /// True until it is noted here how the trial before has ended.
    pub(super) has_news: bool,
    /// Time from which it may be put back into the store.
    restore_at: Instant,
}

/// The way of this replica to a version.
#[derive(Debug)]
pub(super) struct Way {
    /// The point that is reached.
    pub(super) progress: Progress,
    /// The reason why it is not further.
    pub(super) reason: Option<String>,
    attempts: u32,
    /// Time of the next attempt; none where there is nothing to do.
    next: Option<Instant>,
}

impl Way {
    fn new(leads_somewhere: bool) -> Self {
        let (progress, next) = match leads_somewhere {
            true => (Progress::Working, Some(Instant::now())),
            false => (Progress::Done, None),
        };
        Self {
            progress,
            reason: None,
            attempts: 0,
            next,
        }
    }

    /// True if it is time for an attempt, which begins.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = self.next.is_some_and(|next| next <= Instant::now());
        if is_due {
            self.next = None;
            self.progress = Progress::Working;
        }
        is_due
    }

    /// Notes the end of an attempt.
    pub(super) fn note(&mut self, ended: Result<(), Stop>) {
        (self.progress, self.reason) = match ended {
            Ok(()) => (Progress::Done, None),
            Err(Stop::Refused(reason)) => (Progress::Refused, Some(reason)),
            Err(Stop::Later(progress, reason)) => {
                let pause = (PAUSES.start * 2_u32.saturating_pow(self.attempts)).min(PAUSES.end);
                self.attempts = self.attempts.saturating_add(1).min(16);
                self.next = Some(Instant::now() + pause + jitter(PAUSES.start));
                (progress, Some(reason))
            }
        };
        if let Some(reason) = &mut self.reason {
            *reason = reason.chars().take(MAX_REASON_CHARS).collect();
        }
    }
}

impl Known {
    fn new(desired: Desired) -> Self {
        Self {
            serve: Way::new(desired.current.is_some()),
            join: Way::new(desired.trial.is_some()),
            has_news: desired.ended.is_some(),
            desired,
            restore_at: Instant::now(),
        }
    }
}

/// The reason why this replica does not come to serve a version, or to try one.
pub(super) enum Stop {
    /// It was refused.
    Refused(String),
    /// It is tried again; the state is that until then.
    Later(Progress, String),
}

impl From<Unchanged> for Stop {
    fn from(unchanged: Unchanged) -> Self {
        match unchanged {
            Unchanged::Refused(refusal) => Self::Refused(refusal.to_string()),
            Unchanged::Conflict(reason) | Unchanged::Unavailable(reason) => Self::Later(Progress::Waiting, reason),
        }
    }
}

impl Fleet {
    /// A replica among others.
    pub fn new(deployer: Arc<Deployer>, shared: Arc<SharedState>, limits: &Limits) -> Arc<Self> {
        let name = shared.replica_name();
        tracing::info!(replica = name, "this replica shares its versions with the others");
        Arc::new(Self {
            deployer,
            shared,
            component_bytes: limits.component_bytes,
            name,
            known: Mutex::default(),
            renew_at: Mutex::new(Instant::now() + RENEW_INTERVAL),
        })
    }

    /// Has this replica serve what is desired before it is reached: where the store answers, until each version serves or
    /// is refused.
    pub async fn catch_up(&self) {
        let mut changes = self.shared.desired_changes();
        if self.shared.is_open() {
            let word = changes.wait_for(Option::is_some);
            let _ = tokio::time::timeout(FIRST_WORD_TIMEOUT, word).await;
        }
        self.round().await;
    }

    /// Follows what is desired, for as long as the service runs.
    pub async fn run(self: Arc<Self>) {
        let mut changes = self.shared.desired_changes();
        loop {
            self.round().await;
            // Either something has changed, or it is time.
            let _ = tokio::time::timeout(LOOK_INTERVAL, changes.changed()).await;
        }
    }

    /// The highest desired version that this replica has heard of.
    pub(super) fn known_desired(&self, capability: &Capability) -> Option<Desired> {
        self.known().get(capability).map(|known| known.desired.clone())
    }

    pub(super) fn known(&self) -> MutexGuard<'_, BTreeMap<Capability, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn round(&self) {
        for capability in self.deployer.registry().capabilities().iter() {
            if let Some(found) = self.shared.heard_desired(capability.name())
                && let Some(lost) = self.hear(capability, &found)
            {
                self.restore(capability, lost).await;
            }
            self.attempt(capability).await;
            self.follow_trial(capability).await;
        }
        self.renew().await;
        self.report();
    }

    /// Takes note of what the store has; returns what it should have, where that is not put back already.
    fn hear(&self, capability: &Capability, found: &Found) -> Option<Desired> {
        let mut all = self.known();
        let mine = all.get_mut(capability);
        let theirs = found.desired.as_ref();
        match (mine, theirs) {
            (Some(mine), theirs) if theirs.is_none_or(|theirs| theirs.generation < mine.desired.generation) => {
                let now = Instant::now();
                if !self.shared.is_open() || now < mine.restore_at {
                    return None;
                }
                mine.restore_at = now + RESTORE_INTERVAL;
                Some(mine.desired.clone())
            }
            (mine, Some(theirs)) if mine.as_ref().is_none_or(|mine| mine.desired != *theirs) => {
                tracing::info!(
                    component = capability.name(),
                    generation = theirs.generation,
                    digest = theirs
                        .current
                        .as_ref()
                        .map_or("none", |current| current.digest.as_str()),
                    "the replicas are to serve this version"
                );
                all.insert(capability.clone(), Known::new(theirs.clone()));
                None
            }
            _ => None,
        }
    }

    /// Comes to serve the desired version, if it is time for an attempt.
    async fn attempt(&self, capability: &Capability) {
        let due = self
            .known()
            .get_mut(capability)
            .and_then(|known| known.serve.is_due().then(|| known.desired.clone()));
        let Some(desired) = due else { return };
        let Some(artifact) = &desired.current else { return };
        self.report();
        let taken = self
            .take(capability, artifact, &self.end_of_trial(capability, &desired))
            .await;
        let (component, generation, digest) = (capability.name(), desired.generation, &artifact.digest);
        match &taken {
            Ok(()) => {}
            Err(Stop::Refused(reason)) => tracing::error!(
                component,
                generation,
                digest,
                reason,
                "this replica cannot serve the version that all are to serve; the version before serves on"
            ),
            Err(Stop::Later(_, reason)) => tracing::warn!(
                component,
                generation,
                digest,
                reason,
                "this replica cannot get the version that all are to serve; it asks again"
            ),
        }
        if let Some(known) = self.known().get_mut(capability) {
            known.serve.note(taken);
        }
        let named: Vec<_> = desired.artifacts().map(|artifact| artifact.digest.clone()).collect();
        self.deployer.store().forget_aside(capability, &named);
        self.report();
    }

    async fn take(&self, capability: &Capability, artifact: &Artifact, trial_ends: &str) -> Result<(), Stop> {
        let bytes = self.missing(capability, artifact).await?;
        let followed = self
            .deployer
            .follow(capability, &artifact.digest, bytes, trial_ends)
            .await;
        followed.map(|_| ()).map_err(Stop::from)
    }

    /// The bytes of a version that is not in memory.
    pub(super) async fn missing(&self, capability: &Capability, artifact: &Artifact) -> Result<Option<Bytes>, Stop> {
        match self.deployer.has(capability, &artifact.digest) {
            true => Ok(None),
            false => self.bytes(capability, artifact).await.map(Some),
        }
    }

    /// The bytes of a version: those of this machine, else those of the store.
    async fn bytes(&self, capability: &Capability, artifact: &Artifact) -> Result<Bytes, Stop> {
        let most = self.component_bytes;
        if artifact.bytes > most {
            let refusal = Step::Read.refuses(format!("it is larger than the {most} bytes allowed"));
            return Err(Stop::Refused(refusal.to_string()));
        }
        if let Some(bytes) = self.deployer.bytes_of(capability, &artifact.digest).await {
            return Ok(bytes);
        }
        let later = |progress, reason: &str| Stop::Later(progress, Step::Read.refuses(reason).to_string());
        match self.shared.get_component(capability.name(), artifact).await {
            Ok(bytes) => {
                let bytes = Bytes::from(bytes);
                match digest(bytes.clone()).await {
                    Ok(found) if found == artifact.digest => Ok(bytes),
                    Ok(_) => Err(later(Progress::Refused, "its bytes in the store have another digest")),
                    Err(refusal) => Err(Stop::Later(Progress::Waiting, refusal.to_string())),
                }
            }
            Err(GetError::Unsealed) => Err(later(
                Progress::Refused,
                "its bytes in the store were not sealed by this service",
            )),
            Err(GetError::Missing) => Err(later(Progress::Waiting, "the store does not have all of its bytes")),
            Err(GetError::Call(_)) => Err(later(Progress::Waiting, "the store of shared state is away")),
        }
    }

    /// Puts a desired version back that the store has lost.
    async fn restore(&self, capability: &Capability, lost: Desired) {
        // Not all replicas at the same moment: one is enough.
        tokio::time::sleep(jitter(RESTORE_JITTER)).await;
        let name = capability.name();
        let Ok(found) = self.shared.read_desired(name).await else {
            return;
        };
        if found
            .desired
            .as_ref()
            .is_some_and(|found| found.generation >= lost.generation)
        {
            return;
        }
        let mut next = lost;
        if let Some(current) = &next.current
            && !self.ensure(capability, current).await
        {
            return;
        }
        if let Some(previous) = &next.previous
            && !self.ensure(capability, previous).await
        {
            next.previous = None;
        }
        if let Some(tried) = &next.trial
            && !self.ensure(capability, &tried.artifact).await
        {
            next.trial = None;
        }
        match self.shared.replace_desired(&found, &next).await {
            Ok(outcome) => tracing::warn!(
                component = name,
                generation = next.generation,
                ?outcome,
                "the store had lost which version the replicas are to serve; it was put back"
            ),
            Err(error) => tracing::debug!(component = name, ?error, "the desired version cannot be put back"),
        }
    }

    /// Has the store keep the bytes of a version: true if it has them by then.
    pub(super) async fn ensure(&self, capability: &Capability, artifact: &Artifact) -> bool {
        let name = capability.name();
        match self.shared.renew(&[(name, artifact)]).await.as_deref() {
            Ok([true]) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
        let Some(bytes) = self.deployer.bytes_of(capability, &artifact.digest).await else {
            return false;
        };
        let put = self.shared.put_component(name, artifact, &bytes).await;
        if let Err(error) = &put {
            tracing::warn!(
                component = name,
                digest = artifact.digest,
                ?error,
                "the store does not keep a version"
            );
        }
        put.is_ok()
    }

    /// Has the store keep everything for another while, and completes what it lacks.
    async fn renew(&self) {
        {
            let mut renew_at = self.renew_at.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.shared.is_open() || Instant::now() < *renew_at {
                return;
            }
            *renew_at = Instant::now() + RENEW_INTERVAL + jitter(RENEW_JITTER);
        }
        let all: Vec<_> = self
            .known()
            .iter()
            .flat_map(|(capability, known)| {
                let artifacts = known.desired.artifacts();
                artifacts
                    .map(|artifact| (capability.clone(), artifact.clone()))
                    .collect::<Vec<_>>()
            })
            .collect();
        for (capability, artifact) in all {
            self.ensure(&capability, &artifact).await;
        }
    }

    /// Reports which versions this replica serves, to the others and to the metrics.
    pub(super) fn report(&self) {
        let all = self.known();
        let mut report = Report {
            name: self.name.clone(),
            ..Report::default()
        };
        for capability in self.deployer.registry().capabilities().iter() {
            let name = capability.name();
            let digest = self
                .deployer
                .registry()
                .current(capability)
                .map(|current| current.digest.clone());
            let known = all.get(capability);
            if let Some(known) = known {
                let current = known.desired.current.as_ref();
                let in_step = current.is_none_or(|current| digest.as_ref() == Some(&current.digest));
                self.shared.note_standing(name, known.desired.generation, in_step);
            }
            // What serves comes first, then what is tried beside it.
            let way = known.map(|known| match known.serve.progress {
                Progress::Done => &known.join,
                _ => &known.serve,
            });
            let version = VersionReport {
                digest,
                generation: known.map_or(0, |known| known.desired.generation),
                progress: way.map_or(Progress::Done, |way| way.progress),
                reason: way.and_then(|way| way.reason.clone()),
            };
            report.versions.insert(name.to_owned(), version);
        }
        self.shared.set_report(&report);
    }
}

/// A part of a time, at random.
fn jitter(most: Duration) -> Duration {
    let part = f64::from(Uuid::new_v4().as_fields().0) / f64::from(u32::MAX);
    most.mul_f64(part)
}
