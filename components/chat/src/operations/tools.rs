//! The parts of a request that are about tools: functions, their choice, calls and results in the history.

use std::collections::HashSet;

use quartet_api::chat::{ChatRequest, ChatTurn, JsonText, Tool, ToolChoice};
use quartet_api::limits;
use quartet_component_sdk::Failure;
use quartet_component_sdk::failure::quoted;
use serde_json::{Map, Value};

use crate::answer::{Call, Tools};

/// The functions that the model may have called; none where it may call none.
pub(super) fn read(sent: &ChatRequest) -> Result<Option<Tools>, Failure> {
    let call = call(&sent.tools, sent.tool_choice.as_deref())?;
    if sent.tools.is_empty() {
        return Ok(None);
    }
    let list = &sent.tools;
    if list.len() as u64 > limits::CHAT_TOOLS {
        let problem = format!("has {} tools; it takes up to {}", list.len(), limits::CHAT_TOOLS);
        return Err(Failure::field("tools", problem));
    }
    let mut names = HashSet::new();
    let mut bytes = 0;
    for (index, tool) in list.iter().enumerate() {
        let at = format!("tools[{index}]");
        check(&at, tool)?;
        if !names.insert(tool.name.as_str()) {
            let problem = format!("is {}, as another one is", quoted(&tool.name));
            return Err(Failure::field(&format!("{at}.name"), problem));
        }
        bytes += size(tool);
    }
    if bytes as u64 > limits::CHAT_TOOLS_BYTES {
        let problem = format!(
            "have {bytes} bytes together; they may have {}",
            limits::CHAT_TOOLS_BYTES
        );
        return Err(Failure::field("tools", problem));
    }
    if sent.use_search == Some(true) {
        return Err(Failure::field("tools", "go without `useSearch`"));
    }
    if sent.messages.is_none() {
        let problem = "go with `messages`, in which the client sends calls and results back";
        return Err(Failure::field("tools", problem));
    }
    Ok(call.map(|call| Tools {
        list: list.clone(),
        call,
        parallel: sent.parallel_tool_calls.unwrap_or(true),
    }))
}

fn check(at: &str, tool: &Tool) -> Result<(), Failure> {
    let is_name = |name: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        (1..=limits::CHAT_TOOL_NAME_CHARACTERS).contains(&(name.len() as u64)) && name.bytes().all(allowed)
    };
    if !is_name(&tool.name) {
        let problem = format!(
            "is {}; it takes 1 to {} letters, digits, _ and -",
            quoted(&tool.name),
            limits::CHAT_TOOL_NAME_CHARACTERS
        );
        return Err(Failure::field(&format!("{at}.name"), problem));
    }
    if ToolChoice::from_name(&tool.name).is_some() {
        let problem = format!("is {}, which is a word of `toolChoice`", quoted(&tool.name));
        return Err(Failure::field(&format!("{at}.name"), problem));
    }
    let Some(parameters) = tool.parameters.as_ref().map(JsonText::as_str) else {
        return Ok(());
    };
    let field = |problem: String| Err(Failure::field(&format!("{at}.parameters"), problem));
    let Ok(schema) = serde_json::from_str::<Map<String, Value>>(parameters) else {
        return field("takes a JSON Schema, which is an object".to_owned());
    };
    if schema.get("type").is_some_and(|kind| kind != "object") {
        return field("takes a JSON Schema whose `type` is object".to_owned());
    }
    if parameters.len() as u64 > limits::CHAT_TOOL_SCHEMA_BYTES {
        let most = limits::CHAT_TOOL_SCHEMA_BYTES;
        return field(format!("has {} bytes; it may have {most}", parameters.len()));
    }
    Ok(())
}

fn size(tool: &Tool) -> usize {
    let parameters = tool
        .parameters
        .as_ref()
        .map_or(0, |parameters| parameters.as_str().len());
    tool.name.len() + tool.description.as_ref().map_or(0, String::len) + parameters
}

/// Permission to call functions, or the duty; none where no function is called.
fn call(tools: &[Tool], choice: Option<&str>) -> Result<Option<Call>, Failure> {
    let Some(choice) = choice else {
        return Ok(Some(Call::Any));
    };
    if let Some(place) = tools.iter().position(|tool| tool.name == choice) {
        return Ok(Some(Call::This(place)));
    }
    match ToolChoice::from_name(choice) {
        Some(ToolChoice::Auto) => Ok(Some(Call::Any)),
        Some(ToolChoice::None) => Ok(None),
        Some(ToolChoice::Required) if !tools.is_empty() => Ok(Some(Call::Some)),
        _ => {
            let words: Vec<_> = ToolChoice::ALL.iter().map(|choice| choice.name()).collect();
            let problem = format!(
                "is {}; it takes {} or the name of one of `tools`",
                quoted(choice),
                words.join(", ")
            );
            Err(Failure::field("toolChoice", problem))
        }
    }
}

/// The history that a client sent, with its results of calls cut to what is read.
pub(super) fn history(mut turns: Vec<ChatTurn>, notes: &mut Vec<String>) -> Result<Vec<ChatTurn>, Failure> {
    if turns.len() as u64 > limits::CHAT_SENT_TURNS {
        return Err(Failure::field(
            "messages",
            format!("has {} turns; it takes up to {}", turns.len(), limits::CHAT_SENT_TURNS),
        ));
    }
    let most = usize::try_from(limits::CHAT_TOOL_RESULT_CHARACTERS).unwrap_or(usize::MAX);
    let mut calls = HashSet::new();
    for (index, turn) in turns.iter_mut().enumerate() {
        let at = format!("messages[{index}]");
        match turn.role.as_str() {
            "user" if turn.tool_calls.is_empty() => {}
            "user" => {
                let problem = "belong to turns of the role assistant";
                return Err(Failure::field(&format!("{at}.toolCalls"), problem));
            }
            "assistant" => {
                for (place, call) in turn.tool_calls.iter().enumerate() {
                    if serde_json::from_str::<Map<String, Value>>(call.arguments.as_str()).is_err() {
                        let field = format!("{at}.toolCalls[{place}].arguments");
                        return Err(Failure::field(&field, "takes an object"));
                    }
                    calls.insert(call.id.clone());
                }
            }
            "tool" => {
                let id = turn.tool_call_id.as_deref().unwrap_or_default();
                if !calls.contains(id) {
                    let problem = format!("is {}, which is the id of no call before it", quoted(id));
                    return Err(Failure::field(&format!("{at}.toolCallId"), problem));
                }
                if let Some((end, _)) = turn.content.char_indices().nth(most) {
                    turn.content.truncate(end);
                    notes.push(format!(
                        "The result of a call has more than {most} characters: its first {most} were read."
                    ));
                }
            }
            other => {
                return Err(Failure::field(
                    &format!("{at}.role"),
                    format!("is {}; it takes user, assistant or tool", quoted(other)),
                ));
            }
        }
    }
    Ok(turns)
}
