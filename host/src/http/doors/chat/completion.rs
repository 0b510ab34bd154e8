//! Answers as OpenAI's API has them: whole (`chat.completion`) or in pieces (`chat.completion.chunk`).

use http::Response;
use quartet_api::FailureBody;
use quartet_api::chat::ToolCall;
use serde::Serialize;

use super::answer::{self, Finish, Said};
use super::request::Asked;
use super::stream::Envelope;
use crate::body::ResponseBody;
use crate::http::doors::clock::unix_time;
use crate::http::doors::reply::{self, EVENT_STREAM, Names, event};

/// The last event of every stream.
const END_OF_STREAM: &[u8] = b"data: [DONE]\n\n";

/// Tokens.
#[derive(Debug, Clone, Copy, Serialize)]
struct Usage {
    prompt_tokens: u32,
    completion_tokens: u32,
    total_tokens: u32,
    prompt_tokens_details: PromptTokens,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct PromptTokens {
    cached_tokens: u32,
}

impl From<answer::Usage> for Usage {
    fn from(usage: answer::Usage) -> Self {
        Self {
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.answer_tokens,
            total_tokens: usage.total_tokens,
            prompt_tokens_details: PromptTokens {
                cached_tokens: usage.cached_tokens,
            },
        }
    }
}

/// A source, and where the answer cites it.
#[derive(Debug, Serialize)]
struct Annotation<'a> {
    r#type: &'static str,
    url_citation: UrlCitation<'a>,
}

#[derive(Debug, Serialize)]
struct UrlCitation<'a> {
    start_index: usize,
    end_index: usize,
    title: &'a str,
    url: &'a str,
}

fn annotations(said: &Said) -> Vec<Annotation<'_>> {
    let each = said.citations.iter().map(|citation| Annotation {
        r#type: "url_citation",
        url_citation: UrlCitation {
            start_index: citation.start,
            end_index: citation.end,
            title: &citation.title,
            url: &citation.url,
        },
    });
    each.collect()
}

/// A call of a function.
#[derive(Debug, Serialize)]
struct Call<'a> {
    /// Its place, in a piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> Call<'a> {
    fn new(index: Option<usize>, call: &'a ToolCall) -> Self {
        Self {
            index,
            id: &call.id,
            r#type: "function",
            function: Function {
                name: &call.name,
                arguments: call.arguments.as_str(),
            },
        }
    }
}

/// The word for the reason why an answer ends.
const fn word(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Calls => "tool_calls",
    }
}

/// Everything about an answer that is known before it.
#[derive(Debug, Clone)]
pub struct Completions {
    id: String,
    created: u64,
    model: String,
    include_usage: bool,
}

#[derive(Serialize)]
struct Completion<'a> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: [Choice<'a>; 1],
    usage: Usage,
}

#[derive(Serialize)]
struct Choice<'a> {
    index: u32,
    message: Message<'a>,
    logprobs: (),
    finish_reason: &'static str,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    /// Null where functions are called.
    content: Option<&'a str>,
    refusal: (),
    annotations: Vec<Annotation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Chunk<'a> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: &'a [Piece<'a>],
    /// Null but in the last chunk, and absent where it is not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Option<Usage>>,
}

#[derive(Serialize)]
struct Piece<'a> {
    index: u32,
    delta: Delta<'a>,
    logprobs: (),
    finish_reason: Option<&'static str>,
}

#[derive(Default, Serialize)]
struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    annotations: Vec<Annotation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

impl Completions {
    /// The envelope of the answer to a request with this id.
    pub fn new(id: &str, asked: &Asked) -> Self {
        Self {
            id: format!("chatcmpl-{id}"),
            created: unix_time(),
            model: asked.model.clone(),
            include_usage: asked.include_usage,
        }
    }

    fn completion<'a>(&'a self, said: &'a Said) -> Completion<'a> {
        Completion {
            id: &self.id,
            object: "chat.completion",
            created: self.created,
            model: &self.model,
            choices: [Choice {
                index: 0,
                message: Message {
                    role: "assistant",
                    content: (said.calls.is_empty() || !said.text.is_empty()).then_some(said.text.as_str()),
                    refusal: (),
                    annotations: annotations(said),
                    tool_calls: said.calls.iter().map(|call| Call::new(None, call)).collect(),
                },
                logprobs: (),
                finish_reason: word(said.finish),
            }],
            usage: said.usage.into(),
        }
    }

    fn chunk(&self, delta: Delta<'_>, finish_reason: Option<&'static str>, out: &mut Vec<u8>) {
        let piece = Piece {
            index: 0,
            delta,
            logprobs: (),
            finish_reason,
        };
        self.send(&[piece], None, out);
    }

    fn send(&self, choices: &[Piece<'_>], usage: Option<Usage>, out: &mut Vec<u8>) {
        let chunk = Chunk {
            id: &self.id,
            object: "chat.completion.chunk",
            created: self.created,
            model: &self.model,
            choices,
            usage: self.include_usage.then_some(usage),
        };
        event(out, &chunk);
    }
}

impl Envelope for Completions {
    fn respond(mut self, said: &Said, stream: bool) -> Response<ResponseBody> {
        if !stream {
            return reply::json(&self.completion(said));
        }
        let mut out = Vec::new();
        self.begin(&mut out);
        self.piece(&said.text, &mut out);
        self.end(said, &mut out);
        reply::whole(EVENT_STREAM, out)
    }

    fn begin(&mut self, out: &mut Vec<u8>) {
        let delta = Delta {
            role: Some("assistant"),
            content: Some(""),
            ..Delta::default()
        };
        self.chunk(delta, None, out);
    }

    fn piece(&mut self, text: &str, out: &mut Vec<u8>) {
        if !text.is_empty() {
            let delta = Delta {
                content: Some(text),
                ..Delta::default()
            };
            self.chunk(delta, None, out);
        }
    }

    fn end(&mut self, said: &Said, out: &mut Vec<u8>) {
        for (index, call) in said.calls.iter().enumerate() {
            let delta = Delta {
                tool_calls: vec![Call::new(Some(index), call)],
                ..Delta::default()
            };
            self.chunk(delta, None, out);
        }
        let delta = Delta {
            annotations: annotations(said),
            ..Delta::default()
        };
        self.chunk(delta, Some(word(said.finish)), out);
        if self.include_usage {
            self.send(&[], Some(said.usage.into()), out);
        }
        out.extend_from_slice(END_OF_STREAM);
    }

    fn fail(&mut self, status: u16, failure: &FailureBody, names: Names, out: &mut Vec<u8>) {
        event(out, &reply::translated(status, failure, names));
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// An envelope whose bytes are known.
    pub fn envelope(include_usage: bool) -> Completions {
        Completions {
            id: "chatcmpl-1".to_owned(),
            created: 7,
            model: "quartet".to_owned(),
            include_usage,
        }
    }

    #[test]
    fn a_completion_to_the_byte() {
        let said = Said::found("Yes.".to_owned());
        assert_eq!(
            serde_json::to_string(&envelope(false).completion(&said)).unwrap(),
            concat!(
                r#"{"id":"chatcmpl-1","object":"chat.completion","created":7,"model":"quartet","choices":[{"index":0,"#,
                r#""message":{"role":"assistant","content":"Yes.","refusal":null,"annotations":[]},"logprobs":null,"#,
                r#""finish_reason":"stop"}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,"#,
                r#""prompt_tokens_details":{"cached_tokens":0}}}"#
            )
        );
    }

    /// An answer that asks for two calls.
    pub fn calling() -> Said {
        let call = |id: &str, arguments: &str| ToolCall {
            id: id.to_owned(),
            name: "f".to_owned(),
            arguments: serde_json::from_str(arguments).unwrap(),
        };
        Said {
            calls: vec![call("call_1", r#"{"a": 1}"#), call("call_2", "{}")],
            finish: Finish::Calls,
            ..Said::found(String::new())
        }
    }

    #[test]
    fn calls_stand_in_the_message_and_come_in_pieces_of_their_own() {
        let said = calling();
        let whole = serde_json::to_value(envelope(false).completion(&said)).unwrap();
        let choice = &whole["choices"][0];
        assert_eq!(choice["finish_reason"], "tool_calls");
        assert_eq!(choice["message"]["content"], serde_json::Value::Null);
        assert_eq!(
            choice["message"]["tool_calls"][0],
            serde_json::json!({"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}})
        );
        let mut out = Vec::new();
        envelope(false).end(&said, &mut out);
        let text = String::from_utf8(out).unwrap();
        let deltas: Vec<_> = text.split("\n\n").collect();
        assert!(
            deltas[1].contains(
                r#""delta":{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"f","arguments":"{}"}}]}"#
            ),
            "{text}"
        );
        assert!(
            deltas[2].contains(r#""delta":{},"logprobs":null,"finish_reason":"tool_calls""#),
            "{text}"
        );
    }
}
