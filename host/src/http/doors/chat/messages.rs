//! The messages of a request: instructions, earlier turns, and what is answered.

use quartet_api::chat::ChatTurn;
use quartet_api::limits;
use serde_json::Value;

use super::content::{self, Attachment, Content};
use super::tools::{self, Made};
use crate::failure::Failure;

/// Says that something must be asked.
const NO_QUESTION: &str =
    "has no question; the last message is the user's, the result of a call, or the beginning of the assistant's answer";

/// The conversation that a request sends.
#[derive(Debug, Default)]
pub struct Conversation {
    /// The messages of the system or the developer, in order.
    pub instructions: Option<String>,
    /// The turns before, oldest first.
    pub history: Vec<ChatTurn>,
    /// The text of the last message, where it is the user's.
    pub message: String,
    /// The picture or document that was sent last.
    pub attachment: Option<Attachment>,
    /// True if it came with the last message.
    pub attached_now: bool,
}

/// Sorts the messages into instructions, earlier turns and the question.
///
/// # Errors
/// With the message that is wrong, as a field `messages[0]`.
pub fn conversation(messages: Value) -> Result<Conversation, Failure> {
    let mut asked = Conversation::default();
    let Value::Array(mut messages) = messages else {
        return Err(Failure::field("messages", "takes a list of messages"));
    };
    // Some clients send the place of the answer along.
    while messages.len() > 1 && messages.last().is_some_and(is_place_of_answer) {
        messages.pop();
    }
    let last = messages.len().checked_sub(1);
    let last = last.ok_or_else(|| Failure::field("messages", "is empty; it takes at least one message"))?;
    let mut instructions: Vec<String> = Vec::new();
    let mut made = Made::default();
    let (mut has_results, mut is_begun) = (false, false);
    for (index, message) in messages.into_iter().enumerate() {
        let at = format!("messages[{index}]");
        let Value::Object(mut message) = message else {
            return Err(Failure::field(at, "takes an object with `role` and `content`"));
        };
        let role = message
            .get("role")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let Content { text, attachment } = content::read(&at, message.remove("content"))?;
        let calls = tools::calls(&at, message.remove("tool_calls"))?;
        match role.as_str() {
            "system" | "developer" => instructions.push(text),
            "user" => {
                if attachment.is_some() {
                    asked.attachment = attachment;
                    asked.attached_now = index == last;
                }
                if index == last {
                    asked.message = text;
                } else {
                    push(&mut asked.history, "user", text);
                }
            }
            "assistant" if index < last && !calls.is_empty() => made.push(&mut asked.history, text, calls),
            // The last one is the beginning of an answer, which the model goes on with.
            "assistant" if index < last || calls.is_empty() => push(&mut asked.history, "assistant", text),
            "assistant" => {
                let problem = "ends with calls; the result of each follows, in a message of the role tool";
                return Err(Failure::field("messages", problem));
            }
            "tool" if attachment.is_some() => {
                return Err(Failure::field(
                    format!("{at}.content"),
                    "takes text, which the result of a call is",
                ));
            }
            "tool" => {
                let result = made.result(&at, message.get("tool_call_id"), text)?;
                asked.history.push(result);
            }
            _ => {
                let problem = "takes system, developer, user, assistant or tool";
                return Err(Failure::field(format!("{at}.role"), problem));
            }
        }
        if index == last && !matches!(role.as_str(), "user" | "tool" | "assistant") {
            return Err(Failure::field("messages", NO_QUESTION));
        }
        has_results = role == "tool";
        is_begun = role == "assistant";
    }
    // A picture without words is a question, too.
    if is_begun && asked.attachment.is_none() && asked.history.iter().all(|turn| turn.role != "user") {
        return Err(Failure::field("messages", NO_QUESTION));
    }
    if asked.message.trim().is_empty() && !asked.attached_now && !has_results && !is_begun {
        return Err(Failure::field(
            format!("messages[{last}].content"),
            "is empty; it takes a question",
        ));
    }
    // Earlier ones than these are not shown to the model anyway.
    let most = usize::try_from(limits::CHAT_SENT_TURNS).unwrap_or(usize::MAX);
    asked.history.drain(..asked.history.len().saturating_sub(most));
    tools::drop_orphans(&mut asked.history);
    instructions.retain(|text| !text.trim().is_empty());
    asked.instructions = (!instructions.is_empty()).then(|| instructions.join("\n\n"));
    Ok(asked)
}

/// Returns true for a message of the assistant's in which nothing is said or called.
fn is_place_of_answer(message: &Value) -> bool {
    let is_empty = match &message["content"] {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    };
    message["role"] == "assistant" && is_empty && message["tool_calls"].as_array().is_none_or(Vec::is_empty)
}

fn push(history: &mut Vec<ChatTurn>, role: &str, content: String) {
    if !content.trim().is_empty() {
        history.push(ChatTurn::new(role, content));
    }
}
