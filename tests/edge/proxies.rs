//! Clients behind proxies: nobody's word is taken but that of the proxies that are named.

use quartet_api::Code;
use quartet_tests::{Reply, Service};
use serde_json::json;

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

/// Whoever serves a neighbouring name, or the same one without TLS, can set a cookie for this one, and would then share what
/// is kept for its users.
#[test]
fn over_https_a_session_has_a_cookie_that_nobody_else_can_set() {
    let service = Service::start(&["--trusted-proxies", "127.0.0.1", "--language-model", "off"]);
    let ask = |headers: &[(&str, &str)]| {
        let sent = [
            &[("content-type", "application/json"), ("accept-language", "en")],
            headers,
        ]
        .concat();
        let body = json!({"message": "What is 2 + 2?"}).to_string();
        service.client().post_with("/chat", &sent, body.as_bytes())
    };
    let cookie = |headers: &[(&str, &str)]| ask(headers).header("set-cookie").map(str::to_owned);
    let https = ("x-forwarded-proto", "https");
    let set = cookie(&[https]).expect("a session begins");
    assert!(
        set.starts_with("__Host-quartet_session=") && set.ends_with("; Path=/; Secure; HttpOnly; SameSite=Lax"),
        "{set}"
    );
    let pair = set.split(';').next().expect("a pair");
    assert_eq!(cookie(&[https, ("cookie", pair)]), None, "the session goes on");
    let plain = pair.strip_prefix("__Host-").expect("a prefix");
    for planted in [plain, "__Host-quartet_session=chosen-by-a-stranger"] {
        let other = cookie(&[https, ("cookie", planted)]).expect("another session begins");
        assert!(!other.contains(planted), "{other}");
    }
    let set = cookie(&[("x-forwarded-proto", "http")]).expect("a session begins");
    assert!(set.starts_with("quartet_session=") && !set.contains("Secure"), "{set}");
}

#[test]
fn a_session_has_a_name_that_nobody_guesses() {
    let service = Service::start(&["--language-model", "off"]);
    let ask = |name: &str| {
        let headers = [("content-type", "application/json"), ("x-session-id", name)];
        service.client().post_with(
            "/chat",
            &headers,
            json!({"message": "What is 2 + 2?"}).to_string().as_bytes(),
        )
    };
    for short in ["1", "mine", "fifteen-letters"] {
        let sentence = ask(short).failed(Code::InvalidField);
        assert!(
            sentence.contains("X-Session-Id") && sentence.contains("16 to 128"),
            "{sentence}"
        );
    }
    assert_eq!(ask("01a204ae5d0773a1a4c27d17171682f1").status, 200);
}
