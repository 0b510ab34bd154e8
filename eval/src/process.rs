//! Memory, descriptors and threads of a process, from `/proc`.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// Name of the language model's engine as the system has it.
const ENGINE: &str = "quartet-llm";

/// One look at a process.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Look {
    /// Memory that no other process shares and that has been written, in MiB.
    pub private_mib: f64,
    /// Memory with its part of what is shared, in MiB.
    pub pss_mib: f64,
    /// Open descriptors.
    pub descriptors: f64,
    /// Threads.
    pub threads: f64,
}

/// Looks at a process; none where it has ended or may not be looked at.
pub fn look(pid: u32) -> Option<Look> {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
    Some(Look {
        private_mib: field(&rollup, "Private_Dirty")? / 1024.0,
        pss_mib: field(&rollup, "Pss")? / 1024.0,
        descriptors: descriptors as f64,
        threads: field(&status, "Threads")?,
    })
}

/// Hundredths of a second, in which Linux tells processor time.
const TICK: Duration = Duration::from_millis(10);

/// Processor time that a process has used so far, with all of its threads; none where it has ended.
pub fn processor_time(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may have anything inside.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()? + ticks()?))
}

/// The number of a line such as `Pss:     1234 kB`.
fn field(text: &str, name: &str) -> Option<f64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The language model's engine that a host runs.
pub fn engine_of(host: u32) -> Option<u32> {
    let numbers = fs::read_dir("/proc")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.into_iter().find(|pid: &u32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let name = status.lines().next().and_then(|line| line.strip_prefix("Name:"));
        name.map(str::trim) == Some(ENGINE) && field(&status, "PPid") == Some(f64::from(host))
    })
}

/// Number of versions of components whose compiled code a process has mapped: a version that is freed is gone from there.
pub fn mapped_versions(pid: u32) -> usize {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    let code = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5))
        .filter(|path| path.ends_with(".cwasm"));
    code.collect::<BTreeSet<_>>().len()
}
