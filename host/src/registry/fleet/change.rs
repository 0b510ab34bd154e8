//! Changes of the version that all replicas are to serve: swaps and rollbacks.
//!
//! The replica that is asked examines a version first, so that what cannot pass is never desired. Then it is desired, unless
//! another change came first, and each replica comes to serve it by itself, the one that was asked among them.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::follower::Fleet;
use super::status::FleetStatus;
use crate::capabilities::Capability;
use crate::registry::deploy::{Deployed, Unchanged};
use crate::shared::{Artifact, CallError, Counts, Desired, Ended, Found, PutError, Replaced, Replica};

/// Time between two looks at how far the replicas have come.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// The terms of a change.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// The generation that must still be the last one; none where any may be.
    pub generation: Option<u64>,
    /// Time to wait for the replicas.
    pub wait: Duration,
    /// Replicas that must serve the version for the change to count; all that are there where none is named.
    pub quorum: Option<NonZeroUsize>,
}

/// The result of a change.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The version, and the one before.
    pub deployed: Deployed,
    /// The replicas after the wait.
    pub fleet: FleetStatus,
}

impl Fleet {
    /// Has all replicas serve a version.
    ///
    /// # Errors
    /// When it does not pass here, another change came first, or the store is away or has no room.
    pub async fn swap(&self, capability: &Capability, bytes: Bytes, terms: Terms) -> Result<Changed, Unchanged> {
        let started = Instant::now();
        let (found, base) = self.base(capability, terms.generation).await?;
        let artifact = Artifact {
            bytes: bytes.len() as u64,
            digest: self.deployer.examine(capability, bytes.clone()).await?,
        };
        let name = capability.name();
        let put = self.shared.put_component(name, &artifact, &bytes).await;
        put.map_err(|error| self.no_room(name, error))?;
        let before = match &base {
            Some(base) if base.current.as_ref() == Some(&artifact) => base.previous.clone(),
            Some(Desired {
                current: Some(current), ..
            }) => Some(current.clone()),
            _ => self.served_here(capability, &artifact).await,
        };
        let previous = match before {
            Some(before) if self.ensure(capability, &before).await => Some(before),
            Some(before) => {
                tracing::warn!(
                    component = name,
                    digest = before.digest,
                    "the store does not have the version before: there is no rollback to it"
                );
                None
            }
            None => None,
        };
        let next = Desired {
            capability: name.to_owned(),
            generation: generation(base.as_ref()) + 1,
            current: Some(artifact),
            previous,
            trial: None,
            ended: replaced(base.as_ref()),
        };
        self.change(capability, &found, base.as_ref(), next, started, terms)
            .await
    }

    /// Has all replicas serve the version that was desired before. A second rollback undoes the first.
    ///
    /// # Errors
    /// When there is none, another change came first, or the store is away.
    pub async fn rollback(&self, capability: &Capability, terms: Terms) -> Result<Changed, Unchanged> {
        let started = Instant::now();
        let (found, base) = self.base(capability, terms.generation).await?;
        let name = capability.name();
        let Some((base, previous)) = base.and_then(|base| base.previous.clone().map(|previous| (base, previous)))
        else {
            return Err(Unchanged::Conflict(format!(
                "the replicas have no earlier version of {name} to go back to"
            )));
        };
        if !self.ensure(capability, &previous).await {
            return Err(Unchanged::Conflict(format!(
                "the store no longer has the bytes of the earlier version of {name}; swap to it instead"
            )));
        }
        let mut next = Desired {
            capability: name.to_owned(),
            generation: base.generation + 1,
            current: Some(previous),
            previous: base.current.clone(),
            trial: None,
            ended: replaced(Some(&base)),
        };
        if let Some(current) = &next.previous
            && !self.ensure(capability, current).await
        {
            next.previous = None;
        }
        self.change(capability, &found, Some(&base), next, started, terms).await
    }

    /// Has each replica that starts serve its own file again. What serves now goes on.
    ///
    /// # Errors
    /// When no version is desired, another change came first, or the store is away.
    pub async fn unpin(&self, capability: &Capability, terms: Terms) -> Result<FleetStatus, Unchanged> {
        let (found, base) = self.base(capability, terms.generation).await?;
        let name = capability.name();
        let Some(base) = base.filter(|base| base.current.is_some()) else {
            return Err(Unchanged::Conflict(format!(
                "the replicas are not held to a version of {name}"
            )));
        };
        let next = Desired {
            capability: name.to_owned(),
            generation: base.generation + 1,
            current: None,
            previous: None,
            trial: None,
            ended: replaced(Some(&base)),
        };
        self.replace(&found, &next).await?;
        Ok(self.wait(&next, terms).await)
    }

    /// The replicas that are there, with their reports; none where the store does not answer.
    pub async fn replicas(&self) -> Vec<Replica> {
        self.shared.read_reports().await.unwrap_or_default()
    }

    /// The desired version of a capability, as far as this replica knows, and how far the replicas have come.
    pub fn status(&self, capability: &Capability, replicas: &[Replica]) -> Option<FleetStatus> {
        let desired = self.known_desired(capability)?;
        Some(FleetStatus::new(&desired, replicas))
    }

    /// The contents of the store, and the desired version that a change begins from: a higher one than the store's, where
    /// the store has lost it.
    pub(super) async fn base(
        &self,
        capability: &Capability,
        expected: Option<u64>,
    ) -> Result<(Found, Option<Desired>), Unchanged> {
        let name = capability.name();
        let found = self.shared.read_desired(name).await.map_err(|_| away())?;
        let known = self.known_desired(capability);
        let base = match (&found.desired, known) {
            (Some(theirs), Some(mine)) if mine.generation > theirs.generation => Some(mine),
            (Some(theirs), _) => Some(theirs.clone()),
            (None, mine) => mine,
        };
        match expected.filter(|expected| *expected != generation(base.as_ref())) {
            Some(expected) => Err(Unchanged::Conflict(format!(
                "the generation of {name} is not {expected}: {}",
                described(base.as_ref())
            ))),
            None => Ok((found, base)),
        }
    }

    /// The version that this replica serves, where that is another one, and its bytes are here.
    pub(super) async fn served_here(&self, capability: &Capability, other: &Artifact) -> Option<Artifact> {
        let current = self.deployer.registry().current(capability)?;
        let bytes = match current.digest == other.digest {
            true => return None,
            false => self.deployer.bytes_of(capability, &current.digest).await?,
        };
        Some(Artifact {
            digest: current.digest.clone(),
            bytes: bytes.len() as u64,
        })
    }

    async fn change(
        &self,
        capability: &Capability,
        found: &Found,
        base: Option<&Desired>,
        next: Desired,
        started: Instant,
        terms: Terms,
    ) -> Result<Changed, Unchanged> {
        let served = self.deployer.registry().current(capability);
        let before = base.and_then(|base| base.current.as_ref());
        let previous = before.map(|before| before.digest.clone());
        let previous = previous.or_else(|| served.map(|served| served.digest.clone()));
        let digest = next
            .current
            .as_ref()
            .map_or_else(String::new, |current| current.digest.clone());
        self.replace(found, &next).await?;
        let fleet = self.wait(&next, terms).await;
        let deployed = Deployed {
            capability: capability.name().to_owned(),
            changed: previous.as_ref() != Some(&digest),
            digest,
            previous,
            milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        Ok(Changed { deployed, fleet })
    }

    pub(super) async fn replace(&self, found: &Found, next: &Desired) -> Result<(), Unchanged> {
        let name = &next.capability;
        match self.shared.replace_desired(found, next).await {
            Ok(Replaced::Done) => {
                tracing::info!(
                    component = name,
                    generation = next.generation,
                    "the replicas are told to serve another version"
                );
                Ok(())
            }
            Ok(Replaced::Changed) => {
                let winner = self.shared.read_desired(name).await.unwrap_or_default().desired;
                Err(Unchanged::Conflict(format!(
                    "another change of {name} came first: {}",
                    described(winner.as_ref())
                )))
            }
            Ok(Replaced::Incomplete) => Err(Unchanged::Conflict(format!(
                "the store has lost bytes of {name} meanwhile; ask again"
            ))),
            Err(CallError::Full) => Err(full()),
            Err(CallError::Away) => Err(Unchanged::Unavailable(format!(
                "the store of shared state did not answer when it was told of {name}: whether the replicas hear of it, \
                 `quartet components` shows when it is back"
            ))),
        }
    }

    /// Waits until each replica serves the version or says that it does not, as many serve it as must, or another version is
    /// desired.
    pub(super) async fn wait(&self, next: &Desired, terms: Terms) -> FleetStatus {
        let deadline = Instant::now() + terms.wait;
        let mut status = FleetStatus::new(next, &[]);
        loop {
            if let Ok(replicas) = self.shared.read_reports().await {
                status = FleetStatus::new(next, &replicas).with_quorum(terms.quorum);
            }
            let newest = self.shared.heard_desired(&next.capability);
            let is_over = newest
                .and_then(|newest| newest.desired)
                .is_some_and(|newest| newest.generation > next.generation);
            if status.complete || status.is_settled() || is_over || Instant::now() >= deadline {
                return status;
            }
            tokio::time::sleep(LOOK_INTERVAL).await;
        }
    }

    pub(super) fn no_room(&self, name: &str, error: PutError) -> Unchanged {
        match error {
            PutError::Call(CallError::Away) => away(),
            PutError::Call(CallError::Full) => full(),
            PutError::NoRoom(held) => Unchanged::Unavailable(format!(
                "there is no room for this version of {name} in the store: other components have {held} bytes, and all may \
                 have {} (`shared_component_bytes`); nothing has changed",
                self.shared.component_budget()
            )),
        }
    }
}

fn generation(base: Option<&Desired>) -> u64 {
    base.map_or(0, |base| base.generation)
}

/// The end of the last trial after a change: one that went on is over.
fn replaced(base: Option<&Desired>) -> Option<Ended> {
    let base = base?;
    let tried = base.trial.as_ref().map(|tried| Ended {
        digest: tried.artifact.digest.clone(),
        began: tried.began,
        how: "ended: another change came".to_owned(),
        candidate: Counts::default(),
        current: Counts::default(),
    });
    tried.or_else(|| base.ended.clone())
}

/// A desired version in words.
fn described(desired: Option<&Desired>) -> String {
    match desired {
        None => "no version was ever swapped in (generation 0)".to_owned(),
        Some(desired) => {
            let digest = desired.current.as_ref().map(|current| &current.digest[..12]);
            let served = digest.unwrap_or("each replica's own");
            format!("generation {} is {served}", desired.generation)
        }
    }
}

pub(super) fn away() -> Unchanged {
    Unchanged::Unavailable(
        "the store of shared state is away, so the other replicas cannot be told: nothing has changed; `--this-replica` \
         changes this one alone"
            .to_owned(),
    )
}

pub(super) fn full() -> Unchanged {
    Unchanged::Unavailable("the store of shared state has no memory for this version: nothing has changed".to_owned())
}
