//! A store that somebody writes to who does not have the secret: no replica runs what is there then.

use quartet_tests::versions::{done, version};
use quartet_tests::wait::{until, wait_for};
use redis::Connection;

use super::{Replicas, Store, keys};

/// The sealed desired version of the only capability that has one, with its key and field.
fn desired(connection: &mut Connection) -> Option<(String, String, Vec<u8>)> {
    let key = keys(connection, "*:d").pop()?;
    let mut fields: Vec<(String, Vec<u8>)> = redis::cmd("HGETALL").arg(&key).query(connection).unwrap();
    let (field, sealed) = fields.pop()?;
    Some((key, field, sealed))
}

fn put(connection: &mut Connection, key: &str, field: &str, value: &[u8]) {
    let _: () = redis::cmd("HSET")
        .arg(key)
        .arg(field)
        .arg(value)
        .query(connection)
        .unwrap();
}

#[test]
fn a_desired_version_that_was_changed_is_not_followed_and_put_right() {
    let Some(store) = Store::start("a desired version that was changed is not followed", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(2, &store, &[]);
    let first = replicas.all_answer();
    done(&replicas.swap(0, &version("steady 2"), &[]));
    let mut connection = store.connection();
    let (key, field, old) = desired(&mut connection).unwrap();
    done(&replicas.swap(0, &version("steady 3"), &[]));
    let third = replicas.all_answer();
    let (_, _, sealed) = desired(&mut connection).unwrap();
    let mut changed = sealed.clone();
    *changed.last_mut().unwrap() ^= 1;
    // Changed in a bit, no seal at all, and one of this service that is no longer the last.
    for wrong in [changed, b"anything".to_vec(), old] {
        put(&mut connection, &key, &field, &wrong);
        let right = wait_for("it is put right", || {
            desired(&mut connection)
                .map(|(_, _, now)| now)
                .filter(|now| *now != wrong)
        });
        assert_ne!(right, wrong);
        assert_eq!(replicas.all_answer(), third);
    }
    // One that puts it right may be quicker than the other looks.
    let said = "a desired version that this service has not sealed";
    assert!(replicas.all.iter().any(|replica| replica.service.log().contains(said)));
    // What is there now is right: one that comes follows it.
    replicas.join(&[]);
    assert_eq!(replicas.all_answer(), third);
    assert_ne!(third, first);
}

#[test]
fn bytes_that_were_changed_are_not_run() {
    let Some(store) = Store::start("bytes that were changed are not run", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(1, &store, &[]);
    let first = replicas.answers(0);
    done(&replicas.swap(0, &version("steady 2"), &[]));
    let second = replicas.answers(0);
    let mut connection = store.connection();
    let components = keys(&mut connection, "*:c:*");
    assert_eq!(components.len(), 2);
    for key in &components {
        let mut pieces: Vec<(String, Vec<u8>)> = redis::cmd("HGETALL").arg(key).query(&mut connection).unwrap();
        let (field, sealed) = pieces.first_mut().unwrap();
        let middle = sealed.len() / 2;
        sealed[middle] ^= 1;
        put(&mut connection, key, field, sealed);
    }
    replicas.join(&[]);
    assert_eq!(replicas.answers(0), second);
    assert_eq!(replicas.answers(1), first, "it serves its own");
    replicas.all[1]
        .service
        .wait_for_log(&["its bytes in the store were not sealed by this service"]);
    // What a replica reports comes with its next sign of life.
    until("the table says why", || {
        let table = done(&replicas.quartet(0, &["components"]));
        table.contains("1/2 #1") && table.contains("were not sealed")
    });
    // Swapped once more they are right again.
    done(&replicas.swap(0, &version("steady 2"), &[]));
    until("all have it", || replicas.answers(1) == second);
}
