//! Fuzz target: any body is read as what an operation or a door of another service's API takes, or is refused in a few words;
//! what was read is within the bounds that are promised, and is read alike when it is written.

#![no_main]

use std::fmt::Debug;
use std::io::Cursor;
use std::rc::Rc;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use quartet_api::chat::{ChatRequest, ConversationToForget, JsonText};
use quartet_api::image::{PictureQuestion, PictureToForget};
use quartet_api::pdf::{DocumentQuestion, DocumentToForget, TextsToEmbed};
use quartet_api::tts::{SPEED, SpeechRequest};
use quartet_api::{Code, limits};
use quartet_chat::context::Context;
use quartet_chat::operations;
use quartet_chat::search::Settings;
use quartet_chat::web::{Clock, Reply, Web, WebError};
use quartet_component_sdk::uploads::InMemory;
use quartet_component_sdk::{Body, Request, ResponseTime, json};
use quartet_fuzz::failure::Failure;
use quartet_fuzz::http::doors::chat::content::Attachment;
use quartet_fuzz::http::doors::chat::request::{self as chat, Asked};
use quartet_fuzz::http::doors::{embeddings, responses, speech};
use quartet_fuzz::input::MAX_SENTENCE_BYTES;
use quartet_llm_client::scripted::Scripted;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::Url;

/// The name of the language model.
const MODEL: &str = "a-model";

/// A web that nobody is let into.
struct NoWeb;

impl Web for NoWeb {
    fn get(&self, urls: &[Url], _: usize, _: Duration) -> Vec<Result<Reply, WebError>> {
        urls.iter().map(|_| Err(WebError::Refused)).collect()
    }
}

/// A clock that stands still.
struct Beginning;

impl Clock for Beginning {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn request(body: &[u8]) -> Request {
    Request {
        method: "POST".to_owned(),
        path: "/".to_owned(),
        secure: false,
        headers: vec![("content-type".to_owned(), b"application/json".to_vec())],
        body: Box::new(Cursor::new(body.to_vec())),
    }
}

/// Reads a body as an operation does, and what was read once more.
fn operation<T: DeserializeOwned + Serialize + PartialEq + Debug>(body: &[u8]) {
    let read: T = match json::read(&mut request(body)) {
        Ok(read) => read,
        Err(failure) => return short(&failure.message),
    };
    assert!(body.trim_ascii_start().starts_with(b"{"), "what is no object was taken");
    let written = serde_json::to_vec(&read).expect("what was read can be written");
    match json::read::<T>(&mut request(&written)) {
        Ok(again) => assert_eq!(again, read, "it is read in another way when it is written"),
        Err(failure) => panic!("what was read is refused when it is written: {}", failure.message),
    }
}

fn short(sentence: &str) {
    assert!(
        !sentence.is_empty() && sentence.len() <= MAX_SENTENCE_BYTES,
        "a client is told at length"
    );
}

/// The request that a door read, where it did.
fn door<T>(read: Result<T, Failure>) -> Option<T> {
    let failure = match read {
        Ok(read) => return Some(read),
        Err(failure) => failure,
    };
    short(&failure.message);
    assert!(
        failure
            .wrong_field()
            .is_none_or(|field| field.len() <= MAX_SENTENCE_BYTES)
    );
    assert!(
        failure.code != Code::Internal,
        "a client's mistake is one of the service: {}",
        failure.message
    );
    None
}

/// Checks a conversation that a door read out of a body.
fn conversation(asked: &Asked, body: &[u8], parameters: impl Fn(&Value) -> &Value) {
    assert!(
        asked.history.len() as u64 <= limits::CHAT_SENT_TURNS,
        "more turns than are read"
    );
    assert!(
        asked
            .max_tokens
            .is_none_or(|tokens| (1..=limits::CHAT_ANSWER_TOKENS).contains(&tokens))
    );
    let is_object = |text: &JsonText| serde_json::from_str::<Map<String, Value>>(text.as_str()).is_ok();
    assert!(asked.schema.iter().all(is_object), "a schema is no object");
    for turn in &asked.history {
        assert!(
            turn.tool_calls.iter().all(|call| is_object(&call.arguments)),
            "arguments are no object"
        );
    }
    if let Some(Attachment::Picture(file) | Attachment::Document(file)) = &asked.attachment {
        assert!(
            !file.is_empty() && file.len() < body.len(),
            "a file is none, or larger than its body"
        );
    }
    let sent: Value = serde_json::from_slice(body).expect("it was read");
    for (index, tool) in asked.offer.tools.iter().enumerate() {
        let sent = parameters(&sent["tools"][index]);
        let read = tool
            .parameters
            .as_ref()
            .map(|text| serde_json::from_str(text.as_str()).expect("a schema is JSON"));
        assert_eq!(
            &read.unwrap_or(Value::Null),
            sent,
            "a tool has other parameters than were sent"
        );
    }
    // The component takes what a door makes of it, or says what is wrong.
    let request = ChatRequest {
        message: asked.message.clone(),
        messages: Some(asked.history.clone()),
        instructions: asked.instructions.clone(),
        tools: asked.offer.tools.clone(),
        tool_choice: asked.offer.choice.clone(),
        parallel_tool_calls: asked.offer.parallel,
        response_schema: asked.schema.clone(),
        max_tokens: asked.max_tokens,
        ..ChatRequest::default()
    };
    answer(&serde_json::to_vec(&request).expect("it can be written"));
}

/// Has the component answer, with a language model that writes one sentence.
fn answer(body: &[u8]) {
    let context = Context {
        model: Rc::new(Scripted::new(["A sentence."])),
        store: Rc::new(InMemory::default()),
        web: Rc::new(NoWeb),
        clock: Rc::new(Beginning),
        now: "2026-11-24T03:40:00".parse().ok(),
        random: || [7; 16],
        search: Settings::Off,
        response_time: ResponseTime::of(|_| None),
    };
    match operations::chat(&mut request(body), &context) {
        Err(failure) => short(&failure.message),
        Ok(response) => {
            let Body::Whole(bytes) = response.body else {
                panic!("nobody asked for events")
            };
            let answer: Value = serde_json::from_slice(&bytes).expect("an answer is JSON");
            assert_eq!(answer["success"], response.status < 400);
        }
    }
}

fuzz_target!(|body: &[u8]| {
    operation::<ChatRequest>(body);
    operation::<ConversationToForget>(body);
    operation::<SpeechRequest>(body);
    operation::<DocumentQuestion>(body);
    operation::<DocumentToForget>(body);
    operation::<PictureQuestion>(body);
    operation::<PictureToForget>(body);
    operation::<TextsToEmbed>(body);
    answer(body);
    if let Some(asked) = door(chat::read(body, Some(MODEL))) {
        conversation(&asked, body, |tool| &tool["function"]["parameters"]);
    }
    if let Some((asked, _)) = door(responses::request::read(body, Some(MODEL))) {
        conversation(&asked, body, |tool| &tool["parameters"]);
    }
    if let Some(asked) = door(speech::request::read(body)) {
        assert!(
            asked.speed.is_none_or(|speed| SPEED.contains(&speed)),
            "a speed that is none"
        );
    }
    if let Some(asked) = door(embeddings::read(body)) {
        assert!(asked.dimensions != Some(0), "vectors of nothing");
    }
});
