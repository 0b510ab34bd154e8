//! Clients that say too little, too slowly, or stop listening: each connection ends by itself, and nothing it held stays.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use quartet_tests::Service;
use quartet_tests::wait::PATIENCE;
use serde_json::json;

use crate::{Folder, raw, sleepy};

/// The head of a request whose body never comes.
const POST: &str = "POST /api/v1/tts/generate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                    content-length: 9999\r\n\r\n";

/// A request for a stream without end, so that no buffer of the system can take it all.
const FLOOD: &str = "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\nx-misbehave: flood\r\ncontent-length: 0\r\n\r\n";

/// Sends all but little by little until the connection ends. Fails when it never does.
fn drip(service: &Service, begin: &str, drop: &[u8]) {
    let mut socket = raw::connect(service, 1);
    socket.write_all(begin.as_bytes()).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if socket.write_all(drop).is_err() {
            return;
        }
        match std::io::Read::read(&mut socket, &mut [0; 4096]) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {}
            Err(_) => return,
        }
    }
    panic!("{begin:?} is still listened to");
}

#[test]
fn heads_that_trickle_in_are_not_waited_for() {
    let service = Service::start(&["--idle-seconds", "1"]);
    drip(&service, "", b"G");
    drip(&service, "GET /healthz HTTP/1.1\r\n", b"x-a: b\r\n");
    // Also the head of a later request.
    drip(&service, &format!("{}GET /h", raw::get("/healthz", "")), b"x");
}

#[test]
fn what_begins_and_goes_no_further_ends() {
    let service = Service::start(&["--idle-seconds", "1"]);
    for begin in [
        "",
        "G",
        "GET /healthz HTTP/1.1\r\nhost: x\r\n",
        "PRI * HT",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        // An HTTP/2 connection that is set up and asks nothing.
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
    ] {
        let mut socket = raw::connect(&service, 1);
        socket.write_all(begin.as_bytes()).unwrap();
        raw::drain(&mut socket);
    }
    let mut socket = raw::connect(&service, 1);
    assert_eq!(raw::ask(&mut socket, &raw::get("/healthz", "")).unwrap().status, 200);
    assert!(raw::drain(&mut socket).is_empty());
}

/// The time between requests counts, not the time for which a connection is there.
#[test]
fn a_connection_that_is_used_stays() {
    let service = Service::start(&["--idle-seconds", "4"]);
    let mut socket = raw::connect(&service, 1);
    for _ in 0..12 {
        assert_eq!(
            raw::ask(&mut socket, &raw::get("/healthz", ""))
                .expect("still open")
                .status,
            200
        );
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// A request in flight is not idle, however long it takes.
#[test]
fn a_request_may_take_longer_than_a_connection_may_idle() {
    let folder = Folder::new();
    let service = sleepy(&folder, &["--idle-seconds", "1", "--respond-seconds", "3"]);
    let mut socket = raw::connect(&service, 1);
    let answer = raw::ask(&mut socket, &raw::get("/api/v1/tts/voices", "x-misbehave: sleep\r\n"));
    assert_eq!(answer.expect("an answer").status, 504);
}

#[test]
fn bodies_that_trickle_in_are_not_waited_for() {
    let service = Service::start(&["--stall-seconds", "2", "--concurrent-requests", "1"]);
    let mut socket = raw::connect(&service, 1);
    socket.write_all(POST.as_bytes()).unwrap();
    let writer = std::thread::spawn({
        let mut socket = socket.try_clone().unwrap();
        move || {
            while socket.write_all(b" ").is_ok() {
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    });
    let answer = raw::read(&mut socket).expect("an answer");
    assert!(
        answer.status == 408 && answer.body.contains("request_timeout"),
        "{answer:?}"
    );
    raw::drain(&mut socket);
    drop(socket);
    writer.join().unwrap();
    assert_eq!(service.client().get("/tts/voices").status, 200);
}

/// Bodies that come slowly, more of them than there are places, from two clients: who has its body with it is answered.
#[test]
fn bodies_that_trickle_in_hold_no_place() {
    let service = Service::start(&["--concurrent-requests", "2", "--queue-milliseconds", "500"]);
    let mut slow: Vec<_> = (0..40).map(|number| raw::connect(&service, 1 + number % 2)).collect();
    for socket in &mut slow {
        socket.write_all(format!("{POST}{{").as_bytes()).unwrap();
    }
    service.wait_until_read();
    for _ in 0..10 {
        let quick = service
            .client()
            .post("/tts/generate", &json!({"text": "a", "language": "en"}));
        assert_eq!(quick.status, 200);
    }
    assert!(
        slow.iter_mut().all(|socket| socket.write_all(b" ").is_ok()),
        "they are still there"
    );
}

/// Streams that are not listened to, as many as there may be: everything else is answered.
#[test]
fn streams_hold_no_place_of_other_requests() {
    let folder = Folder::new();
    let flags = [
        "--concurrent-requests",
        "1",
        "--concurrent-streams",
        "2",
        "--queue-milliseconds",
        "500",
    ];
    let service = sleepy(&folder, &flags);
    let _held: Vec<_> = (1..=2)
        .map(|client| {
            let mut socket = raw::connect(&service, client);
            socket.write_all(FLOOD.as_bytes()).unwrap();
            std::io::Read::read_exact(&mut socket, &mut [0; 1024]).unwrap();
            socket
        })
        .collect();
    assert_eq!(service.client().get("/tts/voices").status, 200);
    let mut third = raw::connect(&service, 3);
    let refused = raw::ask(&mut third, FLOOD).expect("an answer");
    assert!(
        refused.status == 429 && refused.body.contains("\"busy\""),
        "{refused:?}"
    );
}

#[test]
fn who_leaves_in_the_middle_of_a_request_leaves_nothing() {
    let service = Service::start(&["--concurrent-requests", "1"]);
    for request in [POST, "GET /api/v1/tts/vo", &raw::get("/api/v1/tts/voices", "")] {
        for _ in 0..20 {
            let mut socket = raw::connect(&service, 1);
            socket.write_all(request.as_bytes()).unwrap();
        }
    }
    assert_eq!(service.client().get("/tts/voices").status, 200);
}

#[test]
fn who_stops_listening_to_a_stream_loses_it() {
    let folder = Folder::new();
    let service = sleepy(&folder, &["--stall-seconds", "1", "--concurrent-streams", "1"]);
    let mut socket = raw::connect(&service, 1);
    socket.write_all(FLOOD.as_bytes()).unwrap();
    service.wait_for_log(&["\"path\":\"/api/v1/tts/stream\"", "\"status\":200"]);
    // The only place is free again.
    let mut next = raw::connect(&service, 1);
    next.write_all(FLOOD.as_bytes()).unwrap();
    let mut head = [0; 12];
    std::io::Read::read_exact(&mut next, &mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
}
