//! The verdict: what must be so after hours of anything, and whether it is.

use std::process::ExitStatus;

use crate::ledger::Ledger;
use crate::rest::{self, Rest};
use crate::samples::{Sample, Samples};
use crate::swaps::Swaps;

/// Shortest quarter of the time, in seconds, after which memory can be judged: before that, what is kept has not filled.
const QUARTER_SECONDS: f64 = 150.0;

/// Part by which a value may grow from the second quarter to the last, as what is on the way at a sample differs.
const MEMORY_PART: f64 = 0.05;

/// MiB by which memory may grow in any case.
const MEMORY_MIB: f64 = 16.0;

/// Part by which descriptors and threads may grow.
const COUNT_PART: f64 = 0.1;

/// Descriptors or threads by which they may grow in any case.
const COUNT: f64 = 8.0;

/// Versions of a capability that stay loaded: the one that serves and the one before it.
const VERSIONS: usize = 2 * 4;

/// All that was seen.
pub struct Evidence {
    /// Answers.
    pub ledger: Ledger,
    /// Changes of versions.
    pub swaps: Swaps,
    /// Samples.
    pub samples: Samples,
    /// The end.
    pub rest: Rest,
}

/// One thing that must be so.
struct Finding {
    holds: bool,
    text: String,
}

impl Finding {
    fn new(holds: bool, text: impl Into<String>) -> Self {
        Self {
            holds,
            text: text.into(),
        }
    }
}

/// Prints the verdict; true where everything is as it must be.
pub fn print(evidence: &Evidence, log: &str, ended: ExitStatus) -> bool {
    let mut findings = vec![answers(&evidence.ledger), swaps(&evidence.swaps)];
    findings.extend(growth(&evidence.samples));
    findings.extend(rest(&evidence.rest));
    findings.push(log_lines(log));
    findings.push(Finding::new(
        ended.success(),
        format!("asked to stop, the host ended with {ended}"),
    ));
    println!("Verdict:\n");
    for finding in &findings {
        let word = if finding.holds { "as it must be" } else { "WRONG" };
        println!("- {word}: {}", finding.text);
    }
    findings.iter().all(|finding| finding.holds)
}

/// Every request was answered as expected.
fn answers(ledger: &Ledger) -> Finding {
    let (answered, refused) = ledger.with_operations(|operations| {
        operations.values().fold((0, 0), |(answered, refused), operation| {
            (answered + operation.times.count(), refused + operation.refusals.count())
        })
    });
    ledger.with_unexpected(|count, told| {
        let mut text =
            format!("{answered} requests answered, {refused} refused for want of room, {count} as nobody expected");
        for unexpected in told {
            text += &format!(
                "\n  - after {:.0} s, {}: {}",
                unexpected.seconds, unexpected.operation, unexpected.what
            );
        }
        Finding::new(count == 0 && answered > 0, text)
    })
}

/// Every swap and every rollback was done.
fn swaps(swaps: &Swaps) -> Finding {
    let refused: Vec<_> = swaps
        .0
        .iter()
        .filter_map(|swap| {
            let reason = swap.refused.as_ref()?;
            let what = if swap.rolled_back { "rollback" } else { "swap" };
            Some(format!(
                "\n  - after {:.0} s, {what} of {}: {reason}",
                swap.seconds, swap.capability
            ))
        })
        .collect();
    let text = format!("{} changes of a version, {} refused", swaps.0.len(), refused.len());
    Finding::new(refused.is_empty(), text + &refused.concat())
}

/// A value that must not grow from the second quarter to the last.
struct Level {
    name: &'static str,
    value: fn(&Sample) -> Option<f64>,
    /// Growth that passes: this part of it, or so much in any case.
    part: f64,
    least: f64,
    unit: &'static str,
}

const LEVELS: [Level; 4] = [
    Level {
        name: "private memory of the host",
        value: |sample| Some(sample.host.private_mib),
        part: MEMORY_PART,
        least: MEMORY_MIB,
        unit: " MiB",
    },
    Level {
        name: "private memory of the language engine",
        value: |sample| sample.engine.map(|look| look.private_mib),
        part: MEMORY_PART,
        least: MEMORY_MIB,
        unit: " MiB",
    },
    Level {
        name: "descriptors of the host",
        value: |sample| Some(sample.host.descriptors),
        part: COUNT_PART,
        least: COUNT,
        unit: "",
    },
    Level {
        name: "threads of the host",
        value: |sample| Some(sample.host.threads),
        part: COUNT_PART,
        least: COUNT,
        unit: "",
    },
];

/// Memory, descriptors and threads are level.
fn growth(samples: &Samples) -> Vec<Finding> {
    let seconds = samples.0.last().map_or(0.0, |sample| sample.seconds);
    if seconds / 4.0 < QUARTER_SECONDS {
        let text = format!("{seconds:.0} s are too few to judge memory, descriptors and threads: ten minutes are not");
        return vec![Finding::new(!samples.0.is_empty(), text)];
    }
    LEVELS
        .iter()
        .filter_map(|level| {
            let [_, Some(second), _, Some(last)] = samples.quarters(level.value) else {
                return None;
            };
            let grown = last - second;
            let text = format!(
                "{}: median {second:.1}{} in the second quarter, {last:.1}{} in the last: {}",
                level.name,
                level.unit,
                level.unit,
                match grown > 0.0 {
                    true => format!("grown by {grown:.1} ({:.1} %)", 100.0 * grown / second),
                    false => "not grown".to_owned(),
                }
            );
            Some(Finding::new(is_level(second, last, level.part, level.least), text))
        })
        .collect()
}

fn is_level(second: f64, last: f64, part: f64, least: f64) -> bool {
    last - second <= (second * part).max(least)
}

/// Nothing is in use when nobody asks.
fn rest(rest: &Rest) -> Vec<Finding> {
    let Some(now) = rest.in_use else {
        return vec![Finding::new(false, "at rest the service does not answer")];
    };
    let mut in_use = format!(
        "{:.1} s after the last request {} requests, {} streams, {} jobs and {} sandboxes were in use, {} waited, {} connections were open",
        rest.after, now.requests, now.streams, now.jobs, now.sandboxes, now.waiting, now.connections
    );
    if let Some(host) = rest.host {
        in_use += &format!(
            "; the host had {:.1} MiB of private memory, {} descriptors, {} threads",
            host.private_mib, host.descriptors, host.threads
        );
    }
    vec![
        Finding::new(rest::unused(&now), in_use),
        Finding::new(
            rest.versions <= VERSIONS,
            format!(
                "the code of {} versions is loaded; at most {VERSIONS} are kept",
                rest.versions
            ),
        ),
    ]
}

/// The log has no error.
fn log_lines(log: &str) -> Finding {
    let bad: Vec<_> = log
        .lines()
        .filter(|line| line.contains("\"level\":\"ERROR\"") || line.contains("panicked at"))
        .collect();
    let mut text = format!("{} errors in the host's log", bad.len());
    for line in bad.iter().take(20) {
        text += &format!("\n  - {line}");
    }
    Finding::new(bad.is_empty(), text)
}

#[cfg(test)]
mod tests {
    use quartet_eval::process::Look;

    use super::*;

    fn hour(private_mib: fn(f64) -> f64) -> Samples {
        let sample = |second: u32| Sample {
            seconds: f64::from(second),
            host: Look {
                private_mib: private_mib(f64::from(second)),
                ..Look::default()
            },
            ..Sample::default()
        };
        Samples((0..3600).step_by(5).map(sample).collect())
    }

    #[test]
    fn memory_that_grows_on_is_told_from_memory_that_has_filled() {
        let filled = growth(&hour(|second| 200.0 + second.min(900.0) / 10.0));
        assert!(filled.iter().all(|finding| finding.holds));
        // 60 MiB an hour.
        let leaking = growth(&hour(|second| 200.0 + second / 60.0));
        assert!(!leaking[0].holds, "{}", leaking[0].text);
        assert!(leaking[0].text.contains("grown by 30"), "{}", leaking[0].text);
        // The engine was not there, and is not judged.
        assert_eq!(leaking.len(), 3);
    }

    #[test]
    fn errors_and_what_is_left_are_found() {
        assert!(log_lines("{\"level\":\"WARN\"}\n").holds);
        assert!(!log_lines("{\"level\":\"ERROR\",\"message\":\"x\"}\n").holds);
        assert!(!rest(&Rest::default())[0].holds);
    }
}
