//! Heads that are too long: told so in our shape as far as the HTTP library lets us see them.

use quartet_api::Code;
use quartet_tests::Service;

use crate::raw;

#[test]
fn long_addresses_and_large_heads_are_named() {
    let service = Service::start(&[]);
    let client = service.client();
    let sentence = client
        .get(&format!("/api/v1/{}", "x".repeat(9_000)))
        .failed(Code::UriTooLong);
    assert!(sentence.contains("8192"), "{sentence}");
    client
        .get(&format!("/healthz?{}", "x".repeat(9_000)))
        .failed(Code::UriTooLong);
    client
        .get_with("/tts/voices", &[("x-large", "v".repeat(33_000).as_str())])
        .failed(Code::HeadersTooLarge);
    let names: Vec<_> = (0..70).map(|number| format!("x-{number}")).collect();
    let many: Vec<_> = names.iter().map(|name| (name.as_str(), "v")).collect();
    client.get_with("/tts/voices", &many).failed(Code::HeadersTooLarge);
    assert_eq!(client.get_with("/tts/voices", &many[..50]).status, 200);
}

/// Beyond what the HTTP library takes, it answers itself: with the status alone.
#[test]
fn what_is_not_even_looked_at_gets_the_status() {
    let service = Service::start(&[]);
    for (request, status) in [
        (raw::get(&format!("/{}", "x".repeat(70_000)), ""), &[414, 431][..]),
        (
            raw::get("/healthz", &format!("x-large: {}\r\n", "v".repeat(70_000))),
            &[431],
        ),
        (raw::get("/healthz", &"x-many: v\r\n".repeat(150)), &[431]),
        ("NOT HTTP AT ALL\r\n\r\n".to_owned(), &[400]),
    ] {
        let mut socket = raw::connect(&service, 1);
        let answer = raw::ask(&mut socket, &request).expect("an answer");
        assert!(status.contains(&answer.status), "{answer:?}");
        raw::drain(&mut socket);
    }
    assert_eq!(service.client().get("/healthz").status, 200);
}
