//! Confirmation that sentences of a document answer a question, by a model that sees nothing but these.
//!
//! With whole passages before them, small models confirm whatever is near, and with the proposed answer more than without it.
//! The schema of the reply stands in the instructions, too: held to it alone, Qwen2.5-Coder-1.5B said yes to everything.

use quartet_grounding::sanitize;
use quartet_llm_client::{Role, Turn};

/// The schema of the reply.
pub(super) const SCHEMA: &str = r#"{"type":"object","properties":{"answered":{"enum":["yes","no"]}},"required":["answered"],"additionalProperties":false}"#;

/// Limit in tokens for the reply.
pub(super) const MAX_TOKENS: u32 = 12;

const INSTRUCTIONS: &str = "You check whether a passage answers a question. Reply with JSON. Say \"yes\" only if the passage says \
exactly what is asked: of the same person, thing, place, time and relation. If the question names somebody or something else, \
turns the matter round, or asks for something that the passage does not give, say \"no\".\n\nReply with one JSON document of this \
JSON Schema: ";

const YES: &str = r#"{"answered": "yes"}"#;
const NO: &str = r#"{"answered": "no"}"#;

/// Passages, questions and replies that show the ways to be near: the opposite, something else of the same kind, another
/// amount in another language, and a relation that is turned round.
const EXAMPLES: [(&str, &str, &str); 7] = [
    (
        "The bridge over the Lenn was opened by Mayor Holt in 1931.",
        "When was the bridge closed?",
        NO,
    ),
    (
        "The library of Arden has 40,000 books, most of them in English.",
        "How many books does the library of Holm have?",
        NO,
    ),
    (
        "The library of Arden has 40,000 books, most of them in English.",
        "What language are most of Arden's books written in?",
        YES,
    ),
    (
        "At the end of the year the fund held 900 crowns.",
        "Wie hoch war die Miete?",
        NO,
    ),
    (
        "El museo cierra los lunes.",
        "On which day can one not visit the museum?",
        YES,
    ),
    (
        "Frost weakens the shell of the beetle, which warmth makes strong.",
        "What does cold strengthen?",
        NO,
    ),
    (
        "The society, founded by Ada Reed's brother, met every week.",
        "How often did the society meet?",
        YES,
    ),
];

/// The conversation in which a model confirms. What stays the same comes first.
pub(super) fn turns(question: &str, quotes: &[&str]) -> Vec<Turn> {
    let mut turns = vec![Turn::new(Role::System, format!("{INSTRUCTIONS}{SCHEMA}"))];
    for (passage, question, reply) in EXAMPLES {
        turns.push(Turn::new(Role::User, task(passage, question)));
        turns.push(Turn::new(Role::Assistant, reply));
    }
    turns.push(Turn::new(
        Role::User,
        task(&sanitize(&quotes.join(" ")), &sanitize(question)),
    ));
    turns
}

fn task(passage: &str, question: &str) -> String {
    format!("Passage: {passage}\nQuestion: {question}")
}
