//! Traces: spans as a collector receives them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use quartet_tests::Service;
use quartet_tests::wait::PATIENCE;
use serde_json::{Value, json};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// A collector: answers every document with `status` and hands it on.
fn collector(status: &'static str) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, documents) = channel();
    // Ends with the test's process.
    std::thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(socket);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                if reader.read_line(&mut head).unwrap_or(0) == 0 {
                    break;
                }
            }
            let Some(length) = head.lines().find_map(|line| line.strip_prefix("content-length: ")) else {
                continue;
            };
            assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
            assert!(head.contains("content-type: application/json"), "{head}");
            let mut body = vec![0; length.parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            let socket = reader.get_mut();
            let _ = write!(
                socket,
                "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{{}}"
            );
            if sender.send(serde_json::from_slice(&body).unwrap()).is_err() {
                break;
            }
        }
    });
    (address, documents)
}

/// The spans of the next document.
fn spans(documents: &Receiver<Value>) -> Vec<Value> {
    let document = documents.recv_timeout(PATIENCE).expect("a document");
    let resource = &document["resourceSpans"][0];
    assert_eq!(
        attribute(&resource["resource"], "service.name"),
        json!({"stringValue": "quartet"})
    );
    resource["scopeSpans"][0]["spans"].as_array().unwrap().clone()
}

fn attribute(of: &Value, key: &str) -> Value {
    let attributes = of["attributes"].as_array().expect("attributes");
    let found = attributes.iter().find(|attribute| attribute["key"] == key);
    found.map_or(Value::Null, |attribute| attribute["value"].clone())
}

fn nanoseconds(span: &Value, key: &str) -> u64 {
    span[key].as_str().unwrap().parse().unwrap()
}

#[test]
fn the_callers_trace_goes_on_and_its_flag_is_respected() {
    let (address, documents) = collector("200 OK");
    let service = Service::start(&["--otlp-endpoint", &address]);
    let ask = |flags: &str, id: &str| {
        let parent = format!("00-{TRACE}-{CALLER}-{flags}");
        service
            .client()
            .get_with("/tts/voices", &[("traceparent", &parent), ("x-request-id", id)]);
    };
    ask("00", "not-recorded");
    ask("01", "recorded");
    let spans = spans(&documents);
    assert_eq!(spans.len(), 2, "{spans:?}");
    let (request, sandbox) = (&spans[0], &spans[1]);
    assert_eq!(
        attribute(request, "quartet.request_id"),
        json!({"stringValue": "recorded"})
    );
    assert_eq!(request["name"], "GET /api/v1/tts/voices");
    assert_eq!((&request["kind"], &request["status"]), (&json!(2), &json!({})));
    assert_eq!(
        (&request["traceId"], &request["parentSpanId"]),
        (&json!(TRACE), &json!(CALLER))
    );
    assert_eq!(
        attribute(request, "http.response.status_code"),
        json!({"intValue": "200"})
    );
    assert_eq!(
        (&sandbox["traceId"], &sandbox["parentSpanId"]),
        (&json!(TRACE), &request["spanId"])
    );
    assert_eq!(sandbox["name"], "sandbox tts");
    assert!(attribute(sandbox, "quartet.fuel")["intValue"].is_string(), "{sandbox}");
    let bounds = |span: &Value| {
        (
            nanoseconds(span, "startTimeUnixNano"),
            nanoseconds(span, "endTimeUnixNano"),
        )
    };
    let ((began, ended), (entered, left)) = (bounds(request), bounds(sandbox));
    assert!(
        began <= entered && entered <= left && left <= ended,
        "{request} {sandbox}"
    );
}

#[test]
fn traces_begin_here_where_the_caller_has_none() {
    let (address, documents) = collector("200 OK");
    let service = Service::start(&["--otlp-endpoint", &address]);
    service.client().get("/api/v1/nothing");
    let spans = spans(&documents);
    let [span] = spans.as_slice() else { panic!("{spans:?}") };
    assert_eq!(span["name"], "HTTP", "a stranger cannot choose the names of spans");
    assert_eq!(attribute(span, "error.type"), json!({"stringValue": "not_found"}));
    assert!(span["parentSpanId"].is_null());
    let trace = span["traceId"].as_str().unwrap().to_owned();
    assert_eq!(trace.len(), 32);
    service.wait_for_log(&[&trace, "/api/v1/nothing"]);
}

#[test]
fn the_last_spans_are_sent_before_the_process_ends() {
    let (address, documents) = collector("200 OK");
    let mut service = Service::start(&["--otlp-endpoint", &address]);
    service.client().get("/tts/languages");
    service.wait_for_log(&["answered", "/tts/languages"]);
    service.terminate();
    assert!(service.wait().success());
    assert_eq!(spans(&documents)[0]["name"], "GET /api/v1/tts/languages");
}

#[test]
fn a_collector_that_refuses_is_named_once_and_disturbs_nobody() {
    let (address, documents) = collector("503 Service Unavailable");
    let service = Service::start(&["--otlp-endpoint", &address]);
    for _ in 0..3 {
        assert_eq!(service.client().get("/tts/voices").status, 200);
        documents.recv_timeout(PATIENCE).expect("a document");
    }
    let line = service.wait_for_log(&["traces are lost", &address]);
    assert!(line.contains("503"), "{line}");
    assert_eq!(service.log().matches("traces are lost").count(), 1);
    let page = String::from_utf8(service.client().get("/metrics").body).unwrap();
    assert!(page.contains("quartet_trace_spans_total{outcome=\"failed\"}"), "{page}");
}
