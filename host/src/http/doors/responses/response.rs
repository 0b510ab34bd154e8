//! Responses as OpenAI's API has them: whole (`response`) or as events with numbers in a row.

use http::Response;
use quartet_api::FailureBody;
use serde_json::{Value, json};

use super::request::Echo;
use crate::body::ResponseBody;
use crate::http::doors::chat::{Asked, Citation, Envelope, Finish, Said, Usage};
use crate::http::doors::clock::unix_time;
use crate::http::doors::reply::{self, EVENT_STREAM, Names};

/// A response that is being made.
#[derive(Debug, Clone)]
pub struct Responses {
    id: String,
    created: u64,
    model: String,
    echo: Echo,
    /// The number of the next event.
    next: u64,
    /// The text that was sent.
    text: String,
}

impl Responses {
    /// The response to a request with this id.
    pub fn new(id: &str, asked: &Asked, echo: Echo) -> Self {
        Self {
            id: id.to_owned(),
            created: unix_time(),
            model: asked.model.clone(),
            echo,
            next: 0,
            text: String::new(),
        }
    }

    fn response(&self, status: &str, output: Value, usage: Option<Usage>, error: Value) -> Value {
        let echo = &self.echo;
        let incomplete = (status == "incomplete").then(|| json!({"reason": "max_output_tokens"}));
        json!({
            "id": format!("resp_{}", self.id),
            "object": "response",
            "created_at": self.created,
            "status": status,
            "background": false,
            "error": error,
            "incomplete_details": incomplete,
            "instructions": echo.instructions,
            "max_output_tokens": echo.max_output_tokens,
            "metadata": echo.metadata.clone().unwrap_or_else(|| json!({})),
            "model": self.model,
            "output": output,
            "parallel_tool_calls": false,
            "previous_response_id": null,
            "reasoning": {"effort": null, "summary": null},
            "store": false,
            "temperature": 1.0,
            "text": {"format": echo.format.clone().unwrap_or_else(|| json!({"type": "text"}))},
            "tool_choice": "auto",
            "tools": echo.tools,
            "top_p": 1.0,
            "truncation": "disabled",
            "usage": usage.map(|usage| json!({
                "input_tokens": usage.prompt_tokens,
                "input_tokens_details": {"cached_tokens": usage.cached_tokens},
                "output_tokens": usage.answer_tokens,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": usage.total_tokens,
            })),
        })
    }

    fn item_id(&self) -> String {
        format!("msg_{}", self.id)
    }

    fn item(&self, status: &str, content: &[Value]) -> Value {
        json!({"id": self.item_id(), "type": "message", "status": status, "role": "assistant", "content": content})
    }

    /// The finished response with its item.
    fn finished(&self, said: &Said) -> (Value, Value) {
        let status = match said.finish {
            Finish::Stop => "completed",
            Finish::Length => "incomplete",
        };
        let item = self.item(status, &[part(&said.text, &said.citations)]);
        (
            self.response(status, json!([item]), Some(said.usage), Value::Null),
            item,
        )
    }

    /// Sends an event with these fields.
    fn send(&mut self, name: &str, mut fields: Value, out: &mut Vec<u8>) {
        fields["type"] = name.into();
        fields["sequence_number"] = self.next.into();
        self.next += 1;
        out.extend_from_slice(format!("event: {name}\n").as_bytes());
        reply::event(out, &fields);
    }

    /// Sends an event about the one part of the one item.
    fn send_of_part(&mut self, name: &str, mut fields: Value, out: &mut Vec<u8>) {
        fields["item_id"] = self.item_id().into();
        fields["output_index"] = 0.into();
        fields["content_index"] = 0.into();
        self.send(name, fields, out);
    }
}

/// A part with text.
fn part(text: &str, citations: &[Citation]) -> Value {
    let annotations: Vec<_> = citations
        .iter()
        .map(|citation| {
            json!({
                "type": "url_citation",
                "start_index": citation.start,
                "end_index": citation.end,
                "title": citation.title,
                "url": citation.url,
            })
        })
        .collect();
    json!({"type": "output_text", "text": text, "annotations": annotations, "logprobs": []})
}

impl Envelope for Responses {
    fn respond(mut self, said: &Said, stream: bool) -> Response<ResponseBody> {
        if !stream {
            return reply::json(&self.finished(said).0);
        }
        let mut out = Vec::new();
        self.begin(&mut out);
        self.piece(&said.text, &mut out);
        self.end(said, &mut out);
        reply::whole(EVENT_STREAM, out)
    }

    fn begin(&mut self, out: &mut Vec<u8>) {
        let response = self.response("in_progress", json!([]), None, Value::Null);
        self.send("response.created", json!({ "response": response }), out);
        self.send("response.in_progress", json!({ "response": response }), out);
        let item = self.item("in_progress", &[]);
        self.send(
            "response.output_item.added",
            json!({"output_index": 0, "item": item}),
            out,
        );
        self.send_of_part("response.content_part.added", json!({"part": part("", &[])}), out);
    }

    fn piece(&mut self, text: &str, out: &mut Vec<u8>) {
        if !text.is_empty() {
            self.text.push_str(text);
            self.send_of_part(
                "response.output_text.delta",
                json!({"delta": text, "logprobs": []}),
                out,
            );
        }
    }

    fn end(&mut self, said: &Said, out: &mut Vec<u8>) {
        let text = std::mem::take(&mut self.text);
        self.send_of_part("response.output_text.done", json!({"text": text, "logprobs": []}), out);
        let part = part(&said.text, &said.citations);
        self.send_of_part("response.content_part.done", json!({ "part": part }), out);
        let (response, item) = self.finished(said);
        self.send(
            "response.output_item.done",
            json!({"output_index": 0, "item": item}),
            out,
        );
        let name = match said.finish {
            Finish::Stop => "response.completed",
            Finish::Length => "response.incomplete",
        };
        self.send(name, json!({ "response": response }), out);
    }

    fn fail(&mut self, status: u16, failure: &FailureBody, names: Names, out: &mut Vec<u8>) {
        let told = serde_json::to_value(reply::translated(status, failure, names)).unwrap_or_default();
        let error = json!({"code": told["error"]["code"], "message": told["error"]["message"]});
        let response = self.response("failed", json!([]), None, error);
        self.send("response.failed", json!({ "response": response }), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn responses() -> Responses {
        Responses {
            id: "1".to_owned(),
            created: 7,
            model: "quartet".to_owned(),
            echo: Echo::default(),
            next: 0,
            text: String::new(),
        }
    }

    fn events(out: &[u8]) -> Vec<Value> {
        let text = std::str::from_utf8(out).unwrap();
        let each = text.split_terminator("\n\n").map(|event| {
            let (name, data) = event.split_once("\ndata: ").unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            assert_eq!(name, format!("event: {}", data["type"].as_str().unwrap()));
            data
        });
        each.collect()
    }

    #[test]
    fn events_come_in_their_order_and_say_the_same_as_the_whole() {
        let said = Said::found("One two.".to_owned());
        let mut stream = responses();
        let mut out = Vec::new();
        stream.begin(&mut out);
        stream.piece("One", &mut out);
        stream.piece(" two.", &mut out);
        stream.end(&said, &mut out);
        let events = events(&out);
        let names: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            [
                "response.created",
                "response.in_progress",
                "response.output_item.added",
                "response.content_part.added",
                "response.output_text.delta",
                "response.output_text.delta",
                "response.output_text.done",
                "response.content_part.done",
                "response.output_item.done",
                "response.completed",
            ]
        );
        for (number, event) in events.iter().enumerate() {
            assert_eq!(event["sequence_number"], number);
        }
        assert_eq!(events[6]["text"], "One two.");
        let whole = responses().finished(&said).0;
        assert_eq!(events[9]["response"], whole);
        assert_eq!(whole["output"][0]["content"][0]["text"], "One two.");
        assert_eq!(
            (&whole["status"], &whole["store"]),
            (&json!("completed"), &json!(false))
        );
    }

    #[test]
    fn half_an_answer_and_a_failure_say_so() {
        let said = Said {
            finish: Finish::Length,
            ..Said::found("One".to_owned())
        };
        let whole = responses().finished(&said).0;
        assert_eq!(whole["incomplete_details"]["reason"], "max_output_tokens");
        let failure = FailureBody::new(quartet_api::Code::Unavailable, "no model", None);
        let mut out = Vec::new();
        responses().fail(503, &failure, &[], &mut out);
        let event = &events(&out)[0];
        assert_eq!(
            event["response"]["error"],
            json!({"code": "unavailable", "message": "no model"})
        );
    }
}
