//! HAProxy before replicas, with the configuration of `deploy/fleet`.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::client::Client;
use crate::wait::until;

/// A running balancer.
pub struct Balancer {
    process: Child,
    /// Its address.
    pub address: SocketAddr,
    /// Asks the replicas through it.
    pub client: Client,
    _folder: tempfile::TempDir,
}

impl Balancer {
    /// Starts it on a free port before these replicas, which are there while they answer at the path `ready`.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(program: &str, replicas: &[&str], ready: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let published = include_str!("../../deploy/fleet/haproxy.cfg");
        let mut text = String::new();
        for line in published.lines() {
            match line.trim() {
                line if line.starts_with("bind ") => text += &format!("    bind {address}\n"),
                line if line.starts_with("server-template ") => {
                    let (_, options) = line.split_once("quartet:8080").expect("the replicas' address");
                    let (options, _) = options.split_once(" resolvers").expect("names are looked up");
                    for (number, replica) in replicas.iter().enumerate() {
                        text += &format!("    server replica{number} {replica}{options}\n");
                    }
                }
                line if line.starts_with("option httpchk ") => text += &format!("    option httpchk GET {ready}\n"),
                _ => text += &format!("{line}\n"),
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("haproxy.cfg");
        std::fs::write(&file, &text).unwrap();
        let process = Command::new(program)
            .arg("-f")
            .arg(&file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        until("the balancer listens", || TcpStream::connect(address).is_ok());
        let client = Client::new(&format!("http://{address}"));
        until("the balancer knows the replicas", || {
            let plain = TcpStream::connect(address);
            plain.is_ok() && status(&client, ready) == 200
        });
        Self {
            process,
            address,
            client,
            _folder: folder,
        }
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }
}

/// The status of a request that the balancer may answer itself.
fn status(client: &Client, ready: &str) -> u16 {
    let url = format!("http://{}{ready}", client.socket());
    ureq::get(url).call().map_or(503, |reply| reply.status().as_u16())
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
