//! Constrained answers: a JSON Schema rules out tokens with which the answer would not fit it, and says which text has to come.

use std::sync::OnceLock;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use llama_cpp_2::vocab::LlamaVocab;
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use serde_json::{Map, Value, json};

/// Extension of JSON Schema by which llguidance is told how a document is laid out.
const LAYOUT_KEY: &str = "x-guidance";

/// Limit for the work of compiling a schema; llguidance says that 50,000 take a millisecond.
const MAX_COMPILING_FUEL: u64 = 500_000;
/// Limit for the states of a schema's patterns, of one to two kilobytes each.
const MAX_STATES: usize = 20_000;

/// Makes constraints for one model.
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

    /// A constraint that leaves only tokens with which the answer still fits `schema`, and its end where it does.
    ///
    /// # Errors
    /// When the schema is none, or says something that cannot be kept to.
    pub fn constraint(&self, schema: &str) -> Result<Constraint, String> {
        let mut schema: Map<String, Value> = serde_json::from_str(schema).map_err(|error| error.to_string())?;
        // Free white space would cost tokens, and small models do not find the end of it.
        schema
            .entry(LAYOUT_KEY)
            .or_insert_with(|| json!({"whitespace_flexible": false, "item_separator": ", ", "key_separator": ": "}));
        let grammar = TopLevelGrammar::from_json_schema(Value::Object(schema));
        let parser = self.factory()?.create_parser(grammar);
        let parser = parser.map_err(|error| format!("{error:#}"))?;
        Ok(Constraint(Matcher::new(Ok(parser))))
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

/// The tokens that may come next in one answer.
pub struct Constraint(Matcher);

impl Constraint {
    /// Makes all tokens impossible with which the answer would not fit.
    pub fn rule_out(&mut self, candidates: &mut LlamaTokenDataArray) {
        let Ok(mask) = self.0.compute_mask_or_eos() else { return };
        for candidate in &mut candidates.data {
            if !mask.is_allowed(candidate.id().0.cast_unsigned()) {
                candidate.set_logit(f32::NEG_INFINITY);
            }
        }
    }

    /// Takes the next token of the answer.
    pub fn accept(&mut self, token: LlamaToken) {
        // One more after the end is an error from which nothing comes back.
        if !self.is_complete() {
            let _ = self.0.consume_token(token.0.cast_unsigned());
        }
    }

    /// Returns true if nothing can come any more.
    pub fn is_complete(&self) -> bool {
        self.0.is_stopped()
    }

    /// Takes the tokens that have to come next, whatever the model would say: names of fields, and the end of a word that no other
    /// begins like. They are those that the text has by itself; with the last one a longer token could begin, which is the
    /// model's to choose.
    ///
    /// Jump-forward decoding, as in [SGLang](https://arxiv.org/abs/2312.07104).
    pub fn take_forced(&mut self, vocabulary: &LlamaVocab<'_>) -> Vec<LlamaToken> {
        if self.is_complete() {
            return Vec::new();
        }
        let bytes = self.0.compute_ff_bytes();
        let whole = match std::str::from_utf8(&bytes) {
            Ok(_) => bytes.len(),
            Err(error) => error.valid_up_to(),
        };
        let mut forced = vocabulary.tokenize(&bytes[..whole], false, false);
        let Some(last) = forced.pop() else { return forced };
        for token in &forced {
            self.accept(*token);
        }
        if !self.may_be_longer(last, vocabulary) {
            self.accept(last);
            forced.push(last);
        }
        forced
    }

    /// Returns true if a longer token that begins with another one may come next.
    fn may_be_longer(&mut self, token: LlamaToken, vocabulary: &LlamaVocab<'_>) -> bool {
        let Ok(mask) = self.0.compute_mask() else { return true };
        let bytes = vocabulary.token_to_piece(token, false, None);
        let mut allowed = mask.iter().filter_map(|other| i32::try_from(other).ok());
        allowed.any(|other| {
            let other = vocabulary.token_to_piece(LlamaToken(other), false, None);
            other.len() > bytes.len() && other.starts_with(&bytes)
        })
    }
}
