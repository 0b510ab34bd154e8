//! The body of a request for an answer in a conversation.

use quartet_api::chat::{ChatTurn, JsonText, Sampling};
use quartet_api::limits;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::content::Attachment;
use super::messages::{Conversation, conversation};
use super::stop::Stop;
use super::tools::{self, Form, Offer};
use crate::failure::Failure;
use crate::http::doors::lists::{CHAT_MODEL, SEARCH_MODEL, unknown_model};
use crate::http::doors::object;
use crate::http::doors::reply::Names;

/// Fields that would change the answer's form, each with what to do instead. Where they ask for nothing, they are passed
/// over.
const REFUSED: &[(&str, &str)] = &[
    ("functions", "is not supported: it is how `tools` once were; send these"),
    (
        "function_call",
        "is not supported: it is how `tool_choice` once was; send this",
    ),
    ("audio", "is not supported; have the answer spoken at /v1/audio/speech"),
    ("logprobs", "is not supported; leave it out"),
    ("top_logprobs", "is not supported; leave it out"),
];

/// The fields of operations that have another name here.
pub const NAMES: Names = &[
    ("message", "messages"),
    ("image", "messages"),
    ("pdf", "messages"),
    ("responseSchema", "response_format"),
    ("tools[].name", "tools[].function.name"),
    ("tools[].parameters", "tools[].function.parameters"),
    ("toolChoice", "tool_choice"),
    ("topP", "top_p"),
];

/// A request that is right.
#[derive(Debug)]
pub struct Asked {
    /// The model as it was named.
    pub model: String,
    /// True to search the web.
    pub search: bool,
    /// True to send the answer as it is written.
    pub stream: bool,
    /// True to end a stream with the number of tokens.
    pub include_usage: bool,
    /// The messages of the system or the developer, in order.
    pub instructions: Option<String>,
    /// The turns before, oldest first.
    pub history: Vec<ChatTurn>,
    /// The text of the last message; empty where it is the result of a call, or the beginning of the answer.
    pub message: String,
    /// The functions that the language model may have called.
    pub offer: Offer,
    /// The JSON Schema that the answer is held to.
    pub schema: Option<JsonText>,
    /// Limit in tokens for the answer.
    pub max_tokens: Option<u32>,
    /// Sampling of what the model writes.
    pub sampling: Sampling,
    /// The texts before which it ends.
    pub stop: Stop,
    /// The picture or document that was sent last.
    pub attachment: Option<Attachment>,
    /// True if it came with the last message.
    pub attached_now: bool,
}

impl Asked {
    /// True if the last message is the assistant's, which the model is to go on with.
    fn is_begun(&self) -> bool {
        let last = self.history.last();
        self.message.is_empty() && !self.attached_now && last.is_some_and(|turn| turn.role == "assistant")
    }
}

/// Reads a request. Fields that are not known are passed over.
///
/// # Errors
/// With the field that is wrong.
pub fn read(body: &[u8], language_model: Option<&str>) -> Result<Asked, Failure> {
    let mut fields = object::read(body)?;
    let model = model(fields.get("model"), language_model)?;
    for (name, problem) in REFUSED {
        if fields.get(*name).is_some_and(asks) {
            return Err(Failure::field(*name, problem));
        }
    }
    check_count(fields.get("n"))?;
    check_modalities(&fields)?;
    let sampling = sampling(&fields)?;
    let list = match fields.get("tools") {
        Some(Value::Array(list)) => list.as_slice(),
        None | Some(Value::Null) => &[],
        Some(_) => return Err(Failure::field("tools", "takes a list of functions")),
    };
    let offer = Offer {
        parallel: parallel(&fields)?,
        ..tools::offer(list, fields.get("tool_choice"), body, Form::Nested)?
    };
    let schema = schema(fields.get("response_format"), body)?;
    let max_tokens = max_tokens(&fields)?;
    let stop = Stop::read(fields.get("stop"))?;
    let stream = flag("stream", fields.get("stream"))?;
    let include_usage = match fields.get("stream_options") {
        None | Some(Value::Null) => false,
        Some(Value::Object(options)) => flag("stream_options.include_usage", options.get("include_usage"))?,
        Some(_) => return Err(Failure::field("stream_options", "takes an object")),
    };
    let search = model == SEARCH_MODEL || fields.get("web_search_options").is_some_and(Value::is_object);
    let Some(messages) = fields.remove("messages") else {
        return Err(Failure::missing_field("messages", "a list of messages"));
    };
    let Conversation {
        instructions,
        history,
        message,
        attachment,
        attached_now,
    } = conversation(messages)?;
    let asked = Asked {
        model,
        search,
        stream,
        include_usage,
        instructions,
        history,
        message,
        offer,
        schema,
        max_tokens,
        sampling,
        stop,
        attachment,
        attached_now,
    };
    let problem = if asked.attachment.is_some() {
        "goes without pictures and documents: what is found in them is no document of a schema"
    } else {
        "goes without a search: what is found is no document of a schema"
    };
    if asked.schema.is_some() && (asked.attachment.is_some() || asked.search) {
        return Err(Failure::field("response_format", problem));
    }
    check_alone(&asked, "messages")?;
    Ok(asked)
}

/// Checks that nothing but the language model is to answer where there are functions or results of them, and where the conversation,
/// the field `messages`, ends with the beginning of the answer.
///
/// # Errors
/// When there is a file or a search as well, or for an answer that has begun a schema.
pub fn check_alone(asked: &Asked, messages: &str) -> Result<(), Failure> {
    let begun = |problem: &str| {
        let problem = format!("ends with the assistant: {problem} cannot be gone on with");
        Err(Failure::field(messages, problem))
    };
    if asked.is_begun() {
        if asked.attachment.is_some() {
            return begun("what was said of a picture or a document");
        }
        if asked.search {
            return begun("what was found by a search");
        }
        if asked.schema.is_some() {
            return begun("a document of a schema");
        }
        return Ok(());
    }
    let calls = !asked.offer.tools.is_empty() || asked.message.is_empty() && !asked.attached_now;
    let problem = "go without a search, pictures and documents: only the language model calls functions";
    match calls && (asked.attachment.is_some() || asked.search) {
        true => Err(Failure::field("tools", problem)),
        false => Ok(()),
    }
}

/// The model that a request names.
///
/// # Errors
/// When there is none of this name.
pub fn model(value: Option<&Value>, language_model: Option<&str>) -> Result<String, Failure> {
    let names: Vec<_> = [CHAT_MODEL, SEARCH_MODEL]
        .into_iter()
        .chain(language_model)
        .map(str::to_owned)
        .collect();
    match value {
        Some(Value::String(name)) if names.contains(name) => Ok(name.clone()),
        Some(Value::String(name)) => Err(unknown_model(name, &names)),
        _ => Err(Failure::missing_field("model", names.join(" or "))),
    }
}

/// True unless a value says that nothing is asked for.
pub fn asks(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Number(number) => number.as_f64() != Some(0.0),
        _ => true,
    }
}

/// Permission to have several functions called at once; none where nothing is said of it.
///
/// # Errors
/// When it is no permission.
pub fn parallel(fields: &Map<String, Value>) -> Result<Option<bool>, Failure> {
    match fields.get("parallel_tool_calls") {
        None | Some(Value::Null) => Ok(None),
        value => flag("parallel_tool_calls", value).map(Some),
    }
}

fn check_count(value: Option<&Value>) -> Result<(), Failure> {
    match value {
        None | Some(Value::Null) => Ok(()),
        Some(number) if number.as_f64() == Some(1.0) => Ok(()),
        Some(_) => Err(Failure::field("n", "takes 1: there is one answer to a question")),
    }
}

/// The part of a body that the schema stands in, whose fields keep their order.
#[derive(Deserialize)]
struct Formatted {
    response_format: Described,
}

#[derive(Deserialize)]
struct Described {
    json_schema: Schema,
}

#[derive(Deserialize)]
struct Schema {
    schema: JsonText,
}

/// The JSON Schema that an answer is to fit; none for text.
fn schema(format: Option<&Value>, body: &[u8]) -> Result<Option<JsonText>, Failure> {
    let Some(format) = format.filter(|format| !format.is_null()) else {
        return Ok(None);
    };
    match format.get("type").and_then(Value::as_str) {
        Some("text") => Ok(None),
        Some("json_object") => Ok(serde_json::from_str(r#"{"type":"object"}"#).ok()),
        Some("json_schema") => match serde_json::from_slice::<Formatted>(body) {
            Ok(formatted) if format["json_schema"]["schema"].is_object() => {
                Ok(Some(formatted.response_format.json_schema.schema))
            }
            _ => Err(Failure::field(
                "response_format.json_schema.schema",
                "takes a JSON Schema, which is an object",
            )),
        },
        _ => Err(Failure::field(
            "response_format",
            "takes an object whose `type` is text, json_object or json_schema",
        )),
    }
}

/// The limit in tokens for an answer: one that is larger than what may be asked for is no limit here.
fn max_tokens(fields: &Map<String, Value>) -> Result<Option<u32>, Failure> {
    for name in ["max_completion_tokens", "max_tokens"] {
        match fields.get(name) {
            None | Some(Value::Null) => {}
            Some(value) => match value.as_u64() {
                Some(tokens @ 1..) => {
                    let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
                    return Ok((tokens <= limits::CHAT_ANSWER_TOKENS).then_some(tokens));
                }
                _ => return Err(Failure::field(name, "takes a whole number from 1")),
            },
        }
    }
    Ok(None)
}

/// The sampling that a request asks for.
///
/// # Errors
/// With the field that is wrong.
pub fn sampling(fields: &Map<String, Value>) -> Result<Sampling, Failure> {
    let part = |name: &'static str, most: f64| match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) if (0.0..=most).contains(&number) => Ok(Some(number as f32)),
            _ => Err(Failure::field(name, format!("takes a number from 0 to {most}"))),
        },
    };
    Ok(Sampling {
        temperature: part("temperature", 2.0)?,
        top_p: part("top_p", 1.0)?,
        seed: seed(fields.get("seed"))?,
    })
}

/// The seed: the lower half of one that has 64 bits.
fn seed(value: Option<&Value>) -> Result<Option<u32>, Failure> {
    let number = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(value) => value.as_i64().map(i128::from).or(value.as_u64().map(i128::from)),
    };
    let number = number.ok_or_else(|| Failure::field("seed", "takes a whole number of up to 64 bits"))?;
    Ok(u32::try_from(number.rem_euclid(1 << 32)).ok())
}

/// Checks that the answer is to be text.
fn check_modalities(fields: &Map<String, Value>) -> Result<(), Failure> {
    let text = |value: &Value| value.as_str() == Some("text");
    if let Some(modalities) = fields.get("modalities").filter(|modalities| !modalities.is_null())
        && !modalities
            .as_array()
            .is_some_and(|modalities| modalities.iter().all(text))
    {
        return Err(Failure::field(
            "modalities",
            "takes [\"text\"]; have the answer spoken at /v1/audio/speech",
        ));
    }
    Ok(())
}

/// A field that is true or false, and false where it is not there.
///
/// # Errors
/// When it is something else.
pub fn flag(name: &str, value: Option<&Value>) -> Result<bool, Failure> {
    match value {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(Failure::field(name, "takes true or false")),
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::Code;
    use serde_json::json;

    use super::*;

    fn asked(body: &Value) -> Result<Asked, Failure> {
        read(body.to_string().as_bytes(), Some("a-model"))
    }

    fn with(more: Value) -> Value {
        let mut body = json!({"model": "quartet", "messages": [{"role": "user", "content": "Hello"}]});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    }

    #[test]
    fn messages_become_instructions_turns_and_a_question() {
        let asked = asked(&json!({
            "model": "a-model", "temperature": 0.2, "top_p": 1, "stop": "END", "max_tokens": 5, "tools": [], "n": 1, "logprobs": false,
            "response_format": {"type": "text"}, "modalities": ["text"], "stream": true,
            "stream_options": {"include_usage": true}, "novelty": {},
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]},
                {"role": "assistant", "content": null},
                {"role": "assistant", "content": "Three", "refusal": null},
                {"role": "developer", "content": "Be kind."},
                {"role": "user", "content": "Four?"},
            ],
        }))
        .unwrap();
        assert!(asked.stream && asked.include_usage && !asked.search);
        assert_eq!(asked.stop, Stop::read(Some(&json!(["END"]))).unwrap());
        assert_eq!(asked.instructions.as_deref(), Some("Be brief.\n\nBe kind."));
        let turns: Vec<_> = asked
            .history
            .iter()
            .map(|turn| (turn.role.as_str(), turn.content.as_str()))
            .collect();
        assert_eq!(turns, [("user", "One\nTwo"), ("assistant", "Three")]);
        assert_eq!((asked.message.as_str(), asked.model.as_str()), ("Four?", "a-model"));
        let drawn = Sampling {
            temperature: Some(0.2),
            top_p: Some(1.0),
            seed: None,
        };
        assert_eq!(asked.sampling, drawn);
    }

    #[test]
    fn a_seed_may_have_64_bits() {
        let seed = |seed: Value| asked(&with(json!({"seed": seed}))).unwrap().sampling.seed;
        assert_eq!(seed(json!(7)), Some(7));
        assert_eq!(seed(json!(-1)), Some(u32::MAX));
        assert_eq!(seed(json!(u64::MAX)), Some(u32::MAX));
        assert_eq!(seed(json!(null)), None);
    }

    #[test]
    fn a_search_is_asked_for_by_the_model_or_the_option() {
        let search = |more: Value| asked(&with(more)).unwrap().search;
        assert!(!search(json!({})));
        assert!(search(json!({"model": "quartet-search"})));
        assert!(search(json!({"web_search_options": {}})));
        assert!(!search(json!({"web_search_options": null})));
    }

    #[test]
    fn a_form_and_a_length_may_be_asked_for() {
        let schema = json!({"type": "object", "properties": {"age": {"type": "integer"}}});
        let read = |more: Value| asked(&with(more)).unwrap();
        let format = json!({"type": "json_schema", "json_schema": {"name": "x", "strict": true, "schema": schema}});
        let found = read(json!({"response_format": format})).schema;
        assert_eq!(found.unwrap().as_str(), schema.to_string());
        let unordered = r#"{"z":1,"a":2}"#;
        let body = format!(
            r#"{{"model":"quartet","messages":[{{"role":"user","content":"x"}}],"response_format":{{"type":"json_schema","json_schema":{{"name":"x","schema":{unordered}}}}}}}"#
        );
        assert_eq!(
            super::read(body.as_bytes(), None).unwrap().schema.unwrap().as_str(),
            unordered
        );
        let object = json!({"response_format": {"type": "json_object"}, "max_tokens": 50});
        assert_eq!(read(object.clone()).schema.unwrap().as_str(), r#"{"type":"object"}"#);
        assert_eq!(read(object).max_tokens, Some(50));
        assert_eq!(read(json!({"response_format": {"type": "text"}})).schema, None);
        assert_eq!(
            read(json!({"max_tokens": 5, "max_completion_tokens": 9})).max_tokens,
            Some(9)
        );
        // More than there may be is no limit.
        assert_eq!(read(json!({"max_tokens": 128_000})).max_tokens, None);
    }

    #[test]
    fn every_wrong_field_is_named() {
        let user = |content: Value| json!({"messages": [{"role": "user", "content": content}]});
        for (more, field, part) in [
            (json!({"model": null}), "model", "quartet-search or a-model"),
            (json!({"model": "gpt-4o"}), "model", "quartet, quartet-search, a-model"),
            (json!({"tools": [{}]}), "tools[0].type", "takes function"),
            (json!({"tools": {}}), "tools", "a list"),
            (json!({"functions": [{}]}), "functions", "`tools`"),
            (
                json!({"tools": [{"type": "function", "function": {"name": "f"}}], "web_search_options": {}}),
                "tools",
                "without a search",
            ),
            (json!({"n": 2}), "n", "takes 1"),
            (
                json!({"response_format": {"type": "xml"}}),
                "response_format",
                "json_schema",
            ),
            (
                json!({"response_format": "json_object"}),
                "response_format",
                "an object",
            ),
            (
                json!({"response_format": {"type": "json_schema", "json_schema": {"name": "x"}}}),
                "response_format.json_schema.schema",
                "an object",
            ),
            (
                json!({"response_format": {"type": "json_object"}, "web_search_options": {}}),
                "response_format",
                "without a search",
            ),
            (json!({"max_tokens": 0}), "max_tokens", "from 1"),
            (json!({"max_completion_tokens": "5"}), "max_completion_tokens", "from 1"),
            (json!({"stop": 5}), "stop", "up to 4"),
            (json!({"temperature": 2.1}), "temperature", "from 0 to 2"),
            (json!({"temperature": "0.5"}), "temperature", "a number"),
            (json!({"top_p": -0.1}), "top_p", "from 0 to 1"),
            (json!({"seed": 0.5}), "seed", "whole number"),
            (json!({"modalities": ["text", "audio"]}), "modalities", "speech"),
            (json!({"logprobs": true}), "logprobs", "leave it out"),
            (json!({"stream": "yes"}), "stream", "true or false"),
            (
                json!({"stream_options": {"include_usage": 1}}),
                "stream_options.include_usage",
                "true or false",
            ),
            (json!({"messages": []}), "messages", "at least one"),
            (json!({"messages": "Hello"}), "messages", "a list"),
            (json!({"messages": ["Hello"]}), "messages[0]", "`role`"),
            (
                json!({"messages": [{"role": "robot", "content": "x"}]}),
                "messages[0].role",
                "developer",
            ),
            (
                json!({"messages": [{"role": "tool", "content": "x", "tool_call_id": "1"}]}),
                "messages[0].tool_call_id",
                "an earlier message",
            ),
            (
                json!({"messages": [{"role": "assistant", "content": "x"}]}),
                "messages",
                "the user's",
            ),
            (
                json!({"messages": [{"role": "system", "content": "x"}]}),
                "messages",
                "no question",
            ),
            (user(json!("  ")), "messages[0].content", "empty"),
            (user(json!(5)), "messages[0].content", "a string"),
            (
                user(json!([{"type": "input_audio"}])),
                "messages[0].content[0].type",
                "text",
            ),
        ] {
            let failure = asked(&with(more.clone())).unwrap_err();
            assert_eq!(failure.wrong_field(), Some(field), "{more}: {}", failure.message);
            assert!(failure.message.contains(part), "{more}: {}", failure.message);
        }
        assert_eq!(read(b"{", None).unwrap_err().code, Code::InvalidJson);
        assert_eq!(
            asked(&json!({"model": "quartet"})).unwrap_err().code,
            Code::MissingField
        );
    }

    #[test]
    fn a_conversation_may_end_with_the_beginning_of_the_answer() {
        let messages = |last: Value| json!([{"role": "user", "content": "Tell me a story."}, last]);
        let begun = json!({"role": "assistant", "content": "Once upon a"});
        let continued = asked(&with(json!({"messages": messages(begun.clone())}))).unwrap();
        assert_eq!((continued.message.as_str(), continued.history.len()), ("", 2));
        assert_eq!(continued.history[1].content, "Once upon a");
        // The place of an answer is none.
        let answered = asked(&with(
            json!({"messages": messages(json!({"role": "assistant", "content": ""}))}),
        ))
        .unwrap();
        assert_eq!(
            (answered.message.as_str(), answered.history.len()),
            ("Tell me a story.", 0)
        );
        let picture = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJjZA=="}});
        for (more, part) in [
            (
                json!({"messages": [{"role": "user", "content": [picture]}, begun]}),
                "a picture",
            ),
            (
                json!({"messages": messages(begun.clone()), "model": "quartet-search"}),
                "a search",
            ),
            (
                json!({"messages": messages(begun), "response_format": {"type": "json_object"}}),
                "a schema",
            ),
            (
                json!({"messages": messages(json!({"role": "assistant", "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                ]}))}),
                "the result of each follows",
            ),
        ] {
            let failure = asked(&with(more.clone())).unwrap_err();
            assert_eq!(failure.wrong_field(), Some("messages"), "{more}: {}", failure.message);
            assert!(failure.message.contains(part), "{more}: {}", failure.message);
        }
    }

    #[test]
    fn a_conversation_may_end_with_results_of_calls() {
        let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
        let asked = asked(&with(json!({
            "parallel_tool_calls": false,
            "messages": [
                {"role": "user", "content": "What?"},
                {"role": "assistant", "content": null, "tool_calls": [call("1"), call("2")]},
                {"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "two"}]},
                {"role": "tool", "tool_call_id": "1", "content": "one"},
            ],
        })))
        .unwrap();
        assert_eq!((asked.message.as_str(), asked.offer.parallel), ("", Some(false)));
        assert_eq!(asked.history[1].tool_calls.len(), 2);
        let results: Vec<_> = asked.history[2..]
            .iter()
            .map(|turn| (turn.tool_call_id.as_deref().unwrap(), turn.content.as_str()))
            .collect();
        assert_eq!(results, [("2", "two"), ("1", "one")]);
    }

    #[test]
    fn only_the_last_turns_are_kept() {
        let mut messages = vec![json!({"role": "user", "content": "old"}); 150];
        messages.push(json!({"role": "user", "content": "new"}));
        let asked = asked(&with(json!({"messages": messages}))).unwrap();
        assert_eq!(asked.history.len() as u64, limits::CHAT_SENT_TURNS);
        assert_eq!(asked.message, "new");
    }
}
