//! Clients behind proxies: nobody's word is taken but that of the proxies that are named.

use quartet_api::Code;
use quartet_tests::{Reply, Service};

fn from(service: &Service, name: &str, value: &str) -> Reply {
    service.client().get_with("/tts/voices", &[(name, value)])
}

#[test]
fn by_default_nobody_is_believed() {
    let service = Service::start(&["--requests-per-minute", "1"]);
    assert_eq!(from(&service, "x-forwarded-for", "192.0.2.1").status, 200);
    from(&service, "x-forwarded-for", "192.0.2.2").failed(Code::RateLimited);
    from(&service, "forwarded", "for=192.0.2.3").failed(Code::RateLimited);
    service.wait_for_log(&["\"client\":\"127.0.0.1\"", "rate_limited"]);
}

#[test]
fn a_trusted_proxy_tells_clients_apart_and_they_cannot_lie() {
    let service = Service::start(&[
        "--requests-per-minute",
        "1",
        "--trusted-proxies",
        "127.0.0.1, 10.0.0.0/8",
    ]);
    let forwarded = |value| from(&service, "x-forwarded-for", value);
    assert_eq!(forwarded("192.0.2.1").status, 200);
    assert_eq!(forwarded("192.0.2.2").status, 200);
    forwarded("192.0.2.1").failed(Code::RateLimited);
    // What a client writes itself stands left of what the proxy adds.
    forwarded("198.51.100.7, 192.0.2.1").failed(Code::RateLimited);
    forwarded("198.51.100.8, 192.0.2.2, 10.1.1.1").failed(Code::RateLimited);
    service.wait_for_log(&["\"client\":\"192.0.2.2\"", "rate_limited"]);
    // The other header is not read: this proxy would pass it on as the client made it up.
    assert_eq!(from(&service, "forwarded", "for=192.0.2.9").status, 200);
    from(&service, "forwarded", "for=192.0.2.10").failed(Code::RateLimited);
}

#[test]
fn forwarded_is_read_where_it_is_the_header() {
    let service = Service::start(&[
        "--requests-per-minute",
        "1",
        "--trusted-proxies",
        "127.0.0.0/8",
        "--proxy-header",
        "forwarded",
    ]);
    assert_eq!(
        from(&service, "forwarded", "for=\"[2001:db8::1]:80\";proto=https").status,
        200
    );
    assert_eq!(from(&service, "forwarded", "for=192.0.2.1").status, 200);
    // One client has the whole /64.
    from(&service, "forwarded", "for=\"[2001:db8::2]\"").failed(Code::RateLimited);
}
