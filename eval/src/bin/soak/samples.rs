//! Samples of the process, of what is in use, and of latencies, every few seconds.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quartet_eval::process::{self, Look};

use crate::ledger::{Group, Ledger};
use crate::metrics::{InUse, Metrics};

/// One sample.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// Seconds since the start.
    pub seconds: f64,
    /// The host.
    pub host: Look,
    /// The language model's engine, where it runs.
    pub engine: Option<Look>,
    /// What is in use; none where the service did not say.
    pub in_use: Option<InUse>,
    /// 95th percentiles in milliseconds of what was answered since the sample before.
    pub slow: BTreeMap<Group, f64>,
}

/// All samples, from the first to the last.
#[derive(Debug, Default)]
pub struct Samples(pub Vec<Sample>);

impl Samples {
    /// Samples until the end.
    pub async fn go_on(
        host: u32,
        address: SocketAddr,
        ledger: Arc<Ledger>,
        start: Instant,
        end: Instant,
        pause: Duration,
    ) -> Self {
        let mut samples = Self::default();
        let mut metrics = Metrics::new(address);
        for round in 1.. {
            let due = start + pause * round;
            if due > end {
                break;
            }
            tokio::time::sleep_until(due.into()).await;
            let Some(look) = process::look(host) else {
                // The host has ended: the verdict says so.
                break;
            };
            let recent = ledger.take_recent();
            samples.0.push(Sample {
                seconds: start.elapsed().as_secs_f64(),
                host: look,
                engine: process::engine_of(host).and_then(process::look),
                in_use: metrics.ask().await,
                slow: recent
                    .iter()
                    .filter_map(|(group, times)| Some((*group, times.quantile(0.95)?)))
                    .collect(),
            });
        }
        samples
    }

    /// Medians of a value over the four quarters of the time; none for those without a value.
    pub fn quarters(&self, value: impl Fn(&Sample) -> Option<f64>) -> [Option<f64>; 4] {
        let length = self.0.last().map_or(0.0, |sample| sample.seconds);
        [0.0, 1.0, 2.0, 3.0].map(|quarter| {
            let [from, to] = [quarter, quarter + 1.0].map(|edge| edge / 4.0 * length);
            let within = |sample: &&Sample| from < sample.seconds && sample.seconds <= to;
            let mut values: Vec<f64> = self.0.iter().filter(within).filter_map(&value).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        })
    }
}

/// A value of a sample, with its name.
type Row = (&'static str, fn(&Sample) -> Option<f64>);

/// The values that are told by quarters.
const ROWS: [Row; 12] = [
    ("host, private MiB", |sample| Some(sample.host.private_mib)),
    ("host, Pss MiB", |sample| Some(sample.host.pss_mib)),
    ("language engine, private MiB", |sample| {
        sample.engine.map(|look| look.private_mib)
    }),
    ("language engine, Pss MiB", |sample| {
        sample.engine.map(|look| look.pss_mib)
    }),
    ("host, descriptors", |sample| Some(sample.host.descriptors)),
    ("host, threads", |sample| Some(sample.host.threads)),
    ("language engine, threads", |sample| {
        sample.engine.map(|look| look.threads)
    }),
    ("requests that run", |sample| sample.in_use.map(|now| now.requests)),
    ("streams that run", |sample| sample.in_use.map(|now| now.streams)),
    ("sandboxes", |sample| sample.in_use.map(|now| now.sandboxes)),
    ("memory of sandboxes, MiB", |sample| {
        sample.in_use.map(|now| now.sandbox_mib)
    }),
    ("connections", |sample| sample.in_use.map(|now| now.connections)),
];

/// Prints medians by quarter of the time.
pub fn print(samples: &Samples) {
    println!("{} samples; medians of each quarter of the time:\n", samples.0.len());
    println!("| | first | second | third | last |\n|---|---|---|---|---|");
    for (name, value) in ROWS {
        let quarters = samples.quarters(value).map(|median| match median {
            Some(median) => format!("{median:.1}"),
            None => "–".to_owned(),
        });
        println!("| {name} | {} |", quarters.join(" | "));
    }
    println!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_have_their_own_medians() {
        let sample = |second: u32| Sample {
            seconds: f64::from(second),
            host: Look {
                private_mib: f64::from(second),
                ..Look::default()
            },
            ..Sample::default()
        };
        let samples = Samples((1..=40).map(sample).collect());
        let medians = samples.quarters(|sample| Some(sample.host.private_mib));
        assert_eq!(medians, [Some(6.0), Some(16.0), Some(26.0), Some(36.0)]);
        assert_eq!(samples.quarters(|_| None), [None; 4]);
        assert_eq!(Samples::default().quarters(|_| Some(1.0)), [None; 4]);
    }
}
