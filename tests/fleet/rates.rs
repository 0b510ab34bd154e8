//! Rates over all replicas.

use quartet_api::Code;

use super::store::Store;
use super::{CONNECTED, Fleet, UNAVAILABLE};

/// Requests that are let in of so many, which go to one replica after the other.
fn admitted(fleet: &Fleet, requests: usize) -> usize {
    let clients: Vec<_> = fleet.clients().collect();
    let answers = (0..requests).map(|number| clients[number % clients.len()].get("/tts/voices").status);
    answers.filter(|status| *status == 200).count()
}

#[test]
fn a_hundred_a_minute_are_a_hundred_over_three_replicas() {
    let Some(store) = Store::start("a hundred a minute over three replicas", &[]) else {
        return;
    };
    let fleet = Fleet::start(3, &store, &["--requests-per-minute", "100"]);
    assert_eq!(admitted(&fleet, 150), 100);
    let refused = fleet.client(1).get("/tts/voices");
    refused.failed(Code::RateLimited);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(
        refused.header("ratelimit"),
        Some(format!("\"default\";r=0;t={wait}").as_str())
    );
}

#[test]
fn alone_each_replica_lets_in_its_part() {
    let Some(mut store) = Store::start("alone each replica lets in its part", &[]) else {
        return;
    };
    let fleet = Fleet::start(3, &store, &["--requests-per-minute", "30"]);
    fleet.wait_until(CONNECTED);
    // What was let in before the store went is remembered: two of each replica.
    assert_eq!(admitted(&fleet, 6), 6);
    store.kill();
    fleet.wait_until(UNAVAILABLE);
    assert_eq!(admitted(&fleet, 60), 24);
    // One that comes back with nothing in it knows of none of them.
    store.restart();
    fleet.wait_until(CONNECTED);
    assert_eq!(admitted(&fleet, 60), 30);
}
