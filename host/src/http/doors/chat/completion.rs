//! Answers as OpenAI's API has them: whole (`chat.completion`) or in pieces (`chat.completion.chunk`).

use http::Response;
use quartet_api::chat::{self, ChatAnswer};
use serde::Serialize;

use super::request::Asked;
use crate::body::ResponseBody;
use crate::http::doors::clock::unix_time;
use crate::http::doors::reply::{self, EVENT_STREAM, event};

/// The last event of every stream.
const END_OF_STREAM: &[u8] = b"data: [DONE]\n\n";

/// An answer.
#[derive(Debug, Default)]
pub struct Said {
    text: String,
    finish: Finish,
    usage: Usage,
    annotations: Vec<Annotation>,
}

impl Said {
    /// An answer that no language model counted tokens for.
    pub fn found(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<ChatAnswer> for Said {
    fn from(answer: ChatAnswer) -> Self {
        Self {
            finish: match answer.finish.as_deref() {
                Some("length" | "time") => Finish::Length,
                _ => Finish::Stop,
            },
            usage: answer.usage.into(),
            annotations: annotations(&answer),
            text: answer.answer,
        }
    }
}

/// The reason why an answer ends.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "lowercase")]
enum Finish {
    /// It is whole.
    #[default]
    Stop,
    /// It ran out of tokens or time.
    Length,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Usage {
    prompt_tokens: u32,
    completion_tokens: u32,
    total_tokens: u32,
    prompt_tokens_details: PromptTokens,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
struct PromptTokens {
    cached_tokens: u32,
}

impl From<chat::Usage> for Usage {
    fn from(usage: chat::Usage) -> Self {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Annotation {
    r#type: &'static str,
    url_citation: Citation,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Citation {
    start_index: usize,
    end_index: usize,
    title: String,
    url: String,
}

/// Every place at which the answer has a source's number in brackets, counted in characters.
fn annotations(answer: &ChatAnswer) -> Vec<Annotation> {
    let mut found = Vec::new();
    for source in &answer.sources {
        let mark = format!("[{}]", source.number);
        for (byte, _) in answer.answer.match_indices(&mark) {
            let start = answer.answer[..byte].chars().count();
            found.push(Annotation {
                r#type: "url_citation",
                url_citation: Citation {
                    start_index: start,
                    end_index: start + mark.len(),
                    title: source.title.clone(),
                    url: source.url.clone(),
                },
            });
        }
    }
    found.sort_by_key(|annotation| annotation.url_citation.start_index);
    found
}

/// Everything about an answer that is known before it.
#[derive(Debug, Clone)]
pub struct Envelope {
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
    finish_reason: Finish,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
    refusal: (),
    annotations: &'a [Annotation],
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
    finish_reason: Option<Finish>,
}

#[derive(Default, Serialize)]
struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "<[Annotation]>::is_empty")]
    annotations: &'a [Annotation],
}

impl Envelope {
    /// The envelope of the answer to a request with this id.
    pub fn new(id: &str, asked: &Asked) -> Self {
        Self {
            id: format!("chatcmpl-{id}"),
            created: unix_time(),
            model: asked.model.clone(),
            include_usage: asked.include_usage,
        }
    }

    /// The response with an answer that is whole already.
    pub fn respond(&self, said: &Said, stream: bool) -> Response<ResponseBody> {
        if !stream {
            return reply::json(&self.completion(said));
        }
        let mut out = Vec::new();
        self.begin(&mut out);
        self.piece(&said.text, &mut out);
        self.end(said, &mut out);
        reply::whole(EVENT_STREAM, out)
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
                    content: &said.text,
                    refusal: (),
                    annotations: &said.annotations,
                },
                logprobs: (),
                finish_reason: said.finish,
            }],
            usage: said.usage,
        }
    }

    /// Begins a stream.
    pub fn begin(&self, out: &mut Vec<u8>) {
        let delta = Delta {
            role: Some("assistant"),
            content: Some(""),
            ..Delta::default()
        };
        self.chunk(delta, None, out);
    }

    /// Sends a piece of the answer.
    pub fn piece(&self, text: &str, out: &mut Vec<u8>) {
        if !text.is_empty() {
            let delta = Delta {
                content: Some(text),
                ..Delta::default()
            };
            self.chunk(delta, None, out);
        }
    }

    /// Ends a stream; the whole text was sent.
    pub fn end(&self, said: &Said, out: &mut Vec<u8>) {
        let delta = Delta {
            annotations: &said.annotations,
            ..Delta::default()
        };
        self.chunk(delta, Some(said.finish), out);
        if self.include_usage {
            self.send(&[], Some(said.usage), out);
        }
        out.extend_from_slice(END_OF_STREAM);
    }

    fn chunk(&self, delta: Delta<'_>, finish_reason: Option<Finish>, out: &mut Vec<u8>) {
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

#[cfg(test)]
pub mod tests {
    use super::*;

    /// An envelope whose bytes are known.
    pub fn envelope(include_usage: bool) -> Envelope {
        Envelope {
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

    #[test]
    fn sources_are_found_where_they_are_cited() {
        let mut answer: ChatAnswer = serde_json::from_value(serde_json::json!({
            "answer": "Übung [2] macht [1] den [2].", "mode": "general", "useSearch": true, "model": null,
            "origin": "sources", "usage": {"promptTokens": 0, "cachedTokens": 0, "answerTokens": 0, "totalTokens": 0},
            "language": "de", "conversationId": null, "notes": [],
            "sources": [{"number": 1, "title": "A", "url": "https://a", "quote": "x"},
                        {"number": 2, "title": "B", "url": "https://b", "quote": "y"}],
        }))
        .unwrap();
        let places: Vec<_> = annotations(&answer)
            .into_iter()
            .map(|found| {
                (
                    found.url_citation.start_index,
                    found.url_citation.end_index,
                    found.url_citation.title,
                )
            })
            .collect();
        assert_eq!(
            places,
            [
                (6, 9, "B".to_owned()),
                (16, 19, "A".to_owned()),
                (24, 27, "B".to_owned())
            ]
        );
        answer.finish = Some("time".to_owned());
        assert!(matches!(Said::from(answer).finish, Finish::Length));
    }
}
