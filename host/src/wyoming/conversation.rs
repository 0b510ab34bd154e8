//! A conversation: what is asked is answered by `/chat`, whose sessions remember the turns.

use http::HeaderValue;
use http_body_util::BodyExt;
use quartet_api::chat::{ChatAnswer, ChatRequest, ChatToken};
use quartet_api::operations::{CHAT, EVENT_STREAM};
use quartet_api::{FailureBody, Success};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::client::{Client, Stopped};
use super::event::{Context, Fields, NoData};
use crate::door::wyoming::TRANSCRIPT;
use crate::failure::Failure;
use crate::http::app::App;
use crate::http::doors::events::{Event, Events};
use crate::http::doors::reply::Names;
use crate::http::doors::{Call, reply};

/// The field of the operation that has another name here.
const NAMES: Names = &[("message", "text")];

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Answer<'a> {
    text: &'a str,
    context: &'a Context,
}

#[derive(Serialize)]
struct Begin<'a> {
    context: &'a Context,
}

/// Answers, piece by piece, and as a whole for clients that take nothing else. Where there is no answer, the client is told so
/// as the protocol has it: Home Assistant waits for nothing else.
///
/// `secret` keeps others out of the conversation, who may know its name; a client that names none has one for its connection,
/// `own`.
///
/// # Errors
/// When the client has left.
pub async fn answer(fields: Fields, own: &str, secret: &str, app: &App, client: &mut Client) -> Result<(), Stopped> {
    let named = fields.context.and_then(|context| context.conversation_id);
    let conversation = named.unwrap_or_else(|| own.to_owned());
    let session = session(&conversation, secret, client);
    let context = Context {
        conversation_id: Some(conversation),
    };
    let mut writing = Writing {
        context,
        begun: false,
        sent: 0,
    };
    let Err(stopped) = ask(fields.text, session, app, client, &mut writing).await else {
        return Ok(());
    };
    let Stopped::Failed(failure) = stopped else {
        return Err(stopped);
    };
    let answer = Answer {
        text: &failure.message,
        context: &writing.context,
    };
    client.add("not-handled", &answer, &[]);
    if writing.begun {
        client.add("handled-stop", &NoData {}, &[]);
    }
    Ok(client.flush().await?)
}

/// The name of the session that a conversation has: nobody else can make it up, and a client at another address has another.
fn session(conversation: &str, secret: &str, client: &Client) -> Option<HeaderValue> {
    let mut digest = Sha256::new();
    // None of the first two has a line break in it.
    digest.update(format!("{secret}\n{}\n{conversation}", client.address));
    let digits: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::try_from(digits).ok()
}

async fn ask(
    text: Option<String>,
    session: Option<HeaderValue>,
    app: &App,
    client: &mut Client,
    writing: &mut Writing,
) -> Result<(), Stopped> {
    let message = text.ok_or_else(|| Failure::missing_field("text", "what was said"))?;
    let request = ChatRequest {
        message,
        use_search: Some(false),
        ..ChatRequest::default()
    };
    let call = Call {
        accept: EVENT_STREAM,
        session,
        ..Call::json(&CHAT, &request)
    };
    let response = app.call(call, TRANSCRIPT, client.address, true).await?;
    if !response.status().is_success() {
        reply::take::<Value>(response, NAMES).await?;
        return Err(Failure::internal("a failure that is none").into());
    }
    let mut body = response.into_body();
    let mut events = Events::default();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| cut(&error.to_string()))?;
        let Some(piece) = frame.data_ref() else { continue };
        for event in events.push(piece).map_err(|problem| cut(&problem))? {
            if writing.take(&event, client)? {
                client.flush().await?;
                return Ok(());
            }
        }
        client.flush().await?;
    }
    Err(cut("the answer's events have no end").into())
}

/// An answer that is being written.
struct Writing {
    context: Context,
    begun: bool,
    /// Bytes of the answer that were sent.
    sent: usize,
}

impl Writing {
    /// Takes an event; true if it is the last one.
    fn take(&mut self, Event { name, data }: &Event, client: &mut Client) -> Result<bool, Failure> {
        match name.as_str() {
            "token" => {
                let token: ChatToken = read(data)?;
                self.piece(&token.text, client);
            }
            "done" => {
                let Success { data: answer, .. } = read::<Success<ChatAnswer>>(data)?;
                // What was not sent piece by piece.
                if let Some(rest) = answer.answer.get(self.sent..) {
                    self.piece(rest, client);
                }
                let whole = Answer {
                    text: &answer.answer,
                    context: &self.context,
                };
                client.add("handled", &whole, &[]);
                client.add("handled-stop", &NoData {}, &[]);
                return Ok(true);
            }
            "error" => {
                let failure: FailureBody = read(data)?;
                return Err(reply::failure(&failure, NAMES));
            }
            _ => {}
        }
        Ok(false)
    }

    fn piece(&mut self, text: &str, client: &mut Client) {
        if !std::mem::replace(&mut self.begun, true) {
            let begin = Begin { context: &self.context };
            client.add("handled-start", &begin, &[]);
        }
        if !text.is_empty() {
            client.add("handled-chunk", &Text { text }, &[]);
            self.sent += text.len();
        }
    }
}

fn read<'a, T: serde::Deserialize<'a>>(data: &'a str) -> Result<T, Failure> {
    serde_json::from_str(data).map_err(|error| cut(&format!("an event is not the contract's: {error}")))
}

fn cut(problem: &str) -> Failure {
    tracing::error!(problem, "the answer was cut off");
    Failure::internal(problem)
}
