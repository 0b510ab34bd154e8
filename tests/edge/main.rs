//! The edge of the host against those who come to it: keys, proxies, origins, TLS, limits of heads, fairness, and
//! connections that misbehave.

mod connections;
mod cors;
mod descriptors;
mod fairness;
mod heads;
mod http2;
mod keys;
mod proxies;
mod raw;
mod silence;
mod tls;

use std::path::{Path, PathBuf};

use quartet_tests::Service;
use quartet_tests::service::given;

/// A folder for one test's files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("quartet-edge-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Writes a file, as editors and secret managers do: all at once.
    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.join(name);
        let new = self.0.join(format!("{name}.new"));
        std::fs::write(&new, content).unwrap();
        std::fs::rename(&new, &path).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind, it would be in the system's folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The service with a component that answers "well behaved", or sleeps when the header `x-misbehave` says so.
fn sleepy(folder: &Folder, flags: &[&str]) -> Service {
    let component = given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm");
    std::fs::copy(component, folder.0.join("tts.wasm")).unwrap();
    let all: Vec<_> = ["--requests-per-minute", "1000000"]
        .iter()
        .chain(flags)
        .copied()
        .collect();
    Service::start_with(&folder.0, &all)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Asks until the answer is yes. Whatever changes in the service on its own does so within seconds; the test fails long
/// after that.
fn until(what: &str, mut yes: impl FnMut() -> bool) {
    for _ in 0..600 {
        if yes() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("not within 30 seconds: {what}");
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
