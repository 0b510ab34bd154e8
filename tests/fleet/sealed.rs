//! Nothing of what clients sent can be read in the store.

use std::collections::BTreeMap;

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::wait::until;
use redis::Connection;
use serde_json::{Value, json};

use super::model::Model;
use super::store::Store;
use super::{Fleet, Headers, SECRET, ask_document, ask_picture, converse, document, gauge, picture, post};

const MINE: Headers<'_> = &[
    ("x-session-id", "a-session-of-the-fleet"),
    ("x-forwarded-for", "192.0.2.77"),
];

/// All that is in the store: names and contents of every key.
fn contents(connection: &mut Connection) -> BTreeMap<String, Vec<Vec<u8>>> {
    let keys: Vec<String> = redis::cmd("KEYS").arg("*").query(connection).unwrap();
    let read = |key: String| {
        let kind: String = redis::cmd("TYPE").arg(&key).query(connection).unwrap();
        let mut command = match kind.as_str() {
            "string" => redis::cmd("MGET"),
            "hash" => redis::cmd("HGETALL"),
            "list" => redis::cmd("LRANGE"),
            "zset" => redis::cmd("ZRANGE"),
            "stream" => redis::cmd("DUMP"),
            other => panic!("{key} is a {other}"),
        };
        command.arg(&key);
        if ["list", "zset"].contains(&kind.as_str()) {
            command.arg(0).arg(-1);
        }
        let all: Vec<Vec<u8>> = match kind.as_str() {
            "stream" => vec![command.query(connection).unwrap()],
            _ => command.query(connection).unwrap(),
        };
        (key, all)
    };
    keys.into_iter().map(read).collect()
}

#[test]
fn names_and_values_tell_nothing() {
    let Some(store) = Store::start("names and values tell nothing", &[]) else {
        return;
    };
    let fleet = Fleet::start(1, &store, &["--trusted-proxies", "127.0.0.1"]);
    let client = fleet.client(0);
    let image = picture(&client, MINE).data()["imageId"].clone();
    let text = document(&client, MINE).data()["documentId"].clone();
    ask_document(&client, &text, MINE).data();
    let talk = converse(&client, &Value::Null, MINE).data()["conversationId"].clone();
    let all = contents(&mut store.connection());
    let values = all.keys().filter(|name| name.contains(":v:")).count();
    assert!(values >= 8, "{:?}", all.keys());
    let mut secrets = vec![
        "mill",
        "Aldebourne",
        "Thomas",
        "Reed",
        "fleet",
        "192.0.2.77",
        "session",
        "picture",
        "document",
    ];
    secrets.extend([
        "conversation",
        "turns",
        "2 + 2",
        "assistant",
        "red",
        "image",
        "chat",
        SECRET,
    ]);
    let ids = [image, text, talk].map(|id| id.as_str().unwrap().to_owned());
    secrets.extend(ids.iter().map(String::as_str));
    none_is_told(&all, &secrets);
    // Everything ends by itself.
    all_end(&mut store.connection(), &all, 3_600_000);
}

#[test]
fn who_has_another_secret_finds_nothing() {
    let Some(store) = Store::start("who has another secret finds nothing", &[]) else {
        return;
    };
    let fleet = Fleet::start(1, &store, &[]);
    let image = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, "another secret that is long enough to be one").unwrap();
    let stranger = Service::start(&[
        "--shared-state",
        &store.address(),
        "--shared-secret-file",
        file.to_str().unwrap(),
    ]);
    until("the store answers", || gauge(&stranger, "quartet_shared_state_up") == 1);
    ask_picture(&stranger.client(), &image, MINE).failed(Code::UnknownUpload);
    ask_picture(&stranger.client(), &Value::Null, MINE).failed(Code::NoUpload);
    // Nor do they take each other for replicas of one service.
    let replicas = |service: &Service| gauge(service, "quartet_shared_state_replicas");
    assert_eq!((replicas(&stranger), replicas(&fleet.replicas[0])), (1, 1));
    assert_eq!(ask_picture(&fleet.client(0), &image, MINE).data()["answered"], true);
}

#[test]
fn jobs_tell_nothing_either() {
    let Some(store) = Store::start("jobs tell nothing either", &[]) else {
        return;
    };
    let model = Model::closed();
    let flags = [
        "--language-remote",
        &model.address,
        "--language-remote-model",
        "some-model",
    ];
    let fleet = Fleet::start(1, &store, &[&flags[..], &["--trusted-proxies", "127.0.0.1"]].concat());
    let client = fleet.client(0);
    let later = [MINE, &[("prefer", "respond-async")]].concat();
    let begun = |reply: quartet_tests::Reply| {
        assert_eq!(reply.status, 202);
        reply.header("location").unwrap().to_owned()
    };
    let read = begun(document(&client, &later));
    let over = client.get_with(&format!("{read}?wait=25"), MINE).data();
    assert_eq!(over["state"], "done");
    let asked = begun(post(
        &client,
        "/chat",
        &json!({"message": "Tell me about herons."}),
        &later,
    ));
    assert_eq!(client.get_with(&asked, MINE).data()["restartable"], true);
    let all = contents(&mut store.connection());
    // A record with its page, and a record with its request.
    let values = all.keys().filter(|name| name.contains(":j:v:")).count();
    assert!(values >= 4, "{:?}", all.keys());
    let mut secrets = vec![
        "Aldebourne",
        "Thomas",
        "heron",
        "192.0.2.77",
        "session",
        "fleet",
        "extract",
        "chat",
        SECRET,
    ];
    let ids = [&read, &asked].map(|job| job.rsplit('/').next().unwrap());
    secrets.extend(ids);
    none_is_told(&all, &secrets);
    all_end(&mut store.connection(), &all, 3 * 3_600_000);
    // What was taken back leaves nothing but that it was.
    for job in [&read, &asked] {
        client.delete_with(job, MINE).data();
    }
    let left = contents(&mut store.connection());
    assert_eq!(
        left.keys().filter(|name| name.contains(":j:v:")).count(),
        1,
        "{:?}",
        left.keys()
    );
    model.open();
}

/// Checks that neither names nor values have one of these texts.
fn none_is_told(all: &BTreeMap<String, Vec<Vec<u8>>>, secrets: &[&str]) {
    for (name, values) in all {
        for secret in secrets {
            assert!(!name.contains(secret), "{name} has {secret}");
            // Three letters may stand anywhere by chance.
            let long = secret.len() > 3;
            let there = |value: &Vec<u8>| value.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!long || !values.iter().any(there), "a value of {name} has {secret}");
        }
    }
}

/// Checks that everything ends by itself, within so many milliseconds.
fn all_end(connection: &mut Connection, all: &BTreeMap<String, Vec<Vec<u8>>>, most: i64) {
    for name in all.keys() {
        let left: i64 = redis::cmd("PTTL").arg(name).query(connection).unwrap();
        assert!((1..=most).contains(&left), "{name} stays {left}");
    }
}
