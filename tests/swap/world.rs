//! A host with a folder of its own, the command line that talks to it, and versions to give it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Output;

pub use quartet_tests::versions::{Folder, answering, done, refused, version};
use quartet_tests::wait::wait_for;
use quartet_tests::{Client, Service};
use serde_json::Value;

/// A host and its folder, which goes with it.
pub struct World {
    pub service: Service,
    pub folder: Folder,
}

impl World {
    /// A host that serves this component.
    pub fn new(component: &[u8], flags: &[&str]) -> Self {
        Self::in_folder(Folder::new(), component, flags)
    }

    /// A host that serves this component, in a folder that is there.
    pub fn in_folder(folder: Folder, component: &[u8], flags: &[&str]) -> Self {
        fs::write(folder.component(), component).unwrap();
        Self {
            service: folder.serve(flags),
            folder,
        }
    }

    /// Ends the host and starts another on the same folder.
    pub fn restart(&mut self, flags: &[&str]) {
        self.service.terminate();
        self.service.wait();
        self.service = self.folder.serve(flags);
    }

    pub fn client(&self) -> Client {
        self.service.client()
    }

    pub fn quartet(&self, arguments: &[&str]) -> Output {
        self.folder.quartet(arguments)
    }

    /// Swaps to a component and returns what came of it.
    pub fn swap(&self, component: &[u8]) -> Output {
        let path = self.folder.write(component);
        self.quartet(&["swap", "tts", path.to_str().unwrap()])
    }

    /// Begins to try a component.
    pub fn canary(&self, component: &[u8], flags: &[&str]) -> Output {
        let path = self.folder.write(component);
        let mut arguments = vec!["canary", "tts", path.to_str().unwrap()];
        arguments.extend(flags);
        self.quartet(&arguments)
    }

    /// Everything that is known of the capability.
    pub fn state(&self) -> Value {
        let printed = done(&self.quartet(&["components", "--json"]));
        let mut state: Value = serde_json::from_str(&printed).unwrap();
        state["components"][0].take()
    }

    /// The version that answers, by the header.
    pub fn answers(&self) -> String {
        answering(&self.service)
    }

    /// Waits until another version than this one answers.
    pub fn wait_for_other(&self, version: &str) -> String {
        wait_for("another version answers", || {
            Some(self.answers()).filter(|other| other != version)
        })
    }
}

/// Number of versions whose compiled code a process has mapped: a version that is freed is gone from there.
pub fn mapped(pid: u32) -> usize {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let code = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5))
        .filter(|path| path.ends_with(".cwasm"));
    code.collect::<BTreeSet<_>>().len()
}
