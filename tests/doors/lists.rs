//! Lists to choose from, and names that are not in them.

use quartet_api::Code;
use serde_json::json;

use crate::start;

#[test]
fn models_and_voices_are_listed() {
    let service = start(&[]);
    let client = service.client();
    let models = client.get("/v1/models");
    let created = models.json()["data"][0]["created"].as_u64().expect("seconds");
    let model =
        |id: &str| format!("{{\"id\":\"{id}\",\"object\":\"model\",\"created\":{created},\"owned_by\":\"quartet\"}}");
    let (chat, search) = (model("quartet"), model("quartet-search"));
    let expected = format!("{{\"object\":\"list\",\"data\":[{chat},{search}]}}");
    assert_eq!(String::from_utf8_lossy(&models.body), expected);
    assert_eq!(models.header("content-type"), Some("application/json"));
    let one = client.get("/v1/models/quartet");
    assert_eq!(String::from_utf8_lossy(&one.body), chat);
    let [message, _, field, code] = client.get("/v1/models/gpt-4o").openai_failure();
    assert!(message.contains("quartet-search"), "{message}");
    assert_eq!((field.as_str(), code.as_str()), ("model", "model_not_found"));

    let voices = client.get("/v1/audio/voices").json();
    assert_eq!(voices["object"], "list");
    assert_eq!(voices["voices"], voices["data"]);
    assert_eq!(voices["voices"].as_array().expect("a list").len(), 18);
    assert_eq!(voices["voices"][0], json!({"id": "Kore", "name": "Kore (standard)"}));
    assert!(
        voices["data"]
            .as_array()
            .expect("a list")
            .contains(&json!({"id": "onyx", "name": "onyx (Charon)"}))
    );
    let models = client.get("/v1/audio/models").json();
    assert_eq!(models["models"], json!([{"id": "quartet-tts", "name": "quartet-tts"}]));
}

#[test]
fn what_is_not_there_is_said_in_the_same_form_and_counted_under_one_name() {
    let service = start(&[]);
    let client = service.client();
    let reply = client.get("/v1/assistants");
    assert_eq!(reply.status, 404);
    let [message, _, _, code] = reply.openai_failure();
    assert!(message.contains("/v1/chat/completions"), "{message}");
    assert_eq!(code, "not_found");
    let reply = client.get("/v1/chat/completions");
    assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")));
    assert_eq!(reply.openai_failure()[3], "method_not_allowed");
    for path in ["/v1/models/a", "/v1/models/b", "/v1/x", "/v1/y"] {
        client.get(path);
    }
    let page = String::from_utf8(client.get("/metrics").body).expect("text");
    assert!(page.contains("operation=\"v1/models/{id}\",status=\"404\""), "{page}");
    assert!(
        !page.contains("models/a") && !page.contains("v1/x"),
        "a stranger's request adds no series"
    );
}

#[test]
fn the_doors_can_be_shut() {
    let service = start(&["--openai-api", "false"]);
    let reply = service.client().get("/v1/models");
    reply.failed(Code::NotFound);
}
