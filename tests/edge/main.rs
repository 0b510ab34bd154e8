//! The edge of the host against those who come to it: keys, proxies, origins, TLS, limits of heads, fairness, and
//! connections that misbehave.

mod connections;
mod cors;
mod descriptors;
mod fairness;
mod heads;
mod http2;
mod jobs;
mod keys;
mod log;
mod proxies;
mod raw;
mod silence;
mod sites;
mod tls;

use std::path::{Path, PathBuf};

use quartet_tests::Service;
use quartet_tests::service::given;
use tempfile::TempDir;

/// A folder for one test's files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, as editors and secret managers do: all at once.
    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path().join(name);
        let new = self.path().join(format!("{name}.new"));
        std::fs::write(&new, content).unwrap();
        std::fs::rename(&new, &path).unwrap();
        path
    }
}

/// The service with a component that answers "well behaved", or sleeps when the header `x-misbehave` says so.
fn sleepy(folder: &Folder, flags: &[&str]) -> Service {
    let component = given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm");
    std::fs::copy(component, folder.path().join("tts.wasm")).unwrap();
    let all: Vec<_> = ["--requests-per-minute", "1000000"]
        .iter()
        .chain(flags)
        .copied()
        .collect();
    Service::start_with(folder.path(), &all)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// File descriptors that the service has open.
fn descriptors_of(service: &Service) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", service.pid()))
        .unwrap()
        .count()
}

/// Processor time that the service has used, in hundredths of a second.
fn ticks_of(service: &Service) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", service.pid())).unwrap();
    let after_name = stat.rsplit(')').next().unwrap();
    after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u64>().unwrap())
        .sum()
}
