//! Many connections: those that only stand there make room for those that ask.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::JoinHandle;
use std::time::Duration;

use quartet_tests::Service;
use quartet_tests::wait::until;

use crate::raw::{self, Answer, ask, get};
use crate::{Folder, descriptors_of, sleepy};

/// Connections that say nothing; those that were closed at once are not among them.
fn crowd(service: &Service, count: usize) -> Vec<TcpStream> {
    (0..count).map(|_| raw::connect(service, 1)).collect()
}

fn is_open(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let open = matches!(stream.read(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
    stream.set_nonblocking(false).unwrap();
    open
}

#[test]
fn ten_thousand_idle_connections_keep_nobody_out() {
    // The system's limit may be lower: then as many as fit.
    let most = usize::try_from(rlimit::increase_nofile_limit(u64::MAX).unwrap()).unwrap();
    let count = 10_000.min(most.saturating_sub(500));
    let service = Service::start(&["--requests-per-minute", "100000"]);
    let before = descriptors_of(&service);
    let mut kept = raw::connect(&service, 2);
    assert_eq!(ask(&mut kept, &get("/healthz", "")).unwrap().status, 200);
    let mut idle = Vec::new();
    while idle.len() < count {
        idle.extend(crowd(&service, 500));
        // On a connection that is used, and on a new one.
        assert_eq!(ask(&mut kept, &get("/healthz", "")).expect("still open").status, 200);
        let mut new = raw::connect(&service, 2);
        assert_eq!(ask(&mut new, &get("/healthz", "")).expect("an answer").status, 200);
        assert_eq!(
            ask(&mut new, &get("/api/v1/tts/voices", "")).expect("an answer").status,
            200
        );
    }
    let open = descriptors_of(&service);
    assert!(open < 4_096 + 100, "{open} descriptors");
    if count > 5_000 {
        assert!(!is_open(&mut idle[0]), "the oldest idle connection is still there");
    }
    assert!(is_open(idle.last_mut().unwrap()), "the newest is gone");
    drop((idle, kept));
    until("all connections are gone", || descriptors_of(&service) < before + 10);
    assert_eq!(service.client().get("/tts/voices").status, 200);
}

/// Requests in flight that sleep to the end of their time.
fn sleepers(service: &Service, count: usize) -> Vec<JoinHandle<Option<Answer>>> {
    let request = get("/api/v1/tts/voices", "x-misbehave: sleep\r\n");
    let sleepers = (0..count)
        .map(|_| {
            let mut stream = raw::connect(service, 1);
            stream.write_all(request.as_bytes()).unwrap();
            std::thread::spawn(move || raw::read(&mut stream))
        })
        .collect();
    // Until its head is read, a request is not in flight.
    service.wait_until_read();
    std::thread::sleep(Duration::from_millis(200));
    sleepers
}

#[test]
fn connections_with_requests_are_not_closed_for_new_ones() {
    let folder = Folder::new();
    let service = sleepy(&folder, &["--connections", "10", "--respond-seconds", "4"]);
    let sleepers = sleepers(&service, 5);
    while sleepers.iter().any(|thread| !thread.is_finished()) {
        let _idle = crowd(&service, 30);
        let mut new = raw::connect(&service, 2);
        assert_eq!(ask(&mut new, &get("/healthz", "")).expect("an answer").status, 200);
    }
    for thread in sleepers {
        assert_eq!(thread.join().unwrap().expect("an answer").status, 504);
    }
}

/// All places for connections are taken by requests in flight: a new one waits until one of them ends.
#[test]
fn when_every_connection_is_busy_new_ones_wait() {
    let folder = Folder::new();
    let service = sleepy(&folder, &["--connections", "4", "--respond-seconds", "4"]);
    let sleepers = sleepers(&service, 4);
    let mut new = raw::connect(&service, 2);
    assert_eq!(ask(&mut new, &get("/healthz", "")).expect("an answer").status, 200);
    for thread in sleepers {
        assert_eq!(thread.join().unwrap().expect("an answer").status, 504);
    }
}

#[test]
fn the_health_listener_answers_while_every_connection_is_busy() {
    let folder = Folder::new();
    let flags = [
        "--connections",
        "4",
        "--respond-seconds",
        "4",
        "--health-listen",
        "127.0.0.1:0",
    ];
    let service = sleepy(&folder, &flags);
    let line: serde_json::Value =
        serde_json::from_str(&service.wait_for_log(&["the health listener listens"])).expect("JSON");
    let health = line["health"].as_str().expect("its address").to_owned();
    let sleepers = sleepers(&service, 4);
    let status = |request: String| {
        let mut stream = raw::connect_to(&health, 2);
        ask(&mut stream, &request).expect("an answer").status
    };
    for (path, expected) in [
        ("/healthz", 200),
        ("/metrics", 200),
        ("/api/v1/tts/voices", 404),
        ("/nothing", 404),
    ] {
        assert_eq!(status(get(path, "")), expected, "{path}");
    }
    assert_eq!(
        status("POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n".to_owned()),
        405
    );
    // The service's own listener has no room meanwhile.
    assert!(sleepers.iter().all(|thread| !thread.is_finished()));
    // Those that say nothing take no place for long.
    let _idle: Vec<_> = (0..64).map(|_| raw::connect_to(&health, 3)).collect();
    assert_eq!(status(get("/healthz", "")), 200);
    for thread in sleepers {
        assert_eq!(thread.join().unwrap().expect("an answer").status, 504);
    }
}
