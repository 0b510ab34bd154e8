//! New versions from the folder of the components: somebody writes or renames a file, and it is taken when it has been
//! still for a moment.
//!
//! The crate `notify` says when something happens in the folder; what decides is a look at the file itself. So it does
//! not matter which events a system sends, and where it sends none, as on some network drives, a look every two seconds
//! finds the file all the same. A file that is not written to the end yet is no whole component: it is refused, and
//! looked at again when it changes.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use notify::{RecursiveMode, Watcher};
use tokio::runtime::Handle;

use super::deploy::{Deployer, Source, Unchanged};
use crate::capabilities::Capability;

/// Time that a file must not change before it is taken.
const SETTLE_TIME: Duration = Duration::from_millis(300);

/// Time between two looks while nothing happens.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Time for which events are gathered before the files are looked at.
const GATHER_TIME: Duration = Duration::from_millis(50);

/// Metadata that changes when a file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl FileStamp {
    fn of(path: &Path) -> Option<Self> {
        let facts = std::fs::metadata(path).ok().filter(|facts| facts.is_file())?;
        Some(Self {
            device: facts.dev(),
            inode: facts.ino(),
            length: facts.len(),
            modified: (facts.mtime(), facts.mtime_nsec()),
        })
    }
}

/// The state of one file.
#[derive(Default)]
struct Watched {
    taken: Option<FileStamp>,
    changed: Option<(FileStamp, Instant)>,
}

impl Watched {
    /// The state of a file that was taken as it is.
    fn taken(stamp: FileStamp) -> Self {
        Self {
            taken: Some(stamp),
            changed: None,
        }
    }

    /// Returns true if the file, which looks like this now, is to be taken.
    fn is_due(&mut self, stamp: FileStamp, now: Instant) -> bool {
        if self.taken == Some(stamp) {
            self.changed = None;
            return false;
        }
        match self.changed {
            Some((before, since)) if before == stamp => {
                let due = now.duration_since(since) >= SETTLE_TIME;
                if due {
                    self.taken = Some(stamp);
                    self.changed = None;
                }
                due
            }
            _ => {
                self.changed = Some((stamp, now));
                false
            }
        }
    }
}

/// The files as they were when they were looked at.
#[derive(Debug, Default)]
pub struct Seen(BTreeMap<Capability, FileStamp>);

impl Seen {
    /// Looks at the files.
    pub fn now(deployer: &Deployer) -> Self {
        let capabilities = deployer.registry().capabilities().iter();
        let stamps = capabilities.filter_map(|capability| {
            let stamp = FileStamp::of(&deployer.store().file(capability))?;
            Some((capability.clone(), stamp))
        });
        Self(stamps.collect())
    }
}

/// Watches the folder on a thread of its own, for as long as the deployer is there. Files of capabilities that are served
/// count as taken where they still are as they were `seen` before they were loaded: what serves by now may be the version
/// of the fleet, which a file from before does not replace.
pub fn start(deployer: &Arc<Deployer>, seen: Seen, runtime: Handle) -> std::io::Result<()> {
    let (sender, events) = std::sync::mpsc::channel();
    let folder = deployer.store().folder().to_owned();
    let watcher = notify::recommended_watcher(move |_| {
        // What happened does not matter, only that something did.
        let _ = sender.send(());
    })
    .and_then(|mut watcher| watcher.watch(&folder, RecursiveMode::NonRecursive).map(|()| watcher))
    .inspect_err(|error| tracing::warn!(%error, "the folder sends no events; it is looked at every two seconds"))
    .ok();
    let deployer = Arc::downgrade(deployer);
    std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
        let _watcher = watcher;
        watch(&deployer, seen, &events, &runtime);
    })?;
    Ok(())
}

fn watch(deployer: &Weak<Deployer>, seen: Seen, events: &Receiver<()>, runtime: &Handle) {
    let mut files: BTreeMap<Capability, Watched> = BTreeMap::new();
    if let Some(deployer) = deployer.upgrade() {
        let loaded = seen.0.into_iter();
        let loaded = loaded.filter(|(capability, _)| deployer.registry().current(capability).is_some());
        files.extend(loaded.map(|(capability, stamp)| (capability, Watched::taken(stamp))));
    }
    while let Some(deployer) = deployer.upgrade() {
        for capability in deployer.registry().capabilities().iter() {
            let watched = files.entry(capability.clone()).or_default();
            let Some(stamp) = FileStamp::of(&deployer.store().file(capability)) else {
                continue;
            };
            if watched.is_due(stamp, Instant::now()) {
                take(&deployer, capability, runtime);
            }
        }
        drop(deployer);
        let wait = match files.values().any(|watched| watched.changed.is_some()) {
            true => SETTLE_TIME / 3,
            false => POLL_INTERVAL,
        };
        match events.recv_timeout(wait) {
            // One write of a large file is thousands of events.
            Ok(()) => {
                std::thread::sleep(GATHER_TIME);
                while events.try_recv().is_ok() {}
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Without a watcher there is nothing to be woken by.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(wait),
        }
    }
}

fn take(deployer: &Arc<Deployer>, capability: &Capability, runtime: &Handle) {
    let name = capability.name();
    match runtime.block_on(deployer.swap(capability, Source::File)) {
        Ok(deployed) => tracing::debug!(component = name, ?deployed, "the file was taken"),
        Err(Unchanged::Refused(refusal)) => {
            tracing::error!(component = name, reason = %refusal, "the new file is refused; the version before serves on");
        }
        Err(Unchanged::Conflict(reason) | Unchanged::Unavailable(reason)) => {
            tracing::error!(component = name, reason, "the new file is not taken")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(length: u64) -> FileStamp {
        FileStamp {
            device: 1,
            inode: 1,
            length,
            modified: (0, 0),
        }
    }

    #[test]
    fn a_file_is_taken_once_when_it_has_been_still() {
        let mut watched = Watched::default();
        let start = Instant::now();
        let mut due = |length, ms| watched.is_due(stamp(length), start + Duration::from_millis(ms));
        assert!(!due(1, 0));
        assert!(!due(1, 200));
        assert!(!due(2, 300), "it grows");
        assert!(!due(2, 500));
        assert!(due(2, 600));
        assert!(!due(2, 2000), "once");
        assert!(!due(3, 3000));
        assert!(!due(2, 3100), "back to what was taken");
        assert!(!due(3, 3400));
        assert!(due(3, 3700));
    }
}
