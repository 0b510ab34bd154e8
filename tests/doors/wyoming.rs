//! The Wyoming listener: by the package `wyoming`, by Home Assistant's own code, and by hand with what no client sends.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use quartet_tests::Service;
use quartet_tests::skip::not_run;
use quartet_tests::wait::until;
use quartet_tests::wyoming::Wyoming;
use serde_json::json;

use crate::keys::with_keys;
use crate::start;

const LISTEN: [&str; 2] = ["--wyoming-listen", "127.0.0.1:0"];

fn service(flags: &[&str]) -> Service {
    let all: Vec<_> = LISTEN.iter().chain(flags).copied().collect();
    start(&all)
}

/// Runs a program of Python against a service, and checks that it says that all is well.
fn check(python: &Path, program: &str, service: &Service, wheel: Option<&Path>) {
    let mut command = Command::new(python);
    command
        .args(["-c", program])
        .env("QUARTET_ADDRESS", &service.address)
        .env("QUARTET_WYOMING", Wyoming::address(service));
    if let Some(wheel) = wheel {
        command.env("QUARTET_HOME_ASSISTANT", wheel);
    }
    let output = command.output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{problem}");
    assert!(text.trim_end().ends_with("all is well"), "{text}{problem}");
}

#[test]
fn the_package_wyoming() {
    let Some(python) = std::env::var_os("QUARTET_OPENAI_PYTHON") else {
        return not_run(
            "the_package_wyoming",
            "QUARTET_OPENAI_PYTHON does not say where the packages are",
        );
    };
    let service = service(&["--language-model", "off"]);
    check(
        Path::new(&python),
        include_str!("packages/wyoming_package.py"),
        &service,
        None,
    );
    let page = String::from_utf8(service.client().get("/metrics").body).expect("text");
    for line in [
        "operation=\"wyoming/synthesize\",status=\"200\"",
        "operation=\"wyoming/synthesize\",status=\"400\"",
        "operation=\"wyoming/transcript\",status=\"200\"",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
}

#[test]
fn home_assistants_own_code() {
    let name = "home_assistants_own_code";
    let places = ["QUARTET_OPENAI_PYTHON", "QUARTET_HOME_ASSISTANT"].map(std::env::var_os);
    let [Some(python), Some(wheel)] = places else {
        return not_run(name, "QUARTET_HOME_ASSISTANT does not say where its wheel is");
    };
    let service = service(&["--language-model", "off"]);
    let program = include_str!("packages/home_assistant.py");
    check(Path::new(&python), program, &service, Some(Path::new(&wheel)));
}

#[test]
fn it_is_found_on_the_network_and_says_goodbye() {
    let name = "it_is_found_on_the_network_and_says_goodbye";
    let Some(python) = std::env::var_os("QUARTET_OPENAI_PYTHON") else {
        return not_run(name, "QUARTET_OPENAI_PYTHON does not say where the packages are");
    };
    let routes = std::fs::read_to_string("/proc/net/route").unwrap_or_default();
    if routes.lines().count() < 2 {
        return not_run(name, "this machine has no network");
    }
    let mut service = start(&["--wyoming-listen", "0.0.0.0:0"]);
    service.wait_for_log(&["the Wyoming listener is announced"]);
    let address = Wyoming::address(&service);
    let port = address.rsplit(':').next().expect("a port");
    let mut browser = Command::new(python)
        .args(["-c", include_str!("packages/zeroconf_browser.py"), port])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(browser.stdout.take().expect("its output")).lines();
    let mut told = || lines.next().expect("a line").expect("text");
    let came = told();
    assert!(came.starts_with("came quartet-"), "{came}");
    let address = came.split_whitespace().nth(2).expect("an address");
    let mut found = Wyoming::to(&format!("{address}:{port}"));
    found.send("ping", &json!({"text": "found"}));
    assert_eq!(found.expect("pong").data["text"], "found");
    drop(found);
    service.terminate();
    let went = told();
    assert!(went.starts_with("went quartet-"), "{went}");
    assert!(service.wait().success());
    drop(browser.stdin.take());
    assert!(browser.wait().expect("its end").success());
}

#[test]
fn what_is_no_event_is_told_so_and_ends_the_connection() {
    let service = service(&[]);
    let address = Wyoming::address(&service);
    let long = format!("{{\"type\":\"{}\"}}\n", "x".repeat(70_000));
    let endless = "x".repeat(100_000);
    for (bytes, code) in [
        (
            "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n{\"type\":\"describe\"}\n",
            "invalid_json",
        ),
        ("\x16\x03\x01\0\n", "invalid_json"),
        ("\n", "invalid_json"),
        ("[]\n", "invalid_json"),
        ("{\"type\":\"describe\",\"data_length\":-5}\n", "invalid_json"),
        ("{\"type\":\"describe\",\"data_length\":1e300}\n", "invalid_json"),
        (
            "{\"type\":\"synthesize\",\"data_length\":300000}\n",
            "payload_too_large",
        ),
        (
            "{\"type\":\"audio-chunk\",\"payload_length\":99999999999}\n",
            "payload_too_large",
        ),
        ("{\"type\":\"synthesize\",\"data_length\":3}\n{x}", "invalid_json"),
        ("{\"type\":\"synthesize\",\"data\":{\"text\":[1]}}\n", "invalid_json"),
        ("{\"type\":\"synthesize\",\"data\":{}}\n", "missing_field"),
        (&long, "payload_too_large"),
        (&endless, "payload_too_large"),
    ] {
        let mut client = Wyoming::to(&address);
        client.send_bytes(bytes.as_bytes());
        let error = client.expect("error").data;
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(client.receive(), None);
    }
    // Nothing of it kept anybody from anything.
    let mut client = Wyoming::to(&address);
    client.send_bytes(b"{\"type\": \"describe\"}\n");
    client.finish();
    assert_eq!(client.expect("info").data["tts"][0]["name"], "Quartet");
    assert_eq!(client.receive(), None);
}

#[test]
fn who_says_nothing_or_half_of_something_is_not_waited_for() {
    let service = service(&["--idle-seconds", "1"]);
    let address = Wyoming::address(&service);
    let mut silent = Wyoming::to(&address);
    let mut slow = Wyoming::to(&address);
    slow.send_bytes(b"{\"type\":\"synthesize\",\"data_length\":100}\n{\"te");
    assert_eq!(silent.receive(), None);
    assert_eq!(slow.expect("error").data["code"], "request_timeout");
    assert_eq!(slow.receive(), None);
}

#[test]
fn a_text_that_goes_on_is_waited_for_longer() {
    let service = service(&["--idle-seconds", "1"]);
    let mut client = Wyoming::connect(&service);
    let mut other = Wyoming::connect(&service);
    client.send("synthesize-start", &json!({"voice": {"name": "en-Kore"}}));
    // By then an idle one would be closed.
    assert_eq!(other.receive(), None);
    client.send("synthesize-chunk", &json!({"text": "The lamp is on. The door"}));
    assert!(!client.speech().is_empty());
    client.send("synthesize-stop", &json!({}));
    assert!(!client.speech().is_empty());
    client.expect("synthesize-stopped");
}

#[test]
fn who_takes_nothing_is_dropped() {
    let service = service(&["--stall-seconds", "1"]);
    let mut client = Wyoming::connect(&service);
    client.send(
        "synthesize",
        &json!({"text": "All human beings are born free. ".repeat(2_000), "voice": {"name": "en-Kore"}}),
    );
    client.expect("audio-start");
    service.wait_for_log(&["wyoming/synthesize", "client left"]);
}

#[test]
fn a_client_that_leaves_ends_its_speech() {
    let service = service(&[]);
    let mut client = Wyoming::connect(&service);
    client.send(
        "synthesize",
        &json!({"text": "All human beings are born free. ".repeat(5_000)}),
    );
    client.expect("audio-start");
    drop(client);
    service.wait_for_log(&["wyoming/synthesize", "client left"]);
}

#[test]
fn idle_connections_make_room() {
    let service = service(&[]);
    let address = Wyoming::address(&service);
    let idle: Vec<_> = (0..150).map(|_| Wyoming::to(&address)).collect();
    let mut client = Wyoming::to(&address);
    client.send("ping", &json!({"text": "room"}));
    assert_eq!(client.expect("pong").data["text"], "room");
    drop(idle);
}

#[test]
fn requests_count_towards_the_rate_and_a_text_in_pieces_is_one() {
    let service = Service::start(&["--wyoming-listen", "127.0.0.1:0", "--requests-per-minute", "2"]);
    let mut client = Wyoming::connect(&service);
    client.send("synthesize-start", &json!({"voice": {"name": "en-Kore"}}));
    client.send(
        "synthesize-chunk",
        &json!({"text": "The lamp is on. The door is open. It rains. "}),
    );
    client.send("synthesize-stop", &json!({}));
    for _ in 0..3 {
        assert!(!client.speech().is_empty());
    }
    client.expect("synthesize-stopped");
    client.send("transcript", &json!({"text": "What is 2 + 2?"}));
    for kind in ["handled-start", "handled-chunk", "handled", "handled-stop"] {
        client.expect(kind);
    }
    client.send("transcript", &json!({"text": "What is 2 + 2?"}));
    let refused = client.expect("not-handled").data;
    assert!(
        refused["text"].as_str().expect("a text").contains("2 requests"),
        "{refused}"
    );
    client.send("describe", &json!({}));
    client.expect("info");
    client.send("synthesize", &json!({"text": "Hello."}));
    assert_eq!(client.expect("error").data["code"], "rate_limited");
    assert_eq!(client.receive(), None);
    assert_eq!(service.client().get("/api/v1/tts/voices").status, 429, "it is one rate");
}

#[test]
fn keys_are_not_asked_for_and_addresses_are() {
    let (service, _folder, _) = with_keys(&LISTEN);
    assert_eq!(service.client().get("/v1/models").status, 401);
    let mut client = Wyoming::connect(&service);
    client.send("transcript", &json!({"text": "What is 2 + 2?"}));
    client.expect("handled-start");

    let service = self::service(&["--wyoming-clients", "192.0.2.0/24"]);
    let mut client = Wyoming::connect(&service);
    assert_eq!(client.expect("error").data["code"], "forbidden");
    assert_eq!(client.receive(), None);
    service.wait_for_log(&["not let in by the Wyoming listener", "WARN"]);
}

#[test]
fn what_was_begun_ends_before_the_service_does() {
    let mut service = service(&[]);
    let address = Wyoming::address(&service);
    let mut idle = Wyoming::to(&address);
    let mut client = Wyoming::to(&address);
    client.send("synthesize-start", &json!({"voice": {"name": "en-Kore"}}));
    client.send("synthesize-chunk", &json!({"text": "The lamp is on. The door"}));
    assert!(!client.speech().is_empty());
    service.terminate();
    assert_eq!(idle.receive(), None);
    until("nobody is let in any more", || {
        std::net::TcpStream::connect(&address).is_err()
    });
    client.send("synthesize-stop", &json!({}));
    assert!(!client.speech().is_empty());
    client.expect("synthesize-stopped");
    assert_eq!(client.receive(), None);
    assert!(service.wait().success());
}
