//! Chat: the fields and results of `/chat`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

#[cfg(feature = "schema")]
use crate::limits::{CHAT_ANSWER_TOKENS, CHAT_SENT_TURNS};

/// Style of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// As it comes. The default, and the contract's.
    #[default]
    General,
    /// A sentence or two.
    Concise,
    /// At length.
    Detailed,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::General, Mode::Concise, Mode::Detailed];

    /// The word in requests and results.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::General => "general",
            Mode::Concise => "concise",
            Mode::Detailed => "detailed",
        }
    }

    /// The mode with this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// An earlier turn of a conversation that the client keeps by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChatTurn {
    /// `user`, `assistant`, or `tool` for the result of a call.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["user", "assistant", "tool"])))]
    pub role: String,
    /// Text of the turn; it may be empty where the assistant called tools.
    pub content: String,
    /// Calls of the assistant's turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Id of the call that a turn of the role `tool` is the result of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

impl ChatTurn {
    /// A turn of words.
    pub fn new(role: &str, content: impl Into<String>) -> Self {
        Self {
            role: role.to_owned(),
            content: content.into(),
            ..Self::default()
        }
    }
}

/// A function of the client's that the model may ask the client to call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// 1 to 64 letters, digits, `_` and `-` of ASCII.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[A-Za-z0-9_-]{1,64}$")))]
    pub name: String,
    /// Purpose of the function, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A JSON Schema of an object (draft 2020-12) that the arguments are held to; without it there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub parameters: Option<JsonText>,
}

/// A call of a client's function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// Identifier that the result is sent back under.
    pub id: String,
    /// Name of the function.
    pub name: String,
    /// Arguments, an object that fits the function's `parameters`.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    pub arguments: JsonText,
}

/// Permission to call tools, and the duty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ToolChoice {
    /// The model decides. The default.
    #[default]
    Auto,
    /// Tools are not called.
    None,
    /// At least one tool is called.
    Required,
}

impl ToolChoice {
    /// All choices.
    pub const ALL: [ToolChoice; 3] = [ToolChoice::Auto, ToolChoice::None, ToolChoice::Required];

    /// The word in requests.
    pub const fn name(self) -> &'static str {
        match self {
            ToolChoice::Auto => "auto",
            ToolChoice::None => "none",
            ToolChoice::Required => "required",
        }
    }

    /// The choice with this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// A JSON document as its text: the fields keep their order, in which a model fills them in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// The document in a text; none where the text is no JSON.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.get().to_owned()))
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Sampling of what the model writes. What is left out is as the service has it: the likeliest words, and at length nearly those.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sampling {
    /// From 0, always the likeliest token, to 2.
    pub temperature: Option<f32>,
    /// Probability, from 0 to 1, that the tokens which are drawn from have together, the likeliest first.
    pub top_p: Option<f32>,
    /// A number that gives the same text for the same request.
    pub seed: Option<u32>,
}

/// The JSON body of `/chat`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(extend("not" = {"anyOf": [
    {
        "properties": {"messages": {"type": "array"}, "conversationId": {"type": "string"}},
        "required": ["messages", "conversationId"],
    },
    {
        "properties": {"useSearch": {"const": true}, "responseSchema": {"type": "object"}},
        "required": ["useSearch", "responseSchema"],
    },
]})))]
pub struct ChatRequest {
    /// The question; empty where `messages` end with results of tools, or with a turn of the assistant's, which the answer then goes on
    /// with: only what follows is given.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = r"\S")))]
    pub message: String,
    /// A [`Mode`]'s word; `general` where it is left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Mode>"))]
    pub mode: Option<String>,
    /// Permission to search the web; off by default.
    #[serde(default)]
    pub use_search: Option<bool>,
    /// The turns before, oldest first, for clients that keep their own history. With it, nothing is remembered here.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = CHAT_SENT_TURNS)))]
    pub messages: Option<Vec<ChatTurn>>,
    /// The conversation that this goes on with; without it, the last one of the session that the request names by header or
    /// cookie, else a new one.
    #[serde(default)]
    pub conversation_id: Option<String>,
    /// Instructions for the model, such as the tone of its answers. What is computed or found does not follow them.
    #[serde(default)]
    pub instructions: Option<String>,
    /// A JSON Schema (draft 2020-12) that the model's answer is held to. With it nothing is computed or searched for.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub response_schema: Option<JsonText>,
    /// Limit in tokens for what the model writes.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = CHAT_ANSWER_TOKENS)))]
    pub max_tokens: Option<u32>,
    /// Temperature of what the model writes: at 0 always the likeliest words, which is the default but for `detailed` answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 2.0)))]
    pub temperature: Option<f32>,
    /// Probability that the words have together which are drawn from, the likeliest first; 0.9 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub top_p: Option<f32>,
    /// With a temperature above 0, the same seed gives the same answer again where the model's provider can do that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Functions of the client's that the model may ask it to call. With them nothing is computed or searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// A [`ToolChoice`]'s word, or the name of the tool to call; `auto` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<String>,
    /// False to have one tool called at a time; true where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
}

/// Something that was computed and not guessed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Computation {
    /// `arithmetic`, `conversion` or `date`.
    pub kind: String,
    /// Expression, as the question was understood.
    pub expression: String,
    /// Result of the computation.
    pub result: String,
    /// True if the result is rounded.
    pub approximate: bool,
}

/// Page that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Number in the answer's brackets, from 1.
    pub number: usize,
    /// Title of the page.
    pub title: String,
    /// Address of the page.
    pub url: String,
    /// When it was written or changed last, as it says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// A passage of it that the answer rests on.
    pub quote: String,
}

/// Query of a search, and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SearchReport {
    /// `answered`, `nothing_found`, `unreachable`, `refused`, `off` or `not_needed`.
    pub status: String,
    /// `searxng` or `wikipedia`; absent where search is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Query that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Pages that were read.
    pub pages: usize,
    /// Reason for missing or partial results; absent where all went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Token counts of the model's work. All are zero where no model was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens in the prompt.
    pub prompt_tokens: u32,
    /// Tokens of the prompt that were cached from an earlier one.
    pub cached_tokens: u32,
    /// Tokens in the answer.
    pub answer_tokens: u32,
    /// Tokens in prompt and answer together.
    pub total_tokens: u32,
}

/// The result of `/chat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChatAnswer {
    /// The answer, in the language of the question; empty where tools are called.
    pub answer: String,
    /// Calls that the model asks for. Their results go into `messages` of the next request; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The mode that it was asked for in.
    pub mode: String,
    /// True if the request asked for a search.
    pub use_search: bool,
    /// The model that wrote the answer; null where it was computed, or is made of sentences of the sources.
    pub model: Option<String>,
    /// `model`, `computation`, `sources` (their own sentences) or `none`: what the answer is made of.
    pub origin: String,
    /// Names and numbers of the answer that the model was not sure of, as they stand there; absent where there are none, and where
    /// the model does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsure: Vec<String>,
    /// Cited pages; empty where nothing was searched for.
    pub sources: Vec<Source>,
    /// Computation behind the answer; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computation: Option<Computation>,
    /// Outcome of the search; absent where none was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchReport>,
    /// Tokens of the model.
    pub usage: Usage,
    /// Reason why the model stopped: `stop`, `length` or `time`; absent where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The code of the question's language.
    pub language: String,
    /// Identifier to continue with; null where the client keeps its own history.
    pub conversation_id: Option<String>,
    /// Remarks on what was left out, cut or corrected, and why, in English.
    pub notes: Vec<String>,
}

/// A piece of an answer that is streamed: the data of the event `token`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChatToken {
    /// Text to append to the answer so far.
    pub text: String,
}

/// The JSON body of `/chat/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConversationToForget {
    /// The conversation; without it, the last one of the session.
    #[serde(default)]
    pub conversation_id: Option<String>,
}

/// The result of `/chat/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConversationForgotten {
    /// The conversation of which nothing is kept any more.
    pub conversation_id: String,
}

/// The model behind `/chat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// Tokens that prompt and answer may have together.
    pub context: u32,
    /// True if the text of conversations leaves the service's machine.
    pub remote: bool,
}

/// The limits of `/chat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChatLimits {
    /// Length of a message that is read, in characters; longer ones are cut at a sentence.
    pub message_characters: u64,
    /// Earlier turns that are remembered and shown to the model.
    pub turns: u64,
    /// Time for a search, in seconds.
    pub search_seconds: u64,
    /// Pages of a search that are read.
    pub search_pages: u64,
}

/// The result of `/chat/info`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChatInfo {
    /// The model; null where there is none.
    pub model: Option<ModelInfo>,
    /// Reason why there is no model; absent where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<String>,
    /// The modes.
    pub modes: Vec<String>,
    /// The mode of requests that name none.
    pub default_mode: String,
    /// `searxng`, `wikipedia` or `off`.
    pub search: String,
    /// Kinds of questions that are computed instead of guessed.
    pub computes: Vec<String>,
    /// The codes of the languages.
    pub languages: Vec<String>,
    /// The limits.
    pub limits: ChatLimits,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_keeps_its_fields_in_order() {
        let body = r#"{"message":"x","responseSchema": {"z": 1, "a": [2]} }"#;
        let request: ChatRequest = serde_json::from_str(body).unwrap();
        assert_eq!(
            request.response_schema.as_ref().map(JsonText::as_str),
            Some(r#"{"z": 1, "a": [2]}"#)
        );
        let again = serde_json::to_string(&request).unwrap();
        assert!(again.contains(r#""responseSchema":{"z": 1, "a": [2]}"#), "{again}");
        let without: ChatRequest = serde_json::from_str(r#"{"message":"x","responseSchema":null}"#).unwrap();
        assert_eq!(without.response_schema, None);
    }

    #[test]
    fn what_does_not_call_tools_is_written_as_before() {
        let turn = ChatTurn::new("user", "Hello");
        assert_eq!(
            serde_json::to_string(&turn).unwrap(),
            r#"{"role":"user","content":"Hello"}"#
        );
        let call = r#"{"role":"assistant","content":"","toolCalls":[{"id":"1","name":"f","arguments":{"z":1,"a":2}}]}"#;
        let turn: ChatTurn = serde_json::from_str(call).unwrap();
        assert_eq!(serde_json::to_string(&turn).unwrap(), call);
        assert!(JsonText::parse("{\"a\":").is_none());
    }
}
