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
use std::time::Instant;

use quartet_tests::service::given;

use crate::world::{World, done, mapped, refused, version, wait_for};

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

/// What the connections have seen.
#[derive(Default)]
struct Seen {
    answers: AtomicUsize,
    versions: Mutex<BTreeMap<String, usize>>,
    slowest_ms: AtomicUsize,
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
    let world = World::new("load", &versions.of(1), &flags);
    let mut passed = BTreeSet::from([world.answers()]);
    let (seen, over) = (Seen::default(), AtomicBool::new(false));
    let mut memory = Vec::new();
    let start = Instant::now();
    std::thread::scope(|scope| {
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|index| {
                let (seen, over, socket) = (&seen, &over, world.service.socket());
                scope.spawn(move || connection(socket, index, seen, over))
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
            memory.push(private_kb(world.service.pid()));
        }
        while seen.answers.load(Ordering::Relaxed) < requests && connections.iter().all(|thread| !thread.is_finished())
        {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        over.store(true, Ordering::Relaxed);
        for connection in connections {
            connection.join().expect("a connection without a failure");
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let answers = seen.answers.load(Ordering::Relaxed);
    let answered: BTreeSet<_> = seen.versions.lock().unwrap().keys().cloned().collect();
    println!(
        "{swaps} swaps and {answers} requests in {seconds:.1} s, {} versions answered, slowest answer {} ms, \
         private memory {} kB after a quarter of the swaps, {} kB at the end",
        answered.len(),
        seen.slowest_ms.load(Ordering::Relaxed),
        memory[memory.len() / 4],
        memory[memory.len() - 1]
    );
    assert!(answers >= requests);
    // The one that serves and the one before it; all others are freed.
    assert_eq!(
        wait_for(|| Some(mapped(world.service.pid())).filter(|mapped| *mapped <= 2)),
        2
    );
    assert!(
        answered.len() > 2,
        "the versions changed, but only {answered:?} answered"
    );
    let strangers: Vec<_> = answered.difference(&passed).collect();
    assert!(strangers.is_empty(), "{strangers:?} answered without having passed");
    let (before, after) = (memory[memory.len() / 4], memory[memory.len() - 1]);
    assert!(
        after < before + before / 5 + 8_192,
        "{before} kB, then {after} kB: {memory:?}"
    );
}

/// The process's own memory in kilobytes.
fn private_kb(pid: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap();
    let line = rollup.lines().find(|line| line.starts_with("Private_Dirty:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Sends requests until it is over, and panics at the first that is not answered as it should be.
fn connection(socket: &str, index: usize, seen: &Seen, over: &AtomicBool) {
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
    while !over.load(Ordering::Relaxed) {
        let started = Instant::now();
        stream.write_all(requests[number % requests.len()].as_bytes()).unwrap();
        let version = answer(&mut reader);
        let ms = usize::try_from(started.elapsed().as_millis()).unwrap();
        seen.slowest_ms.fetch_max(ms, Ordering::Relaxed);
        *seen.versions.lock().unwrap().entry(version).or_default() += 1;
        seen.answers.fetch_add(1, Ordering::Relaxed);
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
