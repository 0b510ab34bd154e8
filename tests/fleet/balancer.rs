//! Replicas behind HAProxy, as `deploy/fleet` has them: whoever asks need not know how many there are.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use quartet_api::Code;
use quartet_tests::skip::not_run;
use quartet_tests::wait::until;
use quartet_tests::{Client, Service};
use serde_json::Value;

use super::store::Store;
use super::{Fleet, ask_picture, picture};

/// A running balancer.
pub struct Balancer {
    process: Child,
    pub client: Client,
    _folder: tempfile::TempDir,
}

impl Balancer {
    /// The configuration of `deploy/`, with these replicas and a free port.
    /// Which of them are there, it asks at this path.
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
            plain.is_ok() && ureq_status(&client, ready) == 200
        });
        Self {
            process,
            client,
            _folder: folder,
        }
    }
}

/// The status of a request that the balancer may answer itself.
fn ureq_status(client: &Client, ready: &str) -> u16 {
    let url = format!("http://{}{ready}", client.socket());
    ureq::get(url).call().map_or(503, |reply| reply.status().as_u16())
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn behind_a_balancer_replicas_are_one_service() {
    let name = "behind a balancer replicas are one service";
    let Some(store) = Store::start(name, &[]) else {
        return;
    };
    let Ok(program) = std::env::var("QUARTET_HAPROXY") else {
        return not_run(name, "HAProxy is not installed");
    };
    let flags = ["--trusted-proxies", "127.0.0.1", "--requests-per-minute", "60"];
    let mut fleet = Fleet::start(3, &store, &flags);
    let sockets: Vec<_> = fleet.replicas.iter().map(Service::socket).collect();
    let balancer = Balancer::start(&program, &sockets, "/readyz");
    let client = &balancer.client;
    let sent = picture(client, &[]);
    let cookie = sent.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let image = sent.data()["imageId"].clone();
    for _ in 0..6 {
        let answer = ask_picture(client, &Value::Null, &[("cookie", cookie.as_str())]);
        assert_eq!(answer.data()["imageId"], image);
    }
    ask_picture(client, &Value::Null, &[]).failed(Code::NoUpload);
    // One replica goes: nothing of it is missed.
    fleet.replicas.remove(0);
    for _ in 0..6 {
        let answer = ask_picture(client, &Value::Null, &[("cookie", cookie.as_str())]);
        assert_eq!(answer.data()["imageId"], image);
    }
    let admitted = (0..80).filter(|_| client.get("/tts/voices").status == 200).count();
    assert_eq!(admitted, 60 - 14);
}
