//! The proof: versions change while requests run at full speed, and nobody notices.
//!
//! In the suite it is small. `QUARTET_SWAPS=200 QUARTET_REQUESTS=20000` make it the whole one; with `QUARTET_SWAP_TTS=1`
//! the versions are those of the real speech component, four that take turns.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::wait::until;

use crate::world::{World, done, mapped, refused, version};

/// Connections that send one request after the other.
const CONNECTIONS: usize = 8;

/// After so many swaps a version is offered that must be refused.
const BAD_EVERY: usize = 10;

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |value| value.parse().expect("a whole number"))
}

/// The versions of one run, by their number.
struct Versions {
    real: Option<Vec<Vec<u8>>>,
}

impl Versions {
    fn new() -> Self {
        let real = std::env::var_os("QUARTET_SWAP_TTS").map(|_| {
            let tts = fs::read(given("QUARTET_COMPONENTS").join("tts.wasm")).unwrap();
            (0..4_u8).map(|index| with_section(&tts, index)).collect()
        });
        Self { real }
    }

    fn of(&self, number: usize) -> Vec<u8> {
        match &self.real {
            Some(real) => real[number % real.len()].clone(),
            // Ten in turn, as deployments that come back, and one in four that nobody has seen.
            None if number.is_multiple_of(4) => version(&format!("steady new {number}")),
            None => version(&format!("steady {}", number % 10)),
        }
    }
}

/// The same component with another digest: a custom section at its end changes nothing that runs.
fn with_section(component: &[u8], index: u8) -> Vec<u8> {
    [component, &[0, 3, 1, b'v', index]].concat()
}

/// Answers to all connections, and how far these are.
#[derive(Default)]
struct Traffic {
    answers: AtomicUsize,
    versions: Mutex<BTreeMap<String, usize>>,
    slowest_ms: AtomicUsize,
    /// No connection asks while it is set.
    paused: AtomicBool,
    /// Connections that have nothing on the way.
    waiting: AtomicUsize,
    over: AtomicBool,
}

impl Traffic {
    /// Waits until so many answers have come, or a connection has failed.
    fn wait_for_answers(&self, answers: usize, connections: &[ScopedJoinHandle<'_, ()>]) {
        while self.answers.load(Ordering::Relaxed) < answers && connections.iter().all(|thread| !thread.is_finished()) {
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs `look` while no request is on the way.
    fn at_rest<T>(&self, look: impl FnOnce() -> T) -> T {
        self.paused.store(true, Ordering::SeqCst);
        until("all connections rest", || {
            self.waiting.load(Ordering::SeqCst) == CONNECTIONS
        });
        let found = look();
        self.paused.store(false, Ordering::SeqCst);
        found
    }
}

/// Ends the connections of a scope, also when a test fails in it: otherwise it would wait for them for ever.
struct End<'a>(&'a Traffic);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::SeqCst);
        self.0.paused.store(false, Ordering::SeqCst);
    }
}

/// Memory that stays: the least of a second at rest. What passes, such as buffers, requests and a version that is just being
/// freed, depends on how fast the machine is.
fn resting_kb(service: &Service) -> u64 {
    let samples = (0..20).map(|_| {
        thread::sleep(Duration::from_millis(50));
        service.private_kb()
    });
    samples.min().expect("twenty")
}

#[test]
fn no_request_fails_while_versions_change() {
    let (swaps, requests) = (number("QUARTET_SWAPS", 24), number("QUARTET_REQUESTS", 2_000));
    let versions = Versions::new();
    let flags = [
        "--probe-seconds",
        "10",
        "--log",
        "warn",
        "--queue-milliseconds",
        "60000",
    ];
    let world = World::new(&versions.of(1), &flags);
    let service = &world.service;
    let mut passed = BTreeSet::from([world.answers()]);
    let traffic = Traffic::default();
    let mut before = 0;
    let start = Instant::now();
    let after = thread::scope(|scope| {
        let end = End(&traffic);
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|index| {
                let (traffic, socket) = (&traffic, service.socket());
                scope.spawn(move || connection(socket, index, traffic))
            })
            .collect();
        for swap in 2..swaps + 2 {
            if swap.is_multiple_of(BAD_EVERY) {
                let bad = version(&format!("silent {swap}"));
                let said = refused(&world.swap(&bad));
                assert!(said.contains("is refused at the step"), "{said}");
            }
            let said = done(&world.swap(&versions.of(swap)));
            passed.insert(said.split(' ').next().unwrap().to_owned());
            if swap == 2 + swaps / 4 {
                // Every path has been taken often enough to hold the memory that it keeps for the next request.
                traffic.wait_for_answers(requests / 4, &connections);
                before = traffic.at_rest(|| resting_kb(service));
            }
        }
        traffic.wait_for_answers(requests, &connections);
        // The one that serves and the one before it; all others are freed.
        let after = traffic.at_rest(|| {
            until("all versions but two are freed", || mapped(service.pid()) <= 2);
            assert_eq!(mapped(service.pid()), 2);
            let bound = most_kb(before);
            let settled = (0..30).map(|_| resting_kb(service)).find(|kb| *kb < bound);
            settled.unwrap_or_else(|| service.private_kb())
        });
        drop(end);
        for connection in connections {
            connection.join().expect("a connection without a failure");
        }
        after
    });
    let seconds = start.elapsed().as_secs_f64();
    let answers = traffic.answers.load(Ordering::Relaxed);
    let answered: BTreeSet<_> = traffic.versions.lock().unwrap().keys().cloned().collect();
    println!(
        "{swaps} swaps and {answers} requests in {seconds:.1} s, {} versions answered, slowest answer {} ms, \
         private memory at rest {before} kB after a quarter of the swaps, {after} kB at the end",
        answered.len(),
        traffic.slowest_ms.load(Ordering::Relaxed),
    );
    assert!(answers >= requests);
    assert!(
        answered.len() > 2,
        "the versions changed, but only {answered:?} answered"
    );
    let strangers: Vec<_> = answered.difference(&passed).collect();
    assert!(strangers.is_empty(), "{strangers:?} answered without having passed");
    assert!(after < most_kb(before), "at rest {before} kB, then {after} kB");
}

/// A version that is gone leaves nothing behind of what its requests have written, however many came before.
#[test]
fn memory_of_requests_to_versions_before_does_not_stay() {
    const SWAPS: usize = 40;
    let world = World::new(&version("fills 0"), &["--probe-seconds", "10", "--log", "warn"]);
    let mut before = 0;
    for swap in 1..=SWAPS {
        done(&world.swap(&version(&format!("fills {swap}"))));
        let speech = serde_json::json!({"text": "Good morning.", "language": "en"});
        assert_eq!(world.client().post("/tts/generate", &speech).status, 200);
        if swap == SWAPS / 2 {
            before = resting_kb(&world.service);
        }
    }
    let after = resting_kb(&world.service);
    println!(
        "at rest {before} kB after {} versions, {after} kB after {SWAPS}",
        SWAPS / 2
    );
    assert!(after < most_kb(before), "at rest {before} kB, then {after} kB");
}

/// The most memory that swaps may leave behind, given what there was before them.
fn most_kb(before: u64) -> u64 {
    before + before / 5 + 8_192
}

/// Sends requests until it is over, and panics at the first that is not answered as it should be.
fn connection(socket: &str, index: usize, traffic: &Traffic) {
    let mut stream = TcpStream::connect(socket).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let speech = r#"{"text":"Good morning.","language":"en"}"#;
    let get = format!("GET /api/v1/tts/languages HTTP/1.1\r\nhost: {socket}\r\n\r\n");
    let post = |operation: &str| {
        format!(
            "POST /api/v1/tts/{operation} HTTP/1.1\r\nhost: {socket}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{speech}",
            speech.len()
        )
    };
    // One in eight speaks, and half of these stream.
    let (generate, streamed) = (post("generate"), post("stream"));
    let requests = [&get, &get, &get, &generate, &get, &get, &get, &streamed];
    let mut number = index;
    while !traffic.over.load(Ordering::SeqCst) {
        if traffic.paused.load(Ordering::SeqCst) {
            traffic.waiting.fetch_add(1, Ordering::SeqCst);
            while traffic.paused.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(5));
            }
            traffic.waiting.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let started = Instant::now();
        stream.write_all(requests[number % requests.len()].as_bytes()).unwrap();
        let version = answer(&mut reader);
        let ms = usize::try_from(started.elapsed().as_millis()).unwrap();
        traffic.slowest_ms.fetch_max(ms, Ordering::Relaxed);
        *traffic.versions.lock().unwrap().entry(version).or_default() += 1;
        traffic.answers.fetch_add(1, Ordering::Relaxed);
        number += 1;
    }
}

/// Reads a whole answer, checks it, and returns the version that gave it.
fn answer(reader: &mut impl BufRead) -> String {
    let (mut length, mut version, mut line) = (0, None, String::new());
    let mut status = String::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a head");
        let lower = line.to_ascii_lowercase();
        if line.starts_with("HTTP/1.1") {
            status.clone_from(&line);
        } else if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        } else if let Some(value) = lower.strip_prefix("x-quartet-component:") {
            version = Some(value.trim().to_owned());
        } else if line.trim().is_empty() {
            break;
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body).expect("a body");
    assert_eq!(body.len() as u64, length, "half an answer");
    assert!(status.contains(" 200 "), "{status}: {}", String::from_utf8_lossy(&body));
    let known = body.starts_with(br#"{"success":true,"#) || body.starts_with(b"RIFF");
    assert!(known, "{}", String::from_utf8_lossy(&body[..body.len().min(200)]));
    version.expect("an answer says which version gave it")
}
