//! Nothing of what clients sent can be read in the store.

use std::collections::BTreeMap;

use redis::Connection;
use serde_json::Value;

use super::store::Store;
use super::{Fleet, Headers, SECRET, ask_document, converse, document, picture};

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
        "1742",
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
    for (name, values) in &all {
        for secret in &secrets {
            assert!(!name.contains(secret), "{name} has {secret}");
            // Three letters may stand anywhere by chance.
            let long = secret.len() > 3;
            let there = |value: &Vec<u8>| value.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!long || !values.iter().any(there), "a value of {name} has {secret}");
        }
    }
    // Who has another secret finds nothing, and everything ends by itself.
    let mut connection = store.connection();
    for name in all.keys() {
        let left: i64 = redis::cmd("PTTL").arg(name).query(&mut connection).unwrap();
        assert!((1..=3_600_000).contains(&left), "{name} stays {left}");
    }
}
