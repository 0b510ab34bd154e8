//! Relevance of a function to a message: a small model that is given functions calls one of them whatever is said, with arguments
//! that it makes up. Asked for one function by itself, it knows better.

use quartet_api::chat::{ChatTurn, Tool};
use quartet_llm_client::{Finish, Judgement, Role, Turn};

use super::error::GenerationError;
use super::written::Write;

/// Probability from which on a message asks for what a function does. Of 18 messages that ask for it and 21 that do not, in German,
/// English and French, all were told apart: the former had 0.59 and more, the latter 0.5 and less.
const MIN_PROBABILITY: f32 = 0.55;

/// Limit in characters for what is shown of a message, and of a function's description.
const MAX_CHARS: usize = 600;

/// Its examples have more than a message.
const CALL: Judgement = Judgement {
    property: "call",
    instructions: "Say whether the message asks for what the function does. General talk, questions of knowledge, sums and texts to write \
        are no.",
    examples: &[],
};

/// A function, its description, something said before, a message, and whether it asks for that.
type Example = (&'static str, &'static str, Option<&'static str>, &'static str, bool);

const EXAMPLES: [Example; 6] = [
    (
        "play_music",
        "Play music in a room",
        None,
        "put on some jazz in the kitchen",
        true,
    ),
    ("play_music", "Play music in a room", None, "who wrote Carmen?", false),
    ("set_timer", "Set a timer", None, "Tell me a fairy tale", false),
    ("set_timer", "Set a timer", None, "Weck mich in 10 Minuten", true),
    (
        "get_stock_price",
        "Get the price of a share",
        None,
        "what is a share",
        false,
    ),
    (
        "book_table",
        "Book a table in a restaurant",
        None,
        "we would like to eat at Luigi's tonight, four of us",
        true,
    ),
];

/// Examples of what is said after something else.
const EXAMPLES_AFTER: [Example; 2] = [
    (
        "get_stock_price",
        "Get the price of a share",
        Some("How is the share of BMW doing?"),
        "thanks!",
        false,
    ),
    (
        "get_stock_price",
        "Get the price of a share",
        Some("How is the share of BMW doing?"),
        "what about Siemens?",
        true,
    ),
];

/// Returns true if a message asks for what a function does, by itself or after what was said before. A reply without a
/// probability is one that it does.
///
/// # Errors
/// When the model fails.
pub(super) fn asks_for(
    tool: &Tool,
    message: &str,
    history: &[ChatTurn],
    write: Write<'_>,
) -> Result<bool, GenerationError> {
    let Some(alone) = probability(turns(tool, message, None), &mut *write)? else {
        return Ok(true);
    };
    let before = history.iter().rev().find(|turn| turn.role == "user");
    let Some(before) = before.filter(|_| alone < MIN_PROBABILITY) else {
        return Ok(alone >= MIN_PROBABILITY);
    };
    // "Make it 11 instead" asks for nothing by itself, and "thanks!" for what was asked for before.
    let after = probability(turns(tool, message, Some(&before.content)), write)?;
    Ok(after.is_none_or(|after| (alone + after) / 2.0 >= MIN_PROBABILITY))
}

fn probability(turns: Vec<Turn>, write: Write<'_>) -> Result<Option<f32>, GenerationError> {
    let written = write(&turns, &CALL.schema(), Judgement::MAX_TOKENS)?;
    if written.finish != Finish::Stop {
        return Ok(None);
    }
    Ok(Judgement::probability(&written.text, written.probability))
}

fn turns(tool: &Tool, message: &str, before: Option<&str>) -> Vec<Turn> {
    let mut turns = vec![Turn::new(Role::System, CALL.instructions)];
    let after = EXAMPLES_AFTER.into_iter().filter(|_| before.is_some());
    for (name, description, before, message, asks) in after.chain(EXAMPLES) {
        turns.push(Turn::new(Role::User, shown(name, description, before, message)));
        turns.push(Turn::new(Role::Assistant, CALL.reply(asks)));
    }
    let description = tool.description.as_deref().unwrap_or_default();
    turns.push(Turn::new(Role::User, shown(&tool.name, description, before, message)));
    turns
}

fn shown(name: &str, description: &str, before: Option<&str>, message: &str) -> String {
    let cut = |text: &str| text.chars().take(MAX_CHARS).collect::<String>();
    let before = before.map_or_else(String::new, |before| format!("Said before: {}\n", cut(before)));
    format!(
        "Function: {name}: {}\n{before}Message: {}",
        cut(description),
        cut(message)
    )
}

#[cfg(test)]
mod tests {
    use super::super::written::Written;
    use super::*;

    fn asks(replies: &[(&str, f32)], history: &[ChatTurn]) -> bool {
        let tool = Tool {
            name: "get_weather".to_owned(),
            description: Some("Get the weather of a city".to_owned()),
            parameters: None,
        };
        let mut replies = replies.iter();
        let mut write = |turns: &[Turn], _: &str, _: u32| {
            let (reply, probability) = replies.next().expect("a question too many");
            assert!(
                turns
                    .last()
                    .unwrap()
                    .text
                    .starts_with("Function: get_weather: Get the weather")
            );
            Ok(Written {
                text: format!("{{\"call\": \"{reply}\"}}"),
                finish: Finish::Stop,
                tokens: 5,
                probability: Some(*probability),
            })
        };
        asks_for(&tool, "and in Paris?", history, &mut write).unwrap_or_else(|_| panic!("it failed"))
    }

    #[test]
    fn a_function_is_asked_for_by_itself_or_after_what_was_said() {
        let history = [
            ChatTurn::new("user", "Weather in Berlin?"),
            ChatTurn::new("assistant", "Sunny."),
        ];
        assert!(asks(&[("yes", 0.9)], &history));
        assert!(asks(&[("no", 0.7), ("yes", 0.9)], &history));
        assert!(!asks(&[("no", 0.9), ("yes", 0.6)], &history));
        assert!(!asks(&[("yes", 0.5)], &[]));
    }
}
