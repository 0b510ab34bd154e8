//! Limits at the edge: kept by the host, or by a component where the host is another one.

use quartet_api::Code;
use quartet_api::session::CLIENT_HEADER;
use serde_json::json;

use crate::{FEW, Tested, pdf, running, tested};

fn limited() -> Tested {
    running("QUARTET_LIMITED_URL", FEW)
}

#[test]
fn one_request_more_than_a_minute_has_waits() {
    let tested = limited();
    let few: u64 = FEW.parse().unwrap();
    let standing = || {
        let reply = tested.client.get("/tts/voices");
        assert_eq!(reply.status, 200);
        assert_eq!(
            reply.header("ratelimit-policy"),
            Some(format!("\"default\";q={few};w=60").as_str())
        );
        let (_, left) = reply.header("ratelimit").unwrap().split_once("r=").unwrap();
        left.split(';').next().unwrap().parse::<u64>().unwrap()
    };
    let first = standing();
    // Whoever started the service may have asked whether it is there.
    assert!((1..few).contains(&first), "{first}");
    for left in (0..first).rev() {
        assert_eq!(standing(), left);
    }
    let reply = tested.client.get("/tts/voices");
    let sentence = reply.failed(Code::RateLimited);
    assert!(sentence.contains(FEW), "{sentence}");
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
}

#[test]
fn a_sensible_name_of_a_request_is_kept_and_another_is_not() {
    let tested = tested();
    let client = &tested.client;
    let id = |name: &str| {
        let reply = client.get_with("/tts/voices", &[("x-request-id", name)]);
        reply.header("x-request-id").unwrap().to_owned()
    };
    assert_eq!(id("my-id.7"), "my-id.7");
    let made = id("not a sensible name");
    assert!(made.len() >= 16 && made != id("not a sensible name"), "{made}");
}

#[test]
fn no_client_says_for_the_host_who_it_is() {
    let tested = tested();
    let client = &tested.client;
    let session = ("x-session-id", "limits-of-the-suite");
    let forged = [session, (CLIENT_HEADER, "key/1f")];
    pdf::send(client, "/pdf/extract-text", "pdf", &pdf::mill(), &forged).data();
    // Had it been believed, the document would be that key's alone.
    let answer = pdf::ask(
        client,
        "/pdf/chat",
        &json!({"message": "Who built the mill?"}),
        &[session],
    );
    assert_eq!(answer.status, 200, "{}", answer.json());
}
