//! Pages of other origins: kept away by default, let in by name.

use quartet_api::Code;
use quartet_tests::{Reply, Service};

const ASKS: &[(&str, &str)] = &[
    ("access-control-request-method", "POST"),
    ("access-control-request-headers", "authorization,content-type"),
];

fn preflight(service: &Service, origin: &str) -> Reply {
    let headers: Vec<_> = [("origin", origin)].iter().chain(ASKS).copied().collect();
    service.client().method_with("OPTIONS", "/tts/stream", &headers)
}

fn allowed(reply: &Reply) -> Option<&str> {
    reply.header("access-control-allow-origin")
}

#[test]
fn by_default_no_origin_is_let_in() {
    let service = Service::start(&[]);
    preflight(&service, "https://a.example").failed(Code::MethodNotAllowed);
    let reply = service
        .client()
        .get_with("/tts/voices", &[("origin", "https://a.example")]);
    assert_eq!(reply.status, 200);
    assert_eq!((allowed(&reply), reply.header("vary")), (None, None));
    assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
}

#[test]
fn listed_origins_are_let_in_and_others_are_not() {
    let service = Service::start(&[
        "--cors-origins",
        "https://a.example,http://localhost:3000",
        "--requests-per-minute",
        "2",
    ]);
    let reply = preflight(&service, "http://localhost:3000");
    assert_eq!((reply.status, reply.body.len()), (204, 0));
    assert_eq!(allowed(&reply), Some("http://localhost:3000"));
    assert_eq!(reply.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
    assert!(
        reply
            .header("access-control-allow-headers")
            .unwrap()
            .contains("authorization")
    );
    assert_eq!(reply.header("access-control-max-age"), Some("7200"));
    assert!(reply.header("access-control-allow-credentials").is_none());
    assert_eq!(reply.header("ratelimit"), None, "a browser's questions are not counted");
    let refused = preflight(&service, "https://b.example");
    refused.failed(Code::Forbidden);
    assert_eq!(allowed(&refused), None);

    let from = |origin| service.client().get_with("/tts/voices", &[("origin", origin)]);
    let reply = from("https://a.example");
    assert_eq!(allowed(&reply), Some("https://a.example"));
    assert_eq!(reply.header("vary"), Some("origin"));
    let exposed = reply.header("access-control-expose-headers").unwrap();
    for name in [
        "ratelimit",
        "retry-after",
        "x-request-id",
        "server-timing",
        "x-quartet-component",
    ] {
        assert!(exposed.split(", ").any(|header| header == name), "{name}");
    }
    assert_eq!(allowed(&from("https://b.example")), None);
    // A page must be able to read why it was refused, too.
    let reply = from("https://a.example");
    reply.failed(Code::RateLimited);
    assert_eq!(allowed(&reply), Some("https://a.example"));
}

#[test]
fn all_origins_can_be_let_in() {
    let service = Service::start(&["--cors-origins", "*"]);
    assert_eq!(preflight(&service, "https://a.example").status, 204);
    let reply = service
        .client()
        .get_with("/tts/voices", &[("origin", "https://a.example")]);
    assert_eq!(allowed(&reply), Some("*"));
    assert_eq!(reply.header("cross-origin-resource-policy"), Some("cross-origin"));
}
