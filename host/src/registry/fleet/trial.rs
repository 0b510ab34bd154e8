//! Trials of all replicas: a canary that each of them has answer the same persons, judged once by the numbers of all.
//!
//! 1. A desired version may name another one that is tried beside it. Each replica that serves the first tries the second, and
//!    tells the store once a second what it has counted.
//! 2. One replica at a time decides (`shared::trials`): it judges by the sum, by the same rule as a canary of one replica. Its
//!    verdict is a new desired version, taken only if nobody has changed it since it was read. So each trial has one end.
//! 3. A replica that refuses the version ends the trial for all: what one cannot serve is not to serve.

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::change::{Changed, Terms, away, full};
use super::follower::{Fleet, Stop};
use crate::capabilities::Capability;
use crate::registry::deploy::{Deployed, Unchanged};
use crate::rollout::trial::{Plan, Together, describe};
use crate::rollout::verdict::{self, Verdict};
use crate::shared::{Artifact, CallError, Counts, Desired, Ended, Progress, Replaced, Tried};
use crate::version::figures::Figures;
use crate::version::sample::Tally;

/// Longest account of the end of a trial, in characters.
const MAX_END_CHARS: usize = 500;

/// The numbers of one replica, as it tells the others.
#[derive(Default, Serialize, Deserialize)]
struct Numbers {
    /// The replica's name, for a person.
    name: String,
    /// The reason why it does not try the version, where it has refused it.
    refused: Option<String>,
    current: Figures,
    candidate: Figures,
}

/// The numbers of all replicas together.
#[derive(Default)]
struct Sum {
    current: Tally,
    candidate: Tally,
    /// The replicas that have refused the version, with their reasons.
    refused: Vec<String>,
}

impl Sum {
    fn of(all: &[Vec<u8>]) -> Self {
        let mut sum = Self::default();
        // What this service has sealed and cannot read is of a release to come.
        for numbers in all
            .iter()
            .filter_map(|text| serde_json::from_slice::<Numbers>(text).ok())
        {
            sum.current.add(&Tally::from(&numbers.current));
            sum.candidate.add(&Tally::from(&numbers.candidate));
            if let Some(reason) = numbers.refused {
                sum.refused.push(format!("{} has refused it: {reason}", numbers.name));
            }
        }
        sum
    }

    /// The end that the numbers have come to, if any: true where the version is to serve.
    fn verdict(&self, tried: &Tried, looked: u64, since: Duration) -> Option<(bool, String)> {
        if let Some(refused) = self.refused.first() {
            return Some((false, refused.clone()));
        }
        match verdict::judge(
            &self.current,
            &self.candidate,
            looked,
            tried.requests,
            tried.latency_ratio,
        ) {
            Verdict::Promote(reason) => Some((true, reason)),
            Verdict::Reject(reason) => Some((false, reason)),
            Verdict::Open if since < Duration::from_secs(tried.seconds) => None,
            Verdict::Open => Some((
                false,
                "its time is over, and there were too few requests to tell".to_owned(),
            )),
        }
    }
}

impl From<&Tally> for Counts {
    fn from(tally: &Tally) -> Self {
        Self {
            requests: tally.requests,
            failed: tally.failed,
            refused: tally.refused,
        }
    }
}

impl Fleet {
    /// Has all replicas try a version beside the one that serves.
    ///
    /// # Errors
    /// When it does not pass here, another is being tried, another change came first, or the store is away or has no room.
    pub async fn begin(
        &self,
        capability: &Capability,
        bytes: Bytes,
        plan: Plan,
        terms: Terms,
    ) -> Result<Changed, Unchanged> {
        let started = Instant::now();
        let name = capability.name();
        let (found, base) = self.base(capability, terms.generation).await?;
        let conflict = |reason: String| Err(Unchanged::Conflict(reason));
        let serving = self.deployer.registry().serving(capability);
        if base.as_ref().is_some_and(|base| base.trial.is_some()) || serving.is_some_and(|now| now.trial.is_some()) {
            return conflict(format!("a version of {name} is being tried already; abort it first"));
        }
        let artifact = Artifact {
            bytes: bytes.len() as u64,
            digest: self.deployer.examine(capability, bytes.clone()).await?,
        };
        let desired = base.as_ref().and_then(|base| base.current.clone());
        let current = match desired {
            Some(current) => current,
            // Where each serves its own file, all are held to what this one serves, to be compared with the same.
            None => match self.served_here(capability, &artifact).await {
                Some(current) => current,
                None => return conflict(format!("no other version of {name} serves here to compare with")),
            },
        };
        if current.digest == artifact.digest {
            return conflict(format!("this version of {name} serves already"));
        }
        if !self.ensure(capability, &current).await {
            return Err(Unchanged::Unavailable(format!(
                "the store does not have the version of {name} that serves, and has no room for it \
                 (`shared_component_bytes`); nothing has changed"
            )));
        }
        let put = self.shared.put_component(name, &artifact, &bytes).await;
        put.map_err(|error| self.no_room(name, error))?;
        let mut previous = base.as_ref().and_then(|base| base.previous.clone());
        if let Some(before) = &previous
            && !self.ensure(capability, before).await
        {
            previous = None;
        }
        let generation = base.as_ref().map_or(0, |base| base.generation) + 1;
        let next = Desired {
            capability: name.to_owned(),
            generation,
            current: Some(current.clone()),
            previous,
            trial: Some(Tried {
                artifact: artifact.clone(),
                began: generation,
                percent: plan.percent,
                requests: plan.requests,
                latency_ratio: plan.latency_ratio,
                seconds: plan.seconds,
            }),
            ended: None,
        };
        self.replace(&found, &next).await?;
        let fleet = self.wait(&next, terms).await;
        let newest = self.shared.heard_desired(name).and_then(|newest| newest.desired);
        if let Some(ended) = newest.and_then(|newest| newest.ended)
            && ended.began == generation
        {
            return conflict(format!("the version of {name} was tried, and {}", ended.how));
        }
        let deployed = Deployed {
            capability: name.to_owned(),
            digest: artifact.digest,
            previous: Some(current.digest),
            changed: true,
            milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        Ok(Changed { deployed, fleet })
    }

    /// True if a version is tried on all replicas, as far as this one knows.
    pub fn tries(&self, capability: &Capability) -> bool {
        self.known_desired(capability)
            .is_some_and(|desired| desired.trial.is_some())
    }

    /// Ends the trial of all replicas because somebody asks for it: the version serves on all of them, or on none.
    ///
    /// # Errors
    /// When none goes on, another change came first, or the store is away.
    pub async fn end(&self, capability: &Capability, promote: bool, terms: Terms) -> Result<Changed, Unchanged> {
        let started = Instant::now();
        let desired = self.known_desired(capability);
        let tried = desired
            .and_then(|desired| desired.trial)
            .ok_or_else(|| none(capability))?;
        let all = self.shared.read_trial(capability.name(), tried.began).await;
        let sum = Sum::of(&all.map_err(|_| away())?);
        let (next, before) = self.conclude(capability, &tried, promote, "asked for", &sum).await?;
        let fleet = self.wait(&next, terms).await;
        let digest = next.current.as_ref().map_or_else(String::new, |now| now.digest.clone());
        let deployed = Deployed {
            capability: capability.name().to_owned(),
            changed: before.as_ref() != Some(&digest),
            digest,
            previous: before,
            milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        Ok(Changed { deployed, fleet })
    }

    /// Writes the end of a trial into the store, if it still goes on there. Returns what is desired now, and the digest of
    /// what was desired before.
    async fn conclude(
        &self,
        capability: &Capability,
        tried: &Tried,
        promote: bool,
        reason: &str,
        sum: &Sum,
    ) -> Result<(Desired, Option<String>), Unchanged> {
        let name = capability.name();
        let found = self.shared.read_desired(name).await.map_err(|_| away())?;
        let goes_on = |desired: &Desired| {
            let theirs = desired.trial.as_ref();
            theirs.is_some_and(|theirs| theirs.began == tried.began)
        };
        let Some(base) = found.desired.clone().filter(goes_on) else {
            return Err(none(capability));
        };
        let before = base.current.as_ref().map(|current| current.digest.clone());
        let (current, previous) = match promote {
            true => (Some(tried.artifact.clone()), base.current),
            false => (base.current, base.previous),
        };
        let how = match promote {
            true => format!("promoted: {reason}"),
            false => format!("ended: {reason}"),
        };
        let next = Desired {
            capability: name.to_owned(),
            generation: base.generation + 1,
            current,
            previous,
            trial: None,
            ended: Some(Ended {
                digest: tried.artifact.digest.clone(),
                began: tried.began,
                how: how.chars().take(MAX_END_CHARS).collect(),
                candidate: Counts::from(&sum.candidate),
                current: Counts::from(&sum.current),
            }),
        };
        match self.shared.replace_desired(&found, &next).await {
            Ok(Replaced::Done) => {
                tracing::info!(
                    component = name,
                    generation = next.generation,
                    how,
                    "this replica ends the trial of all"
                );
                Ok((next, before))
            }
            Ok(Replaced::Changed) => Err(none(capability)),
            Ok(Replaced::Incomplete) => Err(Unchanged::Conflict(format!(
                "the store has lost bytes of {name} meanwhile; ask again"
            ))),
            Err(CallError::Full) => Err(full()),
            Err(CallError::Away) => Err(away()),
        }
    }

    /// The account of the end of the trial that goes on here, when this is desired instead.
    pub(super) fn end_of_trial(&self, capability: &Capability, desired: &Desired) -> String {
        let began = self.deployer.joined(capability).and_then(|trial| trial.began());
        let ended = desired.ended.as_ref().filter(|ended| Some(ended.began) == began);
        ended.map_or_else(
            || "replaced by the version of the fleet".to_owned(),
            |ended| ended.how.trim_start_matches("ended: ").to_owned(),
        )
    }

    /// Takes part in the trial of all replicas, and leaves one that is over.
    pub(super) async fn follow_trial(&self, capability: &Capability) {
        let Some(desired) = self.known_desired(capability) else {
            return;
        };
        if let Some(trial) = self.deployer.joined(capability)
            && trial.began() != desired.trial.as_ref().map(|tried| tried.began)
        {
            let how = self.end_of_trial(capability, &desired);
            // It may have ended meanwhile.
            let _ = self.deployer.abort(capability, Some(&trial), &how).await;
        }
        let news = self
            .known()
            .get_mut(capability)
            .is_some_and(|known| std::mem::take(&mut known.has_news));
        if let Some(ended) = desired.ended.as_ref().filter(|_| news) {
            self.deployer.note_end_of_all(capability, describe_ended(ended));
        }
        let Some(tried) = &desired.trial else { return };
        let is_due = self
            .known()
            .get_mut(capability)
            .is_some_and(|known| known.join.is_due());
        if is_due {
            self.report();
            let joined = self.join(capability, &desired, tried).await;
            let (component, digest) = (capability.name(), &tried.artifact.digest);
            match &joined {
                Ok(()) => {}
                Err(Stop::Refused(reason)) => {
                    tracing::error!(
                        component,
                        digest,
                        reason,
                        "this replica refuses the version that all are to try"
                    );
                }
                Err(Stop::Later(_, reason)) => {
                    tracing::info!(
                        component,
                        digest,
                        reason,
                        "this replica does not try yet what all are to try"
                    );
                }
            }
            if let Some(known) = self.known().get_mut(capability) {
                known.join.note(joined);
            }
            self.report();
        }
        self.tell(capability, tried).await;
    }

    async fn join(&self, capability: &Capability, desired: &Desired, tried: &Tried) -> Result<(), Stop> {
        let current = desired.current.as_ref().map_or("", |current| &current.digest);
        let serves = self.deployer.registry().current(capability);
        if serves.is_none_or(|serves| serves.digest != current) {
            return Err(Stop::Later(
                Progress::Waiting,
                "the version that it is compared with does not serve here".to_owned(),
            ));
        }
        let bytes = self.missing(capability, &tried.artifact).await?;
        let together = Together {
            began: tried.began,
            salt: self.shared.trial_salt(capability.name(), tried.began),
        };
        let candidate = (tried.artifact.digest.as_str(), bytes);
        let joined = self
            .deployer
            .join(capability, current, candidate, plan(tried), together)
            .await;
        joined.map_err(Stop::from)
    }

    /// Tells the store what this replica has counted, and decides for all where it is its turn.
    async fn tell(&self, capability: &Capability, tried: &Tried) {
        let name = capability.name();
        let trial = self.deployer.joined(capability);
        let [current, candidate] = trial.map_or_else(Default::default, |trial| trial.tallies());
        let refused = self.known().get(capability).and_then(|known| {
            let is_refused = known.join.progress == Progress::Refused;
            is_refused.then(|| known.join.reason.clone()).flatten()
        });
        let numbers = Numbers {
            name: self.name.clone(),
            refused,
            current: Figures::from(&current),
            candidate: Figures::from(&candidate),
        };
        let text = serde_json::to_vec(&numbers).unwrap_or_default();
        // While the store is away nobody decides, and the numbers grow.
        let Ok(told) = self.shared.tell_trial(name, tried.began, &text).await else {
            return;
        };
        let Some(leads) = told.leads else { return };
        let sum = Sum::of(&leads.numbers);
        match sum.verdict(tried, leads.looked, told.since) {
            Some((promote, reason)) => {
                if let Err(unchanged) = self.conclude(capability, tried, promote, &reason, &sum).await {
                    tracing::warn!(
                        component = name,
                        ?unchanged,
                        "the trial of all replicas cannot be ended"
                    );
                }
            }
            None if sum.candidate.requests > leads.looked => {
                // Lost with the store, a look is taken once more.
                let _ = self.shared.note_look(name, tried.began, sum.candidate.requests).await;
            }
            None => {}
        }
    }

    /// Describes the trial of all replicas by the numbers of all of them: `own` is this replica's account of it.
    pub async fn describe_trial(&self, capability: &Capability, own: Option<Value>) -> Option<Value> {
        let desired = self.known_desired(capability);
        let Some(tried) = desired.and_then(|desired| desired.trial) else {
            return own;
        };
        let all = self.shared.read_trial(capability.name(), tried.began).await;
        let sum = Sum::of(&all.unwrap_or_default());
        // One that has refused it knows what the others try.
        let mut description = own.unwrap_or_else(
            || json!({"digest": tried.artifact.digest, "plan": plan(&tried), "secondsLeft": tried.seconds}),
        );
        description["allReplicas"] = true.into();
        description["candidate"] = describe(&sum.candidate);
        description["current"] = describe(&sum.current);
        Some(description)
    }

    /// Describes the end of the last trial: `own` is this replica's account, which knows times of a trial of all replicas
    /// and not the others' numbers.
    pub fn describe_end(&self, capability: &Capability, own: Option<Value>) -> Option<Value> {
        let desired = self.known_desired(capability);
        let Some(ended) = desired.and_then(|desired| desired.ended) else {
            return own;
        };
        let of_another = own
            .as_ref()
            .is_some_and(|own| own["began"].as_u64() != Some(ended.began));
        if of_another {
            return own;
        }
        Some(describe_ended(&ended))
    }
}

fn describe_ended(ended: &Ended) -> Value {
    json!({
        "digest": ended.digest,
        "began": ended.began,
        "allReplicas": true,
        "ended": ended.how,
        "candidate": ended.candidate,
        "current": ended.current,
    })
}

fn plan(tried: &Tried) -> Plan {
    Plan {
        percent: tried.percent,
        shadow: false,
        requests: tried.requests,
        latency_ratio: tried.latency_ratio,
        seconds: tried.seconds,
    }
}

fn none(capability: &Capability) -> Unchanged {
    Unchanged::Conflict(format!(
        "no version of {} is being tried by all replicas",
        capability.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried() -> Tried {
        Tried {
            artifact: Artifact {
                digest: "0a".repeat(32),
                bytes: 1,
            },
            began: 3,
            percent: 10.0,
            requests: 60,
            latency_ratio: 1.5,
            seconds: 30,
        }
    }

    /// What a replica tells: requests and failures of the current version and of the candidate.
    fn told(current: (u64, u64), candidate: (u64, u64), refused: Option<&str>) -> Vec<u8> {
        let figures = |(requests, failed)| {
            Figures::from(&Tally {
                requests,
                failed,
                ..Tally::default()
            })
        };
        let numbers = Numbers {
            name: "web/1".to_owned(),
            refused: refused.map(str::to_owned),
            current: figures(current),
            candidate: figures(candidate),
        };
        serde_json::to_vec(&numbers).unwrap()
    }

    fn verdict(all: &[Vec<u8>], looked: u64, seconds: u64) -> Option<(bool, String)> {
        Sum::of(all).verdict(&tried(), looked, Duration::from_secs(seconds))
    }

    #[test]
    fn all_replicas_together_have_enough_requests_where_none_has() {
        let part = || told((100, 0), (20, 0), None);
        assert_eq!(verdict(&[part(), part()], 0, 1), None);
        let (promote, reason) = verdict(&[part(), part(), part()], 40, 1).unwrap();
        assert!(promote && reason.contains("after 60 requests"), "{reason}");
        // What cannot be read counts for nothing.
        assert_eq!(verdict(&[part(), part(), b"{".to_vec()], 0, 1), None);
    }

    #[test]
    fn failures_at_one_replica_are_failures() {
        let good = || told((200, 0), (20, 0), None);
        let (promote, reason) = verdict(&[good(), told((200, 0), (18, 9), None)], 0, 1).unwrap();
        assert!(!promote && reason.contains("fails more often: 9 of 38"), "{reason}");
        // The look at that number was taken.
        assert_eq!(verdict(&[good(), told((200, 0), (18, 9), None)], 38, 1), None);
    }

    #[test]
    fn one_that_refuses_it_ends_it_and_so_does_time() {
        let good = || told((200, 0), (60, 0), None);
        let (promote, reason) = verdict(&[good(), told((0, 0), (0, 0), Some("probe: it is silent"))], 0, 1).unwrap();
        assert!(!promote);
        assert_eq!(reason, "web/1 has refused it: probe: it is silent");
        let (promote, reason) = verdict(&[told((5, 0), (5, 0), None)], 0, 30).unwrap();
        assert!(!promote && reason.contains("its time is over"), "{reason}");
    }
}
