//! What is kept of pictures, documents and conversations, over all replicas.

use std::process::Command;

use quartet_api::Code;
use quartet_tests::service::given;
use serde_json::{Value, json};

use super::store::Store;
use super::{Fleet, Headers, ask_document, ask_picture, converse, document, picture, post};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];
const OTHER: Headers<'_> = &[("x-session-id", "another-session-of-the-fleet")];

#[test]
fn what_one_replica_was_sent_all_know_until_it_is_forgotten_at_one() {
    let Some(store) = Store::start("what one replica was sent all know", &[]) else {
        return;
    };
    let fleet = Fleet::start(3, &store, &[]);
    let image = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    let text = document(&fleet.client(1), MINE).data()["documentId"].clone();
    let talk = converse(&fleet.client(2), &Value::Null, MINE).data()["conversationId"].clone();
    for client in fleet.clients() {
        assert_eq!(ask_picture(&client, &image, MINE).data()["answered"], true);
        assert_eq!(ask_picture(&client, &Value::Null, MINE).data()["imageId"], image);
        let answer = ask_document(&client, &text, MINE).data();
        assert!(answer["answer"].as_str().unwrap().contains("1742"), "{answer}");
        assert_eq!(ask_document(&client, &Value::Null, MINE).data()["documentId"], text);
        assert_eq!(converse(&client, &Value::Null, MINE).data()["conversationId"], talk);
        ask_picture(&client, &image, OTHER).failed(Code::UnknownUpload);
        ask_document(&client, &Value::Null, OTHER).failed(Code::NoUpload);
    }
    post(&fleet.client(2), "/image/forget", &json!({"imageId": image}), MINE).data();
    post(&fleet.client(0), "/pdf/forget", &json!({"documentId": text}), MINE).data();
    post(&fleet.client(1), "/chat/forget", &json!({"conversationId": talk}), MINE).data();
    for client in fleet.clients() {
        ask_picture(&client, &image, MINE).failed(Code::UnknownUpload);
        ask_document(&client, &text, MINE).failed(Code::UnknownUpload);
        converse(&client, &talk, MINE).failed(Code::UnknownConversation);
    }
    // Word of it reaches those who hold something beside the values.
    let mut connection = store.connection();
    let words: usize = connection_length(&mut connection);
    assert!(words >= 3, "{words}");
}

/// Words of what was forgotten that are in the store.
fn connection_length(connection: &mut redis::Connection) -> usize {
    let keys: Vec<String> = redis::cmd("KEYS").arg("quartet:*:f").query(connection).unwrap();
    redis::cmd("XLEN").arg(&keys[0]).query(connection).unwrap()
}

#[test]
fn cookies_lead_to_the_same_state_on_each_replica_and_addresses_to_none() {
    let Some(store) = Store::start("cookies lead to the same state", &[]) else {
        return;
    };
    let fleet = Fleet::start(2, &store, &[]);
    let sent = picture(&fleet.client(0), &[]);
    let cookie = sent.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let image = sent.data()["imageId"].clone();
    let by_cookie = [("cookie", cookie.as_str())];
    assert_eq!(
        ask_picture(&fleet.client(1), &Value::Null, &by_cookie).data()["imageId"],
        image
    );
    // Behind a balancer everybody has its address.
    ask_picture(&fleet.client(0), &Value::Null, &[]).failed(Code::NoUpload);
    ask_picture(&fleet.client(1), &Value::Null, &[]).failed(Code::NoUpload);
    drop(fleet);
    let asked = Fleet::start(2, &store, &["--address-sessions", "on"]);
    picture(&asked.client(0), &[]).data();
    assert_eq!(
        ask_picture(&asked.client(1), &Value::Null, &[]).data()["answered"],
        true
    );
}

#[test]
fn a_key_keeps_what_is_its_own_on_each_replica() {
    let Some(store) = Store::start("a key keeps what is its own on each replica", &[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let keys = ["alice", "bob"].map(|name| {
        let made = Command::new(given("QUARTET_HOST"))
            .args(["keys", "new", "--name", name])
            .output()
            .unwrap();
        let shown = String::from_utf8(made.stderr).unwrap();
        let key = shown
            .split_whitespace()
            .find(|word| word.starts_with("quartet_"))
            .unwrap()
            .to_owned();
        (key, String::from_utf8(made.stdout).unwrap())
    });
    std::fs::write(&file, keys.each_ref().map(|(_, lines)| lines.as_str()).concat()).unwrap();
    let fleet = Fleet::start(2, &store, &["--keys", file.to_str().unwrap()]);
    // With a key a short name does.
    let of = |holder: usize| [("x-api-key", keys[holder].0.as_str()), ("x-session-id", "1")];
    let image = picture(&fleet.client(0), &of(0)).data()["imageId"].clone();
    assert_eq!(
        ask_picture(&fleet.client(1), &Value::Null, &of(0)).data()["imageId"],
        image
    );
    ask_picture(&fleet.client(1), &Value::Null, &of(1)).failed(Code::NoUpload);
    ask_picture(&fleet.client(1), &image, &of(1)).failed(Code::UnknownUpload);
}

#[test]
fn who_keeps_much_pushes_out_its_own() {
    let Some(store) = Store::start("who keeps much pushes out its own", &[]) else {
        return;
    };
    let flags = ["--trusted-proxies", "127.0.0.1", "--kept-bytes", "60000"];
    let fleet = Fleet::start(2, &store, &flags);
    let of = |address: &'static str| [("x-forwarded-for", address)];
    let quiet = document(&fleet.client(0), &of("192.0.2.1")).data()["documentId"].clone();
    let first = document(&fleet.client(0), &of("192.0.2.2")).data()["documentId"].clone();
    for round in 0..30 {
        document(&fleet.client(round % 2), &of("192.0.2.2")).data();
    }
    assert_eq!(
        ask_document(&fleet.client(1), &quiet, &of("192.0.2.1")).data()["answered"],
        true
    );
    ask_document(&fleet.client(1), &first, &of("192.0.2.2")).failed(Code::UnknownUpload);
    let mut connection = store.connection();
    let keys: Vec<String> = redis::cmd("KEYS").arg("quartet:*:b").query(&mut connection).unwrap();
    let held: usize = redis::cmd("GET").arg(&keys[0]).query(&mut connection).unwrap();
    assert!(held <= 60_000, "{held}");
}
