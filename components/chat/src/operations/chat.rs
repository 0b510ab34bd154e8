//! `POST /chat`: an answer, whole or as it is written.

use std::io::{self, Write};

use quartet_api::chat::{ChatAnswer, ChatRequest, ChatToken, ChatTurn, JsonText, Mode, Sampling};
use quartet_api::operations::CHAT;
use quartet_api::{Code, FailureBody, Success, limits};
use quartet_component_sdk::failure::quoted;
use quartet_component_sdk::{Failure, Request, Response, Session, json, write_event};

use super::conversation::{Conversation, Memory};
use super::tools;
use crate::answer::{self, AnswerError, Call, Question, Tools};
use crate::context::Context;

/// Answers a request.
///
/// # Errors
/// When the request is wrong, or nothing can answer it.
pub fn answer(request: &mut Request, context: &Context) -> Result<Response, Failure> {
    let session = Session::of(request)?;
    let streams = CHAT.answer.streams(request.header("accept"));
    let sent: ChatRequest = json::read(request)?;
    let valid = ValidRequest::new(sent, session, streams, context)?;
    let session = valid.memory.session().cloned();
    let mut response = if streams {
        let context = context.clone();
        let id = request.id().map(str::to_owned);
        Response::events(move |out| stream(valid, &context, id.as_deref(), out))
    } else {
        let result = valid.run(context, &mut |_| Ok(())).map_err(|error| match error {
            AnswerError::Failed(failure) => failure,
            AnswerError::Disconnected(_) => Failure::new(Code::Internal, "the answer could not be written"),
        })?;
        Response::success(&result)
    };
    if let Some(session) = session {
        session.announce(&mut response);
    }
    Ok(response)
}

/// Writes the pieces as events, and at the end the same body that would be the whole answer.
fn stream(valid: ValidRequest, context: &Context, id: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let mut emit = |text: &str| write_event(out, "token", &ChatToken { text: text.to_owned() });
    match valid.run(context, &mut emit) {
        Ok(result) => write_event(out, "done", &Success::new(result)),
        Err(AnswerError::Failed(failure)) => {
            let body = FailureBody::new(failure.code, failure.message, id);
            write_event(out, "error", &body)
        }
        Err(AnswerError::Disconnected(error)) => Err(error),
    }
}

/// A validated request.
struct ValidRequest {
    question: Question,
    memory: Memory,
    notes: Vec<String>,
}

impl ValidRequest {
    fn new(sent: ChatRequest, session: Session, streams: bool, context: &Context) -> Result<Self, Failure> {
        let mode = mode(sent.mode.as_deref())?;
        let end = sent.messages.as_deref().map_or(End::Other, End::of);
        if sent.message.trim().is_empty() && end == End::Other {
            return Err(Failure::field(
                "message",
                "is empty; it takes a question or something else to talk about",
            ));
        }
        let mut tools = tools::read(&sent)?;
        let mut notes = Vec::new();
        if sent.message.trim().is_empty() && end == End::Begun {
            check_begun(&sent, tools.as_ref())?;
            if tools.take().is_some() {
                notes.push("Functions are not called in the middle of an answer.".to_owned());
            }
        }
        let most = usize::try_from(limits::CHAT_MESSAGE_CHARACTERS).unwrap_or(usize::MAX);
        let language = answer::language(&sent.message);
        let message = answer::shorten(sent.message.trim(), most, language);
        if message.len() < sent.message.trim().len() {
            notes.push(format!(
                "The message has more than {most} characters: its beginning and its end were read, {} together.",
                message.chars().count()
            ));
        }
        let instructions = sent
            .instructions
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let instructions = instructions.map(|all| {
            let most = usize::try_from(limits::CHAT_INSTRUCTIONS_CHARACTERS).unwrap_or(usize::MAX);
            let read = answer::truncate(all, most, answer::language(all));
            if read.len() < all.len() {
                notes.push(format!(
                    "The instructions have more than {most} characters: their first {} were read, to the end of a sentence.",
                    read.chars().count()
                ));
            }
            read.to_owned()
        });
        let schema = schema(sent.response_schema.as_ref(), sent.use_search.unwrap_or(false))?;
        if let Some(tokens) = sent.max_tokens
            && !(1..=limits::CHAT_ANSWER_TOKENS).contains(&tokens)
        {
            return Err(Failure::field(
                "maxTokens",
                format!("is {tokens}; it takes 1 to {}", limits::CHAT_ANSWER_TOKENS),
            ));
        }
        let sampling = sampling(&sent)?;
        let (memory, history) = match sent.messages {
            Some(_) if sent.conversation_id.is_some() => {
                return Err(Failure::field(
                    "messages",
                    "goes without `conversationId`: who keeps the history is either the client or the service",
                ));
            }
            Some(turns) => (Memory::Client, tools::history(turns, &mut notes)?),
            None => Memory::recall(session, sent.conversation_id.as_deref(), context)?,
        };
        Ok(Self {
            question: Question {
                message: message.into_owned(),
                mode,
                use_search: sent.use_search.unwrap_or(false),
                instructions,
                schema,
                tools,
                max_tokens: sent.max_tokens,
                sampling,
                history,
                until: answer::time(streams, context.response_time),
            },
            memory,
            notes,
        })
    }

    fn run(self, context: &Context, emit: answer::Emit<'_>) -> Result<ChatAnswer, AnswerError> {
        let mut result = answer::answer(&self.question, context, emit)?;
        result.notes.splice(0..0, self.notes);
        let new = Conversation::of(&self.question, answer::without_remark(&result));
        result.conversation_id = self.memory.keep(&new, context).map_err(AnswerError::Failed)?;
        Ok(result)
    }
}

/// Ends of a history that ask for something by themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The result of a function.
    Result,
    /// The beginning of the answer to a person's turn.
    Begun,
    /// None of them.
    Other,
}

impl End {
    fn of(turns: &[ChatTurn]) -> Self {
        let is_asked = || turns.iter().any(|turn| turn.role == "user");
        match turns.last() {
            Some(turn) if turn.role == "tool" => Self::Result,
            Some(turn) if answer::is_in_words(turn) && !turn.content.trim().is_empty() => {
                if is_asked() {
                    Self::Begun
                } else {
                    Self::Other
                }
            }
            _ => Self::Other,
        }
    }
}

/// Checks that nothing but the model's text is wanted of an answer that goes on.
fn check_begun(sent: &ChatRequest, tools: Option<&Tools>) -> Result<(), Failure> {
    let field = |field: &str| {
        Err(Failure::field(
            field,
            "goes without `messages` that end with the assistant's turn",
        ))
    };
    if sent.use_search == Some(true) {
        return field("useSearch");
    }
    if sent.response_schema.is_some() {
        return field("responseSchema");
    }
    match tools.is_some_and(|tools| tools.call != Call::Any) {
        true => field("toolChoice"),
        false => Ok(()),
    }
}

fn mode(name: Option<&str>) -> Result<Mode, Failure> {
    let Some(name) = name else {
        return Ok(Mode::default());
    };
    Mode::from_name(name).ok_or_else(|| {
        let all: Vec<_> = Mode::ALL.iter().map(|mode| mode.name()).collect();
        Failure::field(
            "mode",
            format!("is {}; it takes one of {}", quoted(name), all.join(", ")),
        )
    })
}

fn sampling(sent: &ChatRequest) -> Result<Sampling, Failure> {
    let (temperature, top_p) = (sent.temperature, sent.top_p);
    for (field, value, most) in [("temperature", temperature, 2.0), ("topP", top_p, 1.0)] {
        if let Some(value) = value
            && !(0.0..=most).contains(&value)
        {
            return Err(Failure::field(field, format!("is {value}; it takes 0 to {most}")));
        }
    }
    Ok(Sampling {
        temperature,
        top_p,
        seed: sent.seed,
    })
}

/// The schema that a client sent, as text.
fn schema(sent: Option<&JsonText>, search: bool) -> Result<Option<String>, Failure> {
    let field = |problem: String| Err(Failure::field("responseSchema", problem));
    let Some(text) = sent.map(JsonText::as_str) else {
        return Ok(None);
    };
    if !text.starts_with('{') {
        return field("takes a JSON Schema, which is an object".to_owned());
    }
    if search {
        return field("goes without `useSearch`: what is found is no document of a schema".to_owned());
    }
    if text.len() as u64 > limits::CHAT_SCHEMA_BYTES {
        return field(format!(
            "has {} bytes; it may have {}",
            text.len(),
            limits::CHAT_SCHEMA_BYTES
        ));
    }
    Ok(Some(text.to_owned()))
}
