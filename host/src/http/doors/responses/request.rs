//! The body of a request for a response. Its items become the messages of a chat, which are read there.

use quartet_api::chat::JsonText;
use quartet_api::limits;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::http::doors::chat::{self, Asked, Form, Offer, Stop};
use crate::http::doors::lists::SEARCH_MODEL;
use crate::http::doors::object;
use crate::http::doors::reply::Names;

/// Fields that would need something kept, or called. Where they ask for nothing, they are passed over.
const REFUSED: &[(&str, &str)] = &[
    (
        "previous_response_id",
        "is not supported: nothing is kept; send the turns before as items of `input`",
    ),
    (
        "conversation",
        "is not supported: nothing is kept; send the turns before as items of `input`",
    ),
    ("store", "takes false: nothing is kept"),
    ("background", "takes false: an answer is given at once"),
    (
        "prompt",
        "is not supported: there are no templates; send `instructions` and `input`",
    ),
    ("max_tool_calls", "is not supported; `parallel_tool_calls` takes false"),
];

/// Tools that are a search of the web.
const SEARCH_TOOLS: [&str; 2] = ["web_search", "web_search_preview"];

/// The fields of operations that have another name here.
pub const NAMES: Names = &[
    ("message", "input"),
    ("image", "input"),
    ("pdf", "input"),
    ("responseSchema", "text.format"),
    ("maxTokens", "max_output_tokens"),
    ("toolChoice", "tool_choice"),
    ("topP", "top_p"),
];

/// Fields of the request that the answer repeats.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Echo {
    /// `instructions`.
    pub instructions: Option<String>,
    /// `max_output_tokens`.
    pub max_output_tokens: Option<u64>,
    /// `text.format`.
    pub format: Option<Value>,
    /// `tools`, if any: a search, or functions.
    pub tools: Vec<Value>,
    /// `tool_choice`.
    pub tool_choice: Option<Value>,
    /// True if several functions may be called at once.
    pub parallel_tool_calls: bool,
    /// `metadata`.
    pub metadata: Option<Value>,
    /// `temperature`.
    pub temperature: Option<Value>,
    /// `top_p`.
    pub top_p: Option<Value>,
}

/// Reads a request. Fields that are not known are passed over.
///
/// # Errors
/// With the field that is wrong.
pub fn read(body: &[u8], language_model: Option<&str>) -> Result<(Asked, Echo), Failure> {
    let mut fields = object::read(body)?;
    let model = chat::model(fields.get("model"), language_model)?;
    for (name, problem) in REFUSED {
        if fields.get(*name).is_some_and(chat::asks) {
            return Err(Failure::field(*name, problem));
        }
    }
    let (tools, searches) = tools(fields.get("tools"))?;
    let search = model == SEARCH_MODEL || searches;
    let offer = match searches {
        // A choice is one between functions.
        true => Offer::default(),
        false => Offer {
            parallel: chat::parallel(&fields)?,
            ..chat::offer(&tools, fields.get("tool_choice"), body, Form::Flat)?
        },
    };
    let sampling = chat::sampling(&fields)?;
    let (schema, format) = schema(fields.get("text"), body)?;
    let max_output_tokens = match fields.get("max_output_tokens") {
        None | Some(Value::Null) => None,
        Some(value) => match value.as_u64() {
            Some(tokens @ 1..) => Some(tokens),
            _ => return Err(Failure::field("max_output_tokens", "takes a whole number from 1")),
        },
    };
    let instructions = match fields.remove("instructions") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(_) => return Err(Failure::field("instructions", "takes a string")),
    };
    let stream = chat::flag("stream", fields.get("stream"))?;
    let (messages, is_text) = messages(fields.remove("input"))?;
    let chat::Conversation {
        instructions: said,
        history,
        message,
        attachment,
        attached_now,
    } = chat::conversation(Value::Array(messages)).map_err(|failure| renamed(&failure, is_text))?;
    let mut asked = Asked {
        model,
        search,
        stream,
        include_usage: false,
        instructions: None,
        history,
        message,
        offer,
        schema,
        // One that is larger than what may be asked for is no limit here.
        max_tokens: max_output_tokens
            .and_then(|tokens| u32::try_from(tokens).ok())
            .filter(|tokens| *tokens <= limits::CHAT_ANSWER_TOKENS),
        sampling,
        // This form has none.
        stop: Stop::default(),
        attachment,
        attached_now,
    };
    if asked.schema.is_some() && (asked.attachment.is_some() || asked.search) {
        let problem = "goes without a search, pictures and documents: what is found is no document of a schema";
        return Err(Failure::field("text.format", problem));
    }
    chat::check_alone(&asked, "input")?;
    let echo = Echo {
        instructions: instructions.clone(),
        max_output_tokens,
        format,
        parallel_tool_calls: !asked.offer.tools.is_empty() && asked.offer.parallel != Some(false),
        tool_choice: fields.remove("tool_choice").filter(|_| !tools.is_empty()),
        tools,
        metadata: fields.remove("metadata").filter(Value::is_object),
        temperature: fields.remove("temperature").filter(Value::is_number),
        top_p: fields.remove("top_p").filter(Value::is_number),
    };
    let all = [instructions, said];
    let all: Vec<_> = all
        .into_iter()
        .flatten()
        .filter(|text| !text.trim().is_empty())
        .collect();
    asked.instructions = (!all.is_empty()).then(|| all.join("\n\n"));
    Ok((asked, echo))
}

/// The tools: functions, or a search of the web, for which the second value is true.
fn tools(value: Option<&Value>) -> Result<(Vec<Value>, bool), Failure> {
    let Some(tools) = value.filter(|tools| chat::asks(tools)) else {
        return Ok((Vec::new(), false));
    };
    let is_search = |tool: &Value| tool["type"].as_str().is_some_and(|kind| SEARCH_TOOLS.contains(&kind));
    match tools.as_array() {
        Some(tools) if tools.iter().all(is_search) => Ok((tools.clone(), true)),
        Some(tools) if !tools.iter().any(is_search) => Ok((tools.clone(), false)),
        Some(_) => Err(Failure::field(
            "tools",
            "takes web_search or functions, not both: what is found is no result of a function",
        )),
        None => Err(Failure::field("tools", "takes a list of functions, or web_search")),
    }
}

/// The items of the input as messages of a chat; true if the input is a text.
fn messages(input: Option<Value>) -> Result<(Vec<Value>, bool), Failure> {
    let items = match input {
        Some(Value::String(text)) => return Ok((vec![json!({"role": "user", "content": text})], true)),
        Some(Value::Array(items)) => items,
        None => return Err(Failure::missing_field("input", "a text or a list of items")),
        Some(_) => return Err(Failure::field("input", "takes a text or a list of items")),
    };
    let mut messages = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let kind = item["type"].as_str().unwrap_or("message");
        match kind {
            "message" => {}
            // Empty messages are passed over, and the places of the others stay.
            "reasoning" | "web_search_call" => {
                messages.push(json!({"role": "assistant", "content": ""}));
                continue;
            }
            "function_call" => {
                let function = json!({"name": item["name"], "arguments": item["arguments"]});
                let call = json!({"id": item["call_id"], "function": function});
                messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
                continue;
            }
            "function_call_output" => {
                let content = content(item["output"].clone());
                messages.push(json!({"role": "tool", "tool_call_id": item["call_id"], "content": content}));
                continue;
            }
            other => {
                let shown: String = other.chars().take(40).collect();
                let problem =
                    format!("is {shown:?}; it takes message, function_call or function_call_output: nothing is kept");
                return Err(Failure::field(format!("input[{index}].type"), problem));
            }
        }
        let Value::Object(mut item) = item else {
            return Err(Failure::field(
                format!("input[{index}]"),
                "takes an object with `role` and `content`",
            ));
        };
        let content = content(item.remove("content").unwrap_or_default());
        messages.push(json!({"role": item.remove("role"), "content": content}));
    }
    Ok((messages, false))
}

/// The content of an item as a chat has it.
fn content(content: Value) -> Value {
    match content {
        Value::Array(parts) => parts.into_iter().map(part).collect(),
        content => content,
    }
}

/// A part of a message as a chat has it.
fn part(mut part: Value) -> Value {
    match part["type"].as_str() {
        Some("input_text" | "output_text") => json!({"type": "text", "text": part["text"].take()}),
        Some("input_image") => json!({"type": "image_url", "image_url": part["image_url"].take()}),
        Some("input_file") => {
            let mut file = Map::new();
            for name in ["file_data", "file_id"] {
                if let Some(value) = part.get_mut(name) {
                    file.insert(name.to_owned(), value.take());
                }
            }
            json!({"type": "file", "file": file})
        }
        _ => part,
    }
}

/// The same failure with the names that the client knows.
fn renamed(failure: &Failure, is_text: bool) -> Failure {
    let theirs = |text: &str| {
        let text = text
            .replace(".file.file_", ".file_")
            .replace(".tool_calls[0].function.", ".")
            .replace(".tool_calls[0].id", ".call_id")
            .replace(".tool_call_id", ".call_id")
            .replace("text, image_url or file", "input_text, input_image or input_file");
        match is_text {
            true => text
                .replace("messages[0].content", "input")
                .replace("messages", "input"),
            false => text.replace("messages", "input"),
        }
    };
    let named = Failure::new(failure.code, theirs(&failure.message));
    match failure.wrong_field() {
        Some(field) => named.of_field(theirs(field)),
        None => named,
    }
}

/// The part of a body that the schema stands in, whose fields keep their order.
#[derive(Deserialize)]
struct Formatted {
    text: Text,
}

#[derive(Deserialize)]
struct Text {
    format: Described,
}

#[derive(Deserialize)]
struct Described {
    schema: JsonText,
}

/// The JSON Schema that an answer is to fit, and the format as it was sent; none for text.
fn schema(text: Option<&Value>, body: &[u8]) -> Result<(Option<JsonText>, Option<Value>), Failure> {
    let format = text.map_or(&Value::Null, |text| &text["format"]);
    if format.is_null() {
        return Ok((None, None));
    }
    let schema = match format["type"].as_str() {
        Some("text") => None,
        Some("json_object") => serde_json::from_str(r#"{"type":"object"}"#).ok(),
        Some("json_schema") => match serde_json::from_slice::<Formatted>(body) {
            Ok(formatted) if format["schema"].is_object() => Some(formatted.text.format.schema),
            _ => {
                return Err(Failure::field(
                    "text.format.schema",
                    "takes a JSON Schema, which is an object",
                ));
            }
        },
        _ => {
            return Err(Failure::field(
                "text.format",
                "takes an object whose `type` is text, json_object or json_schema",
            ));
        }
    };
    Ok((schema, Some(format.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(body: &Value) -> Result<(Asked, Echo), Failure> {
        read(body.to_string().as_bytes(), None)
    }

    fn with(more: Value) -> Value {
        let mut body = json!({"model": "quartet", "input": "Hello"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    }

    #[test]
    fn items_become_instructions_turns_and_a_question() {
        let (asked, echo) = asked(&json!({
            "model": "quartet", "instructions": "Be brief.", "stream": true, "store": false, "temperature": 1,
            "max_output_tokens": 50, "include": ["x"], "previous_response_id": null, "metadata": {"a": "b"},
            "input": [
                {"role": "developer", "content": "Be kind."},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "One"}]},
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
                 "content": [{"type": "output_text", "text": "Two", "annotations": []}]},
                {"role": "user", "content": [
                    {"type": "input_image", "image_url": "data:image/png;base64,YWJj", "detail": "auto"},
                    {"type": "input_text", "text": "Three?"}]},
            ],
        }))
        .unwrap();
        assert_eq!(asked.instructions.as_deref(), Some("Be brief.\n\nBe kind."));
        let turns: Vec<_> = asked
            .history
            .iter()
            .map(|turn| (turn.role.as_str(), turn.content.as_str()))
            .collect();
        assert_eq!(turns, [("user", "One"), ("assistant", "Two")]);
        assert_eq!(
            (asked.message.as_str(), asked.attached_now, asked.stream),
            ("Three?", true, true)
        );
        assert_eq!((asked.max_tokens, asked.search), (Some(50), false));
        assert_eq!(
            (echo.instructions.as_deref(), echo.max_output_tokens),
            (Some("Be brief."), Some(50))
        );
        assert_eq!((echo.temperature, echo.top_p), (Some(json!(1)), None));
    }

    #[test]
    fn a_search_and_a_form_may_be_asked_for() {
        assert!(
            asked(&with(json!({"tools": [{"type": "web_search"}]})))
                .unwrap()
                .0
                .search
        );
        assert!(!asked(&with(json!({"tools": []}))).unwrap().0.search);
        let unordered = r#"{"z":1,"a":2}"#;
        let body = format!(
            r#"{{"model":"quartet","input":"x","text":{{"format":{{"type":"json_schema","name":"n","schema":{unordered}}}}}}}"#
        );
        let (asked, echo) = read(body.as_bytes(), None).unwrap();
        assert_eq!(asked.schema.unwrap().as_str(), unordered);
        assert_eq!(echo.format.unwrap()["name"], "n");
    }

    #[test]
    fn functions_their_calls_and_results_are_a_chats() {
        let tool = json!({"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": true});
        let call = |id: &str| json!({"type": "function_call", "id": "fc_1", "call_id": id, "name": "f", "arguments": "{}", "status": "completed"});
        let (asked, echo) = asked(&with(json!({"tools": [tool], "tool_choice": "required", "input": [
            {"role": "user", "content": "What?"},
            call("1"),
            call("2"),
            {"type": "function_call_output", "call_id": "1", "output": "one"},
            {"type": "function_call_output", "call_id": "2", "output": [{"type": "input_text", "text": "two"}]},
        ]})))
        .unwrap();
        assert_eq!(asked.offer.tools[0].name, "f");
        assert_eq!(asked.offer.choice.as_deref(), Some("required"));
        assert_eq!((asked.history.len(), asked.history[1].tool_calls.len()), (4, 2));
        assert_eq!(asked.history[3].content, "two");
        assert_eq!((echo.tools, echo.parallel_tool_calls), (vec![tool], true));
    }

    #[test]
    fn every_wrong_field_is_named() {
        let part = |part: Value| json!([{"role": "user", "content": [part]}]);
        for (more, field) in [
            (json!({"model": "gpt-5"}), "model"),
            (json!({"input": null}), "input"),
            (json!({"input": ""}), "input"),
            (json!({"input": []}), "input"),
            (json!({"input": [{"role": "assistant", "content": "x"}]}), "input"),
            (
                json!({"input": [{"type": "item_reference", "id": "x"}]}),
                "input[0].type",
            ),
            (
                json!({"input": [{"role": "function", "content": "x"}]}),
                "input[0].role",
            ),
            (
                json!({"input": [{"type": "function_call_output", "call_id": "1", "output": "x"}]}),
                "input[0].call_id",
            ),
            (
                json!({"input": [{"type": "function_call", "call_id": "1", "name": "f", "arguments": "x"}]}),
                "input[0].arguments",
            ),
            (
                json!({"input": part(json!({"type": "input_audio"}))}),
                "input[0].content[0].type",
            ),
            (
                json!({"input": part(json!({"type": "input_file", "file_id": "x"}))}),
                "input[0].content[0].file_id",
            ),
            (
                json!({"input": part(json!({"type": "input_image", "image_url": "https://a"}))}),
                "input[0].content[0].image_url",
            ),
            (json!({"previous_response_id": "resp_1"}), "previous_response_id"),
            (json!({"conversation": "conv_1"}), "conversation"),
            (json!({"store": true}), "store"),
            (json!({"background": true}), "background"),
            (
                json!({"tools": [{"type": "function", "name": "f"}, {"type": "web_search"}]}),
                "tools",
            ),
            (json!({"tools": [{"type": "function"}]}), "tools[0].name"),
            (json!({"tools": [{"type": "file_search"}]}), "tools[0].type"),
            (json!({"max_output_tokens": 0}), "max_output_tokens"),
            (json!({"instructions": 5}), "instructions"),
            (json!({"temperature": 3}), "temperature"),
            (json!({"top_p": "0.5"}), "top_p"),
            (json!({"stream": "yes"}), "stream"),
            (json!({"text": {"format": {"type": "xml"}}}), "text.format"),
            (
                json!({"text": {"format": {"type": "json_schema"}}}),
                "text.format.schema",
            ),
            (
                json!({"text": {"format": {"type": "json_object"}}, "tools": [{"type": "web_search"}]}),
                "text.format",
            ),
        ] {
            let failure = asked(&with(more.clone())).unwrap_err();
            assert_eq!(failure.wrong_field(), Some(field), "{more}: {}", failure.message);
            assert!(!failure.message.contains("messages"), "{}", failure.message);
        }
    }
}
