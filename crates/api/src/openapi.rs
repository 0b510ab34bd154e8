//! The contract as a document of OpenAPI 3.1, made of the same types and tables that answer.
//!
//! Schemas come from the types by the crate `schemars`, whose dialect, JSON Schema of draft 2020-12, is OpenAPI's own from
//! 3.1 on. What a type cannot say stands in `DETAILS`: the form of the request, the failures of its own, an example.

mod jobs;
pub mod older;

use std::collections::{BTreeMap, BTreeSet};

use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::operations::{self as op, Method, Operation};
use crate::session::{MAX_SESSION_NAME_BYTES, MIN_SESSION_NAME_BYTES, SESSION_HEADER};
use crate::{Code, ComponentInfo, FailureBody, chat, image, pdf, tts};

/// The path of the document.
pub const PATH: &str = "/openapi.json";

/// The path of the document in the form of OpenAPI 3.0.
pub const OLDER_PATH: &str = "/openapi-3.0.json";

/// Makes the schema of a type.
type Make = fn(&mut SchemaGenerator) -> Schema;

/// The body of a request.
enum Body {
    /// None: the operation is asked with GET.
    None,
    /// JSON of a type, with an example.
    Json(Make, &'static str),
    /// A form with a file in the part of this name, and fields that may be beside it, each with a description.
    Form(&'static str, &'static str, &'static [(&'static str, &'static str)]),
}

/// The body of an answer.
enum Result {
    /// JSON of a type in the envelope.
    Json(Make),
    /// The same, with the version of the component.
    Info(Make),
    /// A WAV file.
    Wav,
}

/// What the type of an operation does not say.
struct Details {
    operation: &'static Operation,
    id: &'static str,
    body: Body,
    result: Result,
    failures: &'static [Code],
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const PICTURE: &[Code] = &[Code::InvalidMultipart, Code::InvalidPicture, Code::PictureTooLarge];
const DOCUMENT: &[Code] = &[
    Code::InvalidMultipart,
    Code::InvalidDocument,
    Code::PasswordNeeded,
    Code::DocumentTooLarge,
];
const EARLIER: &[Code] = &[Code::InvalidJson, Code::NoUpload, Code::UnknownUpload];

/// The operations, each once.
const DETAILS: &[Details] = &[
    Details {
        operation: &op::TTS_GENERATE,
        id: "generateSpeech",
        body: Body::Json(of::<tts::SpeechRequest>, r#"{"text":"Good morning.","voice":"Kore"}"#),
        result: Result::Json(of::<tts::SpeechResult>),
        failures: &[Code::InvalidJson, Code::NothingToSpeak, Code::TextTooLong],
    },
    Details {
        operation: &op::TTS_STREAM,
        id: "streamSpeech",
        body: Body::Json(of::<tts::SpeechRequest>, r#"{"text":"Good morning.","language":"en"}"#),
        result: Result::Wav,
        failures: &[Code::InvalidJson, Code::NothingToSpeak, Code::TextTooLong],
    },
    Details {
        operation: &op::TTS_VOICES,
        id: "listVoices",
        body: Body::None,
        result: Result::Json(of::<tts::VoiceList>),
        failures: &[],
    },
    Details {
        operation: &op::TTS_LANGUAGES,
        id: "listLanguages",
        body: Body::None,
        result: Result::Json(of::<tts::LanguageList>),
        failures: &[],
    },
    Details {
        operation: &op::TTS_INFO,
        id: "tellAboutSpeech",
        body: Body::None,
        result: Result::Info(of::<tts::SpeechInfo>),
        failures: &[],
    },
    Details {
        operation: &op::IMAGE_ANALYZE,
        id: "describePicture",
        body: Body::Form(
            image::FILE_PART,
            "A picture",
            &[(
                image::LANGUAGE_FIELD,
                "The code of the description's language, such as de",
            )],
        ),
        result: Result::Json(of::<image::Analysis>),
        failures: PICTURE,
    },
    Details {
        operation: &op::IMAGE_EXTRACT_TEXT,
        id: "readPicture",
        body: Body::Form(image::FILE_PART, "A picture", &[]),
        result: Result::Json(of::<image::TextResult>),
        failures: PICTURE,
    },
    Details {
        operation: &op::IMAGE_DETECT_OBJECTS,
        id: "findObjects",
        body: Body::Form(
            image::FILE_PART,
            "A picture",
            &[
                (image::THRESHOLD_FIELD, "The least confidence of a thing, 0.05 to 1"),
                (image::MAXIMUM_FIELD, "The largest number of things"),
            ],
        ),
        result: Result::Json(of::<image::ObjectsResult>),
        failures: PICTURE,
    },
    Details {
        operation: &op::IMAGE_CHAT,
        id: "askPicture",
        body: Body::Json(of::<image::PictureQuestion>, r#"{"message":"What colours are in it?"}"#),
        result: Result::Json(of::<image::PictureAnswer>),
        failures: EARLIER,
    },
    Details {
        operation: &op::IMAGE_FORGET,
        id: "forgetPicture",
        body: Body::Json(of::<image::PictureToForget>, "{}"),
        result: Result::Json(of::<image::PictureForgotten>),
        failures: EARLIER,
    },
    Details {
        operation: &op::PDF_EXTRACT_TEXT,
        id: "readDocument",
        body: Body::Form(
            pdf::FILE_PART,
            "A document: PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, Markdown, text, CSV or e-mail",
            &[(pdf::FORMAT_FIELD, "text (default), or markdown for Markdown beside it")],
        ),
        result: Result::Json(of::<pdf::DocumentText>),
        failures: DOCUMENT,
    },
    Details {
        operation: &op::PDF_SUMMARIZE,
        id: "summarizeDocument",
        body: Body::Form(
            pdf::FILE_PART,
            "A document: PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, Markdown, text, CSV or e-mail",
            &[(pdf::LANGUAGE_FIELD, "The code of the summary's language, such as de")],
        ),
        result: Result::Json(of::<pdf::DocumentSummary>),
        failures: DOCUMENT,
    },
    Details {
        operation: &op::PDF_CHAT,
        id: "askDocument",
        body: Body::Json(of::<pdf::DocumentQuestion>, r#"{"message":"Who wrote it?"}"#),
        result: Result::Json(of::<pdf::DocumentAnswer>),
        failures: EARLIER,
    },
    Details {
        operation: &op::PDF_FORGET,
        id: "forgetDocument",
        body: Body::Json(of::<pdf::DocumentToForget>, "{}"),
        result: Result::Json(of::<pdf::DocumentForgotten>),
        failures: EARLIER,
    },
    Details {
        operation: &op::PDF_EMBEDDINGS,
        id: "embedTexts",
        body: Body::Json(of::<pdf::TextsToEmbed>, r#"{"texts":["Where does the heron live?"]}"#),
        result: Result::Json(of::<pdf::TextEmbeddings>),
        failures: &[Code::InvalidJson],
    },
    Details {
        operation: &op::CHAT,
        id: "chat",
        body: Body::Json(of::<chat::ChatRequest>, r#"{"message":"What is 12 times 12?"}"#),
        result: Result::Json(of::<chat::ChatAnswer>),
        failures: &[Code::InvalidJson, Code::UnknownUpload],
    },
    Details {
        operation: &op::CHAT_FORGET,
        id: "forgetConversation",
        body: Body::Json(of::<chat::ConversationToForget>, "{}"),
        result: Result::Json(of::<chat::ConversationForgotten>),
        failures: EARLIER,
    },
    Details {
        operation: &op::CHAT_INFO,
        id: "tellAboutChat",
        body: Body::None,
        result: Result::Info(of::<chat::ChatInfo>),
        failures: &[],
    },
];

/// An event of an answer that is streamed: its name, what it tells, and its data.
type Event = (&'static str, &'static str, Make);

const PROGRESS: Event = ("progress", "the step that the work is at", of::<pdf::Progress>);
const PAGE: Event = (
    "page",
    "the text of a page as soon as it is known",
    of::<pdf::StreamedPage>,
);
const STATEMENT: Event = (
    "statement",
    "a sentence that was compared with the document",
    of::<pdf::StreamedStatement>,
);

/// Events of the operations that can be streamed, before `done` with the whole result, or `error`.
const EVENTS: &[(&Operation, &[Event])] = &[
    (&op::PDF_EXTRACT_TEXT, &[PROGRESS, PAGE]),
    (&op::PDF_SUMMARIZE, &[PROGRESS, STATEMENT]),
    (&op::PDF_CHAT, &[PROGRESS, STATEMENT]),
    (&op::CHAT, &[("token", "a piece of the text", of::<chat::ChatToken>)]),
];

/// Failures of every operation.
const ALWAYS: &[Code] = &[
    Code::MalformedRequest,
    Code::Unauthorized,
    Code::Forbidden,
    Code::NotFound,
    Code::MethodNotAllowed,
    Code::UriTooLong,
    Code::RateLimited,
    Code::Busy,
    Code::HeadersTooLarge,
    Code::Internal,
    Code::MemoryExhausted,
    Code::StackExhausted,
    Code::ResponseTooLarge,
    Code::Unavailable,
    Code::DeadlineExceeded,
    Code::ComputeExhausted,
];

/// Failures of every operation with a body.
const WITH_BODY: &[Code] = &[
    Code::MissingField,
    Code::InvalidField,
    Code::RequestTimeout,
    Code::PayloadTooLarge,
    Code::UnsupportedMediaType,
];

/// The document, for a service of this version.
pub fn document(version: &str) -> Value {
    let settings = |contract| {
        SchemaSettings::draft2020_12().with(|settings: &mut SchemaSettings| {
            settings.contract = contract;
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        })
    };
    let mut requests = settings(Contract::Deserialize).into_generator();
    let mut results = settings(Contract::Serialize).into_generator();
    let failure = results.subschema_for::<FailureBody>();
    let component = results.subschema_for::<ComponentInfo>();
    let mut paths = serde_json::Map::new();
    for details in DETAILS {
        let mut described = json!({
            "operationId": details.id,
            "summary": details.operation.summary,
            "tags": [details.operation.capability().map_or("", |capability| capability.name())],
            "responses": responses(details, &mut results, &failure, &component),
        });
        if let Some(body) = body(&details.body, &mut requests) {
            described["requestBody"] = body;
            described["parameters"] = json!([{"$ref": "#/components/parameters/session"}]);
        }
        let method = details.operation.method.name().to_ascii_lowercase();
        paths.insert(details.operation.path.to_owned(), json!({ method: described }));
    }
    jobs::add(&mut paths, &mut results, &failure);
    // A type that is sent and received has the looser of its two schemas: what is required of a client is.
    let mut schemas = results.take_definitions(true);
    schemas.append(&mut requests.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Quartet",
            "version": version,
            "description": "Speech, pictures, PDF documents and chat behind one HTTP API.",
            "license": {"name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": tags(),
        // Where there are no keys, none is needed.
        "security": [{}, {"bearer": []}, {"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": {"prefer": jobs::parameter(), "session": {
                "name": SESSION_HEADER,
                "in": "header",
                "description": "The session that uploads and conversations belong to: a name that nobody can guess, such as a UUID. \
                    Without the header, a cookie or the key says whose they are.",
                "schema": {
                    "type": "string",
                    "minLength": MIN_SESSION_NAME_BYTES,
                    "maxLength": MAX_SESSION_NAME_BYTES,
                    "pattern": "^[!-~]+$",
                },
            }},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
            },
        },
    })
}

fn tags() -> Vec<Value> {
    let capabilities = op::Capability::ALL.iter().map(|capability| capability.name());
    capabilities.chain(["jobs"]).map(|name| json!({"name": name})).collect()
}

fn body(body: &Body, generator: &mut SchemaGenerator) -> Option<Value> {
    let content = match body {
        Body::None => return None,
        Body::Json(make, example) => {
            let example: Value = serde_json::from_str(example).unwrap_or_default();
            json!({"application/json": {"schema": make(generator), "example": example}})
        }
        Body::Form(part, what, fields) => {
            let mut properties = serde_json::Map::new();
            let file = json!({"type": "string", "format": "binary", "description": what});
            properties.insert((*part).to_owned(), file);
            for (name, what) in *fields {
                properties.insert((*name).to_owned(), json!({"type": "string", "description": what}));
            }
            let schema = json!({"type": "object", "properties": properties, "required": [part]});
            json!({"multipart/form-data": {"schema": schema}})
        }
    };
    Some(json!({"required": true, "content": content}))
}

fn responses(details: &Details, generator: &mut SchemaGenerator, failure: &Schema, component: &Schema) -> Value {
    let envelope = |data: Value| {
        json!({
            "type": "object",
            "properties": {"success": {"const": true}, "data": data},
            "required": ["success", "data"],
        })
    };
    let mut content = match &details.result {
        Result::Json(make) => json!({"application/json": {"schema": envelope(make(generator).to_value())}}),
        Result::Info(make) => {
            let more = json!({"type": "object", "properties": {ComponentInfo::FIELD: component}});
            let both = json!({"allOf": [make(generator), more]});
            json!({"application/json": {"schema": envelope(both)}})
        }
        Result::Wav => json!({"audio/wav": {"schema": {"type": "string", "format": "binary"}}}),
    };
    if let Some((_, events)) = EVENTS.iter().find(|(operation, _)| *operation == details.operation) {
        content[op::EVENT_STREAM] = json!({"schema": {"type": "string", "description": described(events, generator)}});
    }
    let mut all = serde_json::Map::new();
    all.insert(
        "200".to_owned(),
        json!({"description": details.operation.summary, "content": content}),
    );
    for (status, words) in failures(details) {
        let words = words
            .into_iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let answer = json!({"description": words, "content": {"application/json": {"schema": failure}}});
        all.insert(status.to_string(), answer);
    }
    all.into()
}

/// Events in words, with the schemas of their data, which the version 3.1 has no other place for.
fn described(events: &[Event], generator: &mut SchemaGenerator) -> String {
    let mut words = String::new();
    for (name, what, make) in events {
        let schema = make(generator);
        let reference = schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
        words += &format!("`event: {name}`, {what} ({reference}); ");
    }
    format!("Events: {words}at the end `event: done` with the JSON document of a whole answer, or `event: error`.")
}

/// The words of an operation's failures, by their statuses.
fn failures(details: &Details) -> BTreeMap<u16, BTreeSet<&'static str>> {
    let with_body = match details.operation.method {
        Method::Get => &[][..],
        Method::Post | Method::Put => WITH_BODY,
    };
    let mut all: BTreeMap<u16, BTreeSet<&'static str>> = BTreeMap::new();
    for code in ALWAYS.iter().chain(with_body).chain(details.failures) {
        all.entry(code.status()).or_default().insert(code.word());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::{Answer, OPERATIONS};

    #[test]
    fn every_operation_is_described_once() {
        let described: Vec<_> = DETAILS.iter().map(|details| details.operation.path).collect();
        let all: Vec<_> = OPERATIONS.iter().map(|operation| operation.path).collect();
        assert_eq!(described, all);
        let ids: BTreeSet<_> = DETAILS.iter().map(|details| details.id).collect();
        assert_eq!(ids.len(), DETAILS.len());
    }

    #[test]
    fn every_operation_that_can_be_streamed_has_its_events_described() {
        let described: Vec<_> = EVENTS.iter().map(|(operation, _)| operation.path).collect();
        let streamed = OPERATIONS.iter().filter(|operation| operation.answer == Answer::Events);
        assert_eq!(described, streamed.map(|operation| operation.path).collect::<Vec<_>>());
        let text = document("1.0.0").to_string();
        for schema in ["Progress", "StreamedPage", "StreamedStatement", "ChatToken"] {
            assert!(text.contains(&format!("(#/components/schemas/{schema})")), "{schema}");
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document("1.0.0");
        let mut waiting = vec![&document];
        let mut seen = 0;
        while let Some(value) = waiting.pop() {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                let pointer = reference.strip_prefix('#').unwrap_or(reference);
                assert!(document.pointer(pointer).is_some(), "{reference}");
                seen += 1;
            }
            match value {
                Value::Object(fields) => waiting.extend(fields.values()),
                Value::Array(items) => waiting.extend(items),
                _ => {}
            }
        }
        assert!(seen > 100, "{seen}");
        let result = &document["components"]["schemas"]["DocumentText"];
        assert!(result["properties"]["pages"].is_object());
        let required = result["required"].as_array().expect("a list");
        assert!(
            required.contains(&json!("text")) && !required.contains(&json!("markdown")),
            "{required:?}"
        );
    }

    #[test]
    fn examples_are_requests() {
        let read = |id: &str| match DETAILS
            .iter()
            .find(|details| details.id == id)
            .map(|details| &details.body)
        {
            Some(Body::Json(_, example)) => *example,
            _ => panic!("{id} has no example"),
        };
        assert!(serde_json::from_str::<tts::SpeechRequest>(read("generateSpeech")).is_ok());
        assert!(serde_json::from_str::<image::PictureQuestion>(read("askPicture")).is_ok());
        assert!(serde_json::from_str::<pdf::TextsToEmbed>(read("embedTexts")).is_ok());
        assert!(serde_json::from_str::<chat::ChatRequest>(read("chat")).is_ok());
    }
}
