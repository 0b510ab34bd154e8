//! Protocol between host and engine: a JSON document a line, commands on the engine's standard input, events
//! on its standard output. The engine ends when its input does.

use serde::{Deserialize, Serialize};

/// From the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Write the next turn.
    Generate(Box<Generate>),
    /// Read a beginning when there is nothing else to do.
    Prepare(Box<Prepare>),
    /// Nobody wants this one any more. It may have ended by itself meanwhile.
    Cancel {
        /// Request id.
        id: u64,
    },
    /// Hold nothing any more of what a client's conversations were computed to.
    Forget {
        /// Number of the client.
        client: u64,
    },
    /// Hold nothing any more of conversations that were not used for so long.
    ForgetUnused {
        /// The time in seconds.
        seconds: u64,
    },
    /// Write what was read for everybody into the new file of the prompt cache, and close it. Only the first time it is asked for is
    /// anything written.
    WritePromptCache,
    /// Answer with [`Event::Alive`], which shows that what came before was read and that the next step is reached.
    Ping {
        /// Number of the ping.
        number: u64,
    },
}

/// A turn to be written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Generate {
    /// Chosen by the host; events about it have the same.
    pub id: u64,
    /// Number of the client whose conversation it is: nobody else's goes on from it. None for a conversation of the host's
    /// own, in which nothing is a client's, so that all may go on from it.
    pub client: Option<u64>,
    /// The conversation so far.
    pub turns: Vec<Turn>,
    /// Sampling and length options of the answer.
    pub options: Options,
}

/// A beginning of prompts to be read ahead, so that an answer to one that begins like it begins sooner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prepare {
    /// Chosen by the host; events about it have the same.
    pub id: u64,
    /// Number of the client whose conversation it is, as for [`Generate`].
    pub client: Option<u64>,
    /// The conversation, whose last turn may go on in the prompt.
    pub turns: Vec<Turn>,
}

/// Speaker of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Says how to answer.
    System,
    /// Asks.
    User,
    /// Answered.
    Assistant,
}

impl Role {
    /// The role as chat templates and servers name it.
    pub const fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Speaker.
    pub role: Role,
    /// Text; never read as anything but text.
    pub text: String,
}

/// Sampling and length options of an answer. The host has checked that the values are ones that may be given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
    /// After this many milliseconds, counted from when the command was read, the answer ends as it is.
    pub max_milliseconds: Option<u32>,
    /// From 0, always the likeliest token, to 2.
    pub temperature: f32,
    /// Only the likeliest tokens whose probabilities sum up to this are drawn from.
    pub top_p: f32,
    /// The same seed draws the same tokens.
    pub seed: Option<u32>,
    /// The answer ends before the first of these.
    pub stop: Vec<String>,
    /// A JSON Schema that the answer fits.
    pub json_schema: Option<String>,
    /// True to be told how likely each token was.
    pub token_probabilities: bool,
}

/// The graphics processors that may compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accelerator {
    /// Those that are there and that an engine was built for: those of CUDA; where there are none, those of Vulkan.
    Auto,
    /// None.
    None,
    /// Those of CUDA.
    Cuda,
    /// Those of Vulkan.
    Vulkan,
}

impl Accelerator {
    /// All of them, by the names that settings and the engine's arguments have.
    pub const NAMES: &[(&str, Self)] = &[
        ("auto", Self::Auto),
        ("none", Self::None),
        ("cuda", Self::Cuda),
        ("vulkan", Self::Vulkan),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(one, _)| *one == name);
        found.map(|(_, accelerator)| *accelerator)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::None => "none",
            Self::Cuda => "cuda",
            Self::Vulkan => "vulkan",
        }
    }
}

/// From the engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The model is loaded; the first event, unless it is [`Event::Broken`].
    Ready {
        /// Its name, as the file has it.
        name: String,
        /// Tokens that prompt and answer may have together.
        context: u32,
        /// Tokens of a prompt that were read in a second, measured once.
        speed: f32,
        /// Tokens of a prompt that would be read in a second if this machine did nothing else.
        speed_alone: f32,
        /// What keeps it from files, the network and other programs.
        confinement: Confinement,
        /// Tokens of prompts that it has from an earlier engine.
        #[serde(default)]
        cached_tokens: u32,
        /// Graphics processors that compute, for people. None where the processor does.
        #[serde(default)]
        accelerator: Option<String>,
    },
    /// Answer to [`Command::WritePromptCache`].
    PromptCacheWritten {
        /// Tokens of prompts that are in the file; 0 where it is not worth keeping.
        tokens: u32,
    },
    /// Answer to [`Command::Ping`].
    Alive {
        /// Number of the ping.
        number: u64,
    },
    /// The model cannot be used. The engine ends.
    Broken {
        /// Why, for the operator.
        reason: String,
    },
    /// The size of what is to be read ahead, at once.
    Known {
        /// Request id.
        id: u64,
        /// Tokens of the prompt.
        tokens: u32,
        /// Tokens at its beginning that need no computing.
        cached_tokens: u32,
    },
    /// Nothing more of it is read ahead: all of it is, or other beginnings have taken its place.
    Prepared {
        /// Request id.
        id: u64,
        /// Tokens that were computed for it.
        tokens: u32,
    },
    /// More of an answer.
    Piece {
        /// Request id.
        id: u64,
        /// Whole characters.
        text: String,
        /// Time that was computed for it since its last event, in microseconds: of what is computed together, its share.
        busy_micros: u64,
    },
    /// An answer is over.
    Ended {
        /// Request id.
        id: u64,
        /// Outcome of the answer.
        outcome: Outcome,
        /// Its tokens, where they were asked for.
        tokens: Vec<Token>,
        /// Time that was computed for it since its last event, in microseconds.
        busy_micros: u64,
    },
    /// There is no answer, or no more of it.
    Refused {
        /// To which one.
        id: u64,
        /// Why.
        refusal: Refusal,
    },
}

/// Confinement of the engine by the kernel: for each part none, or the reason why it does not hold, for the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Landlock: no file but its model's and what drivers of graphics processors need, no connections over TCP.
    pub landlock: Option<String>,
    /// seccomp: no system calls but those of a program that computes; with a graphics processor none that start programs, make
    /// sockets or look into others.
    pub seccomp: Option<String>,
}

/// Reason why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model ended it, or one of the texts to stop at came.
    Stop,
    /// It has as many tokens as it may have, or the context is full.
    Length,
    /// Its time is over.
    Time,
}

/// Outcome of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Reason why it ended.
    pub finish: Finish,
    /// Tokens of the prompt, with those of the template and those that needed no computing.
    pub prompt_tokens: u32,
    /// Tokens of the prompt that needed no computing.
    pub cached_tokens: u32,
    /// Tokens of the answer.
    pub answer_tokens: u32,
    /// Probability of the answer among all that fit its JSON Schema, from 0 to 1. None without one.
    pub probability: Option<f32>,
}

/// A token of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Token {
    /// Bytes that it has in the answer.
    pub bytes: u32,
    /// Probability of it after what was before it, from 0 to 1, among all that fit the JSON Schema, before temperature and `top_p`.
    pub probability: f32,
}

/// Error that prevented an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The prompt has more tokens than the context leaves room for.
    TooLong {
        /// Tokens in the conversation.
        tokens: u32,
        /// Tokens allowed.
        most: u32,
    },
    /// The schema of the answer cannot be used.
    Schema {
        /// What is wrong with it.
        reason: String,
    },
    /// The engine failed, though it should not have.
    Failed {
        /// Details, for the log.
        reason: String,
    },
}
