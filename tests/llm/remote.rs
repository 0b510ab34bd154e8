//! A server that speaks OpenAI's protocol.

use std::io::{Read, Write};
use std::net::TcpStream;

use quartet_tests::model_server::{Answer, Asked, Server, end, piece};
use quartet_tests::wait::PATIENCE;
use serde_json::json;

use super::{Asking, Told, question};

/// A service whose language model is the server.
fn start(server: &Server, more: &[&str]) -> Asking {
    let mut flags = vec![
        "--language-remote",
        &server.address,
        "--language-remote-model",
        "some-model",
    ];
    flags.extend(more);
    Asking::start(&flags)
}

fn whole(text: &[&str]) -> Answer {
    let pieces: String = text.iter().map(|text| piece(text)).collect();
    Answer::Stream(pieces + &end("stop"))
}

/// The answer to a question given a server's answers, and the requests to that server.
fn told(answers: Vec<Answer>, more: &[&str]) -> (Told, Vec<Asked>) {
    let server = Server::start(answers);
    let asking = start(&server, more);
    let told = asking.ask(&question("Hello?"));
    (told, server.asked.try_iter().collect())
}

#[test]
fn streams_counts_and_asks_as_published() {
    let server = Server::start(vec![whole(&["Grüß", " dich", "", " 東京"])]);
    let asking = start(&server, &["--language-remote-key", "a-secret-key"]);
    let mut asked = question("Hello \"you\"?");
    asked["turns"] = json!([
        ["system", "Be brief."],
        ["user", "Hi"],
        ["assistant", "Yes?"],
        ["user", "Hello?"]
    ]);
    asked["seed"] = json!(7);
    asked["stop"] = json!(["END"]);
    asked["jsonSchema"] = json!({"type": "object"});
    let told = asking.ask(&asked);
    assert_eq!(told.pieces, ["Grüß", " dich", " 東京"]);
    assert_eq!(
        told.outcome,
        json!({"finish": "stop", "promptTokens": 21, "cachedTokens": 8, "answerTokens": 5, "probability": null})
    );
    assert_eq!(
        told.model,
        json!({"model": "some-model", "context": 8192, "sees": false, "remote": false, "schemas": true, "tools": true, "reading_speed": null})
    );
    let asked = server.asked.recv_timeout(PATIENCE).expect("a request");
    assert_eq!(asked.line, "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(asked.authorization.as_deref(), Some("Bearer a-secret-key"));
    assert_eq!(
        asked.body,
        json!({
            "model": "some-model", "stream": true, "stream_options": {"include_usage": true},
            "max_tokens": 48, "temperature": 0.0, "seed": 7, "stop": ["END"],
            "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}},
            "messages": [
                {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "Hello?"},
            ],
        })
    );
    assert!(!asking.service.log().contains("a-secret-key"));
    assert!(
        asking
            .service
            .client()
            .get("/readyz")
            .json()
            .get("missingModels")
            .is_none()
    );
}

#[test]
fn pictures_go_to_models_that_see() {
    let server = Server::start(vec![whole(&["A cat."])]);
    let mut asked = question("What is it?");
    asked["picture"] = json!("AQID");
    let blind = start(&server, &[]);
    assert_eq!(blind.ask(&asked).error.as_deref(), Some("invalid-input"));
    assert!(server.asked.try_recv().is_err());
    let seeing = start(&server, &["--language-remote-sees"]);
    assert_eq!(seeing.ask(&asked).text(), "A cat.");
    let body = server.asked.recv_timeout(PATIENCE).expect("a request").body;
    let parts = &body["messages"][0]["content"];
    assert_eq!(parts[0], json!({"type": "text", "text": "What is it?"}));
    assert_eq!(parts[1]["image_url"]["url"], "data:image/png;base64,AQID");
}

#[test]
fn what_passes_is_tried_again_before_the_first_word() {
    for (status, headers) in [(429, &[("retry-after", "1")][..]), (500, &[]), (503, &[])] {
        let failure = Answer::Whole(status, headers, "{\"error\": \"wait\"}".to_owned());
        let (told, asked) = told(vec![failure, whole(&["Now."])], &[]);
        assert_eq!((told.text().as_str(), asked.len()), ("Now.", 2), "{status}: {told:?}");
    }
    let broken = Answer::Whole(500, &[], "no".to_owned());
    let (told, asked) = told(vec![broken], &[]);
    assert_eq!(
        (told.error.as_deref(), asked.len()),
        (Some("unavailable"), 3),
        "{told:?}"
    );
}

#[test]
fn what_does_not_pass_is_not_tried_again() {
    for (status, error) in [
        (400, "invalid-input"),
        (401, "unavailable"),
        (404, "missing-model"),
        (302, "unavailable"),
        // A pause that nobody here waits for.
        (429, "busy"),
    ] {
        let headers: &[_] = match status {
            302 => &[("location", "http://127.0.0.1:1/")],
            429 => &[("retry-after", "3600")],
            _ => &[],
        };
        let secret = "words of the server that no client may read";
        let (told, asked) = told(vec![Answer::Whole(status, headers, secret.to_owned())], &[]);
        assert_eq!(
            (told.error.as_deref(), asked.len()),
            (Some(error), 1),
            "{status}: {told:?}"
        );
        assert!(!told.what.to_string().contains("words of"), "{told:?}");
    }
}

#[test]
fn half_an_answer_is_no_answer() {
    for answer in [
        Answer::Cut(piece("Half")),
        // The stream is whole, but the answer is not.
        Answer::Stream(piece("Half")),
        Answer::Stream(piece("Half") + "data: {\"error\": {\"message\": \"out of memory\"}}\n\n"),
        Answer::Stream(piece("Half") + "data: <html>\n\n"),
    ] {
        let (told, asked) = told(vec![answer.clone(), whole(&["again"])], &[]);
        assert_eq!(told.error.as_deref(), Some("failed"), "{answer:?}: {told:?}");
        assert_eq!((told.text().as_str(), asked.len()), ("Half", 1), "{answer:?}");
    }
    let (told, _) = told(vec![Answer::Whole(200, &[], "nonsense".to_owned())], &[]);
    assert_eq!(told.error.as_deref(), Some("failed"), "{told:?}");
}

#[test]
fn a_silent_server_is_given_up() {
    let (told, _) = told(vec![Answer::Silence(piece("One"))], &["--language-remote-seconds", "1"]);
    assert_eq!(
        (told.text().as_str(), told.error.as_deref()),
        ("One", Some("unavailable")),
        "{told:?}"
    );
    let server = Server::start(vec![Answer::Silence(piece("One"))]);
    let mut asked = question("Hello?");
    asked["maxMilliseconds"] = json!(500);
    let told = start(&server, &[]).ask(&asked);
    assert_eq!(
        (told.text().as_str(), told.outcome["finish"].as_str()),
        ("One", Some("time")),
        "{told:?}"
    );
}

#[test]
fn a_server_that_is_not_there_is_named() {
    // Nothing listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let address = format!("http://{}/v1", port.expect("a port"));
    let asking = Asking::start(&["--language-remote", &address, "--language-remote-model", "m"]);
    let told = asking.ask(&question("Hello?"));
    assert_eq!(told.error.as_deref(), Some("unavailable"));
    assert!(told.what.to_string().contains("not reached"), "{told:?}");
}

#[test]
fn stops_are_seen_to_here_when_the_server_does_not() {
    let server = Server::start(vec![Answer::Stream(
        piece("One two E") + &piece("ND three") + &end("length"),
    )]);
    let asking = start(&server, &[]);
    let mut asked = question("Hello?");
    asked["stop"] = json!(["END"]);
    let told = asking.ask(&asked);
    assert_eq!(
        (told.text().as_str(), told.outcome["finish"].as_str()),
        ("One two ", Some("stop"))
    );
}

#[test]
fn the_server_hears_when_the_client_leaves() {
    let server = Server::start(vec![Answer::Silence(piece("One"))]);
    let asking = start(&server, &[]);
    let body = question("Hello?").to_string();
    let mut socket = TcpStream::connect(asking.service.socket()).expect("a connection");
    write!(
        socket,
        "POST /api/v1/image/chat HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is sent");
    let mut first = [0; 256];
    assert!(socket.read(&mut first).expect("a beginning") > 0);
    server.asked.recv_timeout(PATIENCE).expect("a request");
    drop(socket);
    server.left.recv_timeout(PATIENCE).expect("the host leaves, too");
}

#[test]
fn a_key_comes_from_a_file_that_must_be_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key");
    std::fs::write(&file, "from-a-file\n").expect("a file");
    let (_, asked) = told(
        vec![whole(&["Yes."])],
        &["--language-remote-key-file", file.to_str().expect("UTF-8")],
    );
    assert_eq!(asked[0].authorization.as_deref(), Some("Bearer from-a-file"));
}
