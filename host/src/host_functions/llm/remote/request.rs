//! Writes the request to `/chat/completions`, as OpenAI has published it and many servers take it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quartet_llm_engine::protocol;
use serde_json::{Value, json};

use super::super::types::{Options, Turn};
use crate::config;

/// The body of the request. What the component did not ask for is left out: the server knows its model best.
pub fn body(config: &config::Remote, turns: &[Turn], options: &Options) -> Value {
    let mut body = json!({
        "model": config.model,
        "messages": turns.iter().map(message).collect::<Vec<_>>(),
        "stream": true,
        "stream_options": {"include_usage": true},
        "max_tokens": options.max_tokens.unwrap_or(config.tokens),
    });
    let given = [
        ("temperature", options.temperature.map(Value::from)),
        ("top_p", options.top_p.map(Value::from)),
        ("seed", options.seed.map(Value::from)),
        // Some servers take four; the rest is seen to when the answer comes.
        (
            "stop",
            (1..=4).contains(&options.stop.len()).then(|| json!(options.stop)),
        ),
        ("response_format", options.json_schema.as_deref().and_then(format)),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            body[name] = value;
        }
    }
    body
}

/// The schema as OpenAI's protocol takes it; `strict` would forbid most of what a schema may say.
fn format(schema: &str) -> Option<Value> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    Some(json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}))
}

fn message(turn: &Turn) -> Value {
    let role = protocol::Role::from(turn.role).name();
    if turn.pictures.is_empty() {
        return json!({"role": role, "content": turn.text});
    }
    let mut parts = vec![json!({"type": "text", "text": turn.text})];
    parts.extend(turn.pictures.iter().map(|picture| {
        let data = STANDARD.encode(&picture.data);
        json!({"type": "image_url", "image_url": {"url": format!("data:{};base64,{data}", picture.media_type)}})
    }));
    json!({"role": role, "content": parts})
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::types::{Picture, Role};
    use super::*;

    fn config() -> config::Remote {
        config::Remote {
            address: "http://127.0.0.1:1/v1/chat/completions".parse().unwrap(),
            model: "m".to_owned(),
            key: config::Key::None,
            sees: true,
            context: 8,
            requests: 1,
            tokens: 7,
            patience: Duration::from_secs(1),
        }
    }

    #[test]
    fn asks_for_a_stream_and_leaves_out_what_was_not_said() {
        let turn = Turn {
            role: Role::User,
            text: "Hello \"you\"".to_owned(),
            pictures: Vec::new(),
        };
        let body = body(&config(), &[turn], &Options::default());
        assert_eq!(
            body,
            json!({
                "model": "m", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 7,
                "messages": [{"role": "user", "content": "Hello \"you\""}],
            })
        );
    }

    #[test]
    fn pictures_are_data_addresses() {
        let turn = Turn {
            role: Role::User,
            text: "What?".to_owned(),
            pictures: vec![Picture {
                media_type: "image/png".to_owned(),
                data: vec![1, 2, 3],
            }],
        };
        let options = Options {
            temperature: Some(0.0),
            seed: Some(3),
            stop: vec!["a".to_owned(); 5],
            ..Options::default()
        };
        let body = body(&config(), &[turn], &options);
        assert_eq!(
            body["messages"][0]["content"][1]["image_url"]["url"],
            "data:image/png;base64,AQID"
        );
        assert_eq!((&body["temperature"], &body["seed"]), (&json!(0.0), &json!(3)));
        assert!(body.get("stop").is_none() && body.get("top_p").is_none());
    }
}
