//! Answers about documents and pictures in a server's words: what it writes well is taken, what it makes up is not.

use quartet_tests::model_server::{Answer, Asked, Server, end, piece};
use quartet_tests::{Client, Service};
use serde_json::{Value, json};

use super::BOUNDS;

/// From article 26 of the Universal Declaration of Human Rights.
const ARTICLE: [&str; 3] = [
    "Everyone has the right to education.",
    "Education shall be free, at least in the elementary and fundamental stages.",
    "Elementary education shall be compulsory.",
];

fn page() -> Vec<u8> {
    let mut content = String::new();
    for (row, line) in ARTICLE.iter().enumerate() {
        content += &format!("BT /F 10 Tf 1 0 0 1 50 {} Tm ({line}) Tj ET\n", 700 - 12 * row);
    }
    format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/Lang(en)>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font\
         /Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n4 0 obj<</Length {}>>stream\n{content}\nendstream endobj\n\
         trailer<</Root 1 0 R/Size 5>>\n",
        content.len()
    )
    .into_bytes()
}

/// A bitmap of one colour.
fn bitmap() -> Vec<u8> {
    let (width, height) = (64_u32, 48_u32);
    let mut file = b"BM".to_vec();
    file.extend((54 + width * height * 3).to_le_bytes());
    file.extend([0; 4]);
    file.extend([54, 40, width, height].map(u32::to_le_bytes).concat());
    file.extend([1, 0, 24, 0]);
    file.extend([0; 24]);
    file.extend([200, 40, 30].repeat((width * height) as usize));
    file
}

fn start(server: &Server, more: &[&str]) -> Service {
    let remote = ["--language-remote", &server.address, "--language-remote-model", "m"];
    let flags: Vec<_> = BOUNDS.iter().chain(&remote).chain(more).copied().collect();
    Service::start(&flags)
}

fn says(text: &str) -> Answer {
    Answer::Stream(piece(text) + &end("stop"))
}

fn send(client: &Client, path: &str, part: &str, file: &[u8]) -> Value {
    let mut body = format!("--b\r\ncontent-disposition: form-data; name=\"{part}\"\r\n\r\n").into_bytes();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let headers = [
        ("content-type", "multipart/form-data; boundary=b"),
        ("x-session-id", "words-of-the-suite"),
    ];
    client.post_with(path, &headers, &body).data()
}

fn ask(client: &Client, path: &str, message: &str) -> Value {
    let headers = [
        ("content-type", "application/json"),
        ("x-session-id", "words-of-the-suite"),
    ];
    client
        .post_with(path, &headers, json!({ "message": message }).to_string().as_bytes())
        .data()
}

fn asked(server: &Server) -> Vec<Asked> {
    server.asked.try_iter().collect()
}

/// A reply as the schema for answers wants it.
fn replies(passage: usize, answer: &str) -> Answer {
    says(&json!({"passage": passage, "answer": answer}).to_string())
}

#[test]
fn a_document_is_told_of_in_other_words_and_with_the_same_facts() {
    let server = Server::start(vec![
        replies(
            1,
            "Everyone has the right to education. Elementary education is compulsory and free. It costs 500 euros.",
        ),
        replies(1, "Elementary education is compulsory."),
        replies(1, "Elementary education is not compulsory."),
        says(&json!({"answered": "yes"}).to_string()),
        replies(0, ""),
    ]);
    let service = start(&server, &[]);
    let client = service.client();
    // The probes of a start ask nobody.
    assert!(asked(&server).is_empty());
    let summary = send(&client, "/pdf/summarize", "pdf", &page());
    assert_eq!(summary["origin"], "model", "{summary}");
    assert_eq!(summary["phrasing"]["leftOut"], 1);
    assert!(!summary["summary"].as_str().expect("text").contains("500"), "{summary}");
    assert_eq!(summary["statements"][0]["support"], "borneOut", "{summary}");

    let question = "What shall elementary education be?";
    let first = ask(&client, "/pdf/chat", question);
    assert_eq!(first["answer"], "Elementary education is compulsory.", "{first}");
    assert_eq!(first["origin"], "model", "{first}");
    assert_eq!(first["citations"][0]["quote"], ARTICLE[2]);
    let second = ask(&client, "/pdf/chat", question);
    assert_eq!(second["origin"], "extract", "{second}");
    assert!(
        second["answer"].as_str().expect("text").contains(ARTICLE[2]),
        "{second}"
    );
    let third = ask(&client, "/pdf/chat", question);
    assert_eq!(
        (&third["answered"], &third["origin"]),
        (&json!(false), &json!("model")),
        "{third}"
    );
    // The search was sure each time, so that a model with a large context had nothing to confirm but the document's sentence
    // that answered instead of its own.
    assert_eq!(asked(&server).len(), 5);
}

#[test]
fn a_server_that_fails_costs_no_answer() {
    let server = Server::start(vec![Answer::Whole(401, &[], "{\"error\": \"no\"}".to_owned())]);
    let service = start(&server, &[]);
    let summary = send(&service.client(), "/pdf/summarize", "pdf", &page());
    assert_eq!(summary["summary"], ARTICLE.join(" "), "{summary}");
    assert_eq!(summary["phrasing"]["used"], false);
    assert!(summary["phrasing"]["reason"].is_string(), "{summary}");
}

#[test]
fn nobody_is_asked_where_that_is_turned_off() {
    let server = Server::start(vec![says("Elementary education is compulsory.")]);
    let service = start(&server, &["--language-phrasing", "off", "--language-remote-sees"]);
    let summary = send(&service.client(), "/pdf/summarize", "pdf", &page());
    assert_eq!(summary["phrasing"], Value::Null, "{summary}");
    send(&service.client(), "/image/analyze", "image", &bitmap());
    assert!(asked(&server).is_empty());
}

#[test]
fn a_model_that_sees_describes_the_picture_itself() {
    let words = "A plain blue surface fills the picture. There is nothing else on it. Nine ducks swim by.";
    let server = Server::start(vec![says(words)]);
    let seeing = start(&server, &["--language-remote-sees"]);
    let analysis = send(&seeing.client(), "/image/analyze", "image", &bitmap());
    assert_eq!(
        analysis["description"], "A plain blue surface fills the picture. There is nothing else on it.",
        "{analysis}"
    );
    assert_eq!(analysis["phrasing"]["leftOut"], 1);
    assert!(
        analysis["phrasing"]["original"]
            .as_str()
            .is_some_and(|found| found.contains("main colour"))
    );
    let body = asked(&server).remove(0).body;
    let parts = &body["messages"][1]["content"];
    let picture = parts[1]["image_url"]["url"].as_str().expect("a picture");
    assert!(picture.starts_with("data:image/jpeg;base64,/9j/"), "{picture}");

    let blind = start(&server, &[]);
    let analysis = send(&blind.client(), "/image/analyze", "image", &bitmap());
    assert_eq!(analysis["phrasing"], Value::Null, "{analysis}");
    assert!(asked(&server).is_empty());
}

#[test]
fn a_client_s_schema_reaches_the_model_with_its_fields_in_order() {
    let document = r#"{"surname": "Lovelace", "born": 1815}"#;
    let server = Server::start(vec![says(document)]);
    let service = start(&server, &[]);
    let schema = r#"{"type":"object","properties":{"surname":{"type":"string"},"born":{"type":"integer"}}}"#;
    // It has a number and a date, and still nothing is computed.
    let body = format!(
        r#"{{"model":"quartet","max_tokens":60,"messages":[{{"role":"user","content":"Ada Lovelace, born on 10 December 1815"}}],
           "response_format":{{"type":"json_schema","json_schema":{{"name":"person","strict":true,"schema":{schema}}}}}}}"#
    );
    let headers = [("content-type", "application/json")];
    let client = service.client();
    let reply = client.post_with("/v1/chat/completions", &headers, body.as_bytes());
    let said = reply.json();
    assert_eq!(said["choices"][0]["message"]["content"], document, "{said}");
    let asked = asked(&server);
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert_eq!(asked[0].body["max_tokens"], 60);
    let sent = &asked[0].body["response_format"]["json_schema"]["schema"];
    assert_eq!(sent["properties"]["born"]["type"], "integer");
    let system = asked[0].body["messages"][0]["content"].as_str().unwrap_or_default();
    assert!(system.contains(schema), "{system}");
    let refused = client.post_with("/api/v1/chat", &headers, br#"{"message": "x", "responseSchema": []}"#);
    assert_eq!(
        (refused.status, refused.json()["code"].as_str()),
        (400, Some("invalid_field"))
    );
}

#[test]
fn a_client_s_sampling_reaches_the_model() {
    let server = Server::start(vec![says("Waves come and go."), says("Gulls cry.")]);
    let service = start(&server, &[]);
    let client = service.client();
    let headers = [("content-type", "application/json")];
    let post = |path: &str, body: &str| client.post_with(path, &headers, body.as_bytes());
    let asked_as = |path: &str, body: &str| {
        let reply = post(path, body);
        assert_eq!(reply.status, 200, "{}", reply.json());
        let asked = asked(&server);
        assert_eq!(asked.len(), 1, "{asked:?}");
        ["temperature", "top_p", "seed"].map(|name| asked[0].body[name].clone())
    };
    let completions = r#"{"model":"quartet","temperature":1.25,"top_p":0.5,"seed":9,
        "messages":[{"role":"user","content":"Write a poem about the sea."}]}"#;
    assert_eq!(
        asked_as("/v1/chat/completions", completions),
        [json!(1.25), json!(0.5), json!(9)]
    );
    let again = r#"{"message": "Write a poem about the sea.", "messages": [], "temperature": 0.75}"#;
    let [temperature, _, seed] = asked_as("/api/v1/chat", again);
    // No seed, so that it is another poem each time.
    assert_eq!((temperature, seed), (json!(0.75), Value::Null));
    for (field, value) in [
        ("temperature", "2.5"),
        ("topP", "-1"),
        ("topP", "\"high\""),
        ("seed", "-1"),
    ] {
        let refused = post("/api/v1/chat", &format!(r#"{{"message": "x", "{field}": {value}}}"#));
        let body = refused.json();
        assert_eq!(
            (refused.status, body["code"].as_str()),
            (400, Some("invalid_field")),
            "{body}"
        );
        assert!(body.to_string().contains(field), "{body}");
    }
}

#[test]
fn a_model_that_falls_silent_is_cut_within_the_time_to_respond() {
    let server = Server::start(vec![Answer::Silence(piece("Once upon a time"))]);
    let service = start(&server, &["--respond-seconds", "4"]);
    let headers = [("content-type", "application/json")];
    let body = br#"{"message": "Tell me a story.", "messages": []}"#;
    let reply = service.client().post_with("/api/v1/chat", &headers, body);
    assert_eq!(reply.status, 200, "{}", reply.json());
    let said = reply.data();
    assert_eq!(
        (said["answer"].as_str(), said["finish"].as_str()),
        // It shows that there was more to say.
        (Some("Once upon a time …"), Some("time")),
        "{said}"
    );
}
