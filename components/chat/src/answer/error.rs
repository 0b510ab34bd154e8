//! Errors of answers, and their messages to clients.

use std::io;

use quartet_api::Code;
use quartet_component_sdk::Failure;
use quartet_llm_client::ModelError;

/// Error of an answer.
#[derive(Debug)]
pub enum AnswerError {
    /// The client has disconnected.
    Disconnected(io::Error),
    /// The answer cannot be given.
    Failed(Failure),
}

impl From<io::Error> for AnswerError {
    fn from(error: io::Error) -> Self {
        AnswerError::Disconnected(error)
    }
}

/// Error of a generation by the model.
pub(super) enum GenerationError {
    Model(ModelError),
    Late,
    Disconnected(io::Error),
}

impl GenerationError {
    /// The error for the client.
    pub fn into_answer_error(self) -> AnswerError {
        let failure = match self {
            GenerationError::Disconnected(error) => return AnswerError::Disconnected(error),
            GenerationError::Late => Failure::new(
                Code::DeadlineExceeded,
                "the language model did not begin to answer in time; ask for less at once, or stream the answer",
            ),
            GenerationError::Model(error) => {
                // For the log; the message for the client stands below.
                eprintln!("{error}");
                match error {
                    ModelError::Missing(what) => Failure::new(
                        Code::Unavailable,
                        format!(
                            "this needs a language model, and there is none: {what}. Calculations, dates and units are answered \
                             without, and so are questions with useSearch"
                        ),
                    ),
                    ModelError::Unavailable(_) => {
                        Failure::new(Code::Unavailable, "the language model cannot be reached")
                    }
                    ModelError::Busy { seconds } => Failure {
                        retry_after: Some(seconds),
                        ..Failure::new(
                            Code::Busy,
                            "the language model has so many answers to write that this one would come too late",
                        )
                    },
                    ModelError::TooLong { has, most } => Failure::field(
                        "message",
                        format!("is too long for the language model: {has} tokens with what goes before it, of {most}"),
                    ),
                    ModelError::InvalidInput(_) | ModelError::Failed(_) => {
                        Failure::new(Code::Internal, "the language model failed at this question")
                    }
                }
            }
        };
        AnswerError::Failed(failure)
    }

    /// The reason, for a note beside an answer without the model.
    pub fn reason(&self) -> String {
        match self {
            GenerationError::Model(ModelError::Missing(what)) => format!("There is no language model: {what}."),
            GenerationError::Model(ModelError::Busy { .. }) => {
                "The language model has too many answers to write.".to_owned()
            }
            GenerationError::Model(_) => "The language model failed.".to_owned(),
            GenerationError::Late | GenerationError::Disconnected(_) => {
                "There was no time left for the language model.".to_owned()
            }
        }
    }
}

impl From<io::Error> for GenerationError {
    fn from(error: io::Error) -> Self {
        GenerationError::Disconnected(error)
    }
}

impl From<ModelError> for GenerationError {
    fn from(error: ModelError) -> Self {
        GenerationError::Model(error)
    }
}
