//! Versions of a component on several replicas: swapped at one, served by all.

mod artifacts;
mod away;
mod killed;
mod load;
mod refused;
mod tampered;
mod together;
mod trials;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Output;

use quartet_tests::Service;
use quartet_tests::versions::{Folder, answering, done, version};
use quartet_tests::wait::{PATIENCE, until};
use redis::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::store::Store;
use super::{gauge, secret};

/// A replica with a folder of its own.
struct Replica {
    service: Service,
    folder: Folder,
}

/// Replicas that serve a version of speech, and nothing else.
pub struct Replicas {
    all: Vec<Replica>,
    address: String,
    secret: PathBuf,
    _folder: TempDir,
}

impl Replicas {
    /// Replicas that know of each other, with the first version in the folder of each.
    pub fn start(number: usize, store: &Store, flags: &[&str]) -> Self {
        Self::start_at(number, store.address(), flags)
    }

    /// The same with the address of what they share.
    pub fn start_at(number: usize, address: String, flags: &[&str]) -> Self {
        let (folder, secret) = secret();
        let mut replicas = Self {
            all: Vec::new(),
            address,
            secret,
            _folder: folder,
        };
        for _ in 0..number {
            replicas.join(flags);
        }
        replicas
    }

    /// A folder with the first version in it.
    fn folder() -> Folder {
        let folder = Folder::new();
        fs::write(folder.component(), version("steady 1")).unwrap();
        folder
    }

    /// Starts one more replica.
    fn join(&mut self, flags: &[&str]) {
        self.join_with(Self::folder(), flags);
    }

    fn join_with(&mut self, folder: Folder, flags: &[&str]) {
        let service = self.serve(&folder, flags);
        self.all.push(Replica { service, folder });
        self.wait_until_connected();
    }

    fn serve(&self, folder: &Folder, flags: &[&str]) -> Service {
        let mut all = vec!["--shared-state", &self.address, "--shared-secret-file"];
        all.push(self.secret.to_str().unwrap());
        all.extend(flags);
        folder.serve(&all)
    }

    /// Ends a replica and starts another on its folder.
    fn restart(&mut self, replica: usize, flags: &[&str]) {
        self.all[replica].service.terminate();
        self.all[replica].service.wait();
        self.all[replica].service = self.serve(&self.all[replica].folder, flags);
    }

    pub fn wait_until_connected(&self) {
        for replica in &self.all {
            until("the store answers", || {
                gauge(&replica.service, "quartet_shared_state_up") == 1
            });
        }
    }

    pub fn wait_until_away(&self) {
        for replica in &self.all {
            until("the store is away", || {
                gauge(&replica.service, "quartet_shared_state_up") == 0
            });
        }
    }

    pub fn quartet(&self, replica: usize, arguments: &[&str]) -> Output {
        self.all[replica].folder.quartet(arguments)
    }

    /// Swaps to a component at a replica.
    pub fn swap(&self, replica: usize, component: &[u8], flags: &[&str]) -> Output {
        let path = self.all[replica].folder.write(component);
        let mut arguments = vec!["swap", "tts", path.to_str().unwrap()];
        arguments.extend(flags);
        self.quartet(replica, &arguments)
    }

    /// The version that a replica answers with.
    pub fn answers(&self, replica: usize) -> String {
        answering(&self.all[replica].service)
    }

    /// The version that all of them answer with.
    pub fn all_answer(&self) -> String {
        let versions: Vec<_> = (0..self.all.len()).map(|replica| self.answers(replica)).collect();
        assert!(versions.iter().all(|version| *version == versions[0]), "{versions:?}");
        versions[0].clone()
    }

    /// Everything that a replica knows of speech.
    fn state(&self, replica: usize) -> Value {
        let printed = done(&self.quartet(replica, &["components", "--json"]));
        let mut state: Value = serde_json::from_str(&printed).unwrap();
        state["components"][0].take()
    }

    /// Sends a request without a body to the admin interface of a replica, and returns the whole answer.
    fn ask(&self, replica: usize, path: &str) -> String {
        let folder = self.all[replica].folder.path();
        let token = fs::read_to_string(folder.join("admin.token")).unwrap();
        let mut socket = UnixStream::connect(folder.join("admin.sock")).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            socket,
            "POST /admin/v1/components/{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-length: 0\r\n\r\n",
            token.trim()
        )
        .unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// Names of keys in the store.
fn keys(connection: &mut Connection, pattern: &str) -> Vec<String> {
    redis::cmd("KEYS").arg(pattern).query(connection).unwrap()
}
