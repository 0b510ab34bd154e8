//! A line that the model writes on the way to an answer: the same each time, and of little length.

use quartet_llm_client::{LanguageModel, Options, Outcome, Turn};

/// Has the model write a line behind `turns`, of at most so many tokens and milliseconds, held to a JSON Schema where one is given. Returns
/// its text as far as it came, and the model's work where it came to an end; nothing where the model did not begin. That is no answer to
/// the person: the one that follows has the same error.
#[must_use]
pub fn written(
    model: &dyn LanguageModel,
    turns: Vec<Turn>,
    json_schema: Option<String>,
    tokens: u32,
    milliseconds: u32,
) -> Option<(String, Option<Outcome>)> {
    let options = Options {
        max_tokens: Some(tokens),
        max_milliseconds: Some(milliseconds),
        temperature: Some(0.0),
        seed: Some(1),
        stop: vec!["\n".to_owned()],
        json_schema,
        ..Options::default()
    };
    let mut generation = model.generate(turns, &options).ok()?;
    let mut text = String::new();
    while let Ok(Some(piece)) = generation.next() {
        text.push_str(&piece);
    }
    Some((text, generation.outcome()))
}
