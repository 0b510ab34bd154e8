//! Processor, memory, control group, descriptors and clock.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use quartet_llm_engine::processors::Processors;

use super::report::{Report, human};
use crate::config::sources::{Source, Values};
use crate::config::{Config, Language, memory_of_machine};

/// Open files and connections that a busy service has; with fewer, it refuses connections early.
const DESCRIPTORS: u64 = 4096;

/// Memory below which pictures and documents do not fit beside the host.
const LEAST_MEMORY: u64 = 1_000_000_000;

pub(super) fn examine(config: &Config, values: &Values, report: &mut Report) {
    processor(config, report);
    memory(config, values, report);
    group(report);
    descriptors(report);
    clock(report);
}

/// The features of the processor that engines use: name, whether it is there, whether the language model's needs it.
fn features() -> Vec<(&'static str, bool, bool)> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        vec![
            ("AVX2", has!("avx2"), true),
            ("FMA", has!("fma"), true),
            ("F16C", has!("f16c"), true),
            ("BMI2", has!("bmi2"), true),
            ("AVX-512", has!("avx512bw") && has!("avx512vl"), false),
            ("AVX512-VNNI", has!("avx512vnni"), false),
            ("AMX", Processors::Amx.include_this(), false),
            ("SHA", has!("sha"), false),
        ]
    }
    #[cfg(target_arch = "aarch64")]
    {
        use std::arch::is_aarch64_feature_detected as has;
        vec![
            ("NEON", has!("neon"), true),
            ("DotProd", has!("dotprod"), false),
            ("I8MM", has!("i8mm"), false),
        ]
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    Vec::new()
}

fn processor(config: &Config, report: &mut Report) {
    let features = features();
    let names = |wanted: &dyn Fn(bool, bool) -> bool| {
        let names = features.iter().filter(|(_, there, needed)| wanted(*there, *needed));
        names.map(|(name, ..)| *name).collect::<Vec<_>>().join(" ")
    };
    let (there, lacking) = (names(&|there, _| there), names(&|there, needed| needed && !there));
    let found = format!("{} {there}", std::env::consts::ARCH);
    if lacking.is_empty() {
        report.ok("processor", found);
    } else if matches!(config.language, Language::Local(_)) {
        report.warn(
            "processor",
            format!("{found}, without {lacking}"),
            "the built-in language model does not run here; everything else does",
        );
        report.change("language_model", "\"off\"", format!("this processor has no {lacking}"));
    } else {
        report.ok("processor", format!("{found}, without {lacking}"));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = config.components.workers;
    report.ok("cores", format!("{cores}, {workers} of them for components"));
    if workers > cores * 2 {
        report.change("workers", "0", format!("there are {cores} cores, not {workers}"));
    }
}

fn memory(config: &Config, values: &Values, report: &mut Report) {
    let Some(memory) = memory_of_machine() else {
        report.warn(
            "memory",
            "the system does not tell how much there is",
            "set `memory_budget` by hand",
        );
        return;
    };
    let budget = config.components.memory_budget as u64;
    let found = format!("{}, of which requests may have {}", human(memory), human(budget));
    if memory < LEAST_MEMORY {
        let remedy = format!("pictures and documents want {} or more", human(LEAST_MEMORY));
        report.warn("memory", found, remedy);
    } else if budget > memory {
        let remedy = "what is let in may not fit";
        report.wrong("memory", found, remedy);
    } else {
        report.ok("memory", found);
    }
    let by_hand = values
        .get("memory_budget")
        .is_some_and(|value| value.source != Source::Default);
    if by_hand && budget > memory / 10 * 9 {
        let because = "it leaves nothing for host and models; without it, it is computed";
        report.change("memory_budget", (memory / 3).to_string(), because);
    }
    if let Language::Local(local) = &config.language {
        let least = local.models.iter().map(|model| model.memory).min().unwrap_or(0);
        if least > memory / 2 {
            let because = format!("the smallest one wants {} of {}", human(least), human(memory));
            report.change("language_model", "\"off\"", because);
        }
    }
}

/// Limits of the control group that this runs in.
fn group(report: &mut Report) {
    let Some(folder) = own_group() else { return };
    let read = |name: &str| {
        fs::read_to_string(folder.join(name))
            .ok()
            .map(|text| text.trim().to_owned())
    };
    let mut limits = Vec::new();
    if let Some(bytes) = read("memory.max").and_then(|text| text.parse::<u64>().ok()) {
        limits.push(format!("memory {}", human(bytes)));
    }
    if let Some(tasks) = read("pids.max").and_then(|text| text.parse::<u64>().ok()) {
        limits.push(format!("{tasks} tasks"));
    }
    let quota = read("cpu.max").and_then(|text| cores_of(&text));
    if let Some(cores) = quota {
        limits.push(format!("{cores:.1} cores"));
    }
    if limits.is_empty() {
        report.ok("group", "the control group limits nothing");
    } else if quota.is_some_and(|cores| cores < 1.0) {
        let remedy = "speech may be slower than it is heard; give it a whole core";
        report.warn("group", limits.join(", "), remedy);
    } else {
        report.ok("group", limits.join(", "));
    }
}

fn own_group() -> Option<PathBuf> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::"))?;
    let folder = Path::new("/sys/fs/cgroup").join(path.trim_start_matches('/'));
    folder.is_dir().then_some(folder)
}

/// Cores that `cpu.max` allows: microseconds in a period, and the period.
fn cores_of(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

fn descriptors(report: &mut Report) {
    let Ok((_, most)) = rlimit::Resource::NOFILE.get() else {
        return;
    };
    if most < DESCRIPTORS {
        let remedy = format!("allow {DESCRIPTORS} (LimitNOFILE of systemd, ulimit -n), or busy times end in refusals");
        report.warn("files", format!("{most} may be open"), remedy);
    } else {
        report.ok("files", format!("{most} may be open"));
    }
}

/// The clock, which certificates, keys with an end and the log depend on.
fn clock(report: &mut Report) {
    let now = SystemTime::now();
    let program = std::env::current_exe()
        .and_then(fs::metadata)
        .and_then(|file| file.modified());
    let Ok(seconds) = now.duration_since(SystemTime::UNIX_EPOCH) else {
        report.wrong("clock", "it is before 1970", "set it, or certificates are refused");
        return;
    };
    let told = jiff::Timestamp::from_second(seconds.as_secs().cast_signed())
        .map_or_else(|_| "?".to_owned(), |now| now.to_string());
    if program.is_ok_and(|made| made > now) {
        report.wrong(
            "clock",
            format!("{told}, before this program was installed"),
            "set it, or certificates are refused",
        );
    } else if Path::new("/run/systemd/timesync").is_dir() && !Path::new("/run/systemd/timesync/synchronized").exists() {
        report.warn("clock", format!("{told}, not synchronised yet"), "see `timedatectl`");
    } else {
        report.ok("clock", told);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::config;
    use crate::doctor::report::Level;

    #[test]
    fn a_quota_is_read_as_cores() {
        assert_eq!(cores_of("150000 100000"), Some(1.5));
        assert_eq!(cores_of("max 100000"), None);
        assert_eq!(cores_of(""), None);
    }

    #[test]
    fn a_budget_beyond_the_memory_is_wrong() {
        let mut report = Report::default();
        let config = config(&[("memory_budget", "1000000000000000")]).unwrap();
        memory(&config, &Values::new(), &mut report);
        assert_eq!(report.level(), Level::Wrong, "{}", report.text());
    }

    #[test]
    fn this_machine_is_described() {
        let mut report = Report::default();
        examine(&config(&[]).unwrap(), &Values::new(), &mut report);
        let text = report.text();
        for about in ["processor", "cores", "memory", "files", "clock"] {
            assert!(text.contains(about), "{text}");
        }
    }
}
