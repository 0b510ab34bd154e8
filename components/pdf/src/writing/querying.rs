//! Queries over the tables of a document, which a language model writes.

use quartet_grounding::{Writer, sanitize};
use quartet_llm_client::{Finish, Model, Role, Turn};
use quartet_tables::{Table, prompt, schema};

use super::{Asking, confirming};

/// Limit in tokens for a query.
const MAX_TOKENS: u32 = 120;

/// Probability of a query below which it is not worth checking.
const MIN_PROBABILITY: f32 = 0.3;
/// Sum of the probabilities of a query and of that it finds what is asked, from which on it is taken.
///
/// Of Qwen2.5-Coder-1.5B's queries for 60 questions about twelve public tables, all looked at, 47 are right, and 46 of these have it;
/// of three for what is in no column none has, and the likeliest 0.89.
const MIN_SUM: f32 = 0.9;
/// Probability that a query finds what is asked, below which it is not taken.
const MIN_FOUND: f32 = 0.1;

/// A query as a model wrote it.
pub(crate) struct Written {
    /// SQL.
    pub text: String,
    /// Probability that it finds what is asked, where the provider tells probabilities.
    pub confidence: Option<f32>,
}

impl Asking<'_> {
    /// Has the model write a query over some tables that answers a question, and check it; nothing where it sees none, or is not sure
    /// enough of it.
    pub fn query(&self, tables: &[Table], question: &str, model: &Model) -> Option<Written> {
        let question = sanitize(question);
        let schema = model.schemas.then(|| schema::schema(tables, &question));
        let turns = turns(tables, &question);
        let generated = self.generate(turns, MAX_TOKENS, schema, 0, &mut |_| true).ok()?;
        if generated.finish != Finish::Stop {
            return None;
        }
        let text = generated.written.trim();
        let text = serde_json::from_str(text).unwrap_or_else(|_| text.trim_matches('"').to_owned());
        if text == schema::NONE {
            return None;
        }
        let confidence = match generated.probability {
            Some(probability) if probability < MIN_PROBABILITY => return None,
            Some(probability) => {
                let found = self.checked(&question, &text)?;
                if found < MIN_FOUND || probability + found < MIN_SUM {
                    return None;
                }
                Some(f32::midpoint(probability, found))
            }
            None => None,
        };
        Some(Written { text, confidence })
    }

    /// The probability, by the model, that a query finds what a question asks for.
    fn checked(&self, question: &str, query: &str) -> Option<f32> {
        let mut turns = vec![Turn::new(Role::System, prompt::CHECK_INSTRUCTIONS)];
        for (message, is_right) in prompt::checked_examples() {
            turns.push(Turn::new(Role::User, message));
            turns.push(Turn::new(
                Role::Assistant,
                if is_right { confirming::YES } else { confirming::NO },
            ));
        }
        turns.push(Turn::new(Role::User, prompt::checked(question, query)));
        let schema = Some(confirming::SCHEMA.to_owned());
        let generated = self
            .generate(turns, confirming::MAX_TOKENS, schema, 0, &mut |_| true)
            .ok()?;
        let probability = generated.probability?;
        Some(match generated.written.contains("no") {
            true => 1.0 - probability,
            false => probability,
        })
    }
}

/// Has the model read the tables ahead, when it has nothing else to do.
pub(crate) fn read_tables_ahead(writer: Writer<'_>, tables: &[Table]) {
    // Whoever asks later waits for it instead.
    let _ = writer.model.prepare(turns(tables, ""));
}

fn turns(tables: &[Table], question: &str) -> Vec<Turn> {
    let mut turns = vec![Turn::new(Role::System, prompt::INSTRUCTIONS)];
    for (message, reply) in prompt::examples() {
        turns.push(Turn::new(Role::User, message));
        turns.push(Turn::new(Role::Assistant, reply));
    }
    turns.push(Turn::new(Role::User, prompt::message(tables, question)));
    turns
}
