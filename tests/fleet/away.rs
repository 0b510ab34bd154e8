//! A store that is killed, hangs, is slow or full, or comes back empty. Nothing that was asked for alone fails for it.

use std::time::{Duration, Instant};

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::wait::until;
use serde_json::{Value, json};

use super::store::Store;
use super::way::Way;
use super::{CONNECTED, Fleet, Headers, UNAVAILABLE, ask_picture, converse, document, picture, post, secret};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];

#[test]
fn while_it_is_killed_each_replica_is_on_its_own() {
    let Some(mut store) = Store::start("while the store is killed each replica is on its own", &[]) else {
        return;
    };
    let fleet = Fleet::start(2, &store, &[]);
    let before = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    store.kill();
    fleet.wait_until(UNAVAILABLE);
    ask_picture(&fleet.client(0), &before, MINE).failed(Code::UnknownUpload);
    let during = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    assert_eq!(
        ask_picture(&fleet.client(0), &Value::Null, MINE).data()["imageId"],
        during
    );
    let talk = converse(&fleet.client(0), &Value::Null, MINE).data()["conversationId"].clone();
    assert_eq!(converse(&fleet.client(0), &talk, MINE).data()["conversationId"], talk);
    let gone = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    post(&fleet.client(0), "/image/forget", &json!({"imageId": gone}), MINE).data();
    // It comes back empty, and gets what was kept meanwhile.
    store.restart();
    fleet.wait_until(CONNECTED);
    until("what was kept is there for all", || {
        ask_picture(&fleet.client(1), &during, MINE).status == 200
    });
    until("the conversation, too", || {
        converse(&fleet.client(1), &talk, MINE).status == 200
    });
    ask_picture(&fleet.client(1), &before, MINE).failed(Code::UnknownUpload);
    ask_picture(&fleet.client(1), &gone, MINE).failed(Code::UnknownUpload);
}

#[test]
fn while_it_hangs_requests_go_on_and_what_it_has_is_there_afterwards() {
    let Some(store) = Store::start("while the store hangs requests go on", &[]) else {
        return;
    };
    let fleet = Fleet::start(2, &store, &[]);
    let before = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    store.signal("STOP");
    // The first call notices, and those after it do not wait.
    let during = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    assert_eq!(ask_picture(&fleet.client(0), &during, MINE).data()["answered"], true);
    fleet.wait_until(UNAVAILABLE);
    store.signal("CONT");
    fleet.wait_until(CONNECTED);
    for client in fleet.clients() {
        assert_eq!(ask_picture(&client, &before, MINE).data()["answered"], true);
        until("what was kept is there for all", || {
            ask_picture(&client, &during, MINE).status == 200
        });
    }
}

#[test]
fn while_it_is_slow_nobody_waits_longer_than_the_settings_say() {
    let Some(store) = Store::start("while the store is slow nobody waits for long", &[]) else {
        return;
    };
    let (way, (folder, secret)) = (Way::to(&store), secret());
    let flags = [
        ["--shared-state", &way.address],
        ["--shared-secret-file", secret.to_str().unwrap()],
        ["--requests-per-minute", "100000"],
        ["--shared-milliseconds", "1000"],
    ];
    let fleet = Fleet {
        replicas: vec![Service::start(flags.as_flattened())],
        _folder: folder,
    };
    fleet.wait_until(CONNECTED);
    let client = fleet.client(0);
    let before = picture(&client, MINE).data()["imageId"].clone();
    // Slow, and in time: it is waited for.
    way.delay(Duration::from_millis(200));
    assert_eq!(ask_picture(&client, &before, MINE).data()["answered"], true);
    assert_eq!(client.get("/readyz").json()["sharedState"], CONNECTED);
    // Slower than that it counts as away, and only those calls wait that were there when it became so.
    way.delay(Duration::from_millis(1_500));
    fleet.wait_until(UNAVAILABLE);
    let begun = Instant::now();
    for _ in 0..10 {
        assert_eq!(client.get("/tts/voices").status, 200);
        converse(&client, &Value::Null, MINE).data();
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    way.delay(Duration::ZERO);
    fleet.wait_until(CONNECTED);
    until("what it had is there", || {
        ask_picture(&client, &before, MINE).status == 200
    });
}

#[test]
fn where_it_is_asked_for_what_needs_it_is_refused() {
    let Some(mut store) = Store::start("where it is asked for what needs the store is refused", &[]) else {
        return;
    };
    let fleet = Fleet::start(1, &store, &["--shared-unavailable", "refuse"]);
    let client = fleet.client(0);
    let before = picture(&client, MINE).data()["imageId"].clone();
    store.kill();
    fleet.wait_until(UNAVAILABLE);
    // Alone, each of them is answered.
    let during = picture(&client, MINE).data()["imageId"].clone();
    document(&client, MINE).data();
    converse(&client, &Value::Null, &[]).data();
    // What was kept is neither there nor gone.
    ask_picture(&client, &before, MINE).failed(Code::Unavailable);
    ask_picture(&client, &during, MINE).failed(Code::Unavailable);
    converse(&client, &Value::Null, MINE).failed(Code::Unavailable);
    post(&client, "/image/forget", &json!({"imageId": before}), MINE).failed(Code::Unavailable);
    store.restart();
    fleet.wait_until(CONNECTED);
    let after = picture(&client, MINE).data()["imageId"].clone();
    assert_eq!(ask_picture(&client, &after, MINE).data()["answered"], true);
    ask_picture(&client, &during, MINE).failed(Code::UnknownUpload);
}

#[test]
fn what_the_store_has_cannot_seem_to_be_forgotten_while_it_is_away() {
    let Some(store) = Store::start("what the store has cannot seem to be forgotten", &[]) else {
        return;
    };
    let fleet = Fleet::start(1, &store, &[]);
    let client = fleet.client(0);
    let image = picture(&client, MINE).data()["imageId"].clone();
    store.signal("STOP");
    fleet.wait_until(UNAVAILABLE);
    assert_ne!(
        post(&client, "/image/forget", &json!({"imageId": image}), MINE).status,
        200
    );
    store.signal("CONT");
    fleet.wait_until(CONNECTED);
    post(&client, "/image/forget", &json!({"imageId": image}), MINE).data();
    ask_picture(&client, &image, MINE).failed(Code::UnknownUpload);
}

#[test]
fn when_it_is_full_the_oldest_give_way() {
    let Some(store) = Store::start("when the store is full the oldest give way", &[]) else {
        return;
    };
    let fleet = Fleet::start(2, &store, &[]);
    let first = document(&fleet.client(0), MINE).data()["documentId"].clone();
    for _ in 0..20 {
        document(&fleet.client(0), MINE).data();
    }
    let mut connection = store.connection();
    let info: String = redis::cmd("INFO").arg("memory").query(&mut connection).unwrap();
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")).unwrap();
    let used: u64 = used.trim().parse().unwrap();
    for (name, value) in [
        ("maxmemory-policy", "noeviction".to_owned()),
        ("maxmemory", used.to_string()),
    ] {
        let _: () = redis::cmd("CONFIG")
            .arg("SET")
            .arg(name)
            .arg(value)
            .query(&mut connection)
            .unwrap();
    }
    for _ in 0..40 {
        document(&fleet.client(1), MINE).data();
    }
    let last = document(&fleet.client(1), MINE).data()["documentId"].clone();
    assert_eq!(
        super::ask_document(&fleet.client(1), &last, MINE).data()["answered"],
        true
    );
    super::ask_document(&fleet.client(1), &first, MINE).failed(Code::UnknownUpload);
    assert_eq!(fleet.client(0).get("/readyz").json()["sharedState"], CONNECTED);
}
