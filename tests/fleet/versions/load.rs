//! Swaps of all replicas while requests run through a balancer, and nobody notices.
//!
//! In the suite they are few. `QUARTET_FLEET_SWAPS=50` makes them many; `--nocapture` shows how long they took.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quartet_tests::balancer::Balancer;
use quartet_tests::skip::not_run;
use quartet_tests::versions::{done, version};

use super::{Replicas, Store};

/// Connections that send one request after the other.
const CONNECTIONS: usize = 4;

/// Sets a flag when it is dropped, also when something fails: threads would go on for ever.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn no_request_through_a_balancer_is_lost_while_all_replicas_are_swapped() {
    let name = "no request through a balancer is lost while all replicas are swapped";
    let Some(store) = Store::start(name, &[]) else {
        return;
    };
    let Ok(program) = std::env::var("QUARTET_HAPROXY") else {
        return not_run(name, "HAProxy is not installed");
    };
    let swaps = std::env::var("QUARTET_FLEET_SWAPS").map_or(8, |value| value.parse().expect("a whole number"));
    let replicas = Replicas::start(3, &store, &["--queue-milliseconds", "60000"]);
    let sockets: Vec<_> = replicas.all.iter().map(|replica| replica.service.socket()).collect();
    // They have speech alone, and so are not ready.
    let balancer = Balancer::start(&program, &sockets, "/healthz");
    let (is_over, answers) = (AtomicBool::new(false), Mutex::new(BTreeMap::<String, usize>::new()));
    let begun = Instant::now();
    let mut took = Vec::new();
    thread::scope(|scope| {
        let end = End(&is_over);
        for _ in 0..CONNECTIONS {
            let (is_over, answers, client) = (&is_over, &answers, &balancer.client);
            scope.spawn(move || {
                while !is_over.load(Ordering::SeqCst) {
                    let reply = client.get("/tts/languages");
                    assert_eq!(reply.status, 200, "{:?}", String::from_utf8_lossy(&reply.body));
                    let version = reply.header("x-quartet-component").expect("a version").to_owned();
                    *answers.lock().unwrap().entry(version).or_default() += 1;
                }
            });
        }
        for number in 0..swaps {
            let swapped = Instant::now();
            done(&replicas.swap(number % 3, &version(&format!("steady load {}", number % 5)), &[]));
            took.push(swapped.elapsed());
        }
        drop(end);
    });
    let answers = answers.into_inner().unwrap();
    let all: usize = answers.values().sum();
    took.sort();
    let median = took.get(took.len() / 2).copied().unwrap_or(Duration::ZERO);
    println!(
        "{swaps} swaps of three replicas and {all} requests in {:.1} s, none lost; a swap took {:.1} s at the median, {:.1} s at \
         most; {} versions answered",
        begun.elapsed().as_secs_f64(),
        median.as_secs_f64(),
        took.last().map_or(0.0, Duration::as_secs_f64),
        answers.len(),
    );
    // Each of the five, unless there were fewer, and the first.
    assert!(answers.len() >= swaps.min(5), "{answers:?}");
}
