//! The access log.

use quartet_tests::Service;
use serde_json::{Value, json};

use crate::leave_a_stream;

fn line(service: &Service, parts: &[&str]) -> Value {
    serde_json::from_str(&service.wait_for_log(parts)).expect("a line is a JSON document")
}

#[test]
fn a_line_says_what_was_asked_who_answered_and_what_it_took() {
    let service = Service::start(&[]);
    let headers = [
        ("x-request-id", "r-1"),
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"),
    ];
    service.client().get_with("/tts/voices", &headers);
    let line = line(&service, &["\"r-1\"", "answered"]);
    assert_eq!(line["status"], 200);
    assert_eq!(line["operation"], "/api/v1/tts/voices");
    assert_eq!(line["trace"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(line["version"].as_str().map(str::len), Some(12));
    for number in ["ms", "head_ms", "queue_ms", "fuel", "memory", "bytes"] {
        assert!(line[number].is_number(), "{number}: {line}");
    }
    assert!(line["head_ms"].as_f64() <= line["ms"].as_f64());
}

#[test]
fn a_client_that_leaves_is_no_failure_of_the_service() {
    let service = Service::start(&[]);
    leave_a_stream(&service);
    let line = line(&service, &["client left"]);
    assert_eq!((&line["level"], &line["status"]), (&json!("INFO"), &json!(200)));
    // What it cost is known when the sandbox has heard of it.
    let id = line["id"].as_str().unwrap();
    let late = service.wait_for_log(&[id, "\"fuel\":", "\"memory\":"]);
    assert!(!late.contains("\"fuel\":0"), "{late}");
    let page = String::from_utf8(service.client().get("/metrics").body).unwrap();
    assert!(
        page.contains("quartet_request_fuel_count{operation=\"tts/stream\"} 1"),
        "{page}"
    );
}

#[test]
fn probes_are_quiet_while_they_go_well() {
    let service = Service::start(&["--log", "info"]);
    let client = service.client();
    client.get_with("/healthz", &[("x-request-id", "probe-1")]);
    client.get_with("/metrics", &[("x-request-id", "probe-2")]);
    client.get_with("/tts/voices", &[("x-request-id", "probe-3")]);
    client.method("PUT", "/healthz");
    service.wait_for_log(&["\"status\":405", "/healthz"]);
    let log = service.log();
    assert!(
        log.contains("probe-3") && !log.contains("probe-1") && !log.contains("probe-2"),
        "{log}"
    );
}
