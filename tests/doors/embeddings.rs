//! `/v1/embeddings` beside the operation that answers it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::start;

#[test]
fn vectors_are_those_of_the_operation() {
    let service = start(&[]);
    let client = service.client();
    let texts = ["The heron lives at the river.", "passage: It is grey."];
    let own = client.post("/pdf/embeddings", &json!({"texts": texts})).data();
    assert_eq!(
        (&own["dimensions"], &own["model"]),
        (&json!(384), &json!("multilingual-e5-small"))
    );
    let ask = |more: Value| {
        let mut body = json!({"model": "anything", "input": texts});
        body.as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        client.post("/v1/embeddings", &body)
    };
    let found = ask(json!({"dimensions": 384})).json();
    assert_eq!((&found["object"], &found["model"]), (&json!("list"), &own["model"]));
    assert_eq!(
        found["usage"],
        json!({"prompt_tokens": own["tokens"], "total_tokens": own["tokens"]})
    );
    for (index, entry) in found["data"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(entry["index"], index);
        assert_eq!(entry["embedding"], own["embeddings"][index]);
    }
    let packed = ask(json!({"encoding_format": "base64"})).json();
    let text = packed["data"][0]["embedding"].as_str().expect("Base64");
    let bytes = BASE64_STANDARD.decode(text).expect("Base64");
    let first = f32::from_le_bytes(bytes[..4].try_into().expect("four bytes"));
    let expected = own["embeddings"][0][0].as_f64().expect("a number");
    assert!((f64::from(first) - expected).abs() < 1e-6, "{first} is not {expected}");
    assert_eq!(bytes.len(), 4 * 384);

    for (more, field, part) in [
        (json!({"dimensions": 256}), "dimensions", "384"),
        (json!({"input": ["x", ""]}), "input[1]", "empty"),
        (json!({"input": "heron ".repeat(600)}), "input[0]", "512"),
        (json!({"input": []}), "input", "1 to 2048"),
    ] {
        let reply = ask(more);
        assert_eq!(reply.status, 400);
        let [message, _, param, _] = reply.openai_failure();
        assert!(param == field && message.contains(part), "{message}");
    }
}
