//! The parts of a request that are about functions: those that there are, which of them to call, and calls and results in the
//! conversation.

use std::collections::HashSet;

use quartet_api::chat::{ChatTurn, JsonText, Tool, ToolCall};
use quartet_api::failure::excerpt;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::Failure;

/// Functions that the language model may have called.
#[derive(Debug, Default)]
pub struct Offer {
    /// The functions.
    pub tools: Vec<Tool>,
    /// A word, or the name of the function to call.
    pub choice: Option<String>,
    /// False to have one called at a time.
    pub parallel: Option<bool>,
}

/// The form of a function in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In an object `function`, as in a request for a chat.
    Nested,
    /// In the tool itself, as in a request for a response.
    Flat,
}

/// The part of a body that the parameters stand in, whose fields keep their order.
#[derive(Deserialize)]
struct Offered<T> {
    tools: Vec<T>,
}

#[derive(Deserialize)]
struct Nested {
    function: Parameters,
}

#[derive(Deserialize)]
struct Parameters {
    parameters: Option<JsonText>,
}

/// Reads the functions of a request and the choice among them.
///
/// # Errors
/// With the field that is wrong.
pub fn offer(tools: &[Value], sent: Option<&Value>, body: &[u8], form: Form) -> Result<Offer, Failure> {
    let choice = choice(sent, form)?;
    if tools.is_empty() {
        let word = choice.filter(|choice| choice != "auto" && choice != "none");
        return match word {
            Some(_) => Err(Failure::field(
                "tool_choice",
                "goes with `tools`, of which there are none",
            )),
            None => Ok(Offer::default()),
        };
    }
    let mut read = Vec::with_capacity(tools.len());
    for (index, tool) in tools.iter().enumerate() {
        read.push(function(&format!("tools[{index}]"), tool, form)?);
    }
    for (tool, parameters) in read.iter_mut().zip(parameters(body, form)?) {
        tool.parameters = parameters;
    }
    Ok(Offer {
        tools: read,
        choice,
        parallel: None,
    })
}

/// The parameters of each function, as they were written.
fn parameters(body: &[u8], form: Form) -> Result<Vec<Option<JsonText>>, Failure> {
    let read = match form {
        Form::Nested => serde_json::from_slice::<Offered<Nested>>(body)
            .map(|offered| offered.tools.into_iter().map(|tool| tool.function.parameters).collect()),
        Form::Flat => serde_json::from_slice::<Offered<Parameters>>(body)
            .map(|offered| offered.tools.into_iter().map(|tool| tool.parameters).collect()),
    };
    // Whatever else could be wrong with them was found before: a field is there twice.
    read.map_err(|error| Failure::field("tools", format!("cannot be read: {}", excerpt(&error))))
}

/// A function but for its parameters, which are looked at only.
fn function(at: &str, tool: &Value, form: Form) -> Result<Tool, Failure> {
    if tool["type"] != "function" {
        return Err(Failure::field(
            format!("{at}.type"),
            "takes function; other tools are not called",
        ));
    }
    let (at, function) = match form {
        Form::Nested => (format!("{at}.function"), &tool["function"]),
        Form::Flat => (at.to_owned(), tool),
    };
    let Some(name) = function["name"].as_str() else {
        return Err(Failure::field(format!("{at}.name"), "takes the name of the function"));
    };
    let description = match &function["description"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        _ => return Err(Failure::field(format!("{at}.description"), "takes a string")),
    };
    if !matches!(function["parameters"], Value::Null | Value::Object(_)) {
        let problem = "takes a JSON Schema, which is an object";
        return Err(Failure::field(format!("{at}.parameters"), problem));
    }
    Ok(Tool {
        name: name.to_owned(),
        description,
        parameters: None,
    })
}

/// The choice: a word, or a function's name.
fn choice(value: Option<&Value>, form: Form) -> Result<Option<String>, Failure> {
    let wrong = || {
        let problem =
            "takes none, auto, required, or an object whose `type` is function and that has the function's name";
        Failure::field("tool_choice", problem)
    };
    match value {
        None | Some(Value::Null) => Ok(None),
        // Mistral's word, which its clients send.
        Some(Value::String(word)) if word == "any" => Ok(Some("required".to_owned())),
        Some(Value::String(word)) if ["none", "auto", "required"].contains(&word.as_str()) => Ok(Some(word.clone())),
        Some(Value::Object(choice)) if choice.get("type").is_some_and(|kind| kind == "function") => {
            let name = match form {
                Form::Nested => choice.get("function").and_then(|function| function.get("name")),
                Form::Flat => choice.get("name"),
            };
            name.and_then(Value::as_str)
                .map(str::to_owned)
                .map(Some)
                .ok_or_else(wrong)
        }
        Some(_) => Err(wrong()),
    }
}

/// The calls of a message of the assistant's at a place in the request.
///
/// # Errors
/// With the call that is wrong.
pub fn calls(at: &str, value: Option<Value>) -> Result<Vec<ToolCall>, Failure> {
    let calls = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(calls)) => calls,
        Some(_) => return Err(Failure::field(format!("{at}.tool_calls"), "takes a list of calls")),
    };
    let each = calls.iter().enumerate().map(|(index, call)| {
        let at = format!("{at}.tool_calls[{index}]");
        let text = |value: &Value, name: &str| match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(Failure::field(format!("{at}.{name}"), "takes a string")),
        };
        let arguments = text(&call["function"]["arguments"], "function.arguments")?;
        let arguments = if arguments.trim().is_empty() { "{}" } else { &arguments };
        let arguments = JsonText::parse(arguments).filter(|text| text.as_str().starts_with('{'));
        Ok(ToolCall {
            id: text(&call["id"], "id")?,
            name: text(&call["function"]["name"], "function.name")?,
            arguments: arguments
                .ok_or_else(|| Failure::field(format!("{at}.function.arguments"), "takes a JSON object as text"))?,
        })
    });
    each.collect()
}

/// Calls that were made so far in a conversation.
#[derive(Debug, Default)]
pub struct Made(HashSet<String>);

impl Made {
    /// Appends the assistant's calls to the history. Those of one answer may come as several messages.
    pub fn push(&mut self, history: &mut Vec<ChatTurn>, content: String, calls: Vec<ToolCall>) {
        self.0.extend(calls.iter().map(|call| call.id.clone()));
        match history.last_mut() {
            Some(last) if !last.tool_calls.is_empty() && content.is_empty() => last.tool_calls.extend(calls),
            _ => history.push(ChatTurn {
                tool_calls: calls,
                ..ChatTurn::new("assistant", content)
            }),
        }
    }

    /// The turn of a result at a place in the request.
    ///
    /// # Errors
    /// When it is the result of no call before it.
    pub fn result(&self, at: &str, id: Option<&Value>, content: String) -> Result<ChatTurn, Failure> {
        match id.and_then(Value::as_str) {
            Some(id) if self.0.contains(id) => Ok(ChatTurn {
                tool_call_id: Some(id.to_owned()),
                ..ChatTurn::new("tool", content)
            }),
            _ => Err(Failure::field(
                format!("{at}.tool_call_id"),
                "takes the id of a call in an earlier message of the assistant's",
            )),
        }
    }
}

/// Takes results off the beginning of a history whose calls are not in it any more.
pub fn drop_orphans(history: &mut Vec<ChatTurn>) {
    let orphans = history.iter().take_while(|turn| turn.role == "tool").count();
    history.drain(..orphans);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: &str, form: Form) -> Result<Offer, Failure> {
        let fields: Value = serde_json::from_str(body).unwrap();
        let tools = fields["tools"].as_array().unwrap();
        offer(tools, fields.get("tool_choice"), body.as_bytes(), form)
    }

    #[test]
    fn functions_are_read_in_both_forms_with_their_fields_in_order() {
        let function = r#""name":"f","description":"Does it.","strict":true,"parameters":{"z":1,"a":2}"#;
        let nested = format!(
            r#"{{"tools":[{{"type":"function","function":{{{function}}}}}],"tool_choice":{{"type":"function","function":{{"name":"f"}}}}}}"#
        );
        let flat =
            format!(r#"{{"tools":[{{"type":"function",{function}}}],"tool_choice":{{"type":"function","name":"f"}}}}"#);
        for (body, form) in [(nested, Form::Nested), (flat, Form::Flat)] {
            let offer = read(&body, form).unwrap();
            let tool = &offer.tools[0];
            assert_eq!(
                (tool.name.as_str(), tool.description.as_deref()),
                ("f", Some("Does it."))
            );
            assert_eq!(tool.parameters.as_ref().unwrap().as_str(), r#"{"z":1,"a":2}"#);
            assert_eq!(offer.choice.as_deref(), Some("f"));
        }
        for (word, choice) in [("auto", "auto"), ("required", "required"), ("any", "required")] {
            let function = r#"{"type":"function","function":{"name":"f","parameters":null}}"#;
            let bare = format!(r#"{{"tools":[{function}],"tool_choice":"{word}"}}"#);
            let offer = read(&bare, Form::Nested).unwrap();
            assert_eq!(
                (&offer.tools[0].parameters, offer.choice.as_deref()),
                (&None, Some(choice))
            );
        }
    }

    #[test]
    fn no_other_field_takes_the_parameters_away() {
        let flat = r#"{"tools":[{"type":"function","name":"f","parameters":{"a":1},"function":"f"}]}"#;
        let nested =
            r#"{"tools":[{"type":"function","function":{"name":"f","parameters":{"a":1}},"parameters":"none"}]}"#;
        for (body, form) in [(flat, Form::Flat), (nested, Form::Nested)] {
            let offer = read(body, form).unwrap();
            assert_eq!(offer.tools[0].parameters.as_ref().unwrap().as_str(), r#"{"a":1}"#);
        }
        let twice = r#"{"tools":[{"type":"function","name":"f","parameters":{"a":1},"parameters":{"b":1}}]}"#;
        assert_eq!(read(twice, Form::Flat).unwrap_err().wrong_field(), Some("tools"));
    }

    #[test]
    fn every_wrong_field_is_named() {
        let function = |function: Value| json!([{"type": "function", "function": function}]);
        for (tools, choice, field) in [
            (json!([{"type": "custom"}]), Value::Null, "tools[0].type"),
            (json!(["f"]), Value::Null, "tools[0].type"),
            (function(json!({})), Value::Null, "tools[0].function.name"),
            (
                function(json!({"name": "f", "description": 5})),
                Value::Null,
                "tools[0].function.description",
            ),
            (
                function(json!({"name": "f", "parameters": "{}"})),
                Value::Null,
                "tools[0].function.parameters",
            ),
            (function(json!({"name": "f"})), json!("sometimes"), "tool_choice"),
            (
                function(json!({"name": "f"})),
                json!({"type": "allowed_tools"}),
                "tool_choice",
            ),
            (
                function(json!({"name": "f"})),
                json!({"type": "function"}),
                "tool_choice",
            ),
            (json!([]), json!("required"), "tool_choice"),
        ] {
            let body = json!({"tools": tools, "tool_choice": choice}).to_string();
            let failure = read(&body, Form::Nested).unwrap_err();
            assert_eq!(failure.wrong_field(), Some(field), "{body}");
        }
    }

    #[test]
    fn calls_and_results_belong_together() {
        let call = |id: &str, arguments: Value| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": arguments}});
        let read = calls("m", Some(json!([call("1", json!("{\"a\": 1}")), call("2", json!(""))]))).unwrap();
        assert_eq!(
            (read[0].arguments.as_str(), read[1].arguments.as_str()),
            (r#"{"a": 1}"#, "{}")
        );
        for wrong in [json!({"a": 1}), json!("[1]"), json!("{")] {
            let failure = calls("m", Some(json!([call("1", wrong)]))).unwrap_err();
            assert_eq!(failure.wrong_field(), Some("m.tool_calls[0].function.arguments"));
        }
        let (mut made, mut history) = (Made::default(), Vec::new());
        let (first, second) = (read[..1].to_vec(), read[1..].to_vec());
        made.push(&mut history, String::new(), first);
        made.push(&mut history, String::new(), second);
        assert_eq!((history.len(), history[0].tool_calls.len()), (1, 2));
        assert!(made.result("m", Some(&json!("2")), "x".to_owned()).is_ok());
        let failure = made.result("m", Some(&json!("3")), "x".to_owned()).unwrap_err();
        assert_eq!(failure.wrong_field(), Some("m.tool_call_id"));
    }
}
