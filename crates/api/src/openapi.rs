//! The contract as a document of OpenAPI 3.1, made of the same types and tables that answer.
//!
//! Schemas come from the types by the crate `schemars`, whose dialect, JSON Schema of draft 2020-12, is OpenAPI's own from
//! 3.1 on. What a type cannot say stands in `DETAILS`: the form of the request, the failures of its own, an example.

mod failures;
mod headers;
mod jobs;
pub mod older;
mod words;

use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Value, json};

use crate::operations::{self as op, Method, Operation};
use crate::session::{MAX_SESSION_NAME_BYTES, MIN_SESSION_NAME_BYTES, SESSION_HEADER};
use crate::{Code, ComponentInfo, FailureBody, Language, Progress, chat, image, pdf, tts};

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
    /// A form with a file, and fields that may be beside it.
    Form(&'static File, &'static [Field]),
}

/// A file of a form: its part, a description, and the media types that it may have.
type File = (&'static str, &'static str, &'static [&'static str]);

/// A field beside the file of a form: its name, a description, and its schema.
type Field = (&'static str, &'static str, Make);

/// The body of an answer.
enum Result {
    /// JSON of a type in the envelope.
    Json(Make),
    /// The same, with the version of the component.
    Info(Make),
    /// A file in one of the formats of speech.
    Audio,
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

/// An upload of a picture.
const PICTURE_FILE: File = (
    image::FILE_PART,
    "A picture; what it is is told by its bytes",
    &[
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/gif",
        "image/bmp",
        "image/tiff",
    ],
);

/// An upload of a document.
const DOCUMENT_FILE: File = (
    pdf::FILE_PART,
    "A document: PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, Markdown, text, CSV or e-mail. Its bytes tell which; \
     only between kinds of text its name and its media type do",
    &[
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/epub+zip",
        "text/html",
        "text/markdown",
        "text/plain",
        "text/csv",
        "message/rfc822",
    ],
);

const PICTURE: &[Code] = &[Code::InvalidMultipart, Code::InvalidPicture, Code::PictureTooLarge];
const DOCUMENT: &[Code] = &[
    Code::InvalidMultipart,
    Code::InvalidDocument,
    Code::PasswordNeeded,
    Code::DocumentTooLarge,
];
const EARLIER: &[Code] = &[Code::InvalidJson, Code::NoUpload, Code::UnknownUpload];
const CONVERSATION: &[Code] = &[Code::InvalidJson, Code::NoUpload, Code::UnknownConversation];

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
        result: Result::Audio,
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
            &PICTURE_FILE,
            &[(
                image::LANGUAGE_FIELD,
                "The description's language; English without it",
                of::<Language>,
            )],
        ),
        result: Result::Json(of::<image::Analysis>),
        failures: PICTURE,
    },
    Details {
        operation: &op::IMAGE_EXTRACT_TEXT,
        id: "readPicture",
        body: Body::Form(&PICTURE_FILE, &[]),
        result: Result::Json(of::<image::TextResult>),
        failures: PICTURE,
    },
    Details {
        operation: &op::IMAGE_DETECT_OBJECTS,
        id: "findObjects",
        body: Body::Form(
            &PICTURE_FILE,
            &[
                (image::THRESHOLD_FIELD, "The least confidence of a thing", threshold),
                (image::MAXIMUM_FIELD, "The largest number of things", maximum),
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
            &DOCUMENT_FILE,
            &[(
                pdf::FORMAT_FIELD,
                "text (default), or markdown for Markdown beside it",
                of::<pdf::TextFormat>,
            )],
        ),
        result: Result::Json(of::<pdf::DocumentText>),
        failures: DOCUMENT,
    },
    Details {
        operation: &op::PDF_SUMMARIZE,
        id: "summarizeDocument",
        body: Body::Form(
            &DOCUMENT_FILE,
            &[(
                pdf::LANGUAGE_FIELD,
                "The summary's language; the document's own without it",
                of::<Language>,
            )],
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
        failures: &[Code::InvalidJson, Code::UnknownConversation],
    },
    Details {
        operation: &op::CHAT_FORGET,
        id: "forgetConversation",
        body: Body::Json(of::<chat::ConversationToForget>, "{}"),
        result: Result::Json(of::<chat::ConversationForgotten>),
        failures: CONVERSATION,
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

const PROGRESS: Event = ("progress", "the step that the work is at", of::<Progress>);
const PAGE: Event = (
    "page",
    "the text of a page as soon as it is known",
    of::<pdf::StreamedPage>,
);
const AUDIO: Event = (
    "audio",
    "a piece of the file as soon as it is made",
    of::<tts::StreamedAudio>,
);
const STATEMENT: Event = (
    "statement",
    "a sentence that was compared with the document",
    of::<pdf::StreamedStatement>,
);

/// Events of the operations that can be streamed, before `done` with the whole result, or `error`.
const EVENTS: &[(&Operation, &[Event])] = &[
    (&op::TTS_GENERATE, &[PROGRESS, AUDIO]),
    (&op::PDF_EXTRACT_TEXT, &[PROGRESS, PAGE]),
    (&op::PDF_SUMMARIZE, &[PROGRESS, STATEMENT]),
    (&op::PDF_CHAT, &[PROGRESS, STATEMENT]),
    (&op::CHAT, &[("token", "a piece of the text", of::<chat::ChatToken>)]),
];

/// The least confidence of a thing in a picture.
fn threshold(_: &mut SchemaGenerator) -> Schema {
    let (least, most) = (image::THRESHOLDS.start(), image::THRESHOLDS.end());
    json_schema!({"type": "number", "minimum": least, "maximum": most})
}

/// The number of things in a picture.
fn maximum(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": 1, "maximum": image::MAX_OBJECTS})
}

/// The document, for a service of this version.
pub fn document(version: &str) -> Value {
    let settings = |contract| {
        SchemaSettings::draft2020_12().with(|settings: &mut SchemaSettings| {
            settings.contract = contract;
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.transforms.push(Box::new(RecursiveTransform(words::list)));
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
            described["parameters"] = match has_session(details.operation) {
                true => json!([{"$ref": "#/components/parameters/session"}]),
                false => json!([]),
            };
        }
        let method = details.operation.method.name().to_ascii_lowercase();
        paths.insert(details.operation.path.to_owned(), json!({ method: described }));
    }
    jobs::add(&mut paths, &mut results, &failure);
    // A type that is sent and received has the looser of its two schemas: what is required of a client is.
    let mut schemas = results.take_definitions(true);
    schemas.append(&mut requests.take_definitions(true));
    for schema in schemas.values_mut() {
        leave_out_null_defaults(schema);
    }
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
            "headers": headers::all(),
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

/// True if an operation keeps something for a session, or asks about what was kept. Speech and vectors do not look at it.
fn has_session(operation: &Operation) -> bool {
    operation.capability() != Some(op::Capability::Tts) && operation.path != op::PDF_EMBEDDINGS.path
}

/// Takes out of a type the defaults that only say that a field may be left out: generators of clients take a field with a
/// default for one that is always there.
fn leave_out_null_defaults(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
        if property.get("default") == Some(&Value::Null)
            && let Some(property) = property.as_object_mut()
        {
            property.remove("default");
        }
    }
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
        Body::Form((part, what, media_types), fields) => {
            let file = json!({"type": "string", "format": "binary", "description": what});
            let mut properties = serde_json::Map::from_iter([((*part).to_owned(), file)]);
            for (name, what, make) in *fields {
                let mut schema = make(generator);
                schema.insert("description".to_owned(), json!(what));
                properties.insert((*name).to_owned(), schema.to_value());
            }
            let schema = json!({
                "type": "object", "properties": properties, "required": [part], "additionalProperties": false,
            });
            let encoding = json!({*part: {"contentType": media_types.join(", ")}});
            json!({"multipart/form-data": {"schema": schema, "encoding": encoding}})
        }
    };
    Some(json!({"required": true, "content": content}))
}

fn responses(details: &Details, generator: &mut SchemaGenerator, failure: &Schema, component: &Schema) -> Value {
    let envelope = |data: Value| {
        json!({
            "type": "object",
            "properties": {"success": {"type": "boolean", "const": true}, "data": data},
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
        Result::Audio => audio(),
    };
    if let Some((_, events)) = EVENTS.iter().find(|(operation, _)| *operation == details.operation) {
        content[op::EVENT_STREAM] = json!({"schema": {"type": "string", "description": described(events, generator)}});
    }
    let own: &[&str] = match &details.result {
        Result::Audio => headers::SPEECH,
        Result::Json(_) | Result::Info(_) => &[],
    };
    let answer = json!({
        "description": details.operation.summary,
        "headers": headers::of(headers::OPERATION.iter().chain(own)),
        "content": content,
    });
    let mut all = serde_json::Map::from_iter([("200".to_owned(), answer)]);
    let with_body = match details.operation.method {
        Method::Get => &[][..],
        Method::Post | Method::Put => failures::WITH_BODY,
    };
    let codes = [failures::HOST, failures::OPERATION, with_body, details.failures];
    failures::add(&mut all, codes.into_iter().flatten(), failure);
    all.into()
}

/// A file in each format of speech, by the media type without its parameters.
fn audio() -> Value {
    let file = |format: tts::SpeechFormat| {
        let media_type = format.media_type().split(';').next().unwrap_or_default();
        let file = json!({"schema": {"type": "string", "format": "binary"}});
        (media_type.to_owned(), file)
    };
    Value::Object(tts::SpeechFormat::ALL.map(file).into_iter().collect())
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
        for schema in [
            "Progress",
            "StreamedAudio",
            "StreamedPage",
            "StreamedStatement",
            "ChatToken",
        ] {
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
