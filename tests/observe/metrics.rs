//! `/metrics`: valid, true and bounded.

use std::collections::{BTreeMap, HashSet};

use prometheus_parse::{Scrape, Value};
use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::wait::wait_for;
use serde_json::json;

use crate::leave_a_stream;

/// The page, read by a parser that is not ours.
fn scrape(service: &Service) -> Scrape {
    let reply = service.client().get("/metrics");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4"));
    let text = String::from_utf8(reply.body).unwrap();
    Scrape::parse(text.lines().map(|line| Ok(line.to_owned()))).unwrap()
}

/// The sum of a counter's or gauge's series that have these labels.
fn sum(scrape: &Scrape, name: &str, labels: &[(&str, &str)]) -> f64 {
    let fits = |sample: &&prometheus_parse::Sample| {
        sample.metric == name && labels.iter().all(|(key, value)| sample.labels.get(key) == Some(value))
    };
    let value = |sample: &prometheus_parse::Sample| match sample.value {
        Value::Counter(value) | Value::Gauge(value) | Value::Untyped(value) => value,
        ref other => panic!("{name} is {other:?}"),
    };
    scrape.samples.iter().filter(fits).map(value).sum()
}

#[test]
fn the_page_is_what_prometheus_reads() {
    let service = Service::start(&[]);
    let client = service.client();
    client.get("/tts/voices");
    client.post("/tts/stream", &json!({"text": "Some words."}));
    let page = wait_for("both requests are counted", || {
        let page = scrape(&service);
        (sum(&page, "quartet_requests_total", &[("status", "200")]) >= 2.0).then_some(page)
    });
    let mut seen = HashSet::new();
    for sample in &page.samples {
        assert!(
            seen.insert((sample.metric.clone(), sample.labels.to_string())),
            "{} {} twice",
            sample.metric,
            sample.labels
        );
        let family = sample.metric.trim_end_matches("_sum").trim_end_matches("_count");
        assert!(page.docs.contains_key(family), "{} has no help", sample.metric);
        let Value::Histogram(buckets) = &sample.value else {
            continue;
        };
        let bounds: Vec<_> = buckets.iter().map(|bucket| bucket.less_than).collect();
        assert!(
            bounds.is_sorted() && bounds.last() == Some(&f64::INFINITY),
            "{}",
            sample.metric
        );
        assert!(buckets.is_sorted_by(|a, b| a.count <= b.count), "{}", sample.metric);
    }
    for (name, least) in [
        ("process_resident_memory_bytes", 1e6),
        ("quartet_process_private_memory_bytes", 1e5),
        ("process_start_time_seconds", 1.6e9),
        ("process_cpu_seconds_total", 0.0),
        ("quartet_build_info", 1.0),
        ("quartet_component_serving", 1.0),
        ("quartet_open_connections", 1.0),
    ] {
        assert!(page.docs.contains_key(name), "{name} is not there");
        assert!(sum(&page, name, &[]) >= least, "{name}");
    }
}

#[test]
fn requests_are_counted_by_operation_status_and_version() {
    let service = Service::start(&["--requests-per-minute", "8"]);
    let client = service.client();
    for _ in 0..3 {
        client.get("/tts/voices");
    }
    client
        .post("/tts/generate", &json!({"text": 7}))
        .failed(Code::InvalidField);
    for path in ["/api/v1/a", "/api/v1/b", "/api/v1/c"] {
        client.get(path).failed(Code::NotFound);
    }
    client.method("DELETE", "/tts/voices").failed(Code::MethodNotAllowed);
    client.get("/tts/voices").failed(Code::RateLimited);
    let count = |page: &Scrape, operation: &str, status: &str| {
        sum(
            page,
            "quartet_requests_total",
            &[("operation", operation), ("status", status)],
        )
    };
    let page = wait_for("the last request is counted", || {
        let page = scrape(&service);
        (count(&page, "tts/voices", "429") == 1.0).then_some(page)
    });
    assert_eq!(count(&page, "tts/voices", "200"), 3.0);
    assert_eq!(count(&page, "tts/generate", "400"), 1.0);
    assert_eq!(count(&page, "tts/voices", "405"), 1.0);
    assert_eq!(count(&page, "none", "404"), 3.0);
    assert_eq!(sum(&page, "quartet_failures_total", &[("code", "rate_limited")]), 1.0);
    let versions: BTreeMap<_, _> = page
        .samples
        .iter()
        .filter(|sample| sample.metric == "quartet_requests_total")
        .map(|sample| {
            (
                sample.labels.get("version").unwrap().to_owned(),
                sample.labels.to_string(),
            )
        })
        .collect();
    assert_eq!(versions.len(), 2, "one version and `none`: {versions:?}");
    let serving = page
        .samples
        .iter()
        .find(|sample| sample.metric == "quartet_component_serving" && sample.labels.get("capability") == Some("tts"))
        .unwrap();
    assert!(versions.contains_key(serving.labels.get("version").unwrap()));
}

#[test]
fn a_stranger_adds_no_series() {
    let service = Service::start(&["--requests-per-minute", "100000"]);
    let client = service.client();
    let ask = |number: u32| {
        client.get(&format!("/api/v1/{number}"));
        client.get(&format!("/{number}?a={number}"));
        client.method("PATCH", &format!("/healthz?{number}"));
    };
    ask(0);
    let first = scrape(&service).samples.len();
    (1..50).for_each(ask);
    // Asking for the page makes series of its own.
    scrape(&service);
    let later = scrape(&service).samples.len();
    assert!(later < first + 20, "{first} series became {later}");
}

#[test]
fn clients_that_leave_and_answers_that_are_cut_off_are_counted_as_such() {
    let ends = |service: &Service, end: &str| sum(&scrape(service), "quartet_request_ends_total", &[("end", end)]);
    let service = Service::start(&[]);
    leave_a_stream(&service);
    wait_for("a client that left", || {
        (ends(&service, "client_left") == 1.0).then_some(())
    });
    assert_eq!(ends(&service, "cut_off"), 0.0);

    let folder = tempfile::tempdir().unwrap();
    let guest = given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm");
    std::fs::copy(guest, folder.path().join("tts.wasm")).unwrap();
    let service = Service::start_with(folder.path(), &["--respond-seconds", "1"]);
    drop(folder);
    let whole = std::process::Command::new("curl")
        .args(["-s", "-H", "x-misbehave: half-sleep", "-o", "/dev/null"])
        .arg(format!("{}/api/v1/tts/voices", service.address))
        .status()
        .unwrap()
        .success();
    assert!(!whole, "half an answer was taken for a whole one");
    wait_for("an answer that was cut off", || {
        (ends(&service, "cut_off") == 1.0).then_some(())
    });
}

#[test]
fn the_page_can_be_turned_off_and_takes_get_only() {
    let service = Service::start(&["--metrics", "off"]);
    service.client().get("/metrics").failed(Code::NotFound);
    let service = Service::start(&[]);
    let reply = service.client().method("DELETE", "/metrics");
    reply.failed(Code::MethodNotAllowed);
    assert_eq!(reply.header("allow"), Some("GET"));
}
