//! A version that all replicas try: one verdict by the numbers of all, the same for everybody, whoever is killed meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use quartet_tests::Client;
use quartet_tests::versions::{done, refused, version};
use quartet_tests::wait::{until, wait_for};
use serde_json::Value;

use super::{Replicas, Store};

/// People who ask, each with a session.
const PEOPLE: usize = 40;

/// A request's id with which a version that fails one request in three answers well.
const LUCKY: &str = "d";

/// One with which it fails.
const UNLUCKY: &str = "c";

impl Replicas {
    /// Has all replicas try a component, asked at one of them.
    fn canary(&self, replica: usize, component: &[u8], flags: &[&str]) -> std::process::Output {
        let path = self.all[replica].folder.write(component);
        let mut arguments = vec!["canary", "tts", path.to_str().unwrap()];
        arguments.extend(flags);
        self.quartet(replica, &arguments)
    }

    fn clients(&self) -> Vec<Client> {
        self.all.iter().map(|replica| replica.service.client()).collect()
    }

    /// The end of the last trial, as each of these replicas tells it, once all do.
    fn ended(&self, replicas: &[usize]) -> Vec<Value> {
        let one = |replica: usize| {
            wait_for("a replica knows the end", || {
                let state = self.state(replica);
                let is_over = state["trial"].is_null() && !state["lastTrial"].is_null();
                is_over.then(|| state["lastTrial"].clone())
            })
        };
        replicas.iter().map(|replica| one(*replica)).collect()
    }
}

/// Asks as a person with a request's id; the version that has answered, none where it has failed.
fn ask(client: &Client, person: usize, id: &str) -> Option<String> {
    let session = format!("the-session-of-person-{person}");
    let headers = [("x-session-id", session.as_str()), ("x-request-id", id)];
    let reply = client.get_with("/tts/languages", &headers);
    let version = reply.header("x-quartet-component").map(str::to_owned);
    version.filter(|_| reply.status == 200)
}

/// The name in answers of a version that a command has named.
fn named(said: &str) -> String {
    said.split(' ').next().unwrap().to_owned()
}

#[test]
fn a_good_version_is_promoted_once_and_everywhere_and_each_person_sees_one() {
    let Some(store) = Store::start("a good version that all replicas try is promoted", &[]) else {
        return;
    };
    let replicas = Replicas::start(3, &store, &[]);
    let first = replicas.all_answer();
    let flags = ["--percent", "50", "--requests", "240"];
    let said = done(&replicas.canary(0, &version("steady 2"), &flags));
    assert!(said.contains("on 3 replicas"), "{said}");
    let second = named(&said);
    let reason = refused(&replicas.canary(1, &version("steady 3"), &[]));
    assert!(reason.contains("being tried already"), "{reason}");
    let clients = replicas.clients();
    let mut seen: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut rounds = |times: usize| {
        for person in (0..PEOPLE).cycle().take(times * PEOPLE) {
            for client in &clients {
                let version = ask(client, person, LUCKY).expect("both are good");
                seen.entry(person).or_default().insert(version);
            }
        }
        seen.clone()
    };
    // 120 requests, of which the candidate has fewer than it is to answer, however people fall.
    let versions = rounds(1);
    assert!(versions.values().all(|versions| versions.len() == 1), "{versions:?}");
    let tried = versions.values().filter(|versions| versions.contains(&second)).count();
    assert!((8..=32).contains(&tried), "{tried} of {PEOPLE} people");
    // Each replica tells what all have counted.
    for replica in 0..3 {
        wait_for("all have told their numbers", || {
            let trial = replicas.state(replica)["trial"].clone();
            let requests = |version: &str| trial[version]["requests"].as_u64().unwrap_or_default();
            assert_eq!(trial["allReplicas"], true, "{trial}");
            (requests("candidate") + requests("current") == 3 * PEOPLE as u64).then_some(())
        });
    }
    until("it is promoted", || {
        rounds(1);
        replicas.state(0)["trial"].is_null()
    });
    let ended = replicas.ended(&[0, 1, 2]);
    let how = ended[0]["ended"].as_str().unwrap();
    assert!(how.starts_with("promoted: as good as the current version"), "{ended:?}");
    assert!(ended.iter().all(|other| *other == ended[0]), "{ended:?}");
    assert!(ended[0]["candidate"]["requests"].as_u64().unwrap() >= 240, "{ended:?}");
    until("all serve it", || {
        (0..3).all(|replica| replicas.answers(replica) == second)
    });
    // Once: the generation of the trial, and that of its end.
    assert_eq!(replicas.state(1)["fleet"]["generation"], 2);
    let logs = replicas.all.iter().map(|replica| replica.service.log());
    let ends: usize = logs
        .map(|log| log.matches("this replica ends the trial of all").count())
        .sum();
    assert_eq!(ends, 1);
    done(&replicas.quartet(2, &["rollback", "tts"]));
    assert_eq!(replicas.all_answer(), first);
}

#[test]
fn a_version_that_fails_at_one_replica_alone_is_sent_away_everywhere() {
    let Some(store) = Store::start("a version that fails at one replica is sent away everywhere", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(3, &store, &[]);
    let first = replicas.all_answer();
    let said = done(&replicas.canary(1, &version("fails"), &["--percent", "50", "--requests", "100000"]));
    let tried = named(&said);
    let clients = replicas.clients();
    let mut failed = 0;
    until("it is sent away", || {
        for person in 0..PEOPLE {
            for (replica, client) in clients.iter().enumerate() {
                let id = if replica == 2 { UNLUCKY } else { LUCKY };
                let answered = ask(client, person, id);
                assert!(replica == 2 || answered.is_some(), "only one replica has such requests");
                failed += usize::from(answered.is_none());
            }
        }
        replicas.state(1)["trial"].is_null()
    });
    assert!(failed > 0);
    let ended = replicas.ended(&[0, 1, 2]);
    let how = ended[0]["ended"].as_str().unwrap();
    assert!(how.starts_with("ended: it fails more often"), "{ended:?}");
    assert!(ended.iter().all(|other| *other == ended[0]), "{ended:?}");
    assert_eq!(replicas.all_answer(), first);
    assert!(
        clients
            .iter()
            .all(|client| (0..PEOPLE).all(|person| ask(client, person, UNLUCKY).is_some()))
    );
    // One that comes later hears of it, and serves what the others do.
    replicas.join(&[]);
    assert_eq!(replicas.all_answer(), first);
    assert_eq!(
        replicas.ended(&[3])[0]["digest"].as_str().unwrap()[..12],
        tried["tts@".len()..]
    );
}

#[test]
fn when_the_one_that_decides_is_killed_another_does() {
    let Some(store) = Store::start("when the replica that decides is killed another does", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(3, &store, &[]);
    let said = done(&replicas.canary(0, &version("steady 2"), &["--percent", "50", "--requests", "300"]));
    let second = named(&said);
    let clients = replicas.clients();
    for person in 0..PEOPLE {
        for client in &clients {
            ask(client, person, LUCKY).expect("both are good");
        }
    }
    let counted = |replica: usize| {
        let trial = replicas.state(replica)["trial"].clone();
        trial["candidate"]["requests"].as_u64().unwrap() + trial["current"]["requests"].as_u64().unwrap()
    };
    until("all are counted", || counted(1) == 3 * PEOPLE as u64);
    let leader = leader(&store, &replicas);
    replicas.all[leader].service.signal("KILL");
    let left: Vec<_> = (0..3).filter(|replica| *replica != leader).collect();
    // What the one that is gone had counted stays.
    let counted = |replica: usize| {
        let trial = replicas.state(replica)["trial"].clone();
        trial["candidate"]["requests"].as_u64().unwrap() + trial["current"]["requests"].as_u64().unwrap()
    };
    assert!(counted(left[0]) >= 3 * PEOPLE as u64);
    until("another decides", || {
        for person in 0..PEOPLE {
            for replica in &left {
                ask(&clients[*replica], person, LUCKY).expect("both are good");
            }
        }
        replicas.state(left[0])["trial"].is_null()
    });
    let ended = replicas.ended(&left);
    assert!(
        ended[0]["ended"].as_str().unwrap().starts_with("promoted: "),
        "{ended:?}"
    );
    assert_eq!(ended[0], ended[1]);
    until("both serve it", || {
        left.iter().all(|replica| replicas.answers(*replica) == second)
    });
    // From its first answer on.
    replicas.restart(leader, &[]);
    assert_eq!(replicas.all_answer(), second);
}

#[test]
fn a_trial_ends_for_all_when_one_is_asked_or_cannot_run_it() {
    let Some(store) = Store::start("a trial of all replicas ends when one is asked", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(2, &store, &[]);
    let first = replicas.all_answer();
    done(&replicas.canary(0, &version("steady 2"), &[]));
    let said = done(&replicas.quartet(1, &["canary", "tts", "--abort"]));
    assert!(said.contains("as before"), "{said}");
    assert_eq!(replicas.all_answer(), first);
    assert!(replicas.ended(&[0])[0]["ended"].as_str().unwrap().contains("asked for"));
    let second = named(&done(&replicas.canary(0, &version("steady 2"), &[])));
    done(&replicas.quartet(1, &["canary", "tts", "--promote"]));
    assert_eq!(replicas.all_answer(), second);
    // A swap ends one, too.
    done(&replicas.canary(0, &version("steady 3"), &[]));
    done(&replicas.swap(1, &version("steady 4"), &[]));
    assert!(
        replicas.ended(&[0])[0]["ended"]
            .as_str()
            .unwrap()
            .contains("another change came")
    );
    // A replica's own is its own.
    done(&replicas.canary(0, &version("steady 5"), &["--this-replica"]));
    assert!(replicas.state(1)["trial"].is_null());
    done(&replicas.quartet(0, &["canary", "tts", "--abort"]));
    // What is just small enough for the others is too large for one that comes.
    let fourth = replicas.all_answer();
    let most = version("steady 1").len().to_string();
    replicas.join(&["--component-bytes", &most]);
    let large = quartet_tests::versions::padded(&version("steady 6"), 1000);
    let output = replicas.canary(0, &large, &[]);
    let reason = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{reason}");
    let ended = replicas.ended(&[0, 1, 2]);
    let how = ended[0]["ended"].as_str().unwrap();
    assert!(how.contains("has refused it") && how.contains("larger than"), "{how}");
    assert_eq!(replicas.all_answer(), fourth);
}

/// The replica that decides about the only trial.
fn leader(store: &Store, replicas: &Replicas) -> usize {
    let mut connection = store.connection();
    let key = super::keys(&mut connection, "*:t:*").pop().expect("a trial");
    let leader: String = redis::cmd("HGET")
        .arg(&key)
        .arg("leader")
        .query(&mut connection)
        .unwrap();
    // A replica's name for people ends as the one that the store knows.
    let end = format!("/{}", &leader[leader.len() - 6..]);
    let is_leader = |replica: usize| {
        let state = replicas.state(replica);
        let all = state["fleet"]["replicas"].as_array().unwrap();
        let mut here = all.iter().filter(|other| other["here"] == true);
        here.any(|other| other["name"].as_str().unwrap().ends_with(&end))
    };
    (0..replicas.all.len())
        .find(|replica| is_leader(*replica))
        .expect("one of them")
}
