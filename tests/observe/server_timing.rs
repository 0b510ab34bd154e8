//! `Server-Timing`: what a request took, told to its client.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use quartet_tests::Service;
use serde_json::json;

/// The metrics of a header: names with their only parameter, as a number.
fn metrics(header: &str) -> BTreeMap<String, f64> {
    let metric = |metric: &str| {
        let (name, parameter) = metric.trim().split_once(';').expect("a parameter");
        let (key, value) = parameter.split_once('=').expect("a value");
        assert_eq!(
            key,
            if matches!(name, "fuel" | "memory") {
                "desc"
            } else {
                "dur"
            }
        );
        (name.to_owned(), value.trim_matches('"').parse().expect("a number"))
    };
    header.split(',').map(metric).collect()
}

fn names(metrics: &BTreeMap<String, f64>) -> Vec<&str> {
    metrics.keys().map(String::as_str).collect()
}

/// Everything that is known when the sandbox has ended.
const ALL: [&str; 5] = ["fuel", "guest", "memory", "queue", "total"];

#[test]
fn a_quick_answer_says_all_in_its_head() {
    let service = Service::start(&[]);
    let reply = service.client().get("/tts/languages");
    let metrics = metrics(reply.header("server-timing").expect("it is there"));
    assert_eq!(names(&metrics), ALL);
    assert!(metrics["fuel"] > 1_000.0 && metrics["memory"] > 65_536.0);
    assert!(metrics["guest"] <= metrics["total"]);
    assert!(service.client().get("/healthz").header("server-timing").is_none());
}

#[test]
fn a_long_answer_says_the_rest_in_a_trailer_where_the_client_takes_trailers() {
    let service = Service::start(&[]);
    let body = json!({"text": "A sentence of some words. ".repeat(50), "language": "en"}).to_string();
    let ask = |te: &str| {
        let mut socket = TcpStream::connect(service.socket()).unwrap();
        write!(
            socket,
            "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\n{te}connection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        answer
    };
    let answer = ask("te: trailers\r\n");
    let text = String::from_utf8_lossy(&answer);
    let (head, rest) = text.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("trailer: server-timing") && head.contains("transfer-encoding: chunked"),
        "{head}"
    );
    let (_, trailers) = rest.rsplit_once("\r\n0\r\n").expect("the last chunk");
    let value = trailers.trim().strip_prefix("server-timing: ").expect("the trailer");
    assert_eq!(names(&metrics(value)), ALL);

    // Who does not ask keeps the exact size, and gets the times so far.
    let answer = ask("");
    let text = String::from_utf8_lossy(&answer);
    let (head, _) = text.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("content-length: ") && !head.contains("trailer:"),
        "{head}"
    );
    let so_far = head
        .lines()
        .find_map(|line| line.strip_prefix("server-timing: "))
        .unwrap();
    assert_eq!(names(&metrics(so_far)), ["guest", "queue", "total"]);
}

#[test]
fn http_2_has_a_place_for_trailers() {
    let service = Service::start(&[]);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (head, body) = runtime.block_on(async {
        let socket = tokio::net::TcpStream::connect(service.socket()).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(socket))
                .await
                .unwrap();
        tokio::spawn(connection);
        let body = json!({"text": "A sentence of some words. ".repeat(50), "language": "en"}).to_string();
        let request = Request::post(format!("{}/api/v1/tts/stream", service.address))
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))
            .unwrap();
        let (head, body) = sender.send_request(request).await.unwrap().into_parts();
        (head, body.collect().await.unwrap())
    });
    let trailers = body.trailers().expect("trailers").clone();
    assert_eq!(names(&metrics(trailers["server-timing"].to_str().unwrap())), ALL);
    let length: usize = head.headers["content-length"].to_str().unwrap().parse().unwrap();
    assert_eq!(body.to_bytes().len(), length);
}
