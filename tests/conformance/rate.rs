//! The rate limit: 100 requests a minute for each client.

use quartet_api::Code;
use quartet_tests::Service;

#[test]
fn the_hundred_and_first_request_in_a_minute_waits() {
    let service = Service::start(&[]);
    let client = service.client();
    for left in (0..100).rev() {
        let reply = client.get("/tts/voices");
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("ratelimit-policy"), Some("\"default\";q=100;w=60"));
        let standing = reply.header("ratelimit").unwrap();
        assert!(standing.starts_with(&format!("\"default\";r={left};t=")), "{standing}");
    }
    let reply = client.get("/tts/voices");
    reply.failed(Code::RateLimited);
    assert_eq!(reply.status, 429);
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(
        reply.header("ratelimit"),
        Some(format!("\"default\";r=0;t={wait}").as_str())
    );
    // Whether the service lives and can answer is not counted.
    assert_eq!(client.get("/healthz").status, 200);
    assert_eq!(client.get("/readyz").status, 200);
}

#[test]
fn refused_requests_are_counted_too() {
    let service = Service::start(&["--requests-per-minute", "2"]);
    let client = service.client();
    client.get("/api/v1/nothing").failed(Code::NotFound);
    client.get("/api/v1/nothing").failed(Code::NotFound);
    client.get("/tts/voices").failed(Code::RateLimited);
}
