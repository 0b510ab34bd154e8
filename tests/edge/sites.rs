//! Pages of strangers in the browser of somebody who can reach the service.

use quartet_api::Code;
use quartet_tests::{Client, Reply, Service};

use crate::raw::{ask, connect};

/// A form with a picture, as a browser sends it for any page without asking first.
fn form(client: &Client, headers: &[(&str, &str)]) -> Reply {
    let body = "--x\r\ncontent-disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\nx\r\n--x--\r\n";
    let all = [("content-type", "multipart/form-data; boundary=x")];
    let all: Vec<_> = all.iter().chain(headers).copied().collect();
    client.post_with("/image/analyze", &all, body.as_bytes())
}

fn status(service: &Service, host: &str, path: &str) -> u16 {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    ask(&mut connect(service, 1), &request).expect("an answer").status
}

#[test]
fn a_strangers_name_for_the_service_is_none_of_its_own() {
    let service = Service::start(&[]);
    let path = "/api/v1/tts/voices";
    for host in ["127.0.0.1", "localhost:8080", "[::1]:8080", "quartet"] {
        assert_eq!(status(&service, host, path), 200, "{host}");
    }
    assert_eq!(status(&service, "rebound.example:8080", path), 403);
    assert_eq!(status(&service, "rebound.example:8080", "/metrics"), 403);
    assert_eq!(status(&service, "rebound.example:8080", "/healthz"), 200);

    let named = Service::start(&["--hosts", "ai.example.org"]);
    assert_eq!(status(&named, "ai.example.org", path), 200);
    assert_eq!(status(&named, "rebound.example", path), 403);
    let proxied = Service::start(&["--trusted-proxies", "127.0.0.1"]);
    assert_eq!(status(&proxied, "ai.example.org", path), 200);
}

#[test]
fn a_form_of_a_strangers_page_is_not_taken() {
    let service = Service::start(&[]);
    let client = service.client();
    // What is wrong with the picture is told to whoever may send one.
    form(&client, &[]).failed(Code::UnsupportedMediaType);
    let own = format!("http://{}", service.socket());
    form(&client, &[("origin", &own)]).failed(Code::UnsupportedMediaType);
    for header in [
        ("origin", "https://stranger.example"),
        ("origin", "http://localhost:3000"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
    ] {
        form(&client, &[header]).failed(Code::Forbidden);
    }
    let friendly = Service::start(&["--cors-origins", "https://friend.example"]);
    let client = friendly.client();
    form(&client, &[("origin", "https://friend.example")]).failed(Code::UnsupportedMediaType);
    form(&client, &[("origin", "https://stranger.example")]).failed(Code::Forbidden);
}
