//! Arguments of tools, and the results that no operation has a type for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pdf;
use crate::tts::{Engine, Language, Voice};

/// The forms of audio that `speak` returns.
pub const AUDIO_FORMATS: [&str; 2] = ["mp3", "wav"];

/// Arguments of `speak`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SpeakArguments {
    /// The text to speak.
    pub text: String,
    /// The language's code; detected where it is left out.
    #[serde(default)]
    #[schemars(extend("enum" = Language::ALL.map(Language::code)))]
    pub language: Option<String>,
    /// Kore (standard, the default), Phoebe (light), Charon (deep), Fenrir (strong) or Aoede (calm).
    #[serde(default)]
    #[schemars(extend("enum" = Voice::ALL.map(Voice::name)))]
    pub voice: Option<String>,
    /// `natural` sounds better and takes longer, `fast` is immediate; `auto` (the default) chooses.
    #[serde(default)]
    #[schemars(extend("enum" = Engine::ALL.map(Engine::name)))]
    pub engine: Option<String>,
    /// A factor on the voice's speed; 1 where it is left out.
    #[serde(default)]
    #[schemars(range(min = 0.5, max = 2.0))]
    pub speed: Option<f64>,
    /// `mp3` (the default) or `wav`.
    #[serde(default)]
    #[schemars(extend("enum" = AUDIO_FORMATS))]
    pub format: Option<String>,
}

/// Result of `speak`; the audio itself is content of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Spoken {
    /// The language's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The engine that spoke, `natural` or `fast`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Length of the audio in seconds.
    pub seconds: f64,
    /// Media type of the audio.
    pub mime_type: String,
}

/// Arguments of `read_image`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImageArguments {
    /// The image as Base64 or as a data URL. Addresses are not fetched.
    pub image: String,
}

/// Arguments of `describe_image`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DescribeArguments {
    /// The image as Base64 or as a data URL. Addresses are not fetched.
    pub image: String,
    /// The code of the description's language; English where it is left out.
    #[serde(default)]
    #[schemars(extend("enum" = Language::ALL.map(Language::code)))]
    pub language: Option<String>,
}

/// Arguments of `ask_image`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskImageArguments {
    /// The question.
    pub question: String,
    /// The image as Base64 or as a data URL. Addresses are not fetched.
    #[serde(default)]
    pub image: Option<String>,
    /// The `imageId` that an earlier call returned, in place of `image`.
    #[serde(default)]
    pub image_id: Option<String>,
}

/// Arguments of `read_document`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadDocumentArguments {
    /// The document as Base64 or as a data URL. Addresses are not fetched.
    pub document: String,
    /// The first page to return, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub first_page: Option<usize>,
    /// The last page to return.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub last_page: Option<usize>,
}

/// Result of `read_document`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPages {
    /// Identifier for questions about this document.
    pub document_id: String,
    /// The pages that were asked for, as far as they fit one result.
    pub pages: Vec<MarkdownPage>,
    /// The page to go on with; absent after the last one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<usize>,
    /// Metadata of the file.
    pub metadata: pdf::DocumentFacts,
    /// True if a limit or the time ended the reading before the end of the file.
    pub truncated: bool,
    /// Warnings about text that was not read, or not well.
    pub warnings: Vec<String>,
}

/// A page of [`DocumentPages`].
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkdownPage {
    /// Its number, from 1.
    pub page: usize,
    /// Its text as Markdown.
    pub markdown: String,
}

/// Arguments of `summarize_document`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SummarizeArguments {
    /// The document as Base64 or as a data URL. Addresses are not fetched.
    pub document: String,
    /// The code of the summary's language; the document's own where it is left out.
    #[serde(default)]
    #[schemars(extend("enum" = Language::ALL.map(Language::code)))]
    pub language: Option<String>,
}

/// Arguments of `ask_document`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskDocumentArguments {
    /// The question.
    pub question: String,
    /// The document as Base64 or as a data URL. Addresses are not fetched.
    #[serde(default)]
    pub document: Option<String>,
    /// The `documentId` that an earlier call returned, in place of `document`.
    #[serde(default)]
    pub document_id: Option<String>,
}

/// Arguments of `compute`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ComputeArguments {
    /// The question or formula.
    pub question: String,
}

/// Arguments of `chat`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChatArguments {
    /// The message.
    pub message: String,
    /// Instructions, such as the tone of the answer.
    #[serde(default)]
    pub instructions: Option<String>,
    /// Limit in tokens for the answer.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub max_tokens: Option<u32>,
}

/// Arguments of `search`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchArguments {
    /// The question, in a sentence rather than in keywords.
    pub question: String,
}
