//! Servers that Sentinels watch over: what was kept outlives the primary one, and replicas follow to the next by themselves.

use std::ffi::OsString;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use quartet_tests::Service;
use quartet_tests::store::free_port;
use quartet_tests::wait::until;
use redis::{Client, RedisResult};
use tempfile::TempDir;

use super::store::Store;
use super::{CONNECTED, Fleet, Headers, ask_picture, kept_by_all, port, secret};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];

/// The name of the service among Sentinels, and a password of theirs.
const NAME: &str = "fleet";
const PASSWORD: &str = "the-password-of-sentinels";

/// Three Sentinels.
struct Sentinels {
    all: Vec<(Child, u16)>,
    _folder: TempDir,
}

impl Sentinels {
    fn start(program: &OsString, primary: &Store) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let all = (0..3).map(|number| {
            let (port, file) = (free_port(), folder.path().join(format!("{number}.conf")));
            let socket = primary.socket().replace(':', " ");
            let settings = format!(
                "port {port}\nbind 127.0.0.1\nrequirepass {PASSWORD}\nsentinel sentinel-pass {PASSWORD}\n\
                 sentinel monitor {NAME} {socket} 2\nsentinel down-after-milliseconds {NAME} 1000\n\
                 sentinel failover-timeout {NAME} 5000\n"
            );
            fs::write(&file, settings).unwrap();
            let process = Command::new(program)
                .arg(&file)
                .arg("--sentinel")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            (process, port)
        });
        Self {
            all: all.collect(),
            _folder: folder,
        }
    }

    fn address(&self) -> String {
        let all: Vec<_> = self.all.iter().map(|(_, port)| format!("127.0.0.1:{port}")).collect();
        format!("redis+sentinel://{}/{NAME}", all.join(","))
    }

    /// The answer of the last Sentinel.
    fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> RedisResult<T> {
        let (_, port) = self.all.last().unwrap();
        let mut connection = Client::open(format!("redis://:{PASSWORD}@127.0.0.1:{port}"))?.get_connection()?;
        redis::cmd("SENTINEL").arg(words).query(&mut connection)
    }

    fn primary_port(&self) -> Option<String> {
        let named: (String, String) = self.ask(&["GET-MASTER-ADDR-BY-NAME", NAME]).ok()?;
        Some(named.1)
    }

    fn end_first(&mut self) {
        let (process, _) = &mut self.all[0];
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

impl Drop for Sentinels {
    fn drop(&mut self) {
        for (process, _) in &mut self.all {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

#[test]
fn what_was_kept_outlives_the_primary_server() {
    let test = "what was kept outlives the primary server";
    let Some(mut first) = Store::start(test, &[]) else {
        return;
    };
    let second = Store::start(test, &["--replicaof", "127.0.0.1", &port(&first)]).unwrap();
    let program = std::env::var_os("QUARTET_VALKEY").unwrap();
    let mut sentinels = Sentinels::start(&program, &first);
    let (folder, secret) = secret();
    let password = folder.path().join("password");
    fs::write(&password, PASSWORD).unwrap();
    until("Sentinels know both servers and each other", || {
        let quorum: RedisResult<String> = sentinels.ask(&["CKQUORUM", NAME]);
        let replicas: RedisResult<Vec<redis::Value>> = sentinels.ask(&["REPLICAS", NAME]);
        quorum.is_ok_and(|said| said.contains("3 usable")) && replicas.is_ok_and(|replicas| replicas.len() == 1)
    });
    let address = sentinels.address();
    let flags = [
        ["--shared-state", &address],
        ["--shared-secret-file", secret.to_str().unwrap()],
        ["--shared-sentinel-password-file", password.to_str().unwrap()],
        ["--requests-per-minute", "100000"],
    ];
    let fleet = Fleet {
        replicas: (0..2).map(|_| Service::start(flags.as_flattened())).collect(),
        _folder: folder,
    };
    fleet.wait_until(CONNECTED);
    let before = kept_by_all(&fleet, MINE);
    let copies: i64 = redis::cmd("WAIT")
        .arg(1)
        .arg(5_000)
        .query(&mut first.connection())
        .unwrap();
    assert_eq!(copies, 1);

    // It is gone, and one of those who could say so.
    sentinels.end_first();
    let killed = Instant::now();
    first.kill();
    until("the other server is the primary one", || {
        sentinels.primary_port() == Some(port(&second))
    });
    fleet.wait_until(CONNECTED);
    println!(
        "connected {:.1} s after the primary server was killed",
        killed.elapsed().as_secs_f32()
    );
    for client in fleet.clients() {
        assert_eq!(ask_picture(&client, &before, MINE).data()["answered"], true);
    }
    let between = kept_by_all(&fleet, MINE);

    // It comes back, follows, and becomes the primary one again while nothing was wrong: nobody loses a connection over it
    // but those that are told to.
    first.restart();
    until("the first server follows", || {
        let role: RedisResult<redis::Value> = redis::cmd("ROLE").query(&mut first.connection());
        role.is_ok_and(|role| format!("{role:?}").contains("slave"))
    });
    until("Sentinels begin to change them", || {
        let begun: RedisResult<String> = sentinels.ask(&["FAILOVER", NAME]);
        begun.is_ok()
    });
    until("it is the primary one again", || {
        sentinels.primary_port() == Some(port(&first))
    });
    until("replicas have followed", || {
        fleet.clients().all(|client| {
            client.get("/readyz").json()["sharedState"] == CONNECTED
                && ask_picture(&client, &between, MINE).status == 200
        })
    });
    kept_by_all(&fleet, MINE);
}
