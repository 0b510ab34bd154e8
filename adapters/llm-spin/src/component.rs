//! The component.

use std::cell::{Cell, RefCell};

use spin_sdk::llm::{self, InferencingModel, InferencingParams};
use spin_sdk::variables;

use crate::prompt::{self, Role};

/// Bindings to the world `language-model-provider` in `wit/`.
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "language-model-provider", generate_all });
}

use bindings::exports::quartet::language_model::chat as wit;

/// The variable of the application that names the model. Spin has no way to ask which there are, so that without a name
/// there is none.
const MODEL: &str = "language_model";

/// The variable that says how many tokens its context has.
const CONTEXT: &str = "language_model_context";

/// The context where that is not set: Llama 2's.
const DEFAULT_CONTEXT: u32 = 4096;

/// Tokens of an answer where nothing is said.
const DEFAULT_TOKENS: u32 = 512;

struct Component;

bindings::export!(Component with_types_in bindings);

fn model() -> Result<String, wit::Error> {
    let named = variables::get(MODEL).ok().filter(|name| !name.is_empty());
    named.ok_or_else(|| wit::Error::MissingModel(format!("none is named by the variable {MODEL}")))
}

impl wit::Guest for Component {
    type Generation = Generation;

    fn info() -> Result<wit::Model, wit::Error> {
        let context = variables::get(CONTEXT).ok().and_then(|value| value.parse().ok());
        Ok(wit::Model {
            name: model()?,
            context: context.unwrap_or(DEFAULT_CONTEXT),
            sees: false,
            // Whether it is, only Spin's operator knows; who is told so at least is not told wrongly that it stays here.
            remote: true,
            schemas: false,
            tools: false,
            reading_speed: None,
        })
    }

    /// Spin has no way to read anything ahead.
    fn prepare(_: Vec<wit::Turn>) -> Result<Option<wit::PromptSize>, wit::Error> {
        Ok(None)
    }

    fn generate(turns: Vec<wit::Turn>, options: wit::Options) -> Result<wit::Generation, wit::Error> {
        if turns.iter().any(|turn| !turn.pictures.is_empty()) {
            return Err(wit::Error::InvalidInput(
                "the model of Spin takes no pictures".to_owned(),
            ));
        }
        if options.json_schema.is_some() {
            return Err(wit::Error::InvalidInput(
                "the model of Spin cannot be held to a JSON Schema".to_owned(),
            ));
        }
        let turns: Vec<_> = turns.iter().map(|turn| (role(turn.role), turn.text.as_str())).collect();
        let prompt = prompt::text(&turns);
        let most = options.max_tokens.unwrap_or(DEFAULT_TOKENS);
        let defaults = InferencingParams::default();
        let params = InferencingParams {
            max_tokens: most,
            temperature: options.temperature.unwrap_or(defaults.temperature),
            top_p: options.top_p.unwrap_or(defaults.top_p),
            ..defaults
        };
        let name = model()?;
        let result = llm::infer_with_options(InferencingModel::Other(&name), &prompt, params)
            .map_err(|failure| error(failure, &name))?;
        let (answer, stopped) = prompt::answer(&result.text, &options.stop, prompt::is_begun(&turns));
        let usage = result.usage;
        let finish = if !stopped && usage.generated_token_count >= most {
            wit::Finish::Length
        } else {
            wit::Finish::Stop
        };
        Ok(wit::Generation::new(Generation {
            answer: RefCell::new(Some(answer)),
            over: Cell::new(false),
            outcome: wit::Outcome {
                finish,
                prompt_tokens: usage.prompt_token_count,
                cached_tokens: 0,
                answer_tokens: usage.generated_token_count,
                probability: None,
            },
        }))
    }
}

/// An answer, which is whole when it begins.
struct Generation {
    answer: RefCell<Option<String>>,
    over: Cell<bool>,
    outcome: wit::Outcome,
}

impl wit::GuestGeneration for Generation {
    fn next(&self) -> Result<Option<String>, wit::Error> {
        let answer = self.answer.take();
        self.over.set(answer.is_none());
        Ok(answer)
    }

    fn outcome(&self) -> Option<wit::Outcome> {
        self.over.get().then_some(self.outcome)
    }

    fn tokens(&self) -> Vec<wit::Token> {
        // Spin tells no probabilities.
        Vec::new()
    }
}

fn role(role: wit::Role) -> Role {
    match role {
        wit::Role::System => Role::System,
        wit::Role::User => Role::User,
        wit::Role::Assistant => Role::Assistant,
    }
}

fn error(error: llm::Error, model: &str) -> wit::Error {
    match error {
        llm::Error::ModelNotSupported => {
            wit::Error::MissingModel(format!("Spin has no model {model}: set the variable {MODEL}"))
        }
        // Its file is not there, or its server cannot be reached: Spin has one word for all that goes wrong later.
        llm::Error::RuntimeError(reason) => wit::Error::Unavailable(reason),
        // So Spin says that the manifest does not list the model, too.
        llm::Error::InvalidInput(reason) if reason.contains("ai_models") => wit::Error::MissingModel(reason),
        llm::Error::InvalidInput(reason) => wit::Error::InvalidInput(reason),
    }
}
