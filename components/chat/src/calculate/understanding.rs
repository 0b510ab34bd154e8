//! Understanding: the model writes a question as an expression, held to a JSON Schema. It never computes.

use quartet_llm_client::{Finish, LanguageModel, Outcome, Role, Turn};

use super::expression::{self, Expression};
use crate::line;

/// Limit in tokens for an expression.
const MAX_TOKENS: u32 = 48;

/// What the model made of a question.
#[derive(Debug)]
pub(super) struct Understood {
    /// Text of the expression, as the model wrote it.
    pub written: String,
    /// The expression; none where the model found nothing to compute, or wrote something else.
    pub expression: Option<Expression>,
    /// Tokens of the model's work, where it came to an end.
    pub outcome: Option<Outcome>,
}

impl Understood {
    /// True if the model's time was over before it had said anything.
    pub fn is_cut(&self) -> bool {
        let ended = self.outcome.is_some_and(|outcome| outcome.finish != Finish::Time);
        !ended && self.written.is_empty()
    }
}

/// Asks the model for the expression of a question, for at most so many milliseconds. The schema holds it
/// to expressions that the question can bear out.
pub(super) fn understand(
    question: &str,
    schema: impl FnOnce() -> String,
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> Understood {
    understand_after(question, &[], schema, model, milliseconds)
}

/// Does so for a question that may leave out what the questions before it say. These are shown with their expressions, oldest first.
pub(super) fn understand_after(
    question: &str,
    before: &[(String, String)],
    schema: impl FnOnce() -> String,
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> Understood {
    let nothing = Understood {
        written: String::new(),
        expression: None,
        outcome: None,
    };
    let Ok(info) = model.info() else { return nothing };
    let schema = info.schemas.then(schema);
    let written = line::written(model, turns(question, before), schema, MAX_TOKENS, milliseconds);
    let Some((text, outcome)) = written else { return nothing };
    let text = text.trim();
    let written = serde_json::from_str::<String>(text).unwrap_or_else(|_| text.trim_matches(['"', '`']).to_owned());
    Understood {
        expression: expression::parse(&written),
        written,
        outcome,
    }
}

/// The same turns for every question, then the question: what is the same is computed once.
fn turns(question: &str, before: &[(String, String)]) -> Vec<Turn> {
    let mut turns = vec![Turn::new(Role::System, include_str!("instructions.txt").trim())];
    let mut push = |question: &str, expression: &str| {
        turns.push(Turn::new(Role::User, question));
        turns.push(Turn::new(Role::Assistant, format!("\"{expression}\"")));
    };
    examples().for_each(|(example, expression)| push(example, expression));
    (before.iter()).for_each(|(question, expression)| push(question, expression));
    turns.push(Turn::new(Role::User, question));
    turns
}

fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("examples.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_llm_client::scripted::Scripted;

    #[test]
    fn the_examples_are_expressions() {
        assert!(examples().count() > 20);
        for (question, text) in examples() {
            assert_eq!(expression::parse(text).is_some(), text != "none", "{question}: {text}");
        }
    }

    #[test]
    fn the_question_comes_last_and_the_rest_stays_the_same() {
        let model = Scripted::new(["\"none\"", "\"calc 2 + 2\""]);
        assert_eq!(understand("one", String::new, &model, 100).expression, None);
        assert!(understand("two", String::new, &model, 100).expression.is_some());
        let asked = model.asked.borrow();
        let (last, same) = asked[0].split_last().unwrap();
        assert_eq!((last.text.as_str(), same), ("one", &asked[1][..asked[1].len() - 1]));
        assert!(model.options.borrow()[0].json_schema.is_some());
    }

    #[test]
    fn an_answer_that_is_no_json_is_read_as_far_as_it_is_an_expression() {
        for (text, found) in [
            ("calc 2 + 2", true),
            ("`calc 2 + 2`", true),
            ("It is 4.", false),
            ("", false),
        ] {
            let model = Scripted::new([text]);
            assert_eq!(
                understand("x", String::new, &model, 100).expression.is_some(),
                found,
                "{text}"
            );
        }
    }
}
