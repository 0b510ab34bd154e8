//! The process itself: memory, processor time, threads, descriptors, since when it runs. Names as Prometheus's own
//! clients have them.
//!
//! Read from /proc by hand: the crate `procfs` would turn on features of crates that wasmtime uses, for two files.

use std::time::{SystemTime, UNIX_EPOCH};

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{Counter, Gauge, Registry};

/// Clock ticks in a second, as the kernel shows them to programs on every machine that Rust knows.
const TICKS_PER_SECOND: f64 = 100.0;

/// Registers the metrics of the process.
pub fn register(registry: &Registry) -> prometheus::Result<()> {
    registry.register(Box::new(Process::new()?))
}

struct Process {
    started: Gauge,
    cpu: Counter,
    resident: Gauge,
    private: Gauge,
    virtually: Gauge,
    threads: Gauge,
    open_fds: Gauge,
    max_fds: Gauge,
}

impl Process {
    fn new() -> prometheus::Result<Self> {
        let process = Self {
            started: Gauge::new("process_start_time_seconds", "Unix time at which the process started.")?,
            cpu: Counter::new("process_cpu_seconds_total", "Processor time that the process used.")?,
            resident: Gauge::new("process_resident_memory_bytes", "Memory of the process that is in RAM.")?,
            private: Gauge::new(
                "quartet_process_private_memory_bytes",
                "Memory in RAM that is the process's own and no file's.",
            )?,
            virtually: Gauge::new(
                "process_virtual_memory_bytes",
                "Address space of the process; nearly all is reserved for sandboxes and costs nothing.",
            )?,
            threads: Gauge::new("process_threads", "Threads of the process.")?,
            open_fds: Gauge::new("process_open_fds", "File descriptors that are open.")?,
            max_fds: Gauge::new("process_max_fds", "File descriptors that may be open.")?,
        };
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        process.started.set(since.as_secs_f64());
        Ok(process)
    }

    fn parts(&self) -> [&dyn Collector; 8] {
        [
            &self.started,
            &self.cpu,
            &self.resident,
            &self.private,
            &self.virtually,
            &self.threads,
            &self.open_fds,
            &self.max_fds,
        ]
    }

    /// Reads the values. Where there is no /proc, those that would be read from it stay at 0.
    fn update(&self) {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
        let status = read("status");
        self.resident.set(bytes(&status, "VmRSS"));
        self.private.set(bytes(&status, "RssAnon"));
        self.virtually.set(bytes(&status, "VmSize"));
        self.threads.set(field(&status, "Threads").unwrap_or(0.0));
        self.cpu.reset();
        self.cpu.inc_by(cpu(&read("stat")).unwrap_or(0.0));
        self.max_fds.set(open_files(&read("limits")).unwrap_or(0.0));
        let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        self.open_fds.set(open as f64);
    }
}

impl Collector for Process {
    fn desc(&self) -> Vec<&Desc> {
        self.parts().into_iter().flat_map(Collector::desc).collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        self.update();
        self.parts().into_iter().flat_map(Collector::collect).collect()
    }
}

/// The number of a line such as `VmRSS:     1234 kB`.
fn field(status: &str, name: &str) -> Option<f64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

fn bytes(status: &str, name: &str) -> f64 {
    field(status, name).unwrap_or(0.0) * 1024.0
}

/// Seconds of processor time from `/proc/self/stat`. The program's name, which may have anything in it, ends with the
/// last parenthesis.
fn cpu(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<f64>);
    Some((times.next()?.ok()? + times.next()?.ok()?) / TICKS_PER_SECOND)
}

fn open_files(limits: &str) -> Option<f64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_kernel_writes() {
        let status = "Name:\tquartet\nVmSize:\t    2048 kB\nVmRSS:\t      12 kB\nThreads:\t5\n";
        assert_eq!(bytes(status, "VmRSS"), 12.0 * 1024.0);
        assert_eq!(field(status, "Threads"), Some(5.0));
        assert_eq!(field(status, "RssAnon"), None);
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 5 0 100 1 1";
        assert_eq!(cpu(stat), Some(3.0));
        let limits = "Limit   Soft Limit  Hard Limit  Units\nMax open files   1024   4096   files\n";
        assert_eq!(open_files(limits), Some(1024.0));
    }
}
