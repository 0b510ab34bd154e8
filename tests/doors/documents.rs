//! Documents for the clients of other services: failures in their form, kinds of files, and what is kept of them.

use quartet_tests::files::{bitmap_file, pdf};
use serde_json::json;

use crate::start;

fn mill() -> Vec<u8> {
    pdf(&[&["The mill of Aldebourne was built in 1742 by Thomas Reed."], &[]])
}

/// A form with one file and other fields.
fn form(file: &[u8], fields: &[(&str, &str)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
    }
    body.extend(b"--b\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a.pdf\"\r\n\r\n");
    body.extend(file);
    body.extend(b"\r\n--b--\r\n");
    body
}

const MULTIPART: (&str, &str) = ("content-type", "multipart/form-data; boundary=b");

#[test]
fn the_form_is_asked_for_by_path_and_header() {
    let service = start(&[]);
    let client = service.client();
    let text = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    let put = |path: &str, accept: &str| client.put_with(path, &[("accept", accept)], &mill());
    for (path, accept) in [("/tika", "*/*"), ("/tika", "text/plain"), ("/tika/text", "text/plain")] {
        let reply = put(path, accept);
        assert_eq!(reply.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(String::from_utf8_lossy(&reply.body), text);
    }
    for (path, field) in [
        ("/tika", "X-TIKA:content"),
        ("/tika/text", "X-TIKA:content"),
        ("/tika/json/md", "tk:content"),
    ] {
        let reply = put(path, "application/json").json();
        assert_eq!((&reply[field], &reply["xmpTPg:NPages"]), (&json!(text), &json!("2")));
    }
    assert_eq!(put("/rmeta/text", "*/*").json()[0]["X-TIKA:content"], text);
    assert_eq!(put("/meta", "*/*").json()["Content-Type"], "application/pdf");

    let pages = client
        .put_with("/process", &[("x-filename", "a%20b.pdf")], &mill())
        .json();
    assert_eq!(pages.as_array().map(Vec::len), Some(1), "a page without text is none");
    assert_eq!(
        (&pages[0]["page_content"], &pages[0]["metadata"]["source"]),
        (&json!(text), &json!("a b.pdf"))
    );
    let converted = client
        .post_with(
            "/v1/convert/file",
            &[MULTIPART],
            &form(&mill(), &[("to_formats", "text")]),
        )
        .json();
    assert_eq!(converted["document"]["text_content"], text);
    assert_eq!(converted["document"]["md_content"], json!(null));

    // A document of another kind is read, and so is text in an encoding of old.
    let page = b"<!doctype html><title>Mills</title><h1>Mills</h1><p>Built in 1742.";
    let reply = client.put_with("/tika/json/md", &[], page).json();
    assert_eq!(
        (&reply["tk:content"], &reply["Content-Type"]),
        (&json!("# Mills\n\nBuilt in 1742."), &json!("text/html"))
    );
    let reply = client
        .put_with(
            "/tika/text",
            &[],
            b"Die M\xfchle wurde 1742 gebaut, und ihr Rad dreht der Fluss.",
        )
        .json();
    assert!(
        reply["X-TIKA:content"]
            .as_str()
            .is_some_and(|text| text.starts_with("Die Mühle")),
        "{reply}"
    );

    // What is text already is given back, and a picture is read.
    let plain = client
        .put_with("/process", &[("content-type", "text/markdown")], "# Grüße".as_bytes())
        .json();
    assert_eq!(plain[0]["page_content"], "# Grüße");
    let blank = bitmap_file(80, 60, &vec![[255; 3]; 80 * 60]);
    let reply = client.put_with("/tika/text", &[], &blank);
    assert_eq!((reply.status, &reply.json()["X-TIKA:content"]), (200, &json!("")));
    // Nothing is kept.
    service.wait_for_log(&["pdf/forget", "\"status\":200"]);
    service.wait_for_log(&["image/forget", "\"status\":200"]);
}

#[test]
fn failures_have_the_form_of_their_service() {
    let service = start(&[]);
    let client = service.client();
    let zip = b"PK\x03\x04 and more";
    let reply = client.put_with("/tika/text", &[], zip);
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (415, Some("text/plain; charset=utf-8"))
    );
    assert!(String::from_utf8_lossy(&reply.body).contains("a ZIP archive"));
    let reply = client.put_with("/tika", &[], b"%PDF-1.7 and nothing else");
    assert_eq!(reply.status, 400);
    assert!(String::from_utf8_lossy(&reply.body).contains("damaged"));
    let reply = client.put_with("/process", &[], zip);
    assert_eq!(
        (reply.status, &reply.json()["code"]),
        (415, &json!("unsupported_media_type"))
    );
    for (body, part) in [
        (form(zip, &[]), "a ZIP archive"),
        (form(&mill(), &[("to_formats", "html")]), "md, json, text"),
        (b"--b--\r\n".to_vec(), "`files` is missing"),
    ] {
        let reply = client.post_with("/v1/convert/file", &[MULTIPART], &body);
        assert!((400..500).contains(&reply.status));
        let json = reply.json();
        assert!(
            json["detail"].as_str().is_some_and(|detail| detail.contains(part)),
            "{json}"
        );
    }
    let reply = client.post("/v1/ocr", &json!({"document": {"document_url": "https://a.example"}}));
    assert_eq!(reply.status, 400);
    let json = reply.json();
    assert_eq!(
        (&json["object"], &json["param"]),
        (&json!("error"), &json!("document.document_url"))
    );
    let reply = client.get("/tika/html");
    assert_eq!(reply.status, 404);
    assert!(String::from_utf8_lossy(&reply.body).contains("/tika/text"));
    assert_eq!(client.get("/process").header("allow"), Some("PUT"));
}
