//! Bad input: each with its own code and a sentence that names the field.

use quartet_api::Code;
use quartet_tests::wait::PATIENCE;
use serde_json::json;

use crate::tested;

const SPEECH: [&str; 2] = ["/tts/generate", "/tts/stream"];

#[test]
fn fields_with_wrong_values_are_named() {
    let tested = tested();
    let cases = [
        (json!({}), Code::MissingField, "`text`"),
        (json!({"language": "en"}), Code::MissingField, "`text`"),
        (json!({"text": 5}), Code::InvalidField, "`text`"),
        (json!({"text": null}), Code::InvalidField, "`text`"),
        (json!({"text": ["a"]}), Code::InvalidField, "`text`"),
        (json!({"text": {"a": 1}}), Code::InvalidField, "`text`"),
        (
            json!({"text": "a", "language": "xx"}),
            Code::InvalidField,
            "en, hi, es, fr, de, it, pt, ru, ja, zh, ko, ar",
        ),
        (json!({"text": "a", "language": ""}), Code::InvalidField, "`language`"),
        (
            json!({"text": "a", "language": "Klingon"}),
            Code::InvalidField,
            "`language`",
        ),
        (json!({"text": "a", "language": 1}), Code::InvalidField, "`language`"),
        (
            json!({"text": "a", "voice": "Puck"}),
            Code::InvalidField,
            "Kore, Phoebe, Charon, Fenrir, Aoede",
        ),
        (json!({"text": "a", "voice": true}), Code::InvalidField, "`voice`"),
        (json!([{"text": "a"}]), Code::InvalidJson, "JSON object"),
        (json!("text"), Code::InvalidJson, "JSON object"),
    ];
    for path in SPEECH {
        for (body, code, part) in &cases {
            let sentence = tested.client.post(path, body).failed(*code);
            assert!(sentence.contains(part), "{path} {body}: {sentence}");
        }
    }
}

#[test]
fn what_is_no_json_is_refused_with_the_place() {
    let tested = tested();
    let cases: [(&[u8], &str); 7] = [
        (b"", "empty"),
        (b"{\"text\": \"a\"", "line 1"),
        (b"{text: 1}", "line 1"),
        (b"{\"text\":\"\\ud800\"}", "hex escape"),
        (b"{\"text\":\"\\udc00 a\"}", "surrogate"),
        (b"{\"text\":\"\xff\xfe\"}", "UTF-8"),
        (b"{\"text\":\"a\nb\"}", "control character"),
    ];
    for path in SPEECH {
        for (body, part) in cases {
            let sentence = tested
                .client
                .post_bytes(path, Some("application/json"), body)
                .failed(Code::InvalidJson);
            assert!(sentence.contains(part), "{}: {sentence}", String::from_utf8_lossy(body));
        }
    }
}

#[test]
fn other_content_types_are_refused() {
    let tested = tested();
    for content_type in [
        Some("text/plain"),
        Some("multipart/form-data; boundary=b"),
        Some(""),
        None,
    ] {
        let reply = tested
            .client
            .post_bytes("/tts/generate", content_type, br#"{"text":"a"}"#);
        let sentence = reply.failed(Code::UnsupportedMediaType);
        assert!(sentence.contains("application/json"), "{sentence}");
    }
}

#[test]
fn other_methods_are_refused_with_the_right_one() {
    let tested = tested();
    for (path, allowed) in [
        ("/tts/generate", "POST"),
        ("/tts/stream", "POST"),
        ("/tts/voices", "GET"),
        ("/tts/languages", "GET"),
        ("/tts/info", "GET"),
    ] {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
            .iter()
            .filter(|method| **method != allowed)
        {
            let reply = tested.client.method(method, path);
            reply.failed(Code::MethodNotAllowed);
            assert_eq!(reply.header("allow"), Some(allowed));
        }
    }
}

#[test]
fn unknown_paths_are_refused() {
    let tested = tested();
    for path in [
        "/tts/generate/",
        "/tts/sing",
        "/api/v1/",
        "/api/v2/tts/voices",
        "/api/v1//tts/voices",
        "/index.html",
    ] {
        tested.client.get(path).failed(Code::NotFound);
    }
}

#[test]
fn bodies_over_the_limit_are_refused_whether_they_say_so_or_not() {
    let tested = tested();
    let body = format!("{{\"text\":\"{}\"}}", "a".repeat(11 * 1024 * 1024));
    let refused = raw(tested.socket(), &format!("content-length: {}\r\n", body.len()), &[]);
    assert!(
        refused.starts_with("HTTP/1.1 413 ") && refused.contains("payload_too_large"),
        "{refused}"
    );
    let chunk = format!("{:x}\r\n{body}\r\n", body.len());
    let refused = raw(tested.socket(), "transfer-encoding: chunked\r\n", chunk.as_bytes());
    assert!(
        refused.starts_with("HTTP/1.1 413 ") && refused.contains("payload_too_large"),
        "{refused}"
    );
}

/// Sends a request for speech over a bare socket and reads what comes back until the connection ends.
fn raw(socket: &str, headers: &str, body: &[u8]) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head =
        format!("POST /api/v1/tts/generate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    // The service may have answered and closed before it was sent the whole body.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
