//! The interface `quartet:language-model/chat` of `wit/` as a trait.

use thiserror::Error;

/// Something that writes the next turn of a conversation.
pub trait LanguageModel {
    /// The model that writes.
    ///
    /// # Errors
    /// See [`ModelError`].
    fn info(&self) -> Result<Model, ModelError>;

    /// Begins the turn that follows `turns`, the last of which is the user's.
    ///
    /// # Errors
    /// See [`ModelError`].
    fn generate(&self, turns: Vec<Turn>, options: &Options) -> Result<Box<dyn Generation>, ModelError>;

    /// Has the model read turns ahead, when it has nothing else to do, so that the answer to a prompt that begins like them begins
    /// sooner; the last turn may go on there. Tells the size of the prompt at once; none where the provider reads nothing ahead,
    /// or has no time to tell.
    ///
    /// # Errors
    /// See [`ModelError`].
    fn prepare(&self, _turns: Vec<Turn>) -> Result<Option<PromptSize>, ModelError> {
        Ok(None)
    }
}

/// A turn while it is written. To drop it stops the work.
pub trait Generation {
    /// Waits for the next piece, of whole characters; nothing at its end.
    ///
    /// # Errors
    /// See [`ModelError`].
    fn next(&mut self) -> Result<Option<String>, ModelError>;

    /// Outcome of the turn, once [`next`](Self::next) gave nothing.
    fn outcome(&self) -> Option<Outcome>;

    /// Tokens of the turn in their order, once [`next`](Self::next) gave nothing. The last ones may not have been given, where the
    /// turn ends before a text in [`Options::stop`]. Empty where they were not asked for, and where the provider cannot tell.
    fn tokens(&self) -> Vec<Token> {
        Vec::new()
    }
}

/// Speaker of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Says how to answer.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// A picture as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Such as `image/jpeg`.
    pub media_type: String,
    /// The file.
    pub data: Vec<u8>,
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Speaker.
    pub role: Role,
    /// Text.
    pub text: String,
    /// Empty but for models that see.
    pub pictures: Vec<Picture>,
}

impl Turn {
    /// A turn of words.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            text: text.into(),
            pictures: Vec::new(),
        }
    }
}

/// Sampling and length options of a turn. Options that are not given have the provider's default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The most tokens that it may have.
    pub max_tokens: Option<u32>,
    /// After so many milliseconds from the call it ends as it is.
    pub max_milliseconds: Option<u32>,
    /// From 0, always the likeliest token, to 2.
    pub temperature: Option<f32>,
    /// Only the likeliest tokens whose probabilities sum up to this, from 0 to 1, are drawn from.
    pub top_p: Option<f32>,
    /// The same seed, prompt and options give the same turn, where the provider can do that.
    pub seed: Option<u32>,
    /// The turn ends before the first of these.
    pub stop: Vec<String>,
    /// A JSON Schema (draft 2020-12): the turn is one JSON document that fits it, or the beginning of one where tokens or
    /// time were over. Only for models with [`Model::schemas`].
    pub json_schema: Option<String>,
    /// True to be told how likely each token was, which costs some time for each.
    pub token_probabilities: bool,
}

/// Reason why a turn ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Finish {
    /// The model ended it, or one of the texts in [`Options::stop`] came.
    #[default]
    Stop,
    /// It has as many tokens as it may have, or the context is full.
    Length,
    /// Its time is over.
    Time,
}

impl Finish {
    /// The word for it in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Finish::Stop => "stop",
            Finish::Length => "length",
            Finish::Time => "time",
        }
    }
}

/// Outcome of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Reason why it ended.
    pub finish: Finish,
    /// Tokens of the prompt, with those of the template and those that were still in a cache.
    pub prompt_tokens: u32,
    /// Tokens of the prompt that needed no computing.
    pub cached_tokens: u32,
    /// Tokens of the answer.
    pub answer_tokens: u32,
    /// Probability of the turn among all that fit its JSON Schema, from 0 to 1: the product over its tokens. None without a
    /// schema, and where the provider cannot tell.
    pub probability: Option<f32>,
}

impl Outcome {
    /// The same with the tokens of other work added.
    #[must_use]
    pub fn with_work_of(self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        Self {
            prompt_tokens: self.prompt_tokens + other.prompt_tokens,
            cached_tokens: self.cached_tokens + other.cached_tokens,
            answer_tokens: self.answer_tokens + other.answer_tokens,
            ..self
        }
    }
}

/// A token of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token {
    /// Bytes that it has in the turn's text. A character may have its bytes in several tokens.
    pub bytes: usize,
    /// Probability with which the model goes on like this, from 0 to 1, before temperature and `top_p`; with a JSON Schema, among
    /// all that fit it.
    pub probability: f32,
}

/// Size of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptSize {
    /// Its tokens.
    pub tokens: u32,
    /// Tokens at its beginning that need no computing.
    pub cached_tokens: u32,
}

impl PromptSize {
    /// Tokens that are still to be computed.
    pub const fn unread(self) -> u32 {
        self.tokens.saturating_sub(self.cached_tokens)
    }
}

/// A model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its name, for people.
    pub name: String,
    /// Tokens that prompt and answer may have together.
    pub context: u32,
    /// True if turns may have pictures.
    pub sees: bool,
    /// True if the text of the conversation leaves this machine.
    pub remote: bool,
    /// True if turns can be held to a JSON Schema.
    pub schemas: bool,
    /// False if it is known to choose functions and their arguments badly.
    pub tools: bool,
    /// Tokens of a prompt that are computed in a second by a machine that does nothing else, where that is known.
    pub reading_speed: Option<f32>,
}

/// Error that prevented a turn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// No model is configured, or its file is not there.
    #[error("there is no language model: {0}")]
    Missing(String),
    /// It cannot be reached.
    #[error("the language model is not available: {0}")]
    Unavailable(String),
    /// A turn or an option is not what may be given.
    #[error("invalid input: {0}")]
    InvalidInput(String),
    /// The prompt has more tokens than the context leaves room for.
    #[error("the prompt has {has} tokens and may have {most}")]
    TooLong {
        /// Tokens in the conversation.
        has: u32,
        /// Tokens allowed.
        most: u32,
    },
    /// The model failed, though it should not have.
    #[error("the language model failed: {0}")]
    Failed(String),
    /// So many turns are written or wait that this one would come too late.
    #[error("the language model is busy; it is worth asking again in {seconds} s")]
    Busy {
        /// Time until then, 1 or more.
        seconds: u32,
    },
}
