//! Misbehaving components: each is contained, named, and leaves the next request untouched.

mod reports;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::wait::PATIENCE;
use quartet_tests::{Reply, Service};
use tempfile::TempDir;

/// Small bounds, so that the tests are quick.
const BOUNDS: &[&str] = &[
    "--respond-seconds",
    "2",
    "--stall-seconds",
    "2",
    "--respond-fuel",
    "100000000",
    "--stream-fuel",
    "100000000",
    "--response-bytes",
    "5000000",
    "--stream-bytes",
    "5000000",
    "--memory-bytes",
    "67108864",
    "--requests-per-minute",
    "100000",
];

/// A folder of components with one file in it.
fn folder_with(component: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tts.wasm"), component).unwrap();
    folder
}

fn misbehaving(more: &[&str]) -> (Service, TempDir) {
    let component = std::fs::read(given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm")).unwrap();
    let folder = folder_with(&component);
    let flags: Vec<_> = BOUNDS.iter().chain(more).copied().collect();
    (Service::start_with(folder.path(), &flags), folder)
}

fn ask(service: &Service, how: &str) -> Reply {
    service.client().get_with("/tts/voices", &[("x-misbehave", how)])
}

/// Asks over a bare socket and returns everything that came until the connection ended.
fn ask_raw(service: &Service, how: &str) -> String {
    let mut socket = TcpStream::connect(service.socket()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        socket,
        "GET /api/v1/tts/voices HTTP/1.1\r\nhost: x\r\nx-misbehave: {how}\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn is_well(service: &Service) {
    let reply = ask(service, "not");
    assert_eq!((reply.status, reply.body.as_slice()), (200, b"well behaved".as_slice()));
}

#[test]
fn what_runs_out_is_named() {
    let (service, _folder) = misbehaving(&[]);
    for (how, code) in [
        ("loop", Code::ComputeExhausted),
        ("print", Code::ComputeExhausted),
        ("allocate", Code::MemoryExhausted),
        ("handles", Code::MemoryExhausted),
        ("recurse", Code::StackExhausted),
        ("sleep", Code::DeadlineExceeded),
    ] {
        ask(&service, how).failed(code);
        is_well(&service);
    }
    // Nothing is wrong with the service: who asks can ask for less, and hears how.
    let reply = ask(&service, "allocate");
    let sentence = reply.failed(Code::MemoryExhausted);
    assert_eq!(reply.status, 422);
    assert!(
        sentence.contains(" MiB") && sentence.contains("smaller picture"),
        "{sentence}"
    );
}

#[test]
fn the_clock_ends_what_fuel_does_not() {
    let (service, _folder) = misbehaving(&["--respond-fuel", "900000000000000"]);
    let start = Instant::now();
    ask(&service, "loop").failed(Code::DeadlineExceeded);
    assert!(start.elapsed() < PATIENCE);
    is_well(&service);
}

#[test]
fn a_crash_tells_the_client_nothing_and_the_log_everything() {
    let (service, _folder) = misbehaving(&[]);
    let reply = ask(&service, "trap");
    let sentence = reply.failed(Code::Internal);
    assert!(!String::from_utf8_lossy(&reply.body).contains("secret"), "{sentence}");
    let line = service.wait_for_log(&[
        reply.header("x-request-id").unwrap(),
        "a secret that no client may read",
    ]);
    assert!(line.contains("\"code\":\"internal\""), "{line}");
    is_well(&service);
}

#[test]
fn no_answer_and_a_refusal_are_internal_failures() {
    let (service, _folder) = misbehaving(&[]);
    for how in ["no-answer", "refuse", "half"] {
        ask(&service, how).failed(Code::Internal);
        is_well(&service);
    }
}

#[test]
fn half_an_answer_is_never_taken_for_a_whole_one() {
    let (service, _folder) = misbehaving(&[]);
    for how in ["half-quietly", "half-sleep", "flood"] {
        let answer = ask_raw(&service, how);
        // A whole chunked answer ends with an empty chunk.
        assert!(
            !answer.ends_with("0\r\n\r\n"),
            "{how} looks complete: {} bytes",
            answer.len()
        );
        assert!(answer.len() < 6_000_000, "{how} sent {} bytes", answer.len());
        is_well(&service);
    }
}

#[test]
fn others_are_served_while_some_misbehave() {
    // The clock ends the loops: fuel would sooner on a faster machine.
    let flags = [
        "--workers",
        "2",
        "--respond-seconds",
        "4",
        "--respond-fuel",
        "900000000000000",
    ];
    let (service, _folder) = misbehaving(&flags);
    std::thread::scope(|scope| {
        let bad: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| ask(&service, "loop").failed(Code::DeadlineExceeded)))
            .collect();
        service.wait_until_running(4);
        let mut served = 0;
        while bad.iter().any(|thread| !thread.is_finished()) {
            is_well(&service);
            served += 1;
        }
        assert!(served > 10, "only {served} requests were served beside the loops");
    });
}

#[test]
fn when_all_places_are_taken_waiting_is_bounded() {
    let (service, _folder) = misbehaving(&[
        "--concurrent-requests",
        "2",
        "--client-percent",
        "100",
        "--queued-requests",
        "1",
        "--queue-milliseconds",
        "300",
        "--respond-seconds",
        "8",
    ]);
    std::thread::scope(|scope| {
        let bad: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| ask(&service, "sleep").failed(Code::DeadlineExceeded)))
            .collect();
        service.wait_until_running(2);
        let reply = ask(&service, "not");
        reply.failed(Code::Busy);
        assert!(reply.header("retry-after").is_some());
        assert!(
            bad.iter().all(|thread| !thread.is_finished()),
            "it waited for a place instead of for its time"
        );
        assert_eq!(service.client().get("/healthz").status, 200);
        for thread in bad {
            thread.join().unwrap();
        }
    });
    is_well(&service);
}

#[test]
fn a_client_that_leaves_ends_its_sandbox() {
    let (service, _folder) = misbehaving(&[
        "--concurrent-requests",
        "1",
        "--respond-seconds",
        "600",
        "--queue-milliseconds",
        "60000",
    ]);
    let mut socket = TcpStream::connect(service.socket()).unwrap();
    write!(
        socket,
        "GET /api/v1/tts/voices HTTP/1.1\r\nhost: x\r\nx-misbehave: sleep\r\n\r\n"
    )
    .unwrap();
    service.wait_until_running(1);
    drop(socket);
    // The only place is free again at once, not after ten minutes.
    is_well(&service);
}

#[test]
fn a_body_that_never_comes_is_the_clients_fault() {
    let real = Service::start(BOUNDS);
    let mut socket = TcpStream::connect(real.socket()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(socket, "POST /api/v1/tts/generate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{").unwrap();
    // Its head and its body may come in two packets.
    let (mut answer, mut piece) = (String::new(), [0; 4096]);
    while let length @ 1.. = socket.read(&mut piece).unwrap() {
        answer.push_str(&String::from_utf8_lossy(&piece[..length]));
        if answer.contains("request_timeout") {
            break;
        }
    }
    assert!(
        answer.starts_with("HTTP/1.1 408 ") && answer.contains("request_timeout"),
        "{answer}"
    );
}

#[test]
fn memory_does_not_grow_with_crashes() {
    let (service, _folder) = misbehaving(&[]);
    let crash = |times: usize| {
        for how in ["allocate", "trap", "recurse", "no-answer"].iter().cycle().take(times) {
            assert!([422, 500].contains(&ask(&service, how).status), "{how}");
        }
    };
    crash(40);
    let before = service.private_kb();
    crash(200);
    let after = service.private_kb();
    assert!(
        after < before + before / 5 + 4_096,
        "{before} kB before, {after} kB after"
    );
}

#[test]
fn what_is_no_component_or_asks_for_too_much_is_not_loaded() {
    let sockets = br#"(component (import "wasi:sockets/tcp@0.2.0" (instance)))"#;
    let network = br#"(component (import "wasi:http/outgoing-handler@0.2.0" (instance)))"#;
    let no_export = b"(component)";
    for (component, reason) in [
        (wat::parse_bytes(sockets).unwrap().into_owned(), "wasi:sockets/tcp"),
        (
            wat::parse_bytes(network).unwrap().into_owned(),
            "wasi:http/outgoing-handler",
        ),
        (wat::parse_bytes(no_export).unwrap().into_owned(), "does not export"),
        (b"this is no component".to_vec(), "no component"),
    ] {
        let folder = folder_with(&component);
        let service = Service::start_with(folder.path(), &[]);
        service.wait_for_log(&["component not loaded", reason]);
        service.client().get("/tts/voices").failed(Code::Unavailable);
    }
}

/// The memory that a request needs is taken before it runs: two of three fit.
#[test]
fn memory_is_not_promised_twice() {
    let (service, _folder) = misbehaving(&[
        "--memory-budget",
        "45000000",
        "--client-percent",
        "100",
        "--queue-milliseconds",
        "300",
        "--respond-seconds",
        "8",
    ]);
    std::thread::scope(|scope| {
        let held: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| ask(&service, "sleep").failed(Code::DeadlineExceeded)))
            .collect();
        service.wait_until_running(2);
        let reply = ask(&service, "not");
        reply.failed(Code::Busy);
        assert!(reply.header("retry-after").is_some());
        for thread in held {
            thread.join().unwrap();
        }
    });
    is_well(&service);
    let page = String::from_utf8(service.client().get("/metrics").body).unwrap();
    let budget = "quartet_sandbox_memory_bytes{of=\"limit\"} 45000000";
    assert!(page.lines().any(|line| line == budget), "{page}");
}

/// Once it is known what a request takes, those that would all be too late are refused instead.
#[test]
fn what_cannot_be_answered_in_time_is_refused() {
    let flags = [
        "--workers",
        "1",
        "--client-percent",
        "100",
        "--respond-seconds",
        "4",
        "--respond-fuel",
        "900000000000000",
    ];
    let (service, _folder) = misbehaving(&flags);
    ask(&service, "loop").failed(Code::DeadlineExceeded);
    service.wait_until_idle();
    let replies = std::thread::scope(|scope| {
        let all: Vec<_> = (0..12).map(|_| scope.spawn(|| ask(&service, "loop"))).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert!(refused.len() >= 10, "{} of 12 are refused", refused.len());
    assert!(refused.iter().all(|reply| {
        let seconds = reply
            .header("retry-after")
            .and_then(|seconds| seconds.parse::<u64>().ok());
        seconds.is_some_and(|seconds| (1..=60).contains(&seconds))
    }));
}
