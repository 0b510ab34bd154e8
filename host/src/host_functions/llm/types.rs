//! The interface's types, as `wit/language-model.wit` has them.

use quartet_llm_engine::protocol;
use wasmtime::component::{ComponentType, Lift, Lower};

/// The speaker of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Role {
    /// Instructions.
    #[component(name = "system")]
    System,
    /// The person who asks.
    #[component(name = "user")]
    User,
    /// The model.
    #[component(name = "assistant")]
    Assistant,
}

impl From<Role> for protocol::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::System => Self::System,
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
        }
    }
}

/// A picture as a file.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Picture {
    /// Media type, such as `image/jpeg`.
    #[component(name = "media-type")]
    pub media_type: String,
    /// Bytes of the file.
    pub data: Vec<u8>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Turn {
    /// The speaker.
    pub role: Role,
    /// Text of the turn.
    pub text: String,
    /// Pictures, for models that take them.
    pub pictures: Vec<Picture>,
}

impl From<Turn> for protocol::Turn {
    fn from(turn: Turn) -> Self {
        Self {
            role: turn.role.into(),
            text: turn.text,
        }
    }
}

/// Options of an answer.
#[derive(Debug, Clone, Default, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Options {
    /// Largest number of tokens.
    #[component(name = "max-tokens")]
    pub max_tokens: Option<u32>,
    /// Longest time in milliseconds.
    #[component(name = "max-milliseconds")]
    pub max_milliseconds: Option<u32>,
    /// Temperature of the sampling, from 0 to 2.
    pub temperature: Option<f32>,
    /// Share of the probability that tokens are drawn from, from 0 to 1.
    #[component(name = "top-p")]
    pub top_p: Option<f32>,
    /// Seed of the sampling, for the same answer again.
    pub seed: Option<u32>,
    /// Stop sequences.
    pub stop: Vec<String>,
    /// JSON Schema that the answer fits.
    #[component(name = "json-schema")]
    pub json_schema: Option<String>,
    /// True to be told how likely each token was.
    #[component(name = "token-probabilities")]
    pub token_probabilities: bool,
}

/// The reason why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Finish {
    /// It ended by itself, or at a stop sequence.
    #[component(name = "stop")]
    Stop,
    /// The answer reached its maximum number of tokens.
    #[component(name = "length")]
    Length,
    /// The answer reached its maximum time.
    #[component(name = "time")]
    Time,
}

impl From<protocol::Finish> for Finish {
    fn from(finish: protocol::Finish) -> Self {
        match finish {
            protocol::Finish::Stop => Self::Stop,
            protocol::Finish::Length => Self::Length,
            protocol::Finish::Time => Self::Time,
        }
    }
}

/// The outcome of an answer.
#[derive(Debug, Clone, Copy, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Outcome {
    /// The reason why it ended.
    pub finish: Finish,
    /// Tokens of the prompt.
    #[component(name = "prompt-tokens")]
    pub prompt_tokens: u32,
    /// Tokens of the prompt that needed no computing.
    #[component(name = "cached-tokens")]
    pub cached_tokens: u32,
    /// Tokens of the answer.
    #[component(name = "answer-tokens")]
    pub answer_tokens: u32,
    /// Probability of the answer among all that fit its schema.
    pub probability: Option<f32>,
}

impl From<protocol::Outcome> for Outcome {
    fn from(outcome: protocol::Outcome) -> Self {
        Self {
            finish: outcome.finish.into(),
            prompt_tokens: outcome.prompt_tokens,
            cached_tokens: outcome.cached_tokens,
            answer_tokens: outcome.answer_tokens,
            probability: outcome.probability,
        }
    }
}

/// A token of an answer.
#[derive(Debug, Clone, Copy, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Token {
    /// Bytes that it has in the answer.
    pub bytes: u32,
    /// Probability of it after what was before it.
    pub probability: f32,
}

impl From<protocol::Token> for Token {
    fn from(token: protocol::Token) -> Self {
        let protocol::Token { bytes, probability } = token;
        Self { bytes, probability }
    }
}

/// The size of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct PromptSize {
    /// Tokens.
    pub tokens: u32,
    /// Tokens at its beginning that need no computing.
    #[component(name = "cached-tokens")]
    pub cached_tokens: u32,
}

/// The model that writes.
#[derive(Debug, Clone, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Model {
    /// The name, for people.
    pub name: String,
    /// Tokens of a prompt and its answer.
    pub context: u32,
    /// True if it takes pictures.
    pub sees: bool,
    /// True if the conversation leaves this machine.
    pub remote: bool,
    /// True if answers can be held to a JSON Schema.
    pub schemas: bool,
    /// False if it is known to choose functions and their arguments badly.
    pub tools: bool,
    /// Tokens of a prompt in a second, on a machine that does nothing else.
    #[component(name = "reading-speed")]
    pub reading_speed: Option<f32>,
}

/// The reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub enum Error {
    /// There is no model.
    #[component(name = "missing-model")]
    MissingModel(String),
    /// The model cannot be reached.
    #[component(name = "unavailable")]
    Unavailable(String),
    /// The input is invalid.
    #[component(name = "invalid-input")]
    InvalidInput(String),
    /// The prompt is too long: its tokens, and how many it may have.
    #[component(name = "too-long")]
    TooLong((u32, u32)),
    /// The model failed.
    #[component(name = "failed")]
    Failed(String),
    /// So many answers are written or wait that this one would come too late. In so many seconds it is worth asking again.
    #[component(name = "busy")]
    Busy(u32),
}

impl From<protocol::Refusal> for Error {
    fn from(refusal: protocol::Refusal) -> Self {
        match refusal {
            protocol::Refusal::TooLong { tokens, most } => Error::TooLong((tokens, most)),
            protocol::Refusal::Schema { reason } => {
                Error::InvalidInput(format!("the JSON Schema cannot be used: {reason}"))
            }
            protocol::Refusal::Failed { reason } => {
                tracing::error!(reason, "the language model failed");
                Error::Failed("the language model failed".to_owned())
            }
        }
    }
}
