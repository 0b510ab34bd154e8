//! Documents for the clients of other services: failures in their form, kinds of files, and what is kept of them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_tests::files::{bitmap_file, pdf};
use quartet_tests::wait::wait_for;
use quartet_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::keys::with_keys;
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
fn programs_find_the_services_that_they_look_for() {
    let (service, _folder, [all, _]) = with_keys(&[]);
    let client = service.client();
    let key = ("x-api-key", all.as_str());
    assert_eq!(client.get("/health").json(), json!({"status": "ok"}));
    assert_eq!((client.get("/tika").status, client.get("/version").status), (401, 401));
    let told = |path: &str| String::from_utf8(client.get_with(path, &[key]).body).expect("text");
    assert!(
        told("/tika").starts_with("This is Tika Server (Quartet "),
        "{}",
        told("/tika")
    );
    assert!(told("/version").starts_with("Quartet "), "{}", told("/version"));
    for path in ["/v1/convert/source", "/v1/convert/source/async"] {
        let body = br#"{"sources": [{"kind": "http", "url": "https://example.org/a.pdf"}]}"#;
        let reply = client.post_with(path, &[key, ("content-type", "application/json")], body);
        let told = reply.json()["detail"].take();
        assert_eq!(reply.status, 400);
        assert!(
            told.as_str().is_some_and(|told| told.contains("/v1/convert/file")),
            "{told}"
        );
    }
}

#[test]
fn a_document_inside_of_json_is_converted_as_one_of_a_form() {
    let service = start(&[]);
    let client = service.client();
    let source = json!({"kind": "file", "filename": "mill.pdf", "base64_string": BASE64_STANDARD.encode(mill())});
    let body = json!({
        "options": {"to_formats": ["md", "text"], "do_ocr": false},
        "sources": [source],
        "target": {"kind": "inbody"}
    });
    let post = |path: &str, body: &Value| {
        client.post_with(
            path,
            &[("content-type", "application/json")],
            body.to_string().as_bytes(),
        )
    };
    let of_form = client
        .post_with("/v1/convert/file", &[MULTIPART], &form(&mill(), &[]))
        .json();
    let converted = post("/v1/convert/source", &body).json();
    assert_eq!(
        converted["document"]["md_content"], of_form["document"]["md_content"],
        "{converted}"
    );
    assert!(
        converted["document"]["text_content"]
            .as_str()
            .is_some_and(|text| text.contains("1742")),
        "{converted}"
    );
    assert_eq!(converted["document"]["filename"], "mill.pdf");
    let task = post("/v1/convert/source/async", &body).json();
    let id = task["task_id"].as_str().expect("an id");
    let state = client.get(&format!("/v1/status/poll/{id}?wait=20")).json();
    assert_eq!(state["task_status"], "success", "{state}");
    let result = client.get(&format!("/v1/result/{id}")).json();
    assert_eq!(
        result["document"]["md_content"], of_form["document"]["md_content"],
        "{result}"
    );
    let two = json!({"sources": [source, source]});
    assert_eq!(post("/v1/convert/source", &two).status, 400);
}

#[test]
fn a_form_is_read_as_tikas_clients_send_it() {
    let service = start(&[]);
    let client = service.client();
    let text = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    let page = format!("<p>{text}</p>");
    let post = |path: &str, accept: &str| client.post_with(path, &[MULTIPART, ("accept", accept)], &form(&mill(), &[]));
    let json = post("/tika/form/text", "application/json").json();
    assert_eq!(
        (&json["X-TIKA:content"], &json["tk:content"], &json["Content-Type"]),
        (&json!(text), &json!(text), &json!("application/pdf"))
    );
    assert!(json["X-TIKA:Parsed-By"].is_array(), "{json}");
    let json = post("/tika/form", "application/json").json();
    assert!(
        json["X-TIKA:content"].as_str().is_some_and(|html| html.contains(&page)),
        "{json}"
    );
    assert_eq!(post("/tika/form", "*/*").body, text.as_bytes());
    assert_eq!(post("/meta/form", "application/json").json()["xmpTPg:NPages"], "2");
    for path in ["/rmeta/form", "/rmeta/form/text"] {
        let json = post(path, "application/json").json();
        assert_eq!(
            (&json[0]["X-TIKA:content"], &json[0]["xmpTPg:NPages"]),
            (&json!(text), &json!("2"))
        );
    }
    for reply in [
        post("/tika/form", "text/html"),
        client.put_with("/tika", &[("accept", "text/html")], &mill()),
    ] {
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(String::from_utf8_lossy(&reply.body).contains(&page));
    }
    let reply = client.post_with("/tika/form", &[MULTIPART], b"--b--\r\n");
    assert_eq!(reply.status, 400);
    assert!(String::from_utf8_lossy(&reply.body).contains("`upload` is missing"));
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
    let reply = client.put_with("/process", &[("x-filename", "a.pdf")], b"<html>login</html>");
    assert_eq!(reply.status, 415);
    for (body, part) in [
        (form(zip, &[]), "a ZIP archive"),
        (form(b"<html>login</html>", &[]), "an HTML page"),
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

/// Uploads a file as LibreChat does.
fn uploaded(client: &Client, headers: &[(&str, &str)], purpose: &str, file: &[u8]) -> Reply {
    let head = format!("--b\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\n{purpose}\r\n");
    let part = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"Mühle.pdf\"\r\n\r\n";
    let body = [head.as_bytes(), part.as_bytes(), file, b"\r\n--b--\r\n"].concat();
    let all: Vec<_> = [MULTIPART].iter().chain(headers).copied().collect();
    client.post_with("/v1/files", &all, &body)
}

#[test]
fn files_are_kept_to_be_read_by_their_address() {
    let service = start(&[]);
    let client = service.client();
    // Of more than one piece.
    let mut file = mill();
    file.resize(file.len() + 3_000_000, b'\n');
    let mine = ("x-session-id", "a3c1e5f7-mine-and-no-others");
    let other = ("x-session-id", "b4d2f6a8-other-and-not-mine");
    let reply = uploaded(&client, &[mine], "ocr", &file);
    let told = reply.json();
    assert_eq!(reply.status, 200, "{told}");
    assert_eq!(
        (&told["object"], &told["bytes"], &told["filename"], &told["mimetype"]),
        (
            &json!("file"),
            &json!(file.len()),
            &json!("Mühle.pdf"),
            &json!("application/pdf")
        )
    );
    let id = told["id"].as_str().expect("an id");
    let path = format!("/v1/files/{id}");
    assert_eq!(client.get(&path).json(), told);
    let url = client.get(&format!("{path}/url?expiry=24")).json()["url"].take();
    let address = url.as_str().expect("an address").to_owned();
    assert_eq!(address, format!("{}{path}/content", service.address));
    assert_eq!(client.get(&format!("{path}/content")).body, file);

    let read = |document: Value, headers: &[(&str, &str)]| {
        let json = ("content-type", "application/json");
        let all: Vec<_> = [json].iter().chain(headers).copied().collect();
        let body = json!({"model": "mistral-ocr-latest", "image_limit": 0, "include_image_base64": false, "document": document});
        client.post_with("/v1/ocr", &all, body.to_string().as_bytes())
    };
    let by_address = json!({"type": "document_url", "document_url": address});
    let found = read(by_address.clone(), &[]).json();
    assert_eq!(
        found["pages"][0]["markdown"],
        "The mill of Aldebourne was built in 1742 by Thomas Reed."
    );
    assert_eq!(
        found["pages"][0]["dimensions"],
        json!({"dpi": 72, "width": 595, "height": 842})
    );
    assert_eq!(found["usage_info"]["doc_size_bytes"], file.len());
    assert_eq!(read(json!({"type": "file", "file_id": id}), &[]).json(), found);

    // It is its owner's, and nobody's after it was forgotten.
    for part in ["", "/url", "/content"] {
        assert_eq!(client.get_with(&format!("{path}{part}"), &[other]).status, 404);
    }
    assert_eq!(read(by_address.clone(), &[other]).status, 404);
    assert_eq!(client.delete_with(&path, &[other]).status, 404);
    let gone = client.delete_with(&path, &[mine]);
    assert_eq!(
        (gone.status, gone.json()),
        (200, json!({"id": id, "object": "file", "deleted": true}))
    );
    let reply = read(by_address, &[]);
    assert_eq!((reply.status, &reply.json()["object"]), (404, &json!("error")));
    assert_eq!(client.get(&path).status, 404);

    assert_eq!(uploaded(&client, &[], "fine-tune", &file).json()["param"], "purpose");
    assert_eq!(uploaded(&client, &[], "ocr", b"").json()["param"], "file");
    assert_eq!(client.put_with(&path, &[], b"").header("allow"), Some("GET, DELETE"));
    let small = start(&["--kept-bytes", "2097152"]);
    let reply = uploaded(&small.client(), &[], "ocr", &file);
    assert_eq!(
        (reply.status, &reply.json()["code"]),
        (413, &json!("payload_too_large"))
    );
}

#[test]
fn a_file_is_its_keys() {
    let (service, _folder, [all, speech]) = with_keys(&[]);
    let client = service.client();
    let (all, speech) = (("x-api-key", all.as_str()), ("x-api-key", speech.as_str()));
    let told = uploaded(&client, &[all], "ocr", &mill()).json();
    let path = format!("/v1/files/{}", told["id"].as_str().expect("an id"));
    assert_eq!(client.get_with(&path, &[all]).status, 200);
    assert_eq!(
        (client.get(&path).status, client.get_with(&path, &[speech]).status),
        (401, 403)
    );
    assert_eq!(uploaded(&client, &[speech], "ocr", &mill()).status, 403);
}

/// Begins a task, and returns its id.
fn begun(client: &Client, headers: &[(&str, &str)], file: &[u8]) -> String {
    let all: Vec<_> = [MULTIPART].iter().chain(headers).copied().collect();
    let formats = form(file, &[("to_formats", "md"), ("to_formats", "json")]);
    let reply = client.post_with("/v1/convert/file/async", &all, &formats);
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    let task = reply.json();
    assert_eq!(
        (&task["task_type"], &task["task_meta"]["num_docs"]),
        (&json!("convert"), &json!(1))
    );
    task["task_id"].as_str().expect("an id").to_owned()
}

/// The state of a task that is over.
fn over(client: &Client, id: &str) -> Value {
    wait_for("the task to end", || {
        let task = client.get(&format!("/v1/status/poll/{id}?wait=5.0")).json();
        let is_over = task["task_status"] == "success" || task["task_status"] == "failure";
        is_over.then_some(task)
    })
}

#[test]
fn a_conversion_is_a_task_for_whoever_does_not_wait() {
    let service = start(&[]);
    let client = service.client();
    let mine = ("x-session-id", "5d0e6a1c-mine-and-no-others");
    let other = ("x-session-id", "e1b8c7f2-other-and-not-mine");
    let id = begun(&client, &[mine], &mill());
    let task = over(&client, &id);
    assert_eq!(
        (&task["task_status"], &task["task_position"], &task["failure"]),
        (&json!("success"), &json!(null), &json!(null)),
        "{task}"
    );
    assert_eq!(
        task["task_meta"],
        json!({"num_docs": 1, "num_processed": 1, "num_succeeded": 1, "num_failed": 0})
    );
    let formats = form(&mill(), &[("to_formats", "md"), ("to_formats", "json")]);
    let mut direct = client.post_with("/v1/convert/file", &[MULTIPART], &formats).json();
    let mut kept = client.get(&format!("/v1/result/{id}")).json();
    for answer in [&mut direct, &mut kept] {
        assert!(answer["processing_time"].take().is_number());
    }
    assert_eq!(kept, direct);
    service.wait_for_log(&["pdf/forget", "\"status\":200"]);
    service.wait_for_log(&["\"path\":\"/v1/convert/file\"", "\"status\":200"]);

    // It is a job of its client, and of nobody else.
    let (poll, result) = (format!("/v1/status/poll/{id}"), format!("/v1/result/{id}"));
    for path in [&poll, &result] {
        let reply = client.get_with(path, &[other]);
        assert_eq!(
            (reply.status, reply.json()),
            (404, json!({"detail": "Task not found."}))
        );
    }
    let job = format!("/api/v1/jobs/{id}");
    assert_eq!(client.get(&job).data()["operation"], "v1/convert/file");
    assert_eq!(client.delete_with(&job, &[mine]).status, 200);
    assert_eq!(client.get(&result).status, 404);
    let reply = client.post_with(
        "/api/v1/pdf/extract-text",
        &[("prefer", "respond-async"), MULTIPART],
        &form(&mill(), &[]),
    );
    let no_task = reply.json()["data"]["jobId"].as_str().expect("an id").to_owned();
    assert_eq!(client.get(&format!("/v1/result/{no_task}")).status, 404);
}

#[test]
fn a_task_that_fails_says_why() {
    let service = start(&[]);
    let client = service.client();
    let id = begun(&client, &[], b"PK\x03\x04 and more");
    let task = over(&client, &id);
    assert_eq!(
        (&task["task_status"], &task["task_meta"]["num_failed"]),
        (&json!("failure"), &json!(1))
    );
    let reply = client.get(&format!("/v1/result/{id}"));
    let result = reply.json();
    assert_eq!((reply.status, &result["kind"]), (200, &json!("TaskFailureResult")));
    assert_eq!(result["failure"], task["failure"]);
    let message = result["failure"]["message"].as_str().expect("a sentence");
    assert!(message.contains("a ZIP archive"), "{message}");
    assert_eq!(task["error_message"], message);
    // What is wrong with the request is said at once.
    for (fields, part) in [
        (("to_formats", "html"), "md, json, text"),
        (("target_type", "zip"), "it takes inbody"),
        (("target_type", "presigned_url"), "artifact storage to be configured"),
    ] {
        for path in ["/v1/convert/file/async", "/v1/convert/file"] {
            let reply = client.post_with(path, &[MULTIPART], &form(&mill(), &[fields]));
            assert_eq!(reply.status, 400);
            let json = reply.json();
            assert!(
                json["detail"].as_str().is_some_and(|detail| detail.contains(part)),
                "{json}"
            );
        }
    }
    let reply = client.get("/v1/status/poll/none?wait=a");
    assert_eq!(
        (reply.status, reply.json()),
        (404, json!({"detail": "Task not found."}))
    );
    let reply = client.get(&format!("/v1/status/poll/{id}?wait=a"));
    assert_eq!(reply.status, 400);
    assert_eq!(client.get("/v1/convert/file/async").header("allow"), Some("POST"));
}

#[test]
fn a_task_is_its_keys() {
    let (service, _folder, [all, speech]) = with_keys(&[]);
    let client = service.client();
    let (all, speech) = (("x-api-key", all.as_str()), ("x-api-key", speech.as_str()));
    let id = begun(&client, &[all], &mill());
    let poll = format!("/v1/status/poll/{id}?wait=25");
    assert_eq!(client.get(&poll).status, 401);
    assert_eq!(client.get_with(&poll, &[speech]).json()["detail"], "Task not found.");
    assert_eq!(client.get_with(&poll, &[all]).json()["task_status"], "success");
    // A key that is for speech only has no document read.
    let id = begun(&client, &[speech], &mill());
    let task = client
        .get_with(&format!("/v1/status/poll/{id}?wait=25"), &[speech])
        .json();
    assert_eq!(task["failure"]["details"]["code"], "forbidden", "{task}");
}
