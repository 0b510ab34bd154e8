//! The state of all replicas with regard to a desired version, from their reports.

use std::num::NonZeroUsize;

use serde::Serialize;

use crate::shared::{Desired, Progress, Replica, VersionReport};

/// The state of one replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It serves the desired version.
    Serving,
    /// It has not heard of it yet, or gets, compiles or probes it.
    Working,
    /// It cannot get the bytes now, and tries again.
    Waiting,
    /// It has refused the version, and serves another.
    Refused,
    /// It had the version, and was given another that the other replicas know nothing of.
    Apart,
    /// It has no such capability.
    Absent,
    /// It is there, and tells nothing of versions.
    Silent,
}

impl State {
    /// True if waiting for it would not change it.
    fn is_settled(self) -> bool {
        !matches!(self, State::Working | State::Waiting | State::Silent)
    }
}

/// One replica and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaStatus {
    /// Its name; empty where it tells none.
    pub name: String,
    /// True for the replica that was asked.
    pub here: bool,
    /// Its state.
    pub state: State,
    /// The version that it serves.
    pub digest: Option<String>,
    /// The reason for the state, where it does not serve the desired version.
    pub reason: Option<String>,
}

/// A desired version, and the replicas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FleetStatus {
    /// The generation of the desired version.
    pub generation: u64,
    /// The desired version; none where each replica serves its own file.
    pub digest: Option<String>,
    /// The version that a rollback goes back to.
    pub previous: Option<String>,
    /// True if every replica that is there serves it, or as many as a change asked for.
    pub complete: bool,
    /// The replicas that are there; none where the store cannot be asked.
    pub replicas: Vec<ReplicaStatus>,
}

impl FleetStatus {
    /// The status by the reports of the replicas.
    pub fn new(desired: &Desired, replicas: &[Replica]) -> Self {
        let mut replicas: Vec<_> = replicas.iter().map(|replica| one(desired, replica)).collect();
        replicas.sort_by(|one, other| one.name.cmp(&other.name));
        Self {
            generation: desired.generation,
            digest: desired.current.as_ref().map(|current| current.digest.clone()),
            previous: desired.previous.as_ref().map(|previous| previous.digest.clone()),
            complete: !replicas.is_empty() && replicas.iter().all(|replica| replica.state == State::Serving),
            replicas,
        }
    }

    /// The same, complete as soon as so many replicas serve the version.
    pub fn with_quorum(mut self, quorum: Option<NonZeroUsize>) -> Self {
        if let Some(quorum) = quorum {
            let serving = self.replicas.iter().filter(|replica| replica.state == State::Serving);
            self.complete = serving.count() >= quorum.get();
        }
        self
    }

    /// True if waiting would not change it.
    pub fn is_settled(&self) -> bool {
        !self.replicas.is_empty() && self.replicas.iter().all(|replica| replica.state.is_settled())
    }
}

fn one(desired: &Desired, replica: &Replica) -> ReplicaStatus {
    let version = replica
        .report
        .as_ref()
        .map(|report| report.versions.get(&desired.capability));
    let state = match version {
        None => State::Silent,
        Some(None) => State::Absent,
        Some(Some(version)) => state(desired, version),
    };
    let known = match state {
        State::Silent => Some("it tells nothing of versions: it starts, or is of an earlier release"),
        State::Absent => Some("it has no such capability"),
        State::Apart => Some("it was given another version by itself"),
        _ => None,
    };
    let told = version.flatten().and_then(|version| version.reason.clone());
    ReplicaStatus {
        name: replica
            .report
            .as_ref()
            .map_or_else(String::new, |report| report.name.clone()),
        here: replica.here,
        state,
        digest: version.flatten().and_then(|version| version.digest.clone()),
        reason: known.map(str::to_owned).or(told),
    }
}

fn state(desired: &Desired, version: &VersionReport) -> State {
    if version.generation < desired.generation {
        return State::Working;
    }
    match (version.progress, &desired.current) {
        (Progress::Working, _) => State::Working,
        (Progress::Waiting, _) => State::Waiting,
        (Progress::Refused, _) => State::Refused,
        (Progress::Done, Some(current)) if version.digest.as_ref() != Some(&current.digest) => State::Apart,
        (Progress::Done, _) => State::Serving,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::shared::{Artifact, Report};

    fn desired(digest: Option<&str>) -> Desired {
        Desired {
            capability: "tts".to_owned(),
            generation: 3,
            current: digest.map(|digest| Artifact {
                digest: digest.to_owned(),
                bytes: 1,
            }),
            previous: None,
            trial: None,
            ended: None,
        }
    }

    fn replica(digest: &str, generation: u64, progress: Progress) -> Replica {
        let version = VersionReport {
            digest: Some(digest.to_owned()),
            generation,
            progress,
            reason: None,
        };
        Replica {
            here: false,
            report: Some(Report {
                name: "a".to_owned(),
                versions: BTreeMap::from([("tts".to_owned(), version)]),
            }),
        }
    }

    #[test]
    fn it_is_complete_only_when_each_serves_the_version() {
        let done = replica("new", 3, Progress::Done);
        let status = |replicas: &[Replica]| FleetStatus::new(&desired(Some("new")), replicas);
        assert!(status(&[done.clone(), done.clone()]).complete);
        assert!(!status(&[]).complete && !status(&[]).is_settled());
        let silent = Replica {
            here: false,
            report: None,
        };
        let absent = Replica {
            here: false,
            report: Some(Report::default()),
        };
        for (other, state, settled) in [
            (replica("old", 2, Progress::Done), State::Working, false),
            (replica("new", 2, Progress::Done), State::Working, false),
            (replica("old", 3, Progress::Working), State::Working, false),
            (replica("old", 3, Progress::Waiting), State::Waiting, false),
            (replica("old", 3, Progress::Refused), State::Refused, true),
            (replica("old", 3, Progress::Done), State::Apart, true),
            (silent, State::Silent, false),
            (absent, State::Absent, true),
        ] {
            let status = status(&[done.clone(), other]);
            assert!(!status.complete, "{state:?}");
            assert_eq!(status.is_settled(), settled, "{state:?}");
            assert!(
                status.replicas.iter().any(|replica| replica.state == state),
                "{status:?}"
            );
        }
    }

    #[test]
    fn with_a_quorum_it_is_complete_when_so_many_serve_the_version() {
        let done = replica("new", 3, Progress::Done);
        let refused = replica("old", 3, Progress::Refused);
        let status = FleetStatus::new(&desired(Some("new")), &[done.clone(), done, refused]);
        let complete = |quorum| status.clone().with_quorum(NonZeroUsize::new(quorum)).complete;
        assert!(complete(1) && complete(2));
        assert!(!complete(3) && !complete(4));
        assert!(!status.clone().with_quorum(None).complete);
    }

    #[test]
    fn without_a_version_each_may_serve_its_own() {
        let replicas = [replica("one", 3, Progress::Done), replica("other", 4, Progress::Done)];
        assert!(FleetStatus::new(&desired(None), &replicas).complete);
    }
}
