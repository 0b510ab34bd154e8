//! Servers of a cluster, of which one has all that replicas share: each replica finds it by way of any other, and follows when it
//! goes to another one.

use std::time::Instant;

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::store::free_port;
use quartet_tests::versions::{done, padded, version};
use quartet_tests::wait::until;
use redis::{FromRedisValue, RedisResult};
use serde_json::{Value, json};

use super::store::Store;
use super::versions::Replicas;
use super::{
    CONNECTED, Fleet, Headers, ask_document, ask_picture, converse, document, kept_by_all, port, post, secret,
};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];

/// Slots of a cluster.
const SLOTS: usize = 16_384;

/// Three primary servers that have the slots, and one for each that copies it.
struct Cluster {
    primary: Vec<Store>,
    copies: Vec<Store>,
}

impl Cluster {
    /// Starts one; none where the machine has no servers, which is said.
    fn start(test: &str) -> Option<Self> {
        let start = |bus: u16| {
            Store::start(
                test,
                &[
                    "--cluster-enabled",
                    "yes",
                    "--cluster-node-timeout",
                    "1000",
                    "--cluster-port",
                    &bus.to_string(),
                ],
            )
        };
        let buses: Vec<_> = (0..6).map(|_| free_port()).collect();
        let mut all = buses.iter().map(|bus| start(*bus)).collect::<Option<Vec<_>>>()?;
        let copies = all.split_off(3);
        let cluster = Self { primary: all, copies };
        for (number, store) in cluster.primary.iter().enumerate() {
            let (first, last) = (SLOTS * number / 3, SLOTS * (number + 1) / 3 - 1);
            let () = ask(store, &["ADDSLOTSRANGE", &first.to_string(), &last.to_string()]);
        }
        for (store, bus) in cluster.all().zip(&buses).skip(1) {
            let port = port(store);
            let () = ask(&cluster.primary[0], &["MEET", "127.0.0.1", &port, &bus.to_string()]);
        }
        until("all servers know of each other", || {
            cluster
                .all()
                .all(|store| info(store).contains("cluster_known_nodes:6\r"))
        });
        for (primary, copy) in cluster.primary.iter().zip(&cluster.copies) {
            let id: String = ask(primary, &["MYID"]);
            let () = ask(copy, &["REPLICATE", &id]);
        }
        until("the cluster serves", || {
            cluster.all().all(|store| info(store).contains("cluster_state:ok\r"))
                && cluster.copies.iter().all(is_copying)
        });
        Some(cluster)
    }

    fn all(&self) -> impl Iterator<Item = &Store> {
        self.primary.iter().chain(&self.copies)
    }

    /// An address by which a replica finds the state: of one primary server, and of what copies the next.
    fn address(&self, number: usize) -> String {
        let (primary, copy) = (&self.primary[number % 3], &self.copies[(number + 1) % 3]);
        format!("redis+cluster://{},{}", primary.socket(), copy.socket())
    }

    /// The primary server that has something: the only one.
    fn owner(&self) -> usize {
        let sizes = self.primary.iter().map(|store| {
            let size: usize = redis::cmd("DBSIZE").query(&mut store.connection()).unwrap();
            size
        });
        let owners: Vec<_> = sizes.enumerate().filter(|(_, size)| *size > 0).collect();
        assert_eq!(owners.len(), 1, "{owners:?}");
        owners[0].0
    }
}

fn ask<T: FromRedisValue>(store: &Store, words: &[&str]) -> T {
    redis::cmd("CLUSTER").arg(words).query(&mut store.connection()).unwrap()
}

fn info(store: &Store) -> String {
    ask(store, &["INFO"])
}

/// Returns true if a server copies another one, and is connected to it.
fn is_copying(store: &Store) -> bool {
    role(store).is_ok_and(|role| role.contains("slave") && role.contains("connected"))
}

fn role(store: &Store) -> RedisResult<String> {
    let role: redis::Value = redis::cmd("ROLE").query(&mut store.connection())?;
    Ok(format!("{role:?}"))
}

#[test]
fn what_was_kept_outlives_the_server_of_a_cluster_that_has_it() {
    let Some(mut cluster) = Cluster::start("what was kept outlives the server of a cluster") else {
        return;
    };
    let (folder, secret) = secret();
    let replicas = (0..3).map(|number| {
        Service::start(&[
            "--shared-state",
            &cluster.address(number),
            "--shared-secret-file",
            secret.to_str().unwrap(),
            "--requests-per-minute",
            "100000",
        ])
    });
    let fleet = Fleet {
        replicas: replicas.collect(),
        _folder: folder,
    };
    fleet.wait_until(CONNECTED);
    let before = kept_by_all(&fleet, MINE);
    let text = document(&fleet.client(1), MINE).data()["documentId"].clone();
    let talk = converse(&fleet.client(2), &Value::Null, MINE).data()["conversationId"].clone();
    for client in fleet.clients() {
        assert_eq!(ask_document(&client, &text, MINE).data()["answered"], true);
        assert_eq!(converse(&client, &Value::Null, MINE).data()["conversationId"], talk);
    }
    post(&fleet.client(0), "/pdf/forget", &json!({"documentId": text}), MINE).data();
    for client in fleet.clients() {
        ask_document(&client, &text, MINE).failed(Code::UnknownUpload);
    }
    let owner = cluster.owner();
    let copied: i64 = redis::cmd("WAIT")
        .arg(1)
        .arg(5_000)
        .query(&mut cluster.primary[owner].connection())
        .unwrap();
    assert_eq!(copied, 1);

    let killed = Instant::now();
    cluster.primary[owner].kill();
    until("what copied it has taken its place", || {
        role(&cluster.copies[owner]).is_ok_and(|role| role.contains("master"))
    });
    fleet.wait_until(CONNECTED);
    println!(
        "connected {:.1} s after the server was killed",
        killed.elapsed().as_secs_f32()
    );
    for client in fleet.clients() {
        assert_eq!(ask_picture(&client, &before, MINE).data()["answered"], true);
    }
    let between = kept_by_all(&fleet, MINE);

    // It comes back, copies, and gets its slots again while nothing was wrong.
    cluster.primary[owner].restart();
    until("the first server copies", || is_copying(&cluster.primary[owner]));
    let () = ask(&cluster.primary[owner], &["FAILOVER"]);
    until("it has the slots again", || {
        role(&cluster.primary[owner]).is_ok_and(|role| role.contains("master"))
    });
    until("replicas have followed", || {
        fleet.clients().all(|client| {
            client.get("/readyz").json()["sharedState"] == CONNECTED
                && ask_picture(&client, &between, MINE).status == 200
        })
    });
    kept_by_all(&fleet, MINE);
}

#[test]
fn a_swap_at_one_replica_is_served_by_all_that_share_a_cluster() {
    let Some(cluster) = Cluster::start("a swap at one replica, with a cluster") else {
        return;
    };
    let replicas = Replicas::start_at(3, cluster.address(0), &[]);
    let first = replicas.all_answer();
    // Of several pieces.
    done(&replicas.swap(1, &padded(&version("steady 2"), 1_500_000), &[]));
    let second = replicas.all_answer();
    assert_ne!(second, first);
    done(&replicas.quartet(2, &["rollback", "tts"]));
    assert_eq!(replicas.all_answer(), first);
    cluster.owner();
}
