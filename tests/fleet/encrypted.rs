//! A store that speaks TLS alone and lets in a user who may do little: Redis, as Valkey's program is built without TLS.

use std::fs;
use std::path::Path;

use quartet_tests::Service;
use quartet_tests::skip::not_run;
use quartet_tests::store::free_port;
use serde_json::Value;

use super::start::refused;
use super::store::Store;
use super::{CONNECTED, Fleet, Headers, ask_picture, converse, picture, secret};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];

/// Commands and keys that the service needs of a store, as `docs/deploy.md` has it, and nothing else.
const MAY: &str = "~quartet:* resetchannels -@all +@read +@write +@scripting +@connection +time -@dangerous";

/// Writes a certificate for this machine, and returns the names of its file and its key's.
fn certify(folder: &Path, name: &str) -> [String; 2] {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let files = ["certificate", "key"].map(|kind| folder.join(format!("{name}-{kind}.pem")));
    fs::write(&files[0], made.cert.pem()).unwrap();
    fs::write(&files[1], made.signing_key.serialize_pem()).unwrap();
    files.map(|file| file.display().to_string())
}

#[test]
fn over_tls_a_user_who_may_do_little_is_enough() {
    let name = "over TLS a user who may do little is enough";
    let Some(program) = std::env::var_os("QUARTET_REDIS") else {
        return not_run(name, "there is no Redis server here");
    };
    let (folder, secret) = secret();
    let [certificate, key] = certify(folder.path(), "store");
    let [other, _] = certify(folder.path(), "other");
    let port = free_port().to_string();
    let flags = [
        ["--tls-port", &port],
        ["--tls-cert-file", &certificate],
        ["--tls-key-file", &key],
        ["--tls-ca-cert-file", &certificate],
        ["--tls-auth-clients", "no"],
    ];
    let store = Store::of(program, flags.as_flattened());
    let _: () = redis::cmd("ACL")
        .arg("SETUSER")
        .arg("quartet")
        .arg(&["on", ">the-password"])
        .arg(MAY.split(' ').collect::<Vec<_>>())
        .query(&mut store.connection())
        .unwrap();
    let password = folder.path().join("password");
    fs::write(&password, "the-password\n").unwrap();
    let address = format!("rediss://quartet@localhost:{port}");
    let flags = |authority: &str| -> Vec<String> {
        [
            ["--shared-state", &address],
            ["--shared-secret-file", secret.to_str().unwrap()],
            ["--shared-password-file", password.to_str().unwrap()],
            ["--shared-authorities", authority],
        ]
        .as_flattened()
        .iter()
        .map(|flag| (*flag).to_owned())
        .collect()
    };
    let started = |authority: &str| {
        let flags = flags(authority);
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        Service::start(&flags)
    };
    let fleet = Fleet {
        replicas: (0..2).map(|_| started(&certificate)).collect(),
        _folder: folder,
    };
    fleet.wait_until(CONNECTED);
    let image = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    assert_eq!(
        ask_picture(&fleet.client(1), &Value::Null, MINE).data()["imageId"],
        image
    );
    let talk = converse(&fleet.client(0), &Value::Null, MINE).data()["conversationId"].clone();
    assert_eq!(converse(&fleet.client(1), &talk, MINE).data()["conversationId"], talk);
    fleet.wait_until(CONNECTED);
    // Nothing that was asked of it was not allowed.
    let denied: Vec<redis::Value> = redis::cmd("ACL").arg("LOG").query(&mut store.connection()).unwrap();
    assert!(denied.is_empty(), "{denied:?}");
    // One whose certificate another authority has made is none that is trusted.
    let flags = flags(&other);
    let said = refused(&flags.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(said.contains("does not let this service in"), "{said}");
}
