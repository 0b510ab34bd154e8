//! Understanding of questions by a language model: a query that an engine answers, and lines of text that hold an answer.
//!
//! The model writes no answer itself. What it writes is held to a schema, and only says where in the record to look.

use quartet_llm_client::{LanguageModel, Options, Role, Turn};
use serde::Deserialize;

use super::query::Query;

/// Instructions and examples: the same for every question, so that the engine computes them once.
const UNDERSTAND: &str = include_str!("understand.txt");
const PICK: &str = include_str!("pick.txt");
/// Most tokens of a query: names in other scripts have many.
const MAX_QUERY_TOKENS: u32 = 60;
const MAX_PICK_TOKENS: u32 = 16;
/// Most characters of a question that are looked at.
const MAX_QUESTION_CHARACTERS: usize = 400;
/// Most characters of text that are looked at.
const MAX_TEXT_CHARACTERS: usize = 3_000;
/// Most lines that hold an answer.
const MAX_PICKED_LINES: usize = 2;
/// Time below which the model is not asked, in milliseconds.
const MIN_MILLISECONDS: u32 = 2_000;

/// Time that is kept back for an answer without the model, in milliseconds.
const RESERVED_MILLISECONDS: u32 = 4_000;

/// Language model with a deadline.
#[derive(Clone, Copy)]
pub struct Understanding<'a> {
    /// The model.
    pub model: &'a dyn LanguageModel,
    /// Milliseconds until the answer must be there.
    pub milliseconds_left: &'a dyn Fn() -> u32,
}

#[derive(Deserialize)]
struct Picked {
    lines: Vec<usize>,
}

impl Understanding<'_> {
    /// Meaning of a question; nothing where the model has not understood it.
    pub fn query(&self, question: &str) -> Option<Query> {
        let turns = vec![
            Turn::new(Role::System, UNDERSTAND),
            Turn::new(Role::User, plain(question)),
        ];
        let written = self.write(turns, Query::schema(), MAX_QUERY_TOKENS)?;
        Query::parse(&written)
            .inspect_err(|error| eprintln!("no query: {error}"))
            .ok()
    }

    /// Numbers of the rows that hold the answer to a question, in their order.
    pub fn pick(&self, rows: &[&str], question: &str) -> Vec<usize> {
        if rows.is_empty() {
            return Vec::new();
        }
        let mut prompt = String::new();
        for (number, row) in rows.iter().enumerate() {
            if prompt.len() > MAX_TEXT_CHARACTERS {
                break;
            }
            prompt.push_str(&format!("{number}: {}\n", plain(row)));
        }
        prompt.push_str(&plain(question));
        let schema = serde_json::json!({
            "type": "object",
            "properties": { "lines": {
                "type": "array",
                "items": { "type": "integer", "minimum": 0, "maximum": rows.len() - 1 },
                "maxItems": MAX_PICKED_LINES,
            } },
            "required": ["lines"],
            "additionalProperties": false,
        });
        let turns = vec![Turn::new(Role::System, PICK), Turn::new(Role::User, prompt)];
        let written = self.write(turns, schema.to_string(), MAX_PICK_TOKENS);
        let picked = written.and_then(|written| serde_json::from_str::<Picked>(&written).ok());
        let mut lines = picked.map_or_else(Vec::new, |picked| picked.lines);
        lines.retain(|line| *line < rows.len());
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Has the model write a document that fits a schema; nothing where it cannot.
    fn write(&self, turns: Vec<Turn>, schema: String, max_tokens: u32) -> Option<String> {
        // What a model computes before its first word is not stopped to the millisecond.
        let left = (self.milliseconds_left)().saturating_sub(RESERVED_MILLISECONDS);
        if left < MIN_MILLISECONDS {
            return None;
        }
        let options = Options {
            max_tokens: Some(max_tokens),
            max_milliseconds: Some(left),
            temperature: Some(0.0),
            seed: Some(1),
            json_schema: Some(schema),
            ..Options::default()
        };
        let failed = |error| eprintln!("the question was not understood by a model: {error}");
        let mut generation = self.model.generate(turns, &options).map_err(failed).ok()?;
        let mut written = String::new();
        while let Some(piece) = generation.next().map_err(failed).ok()? {
            written.push_str(&piece);
        }
        Some(written)
    }
}

/// A text on one line, without what a prompt is made of.
fn plain(text: &str) -> String {
    let line: String = text
        .chars()
        .take(MAX_QUESTION_CHARACTERS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    line.replace("<|", "< |")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::query::Ask;
    use quartet_llm_client::scripted::Scripted;

    #[test]
    fn a_question_becomes_a_query_and_what_changes_comes_last() {
        let model = Scripted::new(["{\"ask\": \"count\", \"of\": [\"dog\"]}", "{\"ask\": \"cou"]);
        let understanding = Understanding {
            model: &model,
            milliseconds_left: &|| 10_000,
        };
        let query = understanding.query("Wie viele Hunde?\n<|im_end|>").unwrap();
        assert_eq!((query.ask, query.things), (Ask::Count, vec!["dog".to_owned()]));
        assert!(understanding.query("?").is_none(), "a query that was cut off is none");
        let asked = model.asked.borrow();
        assert_eq!(asked[0][0], asked[1][0]);
        assert_eq!(asked[0][1].text, "Wie viele Hunde? < |im_end|>");
        assert!(
            model.options.borrow()[0]
                .json_schema
                .as_ref()
                .unwrap()
                .contains("count")
        );
    }

    #[test]
    fn only_lines_that_are_there_are_picked() {
        let model = Scripted::new(["{\"lines\": [7, 1, 1]}", "no document"]);
        let understanding = Understanding {
            model: &model,
            milliseconds_left: &|| 10_000,
        };
        assert_eq!(understanding.pick(&["one", "two"], "Which?"), [1]);
        assert_eq!(understanding.pick(&["one"], "Which?"), [0; 0]);
        let late = Understanding {
            milliseconds_left: &|| RESERVED_MILLISECONDS + 100,
            ..understanding
        };
        assert_eq!(late.pick(&["one"], "Which?"), [0; 0]);
        assert_eq!(model.asked.borrow().len(), 2);
    }
}
