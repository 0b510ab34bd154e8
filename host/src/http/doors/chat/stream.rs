//! Turns the events of `/chat` into chunks of a completion.

use http::Response;
use quartet_api::chat::{ChatAnswer, ChatToken};
use quartet_api::{Code, FailureBody, Success};
use serde::Deserialize;

use super::answer::Said;
use super::stop::{Cutter, Stop};
use crate::body::ResponseBody;
use crate::http::doors::events::{Event, Events};
use crate::http::doors::reply::Names;
use crate::http::doors::translate::Translate;

/// The form that an answer is put into.
pub trait Envelope: Send + Unpin + 'static {
    /// The response with an answer that is whole already.
    fn respond(self, said: &Said, stream: bool) -> Response<ResponseBody>;

    /// Begins a stream.
    fn begin(&mut self, out: &mut Vec<u8>);

    /// Sends a piece of the answer.
    fn piece(&mut self, text: &str, out: &mut Vec<u8>);

    /// Ends a stream; the whole text was sent.
    fn end(&mut self, said: &Said, out: &mut Vec<u8>);

    /// Ends a stream with a failure of this status.
    fn fail(&mut self, status: u16, failure: &FailureBody, names: Names, out: &mut Vec<u8>);
}

/// An answer on its way.
pub struct Tokens<E> {
    envelope: E,
    names: Names,
    events: Events,
    begun: bool,
    ended: bool,
    /// Bytes of the answer that came.
    came: usize,
    cutter: Cutter,
}

impl<E: Envelope> Tokens<E> {
    /// The answer in an envelope, which ends before one of the texts of `stop`; `names` are the client's names of fields.
    pub fn new(envelope: E, names: Names, stop: Stop) -> Self {
        Self {
            envelope,
            names,
            events: Events::default(),
            begun: false,
            ended: false,
            came: 0,
            cutter: Cutter::new(stop),
        }
    }

    fn take(&mut self, Event { name, data }: &Event, out: &mut Vec<u8>) -> Result<(), String> {
        match name.as_str() {
            "token" => {
                let token: ChatToken = read(data)?;
                self.came += token.text.len();
                self.envelope.piece(&self.cutter.push(&token.text), out);
            }
            "done" => {
                let Success { data: answer, .. } = read::<Success<ChatAnswer>>(data)?;
                let mut said = Said::from(answer);
                // What did not come piece by piece, and what was held back.
                let mut rest = self.cutter.push(said.text.get(self.came..).unwrap_or_default());
                rest.push_str(&self.cutter.finish());
                self.envelope.piece(&rest, out);
                said.cut(self.cutter.stop());
                self.envelope.end(&said, out);
                self.ended = true;
            }
            "error" => {
                let failure: FailureBody = read(data)?;
                let status = Code::from_word(&failure.code).map_or(500, Code::status);
                self.envelope.fail(status, &failure, self.names, out);
                self.ended = true;
            }
            _ => {}
        }
        Ok(())
    }
}

impl<E: Envelope> Translate for Tokens<E> {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        for event in self.events.push(piece)? {
            if !std::mem::replace(&mut self.begun, true) && event.name != "error" {
                self.envelope.begin(out);
            }
            self.take(&event, out)?;
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> Result<(), String> {
        match self.ended {
            true => Ok(()),
            false => Err("the answer's events have no end".to_owned()),
        }
    }
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, String> {
    serde_json::from_str(data).map_err(|error| format!("an event is not the contract's: {error}"))
}

#[cfg(test)]
mod tests {
    use super::super::completion::tests::envelope;
    use super::*;

    const DONE: &str = concat!(
        r#"{"success":true,"data":{"answer":"One two.","mode":"general","useSearch":false,"model":"m","origin":"model","#,
        r#""sources":[],"usage":{"promptTokens":3,"cachedTokens":1,"answerTokens":2,"totalTokens":5},"finish":"length","#,
        r#""language":"en","conversationId":null,"notes":[]}}"#
    );

    fn translate(include_usage: bool, text: &str) -> Result<String, String> {
        translate_until(include_usage, text, Stop::default())
    }

    fn translate_until(include_usage: bool, text: &str, stop: Stop) -> Result<String, String> {
        let mut tokens = Tokens::new(envelope(include_usage), &[], stop);
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(7) {
            tokens.push(piece, &mut out)?;
        }
        tokens.end(&mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_stream_to_the_byte() {
        let text = format!("event: token\ndata: {{\"text\":\"One\"}}\n\nevent: done\ndata: {DONE}\n\n");
        let chunk = |choices: &str, usage: &str| {
            format!(
                "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":7,\"model\":\"quartet\",\
                 \"choices\":[{choices}]{usage}}}\n\n"
            )
        };
        let piece = |delta: &str, finish: &str| {
            format!("{{\"index\":0,\"delta\":{{{delta}}},\"logprobs\":null,\"finish_reason\":{finish}}}")
        };
        let all = |null: &str, usage: Option<&str>| {
            let mut all = [
                chunk(&piece(r#""role":"assistant","content":"""#, "null"), null),
                chunk(&piece(r#""content":"One""#, "null"), null),
                chunk(&piece(r#""content":" two.""#, "null"), null),
                chunk(&piece("", "\"length\""), null),
            ]
            .concat();
            all.extend(usage.map(|usage| chunk("", usage)));
            all + "data: [DONE]\n\n"
        };
        assert_eq!(translate(false, &text).unwrap(), all("", None));
        let usage = concat!(
            r#","usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"#,
            r#""prompt_tokens_details":{"cached_tokens":1}}"#
        );
        assert_eq!(translate(true, &text).unwrap(), all(r#","usage":null"#, Some(usage)));
    }

    #[test]
    fn a_stream_ends_before_a_text_that_comes_in_two_pieces() {
        let token = |text: &str| format!("event: token\ndata: {{\"text\":\"{text}\"}}\n\n");
        let text = token("One") + &token(" t") + &token("wo.") + &format!("event: done\ndata: {DONE}\n\n");
        let stop = Stop::read(Some(&"two".into())).unwrap();
        let sent = translate_until(false, &text, stop).unwrap();
        assert!(
            sent.contains(r#""content":"One""#) && sent.contains(r#""content":" ""#),
            "{sent}"
        );
        assert!(!sent.contains("wo") && !sent.contains(r#""content":" t""#), "{sent}");
        assert!(sent.contains(r#""finish_reason":"stop""#), "{sent}");
    }

    #[test]
    fn failures_are_told_and_half_an_answer_is_none() {
        let text = "event: error\ndata: {\"success\":false,\"error\":\"no model\",\"code\":\"unavailable\"}\n\n";
        assert_eq!(
            translate(false, text).unwrap(),
            "data: {\"error\":{\"message\":\"no model\",\"type\":\"server_error\",\"param\":null,\"code\":\"unavailable\"}}\n\n"
        );
        assert!(translate(false, "event: token\ndata: {\"text\":\"One\"}\n\n").is_err());
        assert!(translate(false, "event: token\ndata: nonsense\n\n").is_err());
    }
}
