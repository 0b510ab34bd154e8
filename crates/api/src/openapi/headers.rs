//! Headers of answers, each described once.

use serde_json::{Map, Value, json};

/// A header: its name, the type of its value, true if it is always there, and a description.
type Header = (&'static str, &'static str, bool, &'static str);

/// The name of the request.
pub const REQUEST_ID: &str = "X-Request-Id";

/// The headers of every answer.
pub const ALWAYS: &[&str] = &[REQUEST_ID];

/// The headers of an answer that an operation made.
pub const OPERATION: &[&str] = &[REQUEST_ID, "X-Quartet-Component", "RateLimit-Policy", "RateLimit"];

/// The headers of a stream of speech, besides.
pub const SPEECH: &[&str] = &[
    "Content-Disposition",
    "Content-Language",
    "X-Speech-Engine",
    "X-Speech-Warnings",
];

/// The headers of a job that was begun, besides.
pub const JOB: &[&str] = &["Location", "Preference-Applied"];

/// Every header.
const ALL: &[Header] = &[
    (
        REQUEST_ID,
        "string",
        true,
        "The request's name, also in the service's log",
    ),
    (
        "X-Quartet-Component",
        "string",
        false,
        "The version that answered, such as tts@0123456789ab",
    ),
    ("RateLimit-Policy", "string", false, "The client's quota"),
    ("RateLimit", "string", false, "The part of the quota that is left"),
    ("Content-Disposition", "string", true, "The name of the file"),
    (
        "Content-Language",
        "string",
        true,
        "The code of the language that is spoken",
    ),
    (
        "X-Speech-Engine",
        "string",
        false,
        "The engine that speaks, natural or fast",
    ),
    (
        "X-Speech-Warnings",
        "string",
        false,
        "Sentences about text that could not be read well",
    ),
    ("Location", "string", true, "The address of the job"),
    ("Preference-Applied", "string", true, "The preference that was followed"),
    ("Allow", "string", true, "The methods that the path takes"),
    ("Retry-After", "integer", true, "Seconds until the next attempt"),
    ("WWW-Authenticate", "string", true, "The way to send a key"),
];

/// All headers by their names.
pub fn all() -> Value {
    let described = |(name, kind, required, description): &Header| {
        let mut header = json!({"description": description, "schema": {"type": kind}});
        if *required {
            header["required"] = json!(true);
        }
        ((*name).to_owned(), header)
    };
    Value::Object(ALL.iter().map(described).collect::<Map<_, _>>())
}

/// References to headers by their names.
pub fn of<'a>(names: impl IntoIterator<Item = &'a &'a str>) -> Value {
    let reference = |name: &&str| {
        (
            (*name).to_owned(),
            json!({"$ref": format!("#/components/headers/{name}")}),
        )
    };
    Value::Object(names.into_iter().map(reference).collect::<Map<_, _>>())
}
