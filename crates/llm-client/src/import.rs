//! The language model of the component's host, or of another component that it is composed with.

use crate::model::{
    Finish, Generation, LanguageModel, Model, ModelError, Options, Outcome, Picture, PromptSize, Role, Token, Turn,
};

/// Bindings to the world `language-model-client` in `wit/`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "language-model-client", generate_all });
}

use bindings::quartet::language_model::chat as wit;

/// Asks whoever provides `quartet:language-model/chat`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Imported;

impl LanguageModel for Imported {
    fn info(&self) -> Result<Model, ModelError> {
        let wit::Model {
            name,
            context,
            sees,
            remote,
            schemas,
            tools,
            reading_speed,
        } = wit::info().map_err(error)?;
        Ok(Model {
            name,
            context,
            sees,
            remote,
            schemas,
            tools,
            reading_speed,
        })
    }

    fn generate(&self, turns: Vec<Turn>, options: &Options) -> Result<Box<dyn Generation>, ModelError> {
        let turns: Vec<_> = turns.into_iter().map(turn).collect();
        let options = wit::Options {
            max_tokens: options.max_tokens,
            max_milliseconds: options.max_milliseconds,
            temperature: options.temperature,
            top_p: options.top_p,
            seed: options.seed,
            stop: options.stop.clone(),
            json_schema: options.json_schema.clone(),
            token_probabilities: options.token_probabilities,
        };
        let generation = wit::generate(&turns, &options).map_err(error)?;
        Ok(Box::new(generation))
    }

    fn prepare(&self, turns: Vec<Turn>) -> Result<Option<PromptSize>, ModelError> {
        let turns: Vec<_> = turns.into_iter().map(turn).collect();
        let size = wit::prepare(&turns).map_err(error)?;
        Ok(size.map(|size| PromptSize {
            tokens: size.tokens,
            cached_tokens: size.cached_tokens,
        }))
    }
}

impl Generation for wit::Generation {
    fn next(&mut self) -> Result<Option<String>, ModelError> {
        wit::Generation::next(self).map_err(error)
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = wit::Generation::outcome(self)?;
        Some(Outcome {
            finish: match outcome.finish {
                wit::Finish::Stop => Finish::Stop,
                wit::Finish::Length => Finish::Length,
                wit::Finish::Time => Finish::Time,
            },
            prompt_tokens: outcome.prompt_tokens,
            cached_tokens: outcome.cached_tokens,
            answer_tokens: outcome.answer_tokens,
            probability: outcome.probability,
        })
    }

    fn tokens(&self) -> Vec<Token> {
        let tokens = wit::Generation::tokens(self).into_iter().map(|token| Token {
            bytes: token.bytes as usize,
            probability: token.probability,
        });
        tokens.collect()
    }
}

fn turn(Turn { role, text, pictures }: Turn) -> wit::Turn {
    let pictures = pictures
        .into_iter()
        .map(|Picture { media_type, data }| wit::Picture { media_type, data });
    wit::Turn {
        role: match role {
            Role::System => wit::Role::System,
            Role::User => wit::Role::User,
            Role::Assistant => wit::Role::Assistant,
        },
        text,
        pictures: pictures.collect(),
    }
}

fn error(error: wit::Error) -> ModelError {
    match error {
        wit::Error::MissingModel(what) => ModelError::Missing(what),
        wit::Error::Unavailable(what) => ModelError::Unavailable(what),
        wit::Error::InvalidInput(what) => ModelError::InvalidInput(what),
        wit::Error::TooLong((has, most)) => ModelError::TooLong { has, most },
        wit::Error::Failed(what) => ModelError::Failed(what),
        wit::Error::Busy(seconds) => ModelError::Busy { seconds },
    }
}
