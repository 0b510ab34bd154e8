//! Measurements of a version in the form in which replicas tell each other of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sample::Tally;

/// Operations of which times are taken from another replica; a capability has fewer.
const MAX_OPERATIONS: usize = 64;

/// Counts, and times by operation: each with the number of answers that took it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    requests: u64,
    failed: u64,
    refused: u64,
    times: BTreeMap<String, Vec<(u64, u32)>>,
}

impl From<&Tally> for Figures {
    fn from(tally: &Tally) -> Self {
        let times = tally.times.iter().map(|(path, times)| {
            let recorded = times.iter_recorded();
            let pairs = recorded.map(|step| (step.value_iterated_to(), step.count_at_value()));
            (path.clone(), pairs.collect())
        });
        Self {
            requests: tally.requests,
            failed: tally.failed,
            refused: tally.refused,
            times: times.collect(),
        }
    }
}

impl From<&Figures> for Tally {
    fn from(figures: &Figures) -> Self {
        let mut tally = Self {
            requests: figures.requests,
            failed: figures.failed,
            refused: figures.refused,
            ..Self::default()
        };
        for (path, pairs) in figures.times.iter().take(MAX_OPERATIONS) {
            if let Some(times) = tally.times(path) {
                for (micros, count) in pairs {
                    times.saturating_record_n(*micros, *count);
                }
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_what_was_measured_and_adds_up() {
        let mut tally = Tally {
            requests: 12,
            failed: 1,
            refused: 2,
            ..Tally::default()
        };
        for micros in [1, 999, 12_345, 12_345, 599_999_999, 700_000_000] {
            tally.times("/a").unwrap().saturating_record(micros);
        }
        let text = serde_json::to_string(&Figures::from(&tally)).unwrap();
        let told: Figures = serde_json::from_str(&text).unwrap();
        let mut twice = Tally::from(&told);
        assert_eq!(Figures::from(&twice), told);
        assert_eq!(twice.times["/a"], tally.times["/a"]);
        twice.add(&tally);
        twice.add(&Tally::default());
        assert_eq!((twice.requests, twice.failed, twice.refused), (24, 2, 4));
        assert_eq!(twice.times["/a"].len(), 12);
        let median = |tally: &Tally| tally.times["/a"].value_at_quantile(0.5);
        assert_eq!(median(&twice), median(&tally));
    }
}
