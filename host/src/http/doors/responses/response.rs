//! Responses as OpenAI's API has them: whole (`response`) or as events with numbers in a row.

use http::Response;
use quartet_api::FailureBody;
use quartet_api::chat::ToolCall;
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
    /// True once the item with the text has begun: where functions are called there may be none.
    speaks: bool,
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
            speaks: false,
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
            "parallel_tool_calls": echo.parallel_tool_calls,
            "previous_response_id": null,
            "reasoning": {"effort": null, "summary": null},
            "store": false,
            "temperature": echo.temperature.clone().unwrap_or_else(|| 0.0.into()),
            "text": {"format": echo.format.clone().unwrap_or_else(|| json!({"type": "text"}))},
            "tool_choice": echo.tool_choice.clone().unwrap_or_else(|| "auto".into()),
            "tools": echo.tools,
            "top_p": echo.top_p.clone().unwrap_or_else(|| 0.9.into()),
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

    /// The item of the call at a place.
    fn call(&self, place: usize, call: &ToolCall, arguments: &str, status: &str) -> Value {
        json!({
            "id": format!("fc_{}_{place}", self.id),
            "type": "function_call",
            "status": status,
            "call_id": call.id,
            "name": call.name,
            "arguments": arguments,
        })
    }

    /// The finished response with its items.
    fn finished(&self, said: &Said) -> (Value, Vec<Value>) {
        let status = match said.finish {
            Finish::Stop | Finish::Calls => "completed",
            Finish::Length => "incomplete",
        };
        let mut items = Vec::new();
        if says(said) {
            items.push(self.item(status, &[part(&said.text, &said.citations)]));
        }
        let calls = said.calls.iter().enumerate();
        items.extend(calls.map(|(place, call)| self.call(place, call, call.arguments.as_str(), "completed")));
        (
            self.response(status, json!(items), Some(said.usage), Value::Null),
            items,
        )
    }

    /// Begins the item with the text.
    fn speak(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.speaks, true) {
            let item = self.item("in_progress", &[]);
            let added = json!({"output_index": 0, "item": item});
            self.send("response.output_item.added", added, out);
            self.send_of_part("response.content_part.added", json!({"part": part("", &[])}), out);
        }
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

/// True if there is an item with text: always, but where functions are called without a word.
fn says(said: &Said) -> bool {
    said.calls.is_empty() || !said.text.is_empty()
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
    }

    fn piece(&mut self, text: &str, out: &mut Vec<u8>) {
        if !text.is_empty() {
            self.speak(out);
            self.text.push_str(text);
            self.send_of_part(
                "response.output_text.delta",
                json!({"delta": text, "logprobs": []}),
                out,
            );
        }
    }

    fn end(&mut self, said: &Said, out: &mut Vec<u8>) {
        let (response, items) = self.finished(said);
        if says(said) {
            self.speak(out);
            let text = std::mem::take(&mut self.text);
            self.send_of_part("response.output_text.done", json!({"text": text, "logprobs": []}), out);
            let part = part(&said.text, &said.citations);
            self.send_of_part("response.content_part.done", json!({ "part": part }), out);
            let done = json!({"output_index": 0, "item": items[0]});
            self.send("response.output_item.done", done, out);
        }
        let before = items.len() - said.calls.len();
        for (place, call) in said.calls.iter().enumerate() {
            let index = before + place;
            let begun = self.call(place, call, "", "in_progress");
            let added = json!({"output_index": index, "item": begun});
            self.send("response.output_item.added", added, out);
            let arguments = call.arguments.as_str();
            let delta = json!({"item_id": begun["id"], "output_index": index, "delta": arguments});
            self.send("response.function_call_arguments.delta", delta, out);
            let done =
                json!({"item_id": begun["id"], "output_index": index, "name": call.name, "arguments": arguments});
            self.send("response.function_call_arguments.done", done, out);
            let done = json!({"output_index": index, "item": items[index]});
            self.send("response.output_item.done", done, out);
        }
        let name = match said.finish {
            Finish::Stop | Finish::Calls => "response.completed",
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
            speaks: false,
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
    fn calls_are_items_of_their_own_and_come_without_a_message() {
        let said = Said {
            calls: vec![ToolCall {
                id: "call_1".to_owned(),
                name: "f".to_owned(),
                arguments: serde_json::from_str("{\"a\": 1}").unwrap(),
            }],
            finish: Finish::Calls,
            ..Said::found(String::new())
        };
        let mut out = Vec::new();
        let mut stream = responses();
        stream.begin(&mut out);
        stream.end(&said, &mut out);
        let events = events(&out);
        let names: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            [
                "response.created",
                "response.in_progress",
                "response.output_item.added",
                "response.function_call_arguments.delta",
                "response.function_call_arguments.done",
                "response.output_item.done",
                "response.completed",
            ]
        );
        let item = &events[6]["response"]["output"][0];
        assert_eq!(
            (item, &events[6]["response"]),
            (&events[5]["item"], &responses().finished(&said).0)
        );
        assert_eq!(
            *item,
            json!({"id": "fc_1_0", "type": "function_call", "status": "completed", "call_id": "call_1", "name": "f",
                   "arguments": "{\"a\": 1}"})
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
