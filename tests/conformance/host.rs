//! The host's additions to every operation: ids, health, settings, an orderly end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use quartet_api::{Code, Language};
use quartet_tests::client::Client;
use quartet_tests::service::given;
use quartet_tests::wait::wait_for;
use quartet_tests::{Service, declaration};
use serde_json::json;

#[test]
fn a_callers_request_id_is_kept_and_logged() {
    let service = Service::start(&[]);
    let reply = service.client().get_with("/tts/voices", &[("x-request-id", "my-id.7")]);
    assert_eq!(reply.header("x-request-id"), Some("my-id.7"));
    let line = service.wait_for_log(&["my-id.7", "answered"]);
    assert!(
        line.contains("\"status\":200") && line.contains("/api/v1/tts/voices"),
        "{line}"
    );
}

#[test]
fn health_and_readiness_answer() {
    let service = Service::start(&[]);
    assert_eq!(service.client().get("/healthz").json(), json!({"status": "ok"}));
    assert_eq!(service.client().get("/readyz").json(), json!({"status": "ready"}));
}

#[test]
fn the_operations_are_listed() {
    let service = Service::start(&[]);
    let reply = service.client().get("/api/v1");
    let data = reply.data();
    let listed: Vec<_> = data["operations"].as_array().unwrap().iter().collect();
    for operation in quartet_api::operations::OPERATIONS {
        let told = json!({
            "method": operation.method.name(), "path": operation.path, "summary": operation.summary,
        });
        assert!(listed.contains(&&told), "{told} is not in {data}");
    }
    assert_eq!(data["description"], "/openapi.json");
}

#[test]
fn a_missing_component_is_reported_and_the_rest_goes_on() {
    let empty = tempfile::tempdir().unwrap();
    let service = Service::start_with(empty.path(), &[]);
    let client = service.client();
    assert!(client.get("/readyz").failed(Code::Unavailable).contains("tts"));
    client.get("/tts/voices").failed(Code::Unavailable);
    assert_eq!(client.get("/healthz").status, 200);
}

#[test]
fn requests_in_flight_end_before_the_process_does() {
    let mut service = Service::start(&[]);
    let body = json!({"text": declaration::text(Language::English), "language": "en"}).to_string();
    let mut socket = TcpStream::connect(service.socket()).unwrap();
    let head = format!(
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all((head + &body).as_bytes()).unwrap();
    let mut received = vec![0; 1024];
    socket.read_exact(&mut received).unwrap();
    service.terminate();
    socket.read_to_end(&mut received).unwrap();
    let end = received.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let head = std::str::from_utf8(&received[..end]).unwrap();
    let length: usize = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(received.len() - end, length, "the stream was cut off");
    assert!(service.wait().success());
    assert!(TcpStream::connect(service.socket()).is_err(), "still listening");
}

/// A balancer asks every other moment: it must hear that the service is going before connections are refused.
#[test]
fn readiness_fails_before_the_door_is_shut() {
    let mut service = Service::start(&["--leave-seconds", "2"]);
    let client = service.client();
    assert_eq!(client.get("/readyz").status, 200);
    service.terminate();
    wait_for("readiness to fail", || {
        (client.get("/readyz").status == 503).then_some(())
    });
    assert_eq!(
        Client::new(&service.address).get("/healthz").status,
        200,
        "a new connection"
    );
    assert_eq!(client.get("/tts/languages").status, 200, "what still comes is answered");
    assert!(service.wait().success());
    assert!(TcpStream::connect(service.socket()).is_err(), "still listening");
}

/// The signal is heard from the beginning: before anything is compiled, and by the first process of a container, too.
#[test]
fn a_signal_ends_it_while_it_starts() {
    let cache = tempfile::tempdir().unwrap();
    let mut host = Command::new(given("QUARTET_HOST"))
        .args(["serve", "--listen", "127.0.0.1:0", "--components"])
        .arg(given("QUARTET_COMPONENTS"))
        // Nothing is compiled yet, so it is not ready for some seconds.
        .arg("--cache")
        .arg(cache.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(host.stderr.take().unwrap()).lines();
    let calibrated = log
        .by_ref()
        .any(|line| line.is_ok_and(|line| line.contains("calibrated")));
    assert!(calibrated, "it logs that it begins");
    let asked = Command::new("kill")
        .args(["-s", "TERM", &host.id().to_string()])
        .status();
    assert!(asked.unwrap().success());
    let rest: Vec<_> = log.map_while(Result::ok).collect();
    assert!(host.wait().unwrap().success(), "{rest:?}");
    let mut printed = String::new();
    host.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!(printed, "", "it never listened");
    assert!(rest.iter().any(|line| line.contains("before it served")), "{rest:?}");
}

#[test]
fn http_2_is_spoken_too() {
    let service = Service::start(&[]);
    let output = Command::new("curl")
        .args([
            "-s",
            "--http2-prior-knowledge",
            "-w",
            "%{http_version} %{http_code}",
            "-o",
            "/dev/null",
        ])
        .arg(format!("{}/api/v1/tts/languages", service.address))
        .output()
        .expect("curl is there");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 200");
}

#[test]
fn settings_that_cannot_be_used_end_the_start_with_a_reason() {
    for (flags, part) in [
        (&["--listen", "0.0.0.0:0"][..], "allow_public"),
        (&["--listen", "nowhere"], "`listen`"),
        (&["--memory-bytes", "much"], "`memory_bytes`"),
        (&["--no-such-flag"], "no-such-flag"),
        (&["--config", "/does/not/exist.toml"], "/does/not/exist.toml"),
    ] {
        let output = Command::new(given("QUARTET_HOST"))
            .arg("serve")
            .args(flags)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(part), "{flags:?}: {message}");
    }
}

#[test]
fn help_lists_every_limit_with_its_default() {
    let output = Command::new(given("QUARTET_HOST"))
        .args(["serve", "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&output.stdout);
    let output = Command::new(given("QUARTET_HOST"))
        .args(["config", "--format", "json"])
        .output()
        .unwrap();
    let settings: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let limits: Vec<_> = settings
        .iter()
        .filter(|setting| setting["section"] == "Limits")
        .collect();
    assert_eq!(limits.len(), 41);
    for limit in limits {
        let name = limit["setting"].as_str().unwrap();
        assert_eq!(limit["source"], "default", "{name}");
        assert!(help.contains(&format!("--{} <", name.replace('_', "-"))), "{name}");
        assert!(help.contains(&format!("[default: {}]", limit["value"])), "{name}");
    }
}
