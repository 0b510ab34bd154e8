//! Keys: who has a good one comes in at its own rate, and changes of the file are taken while the service runs.

use std::io::{Read, Write};
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::wait::until;
use quartet_tests::{Reply, Service};

use crate::{Folder, raw, sleepy, text};

/// A key by the service's own command: what its holder sends, and the lines for the file.
fn new_key(name: &str, more: &str) -> (String, String) {
    let output = Command::new(given("QUARTET_HOST"))
        .args(["keys", "new", "--name", name])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8(output.stderr).unwrap();
    let key = shown
        .split_whitespace()
        .find(|word| word.starts_with("quartet_"))
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(!lines.contains(key), "the file must not have the key itself: {lines}");
    (key.to_owned(), format!("{lines}{more}\n"))
}

fn with(service: &Service, key: &str) -> Reply {
    let authorization = format!("Bearer {key}");
    service
        .client()
        .get_with("/tts/voices", &[("authorization", &authorization)])
}

#[test]
fn only_holders_of_keys_come_in_each_at_its_own_rate() {
    let folder = Folder::new();
    let (alice, first) = new_key("alice", "requests_per_minute = 2");
    let (bob, second) = new_key("bob", "");
    let (carol, third) = new_key("carol", "expires = 2020-01-01T00:00:00Z");
    let (dave, fourth) = new_key("dave", "capabilities = []");
    let file = folder.write("keys.toml", &[first, second, third, fourth].concat());
    let service = Service::start(&["--keys", text(&file), "--requests-per-minute", "50"]);
    let client = service.client();

    let reply = client.get("/tts/voices");
    reply.failed(Code::Unauthorized);
    assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"quartet\""));
    let reply = with(&service, &format!("{alice}x"));
    reply.failed(Code::Unauthorized);
    assert!(reply.header("www-authenticate").unwrap().contains("invalid_token"));
    with(&service, &carol).failed(Code::Unauthorized);
    with(&service, &dave).failed(Code::Forbidden);
    client.get("/api/v1/nothing").failed(Code::Unauthorized);
    assert_eq!(client.get("/healthz").status, 200);
    assert_eq!(client.get("/readyz").status, 200);
    client.get("/metrics").failed(Code::Unauthorized);
    let authorization = format!("Bearer {bob}");
    let metrics = client.get_with("/metrics", &[("authorization", &authorization)]);
    assert!(String::from_utf8_lossy(&metrics.body).contains("quartet_requests_total"));

    // As other services have them sent.
    let basic = format!("Basic {}", BASE64_STANDARD.encode(format!("x:{bob}")));
    for (name, value) in [("x-api-key", &bob), ("authorization", &basic)] {
        assert_eq!(client.get_with("/tts/voices", &[(name, value)]).status, 200);
        let wrong = format!("{value}x");
        client
            .get_with("/tts/voices", &[(name, &wrong)])
            .failed(Code::Unauthorized);
    }

    for left in [1, 0] {
        let reply = with(&service, &alice);
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("ratelimit-policy"), Some("\"default\";q=2;w=60"));
        assert!(
            reply
                .header("ratelimit")
                .unwrap()
                .starts_with(&format!("\"default\";r={left};"))
        );
    }
    with(&service, &alice).failed(Code::RateLimited);
    // The same address with another key is another client.
    let reply = with(&service, &bob);
    assert_eq!(reply.status, 200);
    assert!(reply.header("ratelimit").unwrap().starts_with("\"default\";r=47;"));

    service.wait_for_log(&["\"key\":\"bob\"", "\"status\":200"]);
    let log = service.log();
    assert!(!log.contains(&alice) && !log.contains(&bob), "a key stands in the log");
}

#[test]
fn the_file_may_change_and_may_break_while_the_service_runs() {
    let folder = Folder::new();
    let (alice, first) = new_key("alice", "");
    let (bob, second) = new_key("bob", "");
    let file = folder.write("keys.toml", &first);
    let service = Service::start(&["--keys", text(&file)]);
    assert_eq!(with(&service, &alice).status, 200);
    with(&service, &bob).failed(Code::Unauthorized);

    folder.write("keys.toml", &[first.as_str(), second.as_str()].concat());
    service.signal("HUP");
    until("the new key is good", || with(&service, &bob).status == 200);

    folder.write("keys.toml", "[[key]]\nname = ");
    service.signal("HUP");
    service.wait_for_log(&["keys cannot be used", "those from before stay"]);
    assert_eq!(with(&service, &alice).status, 200);

    // Without a signal it takes a moment longer.
    folder.write("keys.toml", &second);
    until("the removed key is no longer good", || {
        with(&service, &alice).status == 401
    });
    assert_eq!(with(&service, &bob).status, 200);
}

#[test]
fn a_public_address_needs_keys_that_can_be_read() {
    let folder = Folder::new();
    let public = |keys: &[&str]| {
        let output = Command::new(given("QUARTET_HOST"))
            .args(["serve", "--listen", "0.0.0.0:0", "--components"])
            .arg(folder.path())
            .args(keys)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, message) = public(&[]);
    assert!(code == Some(2) && message.contains("`keys`"), "{message}");
    let (code, message) = public(&["--keys", "/does/not/exist.toml"]);
    assert!(code == Some(1) && message.contains("/does/not/exist.toml"), "{message}");
    let broken = folder.write("broken.toml", "[[key]]\nname = \"a\"\nsha256 = \"12\"\n");
    let (code, message) = public(&["--keys", text(&broken)]);
    assert!(code == Some(1) && message.contains("sha256"), "{message}");

    let (_, lines) = new_key("alice", "");
    let file = folder.write("keys.toml", &lines);
    let service = Service::start(&["--listen", "0.0.0.0:0", "--keys", text(&file)]);
    service.wait_for_log(&["keys cross the network unencrypted"]);
}

/// The metrics tell of all clients, and a key for some capabilities is for somebody who is not to know of them.
#[test]
fn keys_for_some_capabilities_read_no_metrics_unless_they_may() {
    let folder = Folder::new();
    let (some, first) = new_key("some", "capabilities = [\"tts\"]");
    let (watcher, second) = new_key("watcher", "capabilities = []\nmetrics = true");
    let (none, third) = new_key("none", "metrics = false");
    let file = folder.write("keys.toml", &[first, second, third].concat());
    let service = Service::start(&["--keys", text(&file)]);
    let metrics = |key: &str| {
        let authorization = format!("Bearer {key}");
        service
            .client()
            .get_with("/metrics", &[("authorization", &authorization)])
    };
    metrics(&some).failed(Code::Forbidden);
    metrics(&none).failed(Code::Forbidden);
    assert_eq!(metrics(&watcher).status, 200);
    assert_eq!((with(&service, &some).status, with(&service, &none).status), (200, 200));
    with(&service, &watcher).failed(Code::Forbidden);
}

#[test]
fn a_key_that_is_taken_back_loses_its_stream() {
    let folder = Folder::new();
    let (alice, first) = new_key("alice", "");
    let (_, second) = new_key("bob", "");
    let keys = Folder::new();
    let file = keys.write("keys.toml", &[first, second.clone()].concat());
    let service = sleepy(&folder, &["--keys", text(&file)]);
    let mut socket = raw::connect(&service, 1);
    let request = format!(
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\nx-api-key: {alice}\r\nx-misbehave: flood\r\n\
         content-length: 0\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).unwrap();
    let mut some = [0; 65_536];
    socket.read_exact(&mut some).unwrap();
    keys.write("keys.toml", &second);
    service.signal("HUP");
    until("the stream ends", || {
        socket.read(&mut some).map_or(true, |length| length == 0)
    });
}
