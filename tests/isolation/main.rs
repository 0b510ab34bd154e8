//! Misbehaving components: each is contained, named, and leaves the next request untouched.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::{Reply, Service};

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
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, component: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("quartet-isolation-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("tts.wasm"), component).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind, it would be in the system's folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn misbehaving(name: &str, more: &[&str]) -> (Service, Folder) {
    let component = std::fs::read(given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm")).unwrap();
    let folder = Folder::new(name, &component);
    let flags: Vec<_> = BOUNDS.iter().chain(more).copied().collect();
    (Service::start_with(&folder.0, &flags), folder)
}

fn ask(service: &Service, how: &str) -> Reply {
    service.client().get_with("/tts/voices", &[("x-misbehave", how)])
}

/// Asks over a bare socket and returns everything that came until the connection ended.
fn ask_raw(service: &Service, how: &str) -> String {
    let mut socket = TcpStream::connect(service.socket()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
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
    let (service, _folder) = misbehaving("named", &[]);
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
}

#[test]
fn the_clock_ends_what_fuel_does_not() {
    let (service, _folder) = misbehaving("clock", &["--respond-fuel", "900000000000000"]);
    let start = Instant::now();
    ask(&service, "loop").failed(Code::DeadlineExceeded);
    assert!(start.elapsed() < Duration::from_secs(10));
    is_well(&service);
}

#[test]
fn a_crash_tells_the_client_nothing_and_the_log_everything() {
    let (service, _folder) = misbehaving("crash", &[]);
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
    let (service, _folder) = misbehaving("silent", &[]);
    for how in ["no-answer", "refuse", "half"] {
        ask(&service, how).failed(Code::Internal);
        is_well(&service);
    }
}

#[test]
fn half_an_answer_is_never_taken_for_a_whole_one() {
    let (service, _folder) = misbehaving("half", &[]);
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
    let (service, _folder) = misbehaving("others", &["--workers", "2"]);
    std::thread::scope(|scope| {
        let bad: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| ask(&service, "loop").failed(Code::ComputeExhausted)))
            .collect();
        std::thread::sleep(Duration::from_millis(100));
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
    let (service, _folder) = misbehaving(
        "full",
        &[
            "--concurrent-requests",
            "2",
            "--client-percent",
            "100",
            "--queued-requests",
            "1",
            "--queue-milliseconds",
            "300",
        ],
    );
    std::thread::scope(|scope| {
        let bad: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| ask(&service, "sleep").failed(Code::DeadlineExceeded)))
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        let reply = ask(&service, "not");
        reply.failed(Code::Busy);
        assert!(reply.header("retry-after").is_some());
        assert!(
            start.elapsed() < Duration::from_millis(1500),
            "waited {:?}",
            start.elapsed()
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
    let (service, _folder) = misbehaving(
        "left",
        &[
            "--concurrent-requests",
            "1",
            "--respond-seconds",
            "60",
            "--queue-milliseconds",
            "4000",
        ],
    );
    let mut socket = TcpStream::connect(service.socket()).unwrap();
    write!(
        socket,
        "GET /api/v1/tts/voices HTTP/1.1\r\nhost: x\r\nx-misbehave: sleep\r\n\r\n"
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    drop(socket);
    // The only place is free again at once, not after a minute.
    is_well(&service);
}

#[test]
fn a_body_that_never_comes_is_the_clients_fault() {
    let (service, _folder) = misbehaving("body", &[]);
    let components = given("QUARTET_COMPONENTS");
    let real = Service::start_with(&components, BOUNDS);
    drop(service);
    let mut socket = TcpStream::connect(real.socket()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(socket, "POST /api/v1/tts/generate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{").unwrap();
    let mut answer = [0; 4096];
    let length = socket.read(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]);
    assert!(
        answer.starts_with("HTTP/1.1 408 ") && answer.contains("request_timeout"),
        "{answer}"
    );
}

#[test]
fn memory_does_not_grow_with_crashes() {
    let (service, _folder) = misbehaving("memory", &[]);
    let private = || {
        let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", service.pid())).unwrap();
        let line = rollup.lines().find(|line| line.starts_with("Private_Dirty:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let crash = |times: usize| {
        for how in ["allocate", "trap", "recurse", "no-answer"].iter().cycle().take(times) {
            assert_eq!(ask(&service, how).status, 500);
        }
    };
    crash(40);
    let before = private();
    crash(200);
    let after = private();
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
    for (name, component, reason) in [
        (
            "sockets",
            wat::parse_bytes(sockets).unwrap().into_owned(),
            "wasi:sockets/tcp",
        ),
        (
            "network",
            wat::parse_bytes(network).unwrap().into_owned(),
            "wasi:http/outgoing-handler",
        ),
        (
            "no-export",
            wat::parse_bytes(no_export).unwrap().into_owned(),
            "does not export",
        ),
        ("noise", b"this is no component".to_vec(), "no component"),
    ] {
        let folder = Folder::new(name, &component);
        let service = Service::start_with(&folder.0, &[]);
        service.wait_for_log(&["component not loaded", reason]);
        service.client().get("/tts/voices").failed(Code::Unavailable);
    }
}
