//! Why the model has not answered, and what is said of it.

use std::io;

use quartet_api::Code;
use quartet_component_sdk::Failure;
use quartet_llm_client::ModelError;

use super::Stopped;

/// What a model gave up at.
pub(super) enum Problem {
    Model(ModelError),
    Late,
    Left(io::Error),
}

impl Problem {
    /// What the client is told.
    pub fn stopped(self) -> Stopped {
        let failure = match self {
            Problem::Left(error) => return Stopped::Left(error),
            Problem::Late => Failure::new(
                Code::DeadlineExceeded,
                "the language model did not begin to answer in time; ask for less at once, or stream the answer",
            ),
            Problem::Model(error) => {
                // For the log; what the client is told of it stands below.
                eprintln!("{error}");
                match error {
                    ModelError::Missing(what) => Failure::new(
                        Code::Unavailable,
                        format!(
                            "this needs a language model, and there is none: {what}. Calculations, dates and units are answered \
                             without, and so are questions with useSearch"
                        ),
                    ),
                    ModelError::Unavailable(_) => Failure::new(
                        Code::Unavailable,
                        "the language model cannot be reached, or is too busy",
                    ),
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
        Stopped::Failed(failure)
    }

    /// Why, for a note beside an answer without the model.
    pub fn words(&self) -> String {
        match self {
            Problem::Model(ModelError::Missing(what)) => format!("There is no language model: {what}."),
            Problem::Model(_) => "The language model failed.".to_owned(),
            Problem::Late | Problem::Left(_) => "There was no time left for the language model.".to_owned(),
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::Left(error)
    }
}

impl From<ModelError> for Problem {
    fn from(error: ModelError) -> Self {
        Problem::Model(error)
    }
}
