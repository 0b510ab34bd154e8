//! A trial of a candidate beside the version that serves: a canary answers some of the requests, a shadow only gets
//! copies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::shadow::{Comparisons, ShadowRequest};
use super::verdict::{self, Verdict};
use crate::auth::person::Person;
use crate::version::Version;
use crate::version::sample::{Sample, Tally};

/// The plan of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Percentage of the requests.
    pub percent: f64,
    /// True for a shadow: the candidate gets copies of requests, and its answers are compared and thrown away.
    pub shadow: bool,
    /// Requests that a canary answers before it is promoted.
    pub requests: u64,
    /// Allowed ratio of the candidate's 95th percentiles to the current version's.
    pub latency_ratio: f64,
    /// Longest duration of the trial.
    pub seconds: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            percent: 5.0,
            shadow: false,
            requests: 200,
            latency_ratio: 1.5,
            seconds: 3_600,
        }
    }
}

/// The decision about a trial, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The trial goes on.
    GoOn,
    /// The candidate becomes the version that serves.
    Promote(String),
    /// The candidate is dropped.
    Abort(String),
}

/// A trial that goes on.
pub struct Trial {
    /// The version that is tried.
    pub candidate: Arc<Version>,
    /// The version that it is compared with.
    pub current: Arc<Version>,
    /// The plan.
    pub plan: Plan,
    /// The results of a shadow's comparisons.
    pub compared: Arc<Comparisons>,
    started: Instant,
    drawn: AtomicU64,
    looked: AtomicU64,
    samples: [Arc<Sample>; 2],
    shadow_requests: Option<mpsc::Sender<ShadowRequest>>,
    together: Option<Together>,
}

/// The part of a trial that all replicas have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// The generation of the versions of all replicas that began the trial.
    pub began: u64,
    /// The secret by which it is told of a person whether they are among those who are tried.
    pub salt: String,
}

impl Trial {
    /// Begins a trial. A shadow's requests are handed to `shadow_requests`.
    pub fn begin(
        candidate: Arc<Version>,
        current: Arc<Version>,
        plan: Plan,
        shadow_requests: Option<mpsc::Sender<ShadowRequest>>,
        together: Option<Together>,
    ) -> Arc<Self> {
        let samples = [Arc::<Sample>::default(), Arc::<Sample>::default()];
        if !plan.shadow {
            current.record.sample(Some(Arc::clone(&samples[0])));
            candidate.record.sample(Some(Arc::clone(&samples[1])));
            candidate.record.begin();
        }
        Arc::new(Self {
            candidate,
            current,
            plan,
            compared: Arc::default(),
            started: Instant::now(),
            drawn: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            samples,
            shadow_requests,
            together,
        })
    }

    /// Draws for one request whether it is among the part that is tried. The draws look random, so that they meet no
    /// pattern in what clients send, and come from nothing that a client sends, so that none can choose its version. In a
    /// trial of all replicas each person is drawn once: who is among that part at one replica is so at all of them.
    pub fn is_drawn(&self, person: Option<&Person<'_>>) -> bool {
        let drawn = match &self.together {
            Some(together) => person.map_or(1.0, |person| person.draw(&together.salt)),
            None => splitmix64(self.drawn.fetch_add(1, Ordering::Relaxed)) as f64 / u64::MAX as f64,
        };
        drawn * 100.0 < self.plan.percent
    }

    /// The generation that began it, where it is a trial of all replicas.
    pub fn began(&self) -> Option<u64> {
        self.together.as_ref().map(|together| together.began)
    }

    /// Hands a request to the shadow. Never waits: when the queue is full, the request is skipped.
    pub fn send_to_shadow(&self, request: ShadowRequest) {
        let full = self
            .shadow_requests
            .as_ref()
            .is_none_or(|shadow_requests| shadow_requests.try_send(request).is_err());
        if full {
            self.compared.skipped();
        }
    }

    /// Judges a canary by its numbers so far.
    fn judge(&self) -> Verdict {
        if self.plan.shadow {
            return Verdict::Open;
        }
        let [current, candidate] = self.tallies();
        let looked = self.looked.swap(candidate.requests, Ordering::Relaxed);
        verdict::judge(
            &current,
            &candidate,
            looked,
            self.plan.requests,
            self.plan.latency_ratio,
        )
    }

    /// Decides by its numbers and its time whether it goes on.
    pub fn decision(&self) -> Decision {
        match self.judge() {
            Verdict::Promote(reason) => Decision::Promote(reason),
            Verdict::Reject(reason) => Decision::Abort(reason),
            Verdict::Open if self.left() > Duration::ZERO => Decision::GoOn,
            Verdict::Open if self.plan.shadow => Decision::Abort("its time is over".to_owned()),
            Verdict::Open => Decision::Abort("its time is over, and there were too few requests to tell".to_owned()),
        }
    }

    /// The time that is left.
    fn left(&self) -> Duration {
        Duration::from_secs(self.plan.seconds).saturating_sub(self.started.elapsed())
    }

    /// Stops counting the requests of a canary.
    pub fn end(&self) {
        self.current.record.sample(None);
        self.candidate.record.sample(None);
    }

    /// The numbers of the current version and of the candidate so far.
    pub fn tallies(&self) -> [Tally; 2] {
        self.samples.each_ref().map(|sample| sample.tally())
    }

    /// Describes the trial to the operator.
    pub fn describe(&self) -> Value {
        let [current, candidate] = self.tallies();
        let mut description = json!({
            "digest": self.candidate.digest,
            "plan": self.plan,
            "secondsLeft": self.left().as_secs(),
        });
        if let Some(began) = self.began() {
            description["began"] = began.into();
        }
        if self.plan.shadow {
            description["compared"] = self.compared.describe();
        } else {
            description["candidate"] = describe(&candidate);
            description["current"] = describe(&current);
        }
        description
    }
}

/// Describes the numbers of one version.
pub fn describe(tally: &Tally) -> Value {
    let times: serde_json::Map<_, _> = tally
        .times
        .iter()
        .map(|(path, times)| {
            let ms = |quantile| times.value_at_quantile(quantile) as f64 / 1000.0;
            let value = json!({"answers": times.len(), "p50Ms": ms(0.5), "p95Ms": ms(0.95)});
            ((*path).to_owned(), value)
        })
        .collect();
    json!({"requests": tally.requests, "failed": tally.failed, "refused": tally.refused, "times": times})
}

/// A number that looks random and is different for each one: the finaliser of SplitMix64.
fn splitmix64(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_is_what_was_asked_for_whatever_the_pattern() {
        let drawn = |step: usize| {
            let hits = (0..100_000_u64)
                .step_by(step)
                .filter(|number| splitmix64(*number) as f64 / (u64::MAX as f64) < 0.05)
                .count();
            hits as f64 * step as f64 / 100_000.0
        };
        for step in [1, 2, 3, 7, 20] {
            assert!((drawn(step) - 0.05).abs() < 0.012, "{step}: {}", drawn(step));
        }
    }
}
