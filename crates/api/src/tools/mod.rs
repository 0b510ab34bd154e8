//! Tools: the operations as a language model calls them, by the Model Context Protocol. Names, descriptions, arguments and
//! results; a host translates each call to operations.
//!
//! Schemas come from the types by the crate `schemars`, as those of [`openapi`](crate::openapi) do: results are the types
//! that operations answer with. Arguments have types of their own, because a model sends no forms: a file is Base64 in a
//! field. References are written out, because not every client follows them.

mod arguments;

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use serde_json::{Value, json};

pub use self::arguments::{
    AUDIO_FORMATS, AskDocumentArguments, AskImageArguments, ChatArguments, ComputeArguments, DescribeArguments,
    DocumentPages, ImageArguments, MarkdownPage, ReadDocumentArguments, SearchArguments, SpeakArguments, Spoken,
    SummarizeArguments,
};

use crate::operations::{self as op, Operation};
use crate::{chat, image, pdf};

/// A tool.
pub struct Tool {
    /// Name in calls.
    pub name: &'static str,
    /// Name for a person.
    pub title: &'static str,
    /// Description for a model: its purpose, and what it returns.
    pub description: &'static str,
    /// Operations that a call runs.
    pub operations: &'static [&'static Operation],
    /// True if it reaches beyond the service, into the web.
    pub open_world: bool,
    arguments: Make,
    result: Make,
}

/// Makes the schema of a type.
type Make = fn(SchemaGenerator) -> Value;

/// Speaks a text.
pub const SPEAK: Tool = Tool {
    name: "speak",
    title: "Speak a text",
    description: "Speaks a text aloud and returns an audio file. Twelve languages (English, Hindi, Spanish, French, German, \
                  Italian, Portuguese, Russian, Japanese, Chinese, Korean, Arabic) and five voices. One call returns up to \
                  about 90 seconds of MP3 or 15 seconds of WAV; send a longer text in parts.",
    operations: &[&op::TTS_STREAM],
    open_world: false,
    arguments: of::<SpeakArguments>,
    result: of::<Spoken>,
};

/// Reads the text in a picture.
pub const READ_IMAGE: Tool = Tool {
    name: "read_image",
    title: "Read the text in an image",
    description: "Recognises the text in a photo, scan or screenshot (OCR), in reading order, with the place of each line. \
                  JPEG, PNG, WebP, GIF, BMP or TIFF. Returns `imageId`, by which `ask_image` asks about the same image.",
    operations: &[&op::IMAGE_EXTRACT_TEXT],
    open_world: false,
    arguments: of::<ImageArguments>,
    result: of::<image::TextResult>,
};

/// Describes a picture.
pub const DESCRIBE_IMAGE: Tool = Tool {
    name: "describe_image",
    title: "Describe an image",
    description: "Describes an image in a few sentences, and lists what was found in it: objects with their places and \
                  confidences, main colours, light, kind of image, text. Returns `imageId`, by which `ask_image` asks about \
                  the same image.",
    operations: &[&op::IMAGE_ANALYZE],
    open_world: false,
    arguments: of::<DescribeArguments>,
    result: of::<image::Analysis>,
};

/// Answers a question about a picture.
pub const ASK_IMAGE: Tool = Tool {
    name: "ask_image",
    title: "Ask about an image",
    description: "Answers a question about an image from what is found in it: objects and their number, colours, text, amounts \
                  on receipts. `answered` is false where the image does not say. Send `image`, or the `imageId` of an \
                  earlier call within the last half hour.",
    operations: &[&op::IMAGE_EXTRACT_TEXT, &op::IMAGE_ANALYZE, &op::IMAGE_CHAT],
    open_world: false,
    arguments: of::<AskImageArguments>,
    result: of::<image::PictureAnswer>,
};

/// Reads a document.
pub const READ_DOCUMENT: Tool = Tool {
    name: "read_document",
    title: "Read a document",
    description: "Reads a PDF and returns its text as Markdown, page by page; scanned pages are recognised (OCR). Long \
                  documents come in parts: `firstPage` and `lastPage` choose them, and `nextPage` says where to go on. \
                  Returns `documentId`, by which `ask_document` asks about the same document.",
    operations: &[&op::PDF_EXTRACT_TEXT],
    open_world: false,
    arguments: of::<ReadDocumentArguments>,
    result: of::<DocumentPages>,
};

/// Summarises a document.
pub const SUMMARIZE_DOCUMENT: Tool = Tool {
    name: "summarize_document",
    title: "Summarise a document",
    description: "Summarises a PDF in a few sentences, each with its page, with the points of its main sections and its key \
                  phrases. Returns `documentId`, by which `ask_document` asks about the same document.",
    operations: &[&op::PDF_SUMMARIZE],
    open_world: false,
    arguments: of::<SummarizeArguments>,
    result: of::<pdf::DocumentSummary>,
};

/// Answers a question about a document.
pub const ASK_DOCUMENT: Tool = Tool {
    name: "ask_document",
    title: "Ask a document",
    description: "Answers a question from a PDF, with quotations and the pages they stand on. `answered` is false where the \
                  document does not say. Send `document`, or the `documentId` of an earlier call within the last half hour.",
    operations: &[&op::PDF_EXTRACT_TEXT, &op::PDF_CHAT],
    open_world: false,
    arguments: of::<AskDocumentArguments>,
    result: of::<pdf::DocumentAnswer>,
};

/// Computes.
pub const COMPUTE: Tool = Tool {
    name: "compute",
    title: "Compute",
    description: "Computes exactly instead of guessing: arithmetic with large numbers and percentages, conversions of units, \
                  days and dates. Takes a question in words or a formula, such as `17.5% of 2,340`, `12 miles in km` or \
                  `days between 3 March 2024 and 1 May 2026`.",
    operations: &[&op::CHAT],
    open_world: false,
    arguments: of::<ComputeArguments>,
    result: of::<chat::ChatAnswer>,
};

/// Asks the service's own language model.
pub const CHAT: Tool = Tool {
    name: "chat",
    title: "Ask the local language model",
    description: "Asks the small language model that runs inside the service, for work that shall not leave its machine. \
                  Nothing is remembered between calls.",
    operations: &[&op::CHAT],
    open_world: false,
    arguments: of::<ChatArguments>,
    result: of::<chat::ChatAnswer>,
};

/// Searches the web.
pub const SEARCH: Tool = Tool {
    name: "search",
    title: "Search the web",
    description: "Answers a question from the web, with numbered sources and quotations; every sentence is borne out by a \
                  page that was read. The question is sent to a search service.",
    operations: &[&op::CHAT],
    open_world: true,
    arguments: of::<SearchArguments>,
    result: of::<chat::ChatAnswer>,
};

/// Every tool, in the order in which they are listed.
pub const TOOLS: [&Tool; 10] = [
    &SPEAK,
    &READ_IMAGE,
    &DESCRIBE_IMAGE,
    &ASK_IMAGE,
    &READ_DOCUMENT,
    &SUMMARIZE_DOCUMENT,
    &ASK_DOCUMENT,
    &COMPUTE,
    &CHAT,
    &SEARCH,
];

impl Tool {
    /// The tool with a name.
    pub fn named(name: &str) -> Option<&'static Tool> {
        TOOLS.into_iter().find(|tool| tool.name == name)
    }

    /// The description of the tool as `tools/list` has it.
    pub fn describe(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.arguments)(generator(Contract::Deserialize)),
            "outputSchema": (self.result)(generator(Contract::Serialize)),
            "annotations": {
                "title": self.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": self.open_world,
            },
        })
    }
}

fn generator(contract: Contract) -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings: &mut SchemaSettings| {
            settings.contract = contract;
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator()
}

fn of<T: JsonSchema>(generator: SchemaGenerator) -> Value {
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    simplify(&mut schema);
    schema
}

/// Takes out what a model has no use for: that a field which may be left out may also be null, the name of the Rust type,
/// and its kind of number. Nulls are still taken from a client, but some refuse a list of types, and others warn of formats
/// that they do not know.
fn simplify(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    fields.remove("title");
    fields.remove("format");
    let required: Vec<Value> = fields
        .get("required")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in properties {
            let optional = !required.contains(&Value::from(name.as_str()));
            if optional && let Some(property) = property.as_object_mut() {
                if property.get("default") == Some(&Value::Null) {
                    property.remove("default");
                }
                if let Some([Value::String(one), Value::String(null)]) =
                    property.get("type").and_then(Value::as_array).map(Vec::as_slice)
                    && null == "null"
                {
                    let one = one.clone();
                    property.insert("type".to_owned(), one.into());
                }
            }
            simplify(property);
        }
    }
    for name in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(name) {
            simplify(inner);
        }
    }
    for name in ["anyOf", "oneOf", "allOf"] {
        for inner in fields.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
            simplify(inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_described_as_the_protocol_asks() {
        for (index, tool) in TOOLS.into_iter().enumerate() {
            assert!(TOOLS[..index].iter().all(|other| other.name != tool.name));
            assert_eq!(Tool::named(tool.name).map(|found| found.title), Some(tool.title));
            let described = tool.describe();
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(described[schema]["type"], "object", "{described}");
                let text = described[schema].to_string();
                assert!(!text.contains("\"$ref\"") && !text.contains("\"uint"), "{described}");
            }
            let properties = described["inputSchema"]["properties"].as_object().expect("fields");
            for (name, property) in properties {
                assert!(property["type"].is_string(), "{name}: {property}");
                assert!(property["description"].is_string(), "{name}: {property}");
            }
            assert_eq!(described["inputSchema"]["additionalProperties"], false);
        }
        let speak = SPEAK.describe();
        assert_eq!(speak["inputSchema"]["required"], json!(["text"]));
        assert_eq!(speak["inputSchema"]["properties"]["voice"]["enum"][2], "Charon");
    }
}
