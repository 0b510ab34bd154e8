//! Constrained answers: a JSON Schema becomes a sampler that draws no token with which the answer would not fit it.

use std::sync::OnceLock;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use serde_json::{Map, Value, json};

/// Extension of JSON Schema by which llguidance is told how a document is laid out.
const LAYOUT_KEY: &str = "x-guidance";

/// Limit for the work of compiling a schema; llguidance says that 50,000 take a millisecond.
const MAX_COMPILING_FUEL: u64 = 500_000;
/// Limit for the states of a schema's patterns, of one to two kilobytes each.
const MAX_STATES: usize = 20_000;

/// Makes samplers for one model.
pub struct Schemas<'a> {
    model: &'a LlamaModel,
    /// Reading the vocabulary takes some tenths of a second, which only those wait for who ask for a schema.
    factory: OnceLock<Result<ParserFactory, String>>,
}

impl<'a> Schemas<'a> {
    /// For `model`; nothing is computed yet.
    pub const fn new(model: &'a LlamaModel) -> Self {
        Self {
            model,
            factory: OnceLock::new(),
        }
    }

    /// A sampler that leaves only tokens with which the answer still fits `schema`, and its end where it does.
    ///
    /// # Errors
    /// When the schema is none, or says something that cannot be kept to.
    pub fn sampler(&self, schema: &str) -> Result<LlamaSampler, String> {
        let mut schema: Map<String, Value> = serde_json::from_str(schema).map_err(|error| error.to_string())?;
        // Free white space would cost tokens, and small models do not find the end of it.
        schema
            .entry(LAYOUT_KEY)
            .or_insert_with(|| json!({"whitespace_flexible": false, "item_separator": ", ", "key_separator": ": "}));
        let grammar = TopLevelGrammar::from_json_schema(Value::Object(schema));
        let parser = self.factory()?.create_parser(grammar);
        Ok(Matcher::new(Ok(parser.map_err(|error| format!("{error:#}"))?)).into())
    }

    fn factory(&self) -> Result<&ParserFactory, String> {
        let factory = self.factory.get_or_init(|| {
            let vocabulary = LlamaSampler::llguidance_tok_env(self.model);
            let mut factory = ParserFactory::new_simple(&vocabulary).map_err(|error| format!("{error:#}"))?;
            factory.quiet();
            let limits = factory.limits_mut();
            limits.initial_lexer_fuel = MAX_COMPILING_FUEL;
            limits.max_lexer_states = MAX_STATES;
            // Seconds for a pattern with some hundred words, in which nobody else's answer goes on.
            limits.precompute_large_lexemes = false;
            Ok(factory)
        });
        factory.as_ref().map_err(Clone::clone)
    }
}
