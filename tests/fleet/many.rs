//! Load of many replicas on one store, seen on a few.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use quartet_tests::versions::{done, padded, version};
use quartet_tests::wait::until;
use redis::Connection;

use super::store::Store;
use super::versions::Replicas;
use super::{CONNECTED, Fleet, Headers, gauge, picture, post};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];

/// A number that the store tells of itself.
fn told(connection: &mut Connection, name: &str) -> u64 {
    let info: String = redis::cmd("INFO").query(connection).unwrap();
    let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.unwrap().trim().parse().unwrap()
}

/// Signs of life that a replica has given.
fn signs(fleet: &Fleet) -> usize {
    gauge(
        &fleet.replicas[0],
        "quartet_shared_state_calls_total{call=\"tick\",outcome=\"ok\"}",
    )
}

#[test]
fn however_much_is_forgotten_at_others_a_replica_hears_all_of_it_at_once() {
    let Some(store) = Store::start("however much is forgotten a replica hears of it at once", &[]) else {
        return;
    };
    let fleet = Fleet::start(1, &store, &[]);
    fleet.wait_until(CONNECTED);
    // The first word makes the place for them.
    let image = picture(&fleet.client(0), MINE).data()["imageId"].clone();
    post(
        &fleet.client(0),
        "/image/forget",
        &serde_json::json!({"imageId": image}),
        MINE,
    )
    .data();
    let mut connection = store.connection();
    let places: Vec<String> = redis::cmd("KEYS").arg("quartet:*:f").query(&mut connection).unwrap();
    let before = signs(&fleet);
    let mut words = redis::pipe();
    for _ in 0..9_000 {
        words
            .cmd("XADD")
            .arg(&places[0])
            .arg("*")
            .arg("c")
            .arg("as much as many replicas say")
            .ignore();
    }
    let _: () = words.query(&mut connection).unwrap();
    // By one sign a second, each with 256 words, it would be 35 seconds.
    let begun = Instant::now();
    until("it has heard of all of it", || signs(&fleet) >= before + 9_000 / 256);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}

#[test]
fn what_several_would_bring_to_the_store_comes_once() {
    let Some(mut store) = Store::start("what several would bring to the store comes once", &[]) else {
        return;
    };
    let replicas = Replicas::start(4, &store, &[]);
    let (first, large) = (replicas.all_answer(), 12_000_000);
    let component = padded(&version("steady 2"), large);
    let least = u64::try_from(large).unwrap();
    let barrier = Barrier::new(4);
    let before = told(&mut store.connection(), "total_net_input_bytes");
    let swap = |replica: usize| {
        barrier.wait();
        replicas.swap(replica, &component, &[]).status.success()
    };
    let changed = thread::scope(|scope| {
        let swaps = [0, 1, 2, 3].map(|replica| {
            let swap = &swap;
            scope.spawn(move || swap(replica))
        });
        swaps.map(|swap| swap.join().unwrap())
    });
    // Another may have served it when one came to its turn.
    assert!(changed.contains(&true));
    until("all serve it", || {
        let answers: Vec<_> = (0..4).map(|replica| replicas.answers(replica)).collect();
        answers.iter().all(|answer| *answer == answers[0] && *answer != first)
    });
    let brought = told(&mut store.connection(), "total_net_input_bytes") - before;
    assert!((least..least * 3 / 2).contains(&brought), "{brought} bytes came");
    let second = replicas.all_answer();
    store.kill();
    replicas.wait_until_away();
    store.restart();
    replicas.wait_until_connected();
    let mut connection = store.connection();
    until("the store knows again what all are to serve", || {
        let known: Vec<String> = redis::cmd("KEYS").arg("quartet:*:d").query(&mut connection).unwrap();
        !known.is_empty()
    });
    // Longer than replicas wait before they look whether another was faster.
    thread::sleep(Duration::from_secs(4));
    let brought = told(&mut connection, "total_net_input_bytes");
    assert!((least..least * 3 / 2).contains(&brought), "{brought} bytes came");
    assert_eq!(replicas.all_answer(), second);
    done(&replicas.quartet(3, &["rollback", "tts"]));
    assert_ne!(replicas.all_answer(), second);
}
