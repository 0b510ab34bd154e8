//! Calls of the client's functions: the model chooses functions by their names, then writes the arguments of each. It is
//! held to the names, and to the schema of a function's parameters.
//!
//! Every step is a turn of the same conversation, so that it goes on from what was computed for the one before. So does the
//! request that brings the results: the turns before stand in it as they were written.

use quartet_api::chat::{ChatTurn, JsonText, Tool, ToolCall};
use quartet_api::limits;
use quartet_component_sdk::Failure;
use quartet_llm_client::{Finish, ModelError, Role, Turn};
use serde_json::{Map, Value, json};

use super::error::{AnswerError, GenerationError};
use super::relevance;
use super::written::Write;

/// Limit in tokens for the names of functions to call.
const MAX_CHOICE_TOKENS: u32 = 256;

/// Limit in tokens for the arguments of all calls, where the client names none.
const MAX_ARGUMENT_TOKENS: u32 = 1_024;

/// Limit in characters for what the log has of an answer that cannot be read.
const MAX_LOGGED_CHARS: usize = 200;

/// Beginning of a call's result, as the publisher of the default model has it.
pub(super) const RESULT: &str = "<tool_response>";

/// Keywords that say which properties there are, besides `properties`.
const COMPOSITION: [&str; 8] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
];

/// Functions that the model may have called.
#[derive(Debug, Clone)]
pub struct Tools {
    /// The functions.
    pub list: Vec<Tool>,
    /// Permission to call them, or the duty.
    pub call: Call,
    /// True if several may be called at once.
    pub parallel: bool,
}

/// Permission to call functions, or the duty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// The model decides.
    Any,
    /// At least one is called.
    Some,
    /// The one at this place is called.
    This(usize),
}

/// Decision of the model.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// It calls functions, each given by its place in the list, with these arguments.
    Calls(Vec<(usize, JsonText)>),
    /// It replies in words; these turns lead to them.
    Words(Vec<Turn>),
    /// It did not come to the end of a call, for this reason.
    Cut(Finish),
}

/// Error of a decision.
pub(super) struct Problem {
    /// The error.
    pub error: GenerationError,
    /// Place of the function whose arguments were asked for.
    pub tool: Option<usize>,
}

impl Problem {
    /// True if the model cannot read as much.
    pub fn is_too_long(&self) -> bool {
        matches!(self.error, GenerationError::Model(ModelError::TooLong { .. }))
    }

    /// The error for the client.
    pub fn into_answer_error(self) -> AnswerError {
        match (self.error, self.tool) {
            (GenerationError::Model(ModelError::InvalidInput(problem)), Some(place)) => {
                let field = format!("tools[{place}].parameters");
                AnswerError::Failed(Failure::field(&field, format!("cannot be kept to: {problem}")))
            }
            (error, _) => error.into_answer_error(),
        }
    }
}

impl From<GenerationError> for Problem {
    fn from(error: GenerationError) -> Self {
        Self { error, tool: None }
    }
}

impl Tools {
    /// The part of the model's instructions that lists the functions. It begins with what stays the same for a client.
    pub(super) fn instructions(&self) -> String {
        let lines: Vec<_> = self.list.iter().map(line).collect();
        format!(
            "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function \
             signatures within <tools></tools> XML tags:\n<tools>\n{}\n</tools>\n\n\
             Before each reply, list with JSON the functions to call now: {{\"functions\": [<function-name>, ...]}}, one for each \
             call, each only if it does what the user asks for. Where no function does that, its result is there already, or the user did \
             not say what it needs, the list is empty: {{\"functions\": []}}.",
            lines.join("\n")
        )
    }

    /// Asks the model which functions to call after these turns, and for their arguments. `most` is the client's limit in
    /// tokens. A function that may be called is called only if `message`, after `history`, asks for it; without a message the
    /// results of calls come last, and the model alone says what follows from them.
    ///
    /// # Errors
    /// When the model fails, or cannot be held to the parameters of a function.
    pub(super) fn ask(
        &self,
        mut turns: Vec<Turn>,
        (message, history): (&str, &[ChatTurn]),
        most: Option<u32>,
        write: Write<'_>,
    ) -> Result<Decision, Problem> {
        // A provider that gives no probabilities cannot be asked how sure it is.
        let mut can_tell = false;
        let functions = match self.call {
            Call::This(index) => vec![index],
            Call::Any | Call::Some => {
                let written = write(&turns, &self.choice_schema(), MAX_CHOICE_TOKENS)?;
                can_tell = written.probability.is_some();
                match self.chosen(&written.text) {
                    Some(functions) => functions,
                    None if written.finish == Finish::Stop => return Err(unreadable(&written.text).into()),
                    None => return Ok(Decision::Cut(written.finish)),
                }
            }
        };
        let functions = match (self.call, message.is_empty()) {
            (Call::Any, false) if can_tell => self.asked_for(functions, message, history, &mut *write)?,
            _ => functions,
        };
        turns.push(Turn::new(
            Role::Assistant,
            choice(functions.iter().map(|index| self.list[*index].name.as_str())),
        ));
        if functions.is_empty() {
            turns.push(Turn::new(Role::User, WORDS));
            return Ok(Decision::Words(turns));
        }
        let mut calls: Vec<(usize, JsonText)> = Vec::new();
        let mut left = most.unwrap_or(MAX_ARGUMENT_TOKENS);
        for (place, index) in functions.iter().enumerate() {
            let tool = &self.list[*index];
            turns.push(Turn::new(Role::User, arguments_of(&tool.name, place, functions.len())));
            let arguments = match arguments_schema(tool) {
                None => "{}".to_owned(),
                Some(schema) => {
                    let written = write(&turns, &schema, left.max(1)).map_err(|error| Problem {
                        error,
                        tool: Some(*index),
                    })?;
                    if written.finish != Finish::Stop {
                        return Ok(Decision::Cut(written.finish));
                    }
                    left = left.saturating_sub(written.tokens);
                    written.text
                }
            };
            let Some(read) = JsonText::parse(&arguments).filter(|text| text.as_str().starts_with('{')) else {
                return Err(unreadable(&arguments).into());
            };
            turns.push(Turn::new(Role::Assistant, arguments));
            // A small model that has nothing more to say says the same again.
            let call = (*index, read);
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
        Ok(Decision::Calls(calls))
    }

    /// Those of some functions that a message asks for.
    fn asked_for(
        &self,
        functions: Vec<usize>,
        message: &str,
        history: &[ChatTurn],
        write: Write<'_>,
    ) -> Result<Vec<usize>, GenerationError> {
        let mut judged: Vec<(usize, bool)> = Vec::new();
        for function in &functions {
            if judged.iter().all(|(place, _)| place != function) {
                let asks = relevance::asks_for(&self.list[*function], message, history, &mut *write)?;
                judged.push((*function, asks));
            }
        }
        let is_asked = |function: &usize| judged.contains(&(*function, true));
        Ok(functions.into_iter().filter(is_asked).collect())
    }

    /// The schema of a choice.
    fn choice_schema(&self) -> String {
        let names: Vec<_> = self.list.iter().map(|tool| &tool.name).collect();
        let most = if self.parallel { limits::CHAT_TOOL_CALLS } else { 1 };
        let functions = json!({
            "type": "array",
            "items": {"enum": names},
            "minItems": u8::from(self.call != Call::Any),
            "maxItems": most,
        });
        json!({
            "type": "object",
            "properties": {"functions": functions},
            "required": ["functions"],
            "additionalProperties": false,
        })
        .to_string()
    }

    /// The places of the functions that a choice names.
    fn chosen(&self, text: &str) -> Option<Vec<usize>> {
        let choice: Value = serde_json::from_str(text).ok()?;
        let place = |name: &Value| {
            self.list
                .iter()
                .position(|tool| Some(tool.name.as_str()) == name.as_str())
        };
        choice["functions"].as_array()?.iter().map(place).collect()
    }
}

/// Asks for the reply of a model that calls nothing.
const WORDS: &str = "Now reply to the user in words.";

/// A choice as the model writes it.
fn choice<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    format!("{{\"functions\": [{}]}}", names.join(", "))
}

/// Asks for the arguments of a call.
fn arguments_of(name: &str, place: usize, calls: usize) -> String {
    if calls == 1 {
        format!("Give the arguments of {name} as JSON.")
    } else {
        format!("Give the arguments of call {}, {name}, as JSON.", place + 1)
    }
}

/// The turns of calls that were made, as they were when the model asked for them. `content` are words that came before.
pub(super) fn turns_of_calls(content: &str, calls: &[ToolCall]) -> Vec<Turn> {
    let mut chosen = choice(calls.iter().map(|call| call.name.as_str()));
    if !content.trim().is_empty() {
        chosen = format!("{content}\n{chosen}");
    }
    let mut turns = vec![Turn::new(Role::Assistant, chosen)];
    for (place, call) in calls.iter().enumerate() {
        turns.push(Turn::new(Role::User, arguments_of(&call.name, place, calls.len())));
        turns.push(Turn::new(Role::Assistant, call.arguments.as_str()));
    }
    turns
}

/// The turn of a call's result.
pub(super) fn turn_of_result(result: &ChatTurn) -> Turn {
    Turn::new(Role::User, format!("{RESULT}\n{}\n</tool_response>", result.content))
}

/// A function as the model is told of it.
fn line(tool: &Tool) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut line = format!("{{\"name\":{}", quoted(&tool.name));
    if let Some(description) = &tool.description {
        line += &format!(",\"description\":{}", quoted(description));
    }
    if let Some(parameters) = &tool.parameters {
        line += &format!(",\"parameters\":{}", without_white_space(parameters.as_str()));
    }
    line + "}"
}

/// A JSON document without the white space between its parts, which would be read by the model at a price.
fn without_white_space(json: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let keeps = |c: &char| {
        let is_quote = *c == '"' && !escaped;
        escaped = inside && *c == '\\' && !escaped;
        inside ^= is_quote;
        inside || is_quote || !c.is_ascii_whitespace()
    };
    json.chars().filter(keeps).collect()
}

/// The schema that the arguments of a function are held to; none where it takes none. A list of properties that leaves open
/// whether there are others is taken for the whole list.
fn arguments_schema(tool: &Tool) -> Option<String> {
    let text = tool.parameters.as_ref()?.as_str();
    let schema: Map<String, Value> = serde_json::from_str(text).ok()?;
    let has = |name: &str| schema.contains_key(name);
    let listed = schema.get("properties").and_then(Value::as_object);
    let composed = COMPOSITION.iter().any(|name| has(name));
    if !composed && listed.is_none_or(Map::is_empty) {
        return None;
    }
    let mut added = String::new();
    if !has("type") && listed.is_some() {
        added += "\"type\":\"object\",";
    }
    if !composed {
        added += "\"additionalProperties\":false,";
    }
    // There is at least one keyword behind it.
    Some(format!("{{{added}{}", text.trim_start().strip_prefix('{')?))
}

/// The error of a model that cannot be held to a schema, though it says that it can.
fn unreadable(text: &str) -> GenerationError {
    let shown: String = text.chars().take(MAX_LOGGED_CHARS).collect();
    GenerationError::Model(ModelError::Failed(format!(
        "it was to write JSON of a schema, and wrote {shown:?}"
    )))
}

#[cfg(test)]
mod tests {
    use super::super::written::Written;
    use std::cell::RefCell;

    use super::*;

    const WEATHER: &str = r#"{ "type": "object", "properties": {"unit": {"enum": ["C", "F"]}, "city": {"type": "string",
        "description": "A \"city\" or  town"}}, "required": ["city"] }"#;

    fn tool(name: &str, parameters: Option<&str>) -> Tool {
        Tool {
            name: name.to_owned(),
            description: Some("Says \"it\".".to_owned()),
            parameters: parameters.map(|text| JsonText::parse(text).unwrap()),
        }
    }

    fn tools(call: Call) -> Tools {
        Tools {
            list: vec![tool("weather", Some(WEATHER)), tool("now", None)],
            call,
            parallel: true,
        }
    }

    type Asked = Vec<(Vec<String>, String)>;

    /// The decision of a model that writes these, and what it was asked.
    fn decide(tools: &Tools, answers: &[&str]) -> (Result<Decision, Problem>, Asked) {
        let asked = RefCell::new(Asked::new());
        let mut write = |turns: &[Turn], schema: &str, _: u32| {
            let texts = turns.iter().map(|turn| turn.text.clone()).collect();
            asked.borrow_mut().push((texts, schema.to_owned()));
            let answer = answers[asked.borrow().len() - 1];
            let (text, finish) = match answer.strip_suffix('…') {
                Some(text) => (text, Finish::Length),
                None => (answer, Finish::Stop),
            };
            Ok(Written {
                text: text.to_owned(),
                finish,
                tokens: 5,
                probability: None,
            })
        };
        let decision = tools.ask(vec![Turn::new(Role::User, "Weather?")], ("", &[]), None, &mut write);
        (decision, asked.into_inner())
    }

    fn calls(decision: Result<Decision, Problem>) -> Vec<(usize, String)> {
        match decision {
            Ok(Decision::Calls(calls)) => {
                let each = calls.into_iter().map(|(place, text)| (place, text.as_str().to_owned()));
                each.collect()
            }
            Ok(other) => panic!("{other:?}"),
            Err(_) => panic!("it failed"),
        }
    }

    #[test]
    fn functions_are_chosen_and_their_arguments_asked_for_one_after_the_other() {
        let paris = r#"{"city": "Paris"}"#;
        let (decision, asked) = decide(&tools(Call::Any), &[r#"{"functions": ["weather", "now"]}"#, paris]);
        assert_eq!(calls(decision), [(0, paris.to_owned()), (1, "{}".to_owned())]);
        let (turns, schema) = &asked[1];
        assert_eq!(
            turns[1..],
            [
                r#"{"functions": ["weather", "now"]}"#,
                "Give the arguments of call 1, weather, as JSON."
            ]
        );
        assert!(
            schema.starts_with(r#"{"additionalProperties":false, "type": "object""#),
            "{schema}"
        );
        // Those that stand in the next request are the same.
        let call = |name: &str, arguments: &str| ToolCall {
            id: "1".to_owned(),
            name: name.to_owned(),
            arguments: JsonText::parse(arguments).unwrap(),
        };
        let again = turns_of_calls("", &[call("weather", paris), call("now", "{}")]);
        let texts: Vec<_> = again.iter().map(|turn| &turn.text).collect();
        assert_eq!(texts[..2], turns[1..].iter().collect::<Vec<_>>());
        assert_eq!(texts.len(), 5);
    }

    #[test]
    fn nothing_to_call_leads_to_words() {
        let (decision, asked) = decide(&tools(Call::Any), &[r#"{"functions": []}"#]);
        let Ok(Decision::Words(turns)) = decision else {
            panic!("no words")
        };
        assert_eq!((turns.len(), turns[2].role), (3, Role::User));
        let schema: Value = serde_json::from_str(&asked[0].1).unwrap();
        let list = &schema["properties"]["functions"];
        assert_eq!((&list["minItems"], &list["maxItems"]), (&json!(0), &json!(8)));
    }

    #[test]
    fn what_must_be_called_is_called() {
        let (decision, asked) = decide(&tools(Call::This(1)), &[]);
        assert_eq!(calls(decision), [(1, "{}".to_owned())]);
        assert!(asked.is_empty());
        let mut one = tools(Call::Some);
        one.parallel = false;
        let (decision, asked) = decide(&one, &[r#"{"functions": ["now"]}"#]);
        assert_eq!(calls(decision).len(), 1);
        assert!(asked[0].1.contains(r#""maxItems":1,"minItems":1"#), "{}", asked[0].1);
    }

    #[test]
    fn the_same_call_is_made_once_and_half_a_one_never() {
        let paris = r#"{"city": "Paris"}"#;
        let twice = r#"{"functions": ["weather", "weather"]}"#;
        assert_eq!(calls(decide(&tools(Call::Any), &[twice, paris, paris]).0).len(), 1);
        let (decision, _) = decide(&tools(Call::Any), &[twice, paris, "{\"city\": …"]);
        assert!(matches!(decision, Ok(Decision::Cut(Finish::Length))));
        assert!(decide(&tools(Call::Any), &["Paris is sunny."]).0.is_err());
        assert!(decide(&tools(Call::Any), &[r#"{"functions": ["other"]}"#]).0.is_err());
    }

    #[test]
    fn parameters_are_shown_without_white_space_and_in_order() {
        assert_eq!(
            line(&tool("weather", Some(WEATHER))),
            concat!(
                r#"{"name":"weather","description":"Says \"it\".","parameters":{"type":"object","properties":{"unit":"#,
                r#"{"enum":["C","F"]},"city":{"type":"string","description":"A \"city\" or  town"}},"required":["city"]}}"#
            )
        );
        assert!(
            tools(Call::Any)
                .instructions()
                .contains("\n{\"name\":\"now\",\"description\":")
        );
    }

    #[test]
    fn a_list_of_properties_is_the_whole_list() {
        let schema = |text: &str| arguments_schema(&tool("f", Some(text)));
        for nothing in ["{}", r#"{"type": "object"}"#, r#"{"type": "object", "properties": {}}"#] {
            assert_eq!(schema(nothing), None, "{nothing}");
        }
        assert_eq!(
            schema(r#"{"properties": {"a": {}}}"#).unwrap(),
            r#"{"type":"object","additionalProperties":false,"properties": {"a": {}}}"#
        );
        for open in [
            r#"{"type":"object","additionalProperties":{"type":"number"}}"#,
            r##"{"$ref":"#/$defs/a","$defs":{"a":{}}}"##,
        ] {
            assert_eq!(schema(open).as_deref(), Some(open));
        }
    }
}
