//! JSON bodies, read with errors that name the field.

use quartet_api::Code;
use quartet_api::failure::excerpt;
use quartet_api::mismatch::mismatch;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::failure::Failure;
use crate::request::Request;

const NOT_AN_OBJECT: &str = "the request's body must be a JSON object";

/// Reads a JSON body. Fields that `T` does not have are ignored.
pub fn read<T: DeserializeOwned>(request: &mut Request) -> Result<T, Failure> {
    request.expect_media_type("application/json")?;
    parse(&request.read_body()?)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::new(
            Code::InvalidJson,
            "the request's body is empty; a JSON object is expected",
        ));
    }
    // Said apart, because the parser's own message for it is no help to a client.
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(Failure::new(
            Code::InvalidJson,
            format!(
                "the request's body is not UTF-8: byte {} is out of place",
                error.valid_up_to()
            ),
        ));
    }
    // Serde would take an array for an object, field by field.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Failure::new(Code::InvalidJson, NOT_AN_OBJECT));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        describe(&path, error.into_inner())
    })?;
    deserializer.end().map_err(|error| describe(".", error))?;
    Ok(value)
}

/// `path` is "." at the top of the document.
fn describe(path: &str, error: serde_json::Error) -> Failure {
    let place = format!("line {} column {}", error.line(), error.column());
    let text = error.to_string();
    // The parser appends " at line … column …".
    let reason = text.split(" at line ").next().unwrap_or(&text);
    match error.classify() {
        Category::Data => {
            if let Some(field) = reason.strip_prefix("missing field ") {
                return Failure::new(Code::MissingField, format!("field {field} is missing"));
            }
            if path == "." {
                let message = if reason.starts_with("duplicate") {
                    reason
                } else {
                    NOT_AN_OBJECT
                };
                return Failure::new(Code::InvalidJson, message);
            }
            let problem = mismatch(&text).unwrap_or_else(|| format!("is wrong: {}", excerpt(reason)));
            Failure::field(&excerpt(path), problem)
        }
        Category::Syntax | Category::Eof | Category::Io => Failure::new(
            Code::InvalidJson,
            format!("the request's body is not valid JSON: {reason} at {place}"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::tts::SpeechRequest;

    fn check(body: &str, code: Code, part: &str) {
        let failure = parse::<SpeechRequest>(body.as_bytes()).unwrap_err();
        assert_eq!(failure.code, code, "{body}: {}", failure.message);
        assert!(failure.message.contains(part), "{body}: {}", failure.message);
    }

    #[test]
    fn names_the_field_and_the_fault() {
        check("", Code::InvalidJson, "empty");
        check(" \n", Code::InvalidJson, "empty");
        check("{", Code::InvalidJson, "line 1");
        check("nonsense", Code::InvalidJson, "not valid JSON");
        check(r#"{"text":"a"} {"#, Code::InvalidJson, "trailing characters");
        check("[\"a\"]", Code::InvalidJson, "JSON object");
        check("7", Code::InvalidJson, "JSON object");
        check("{}", Code::MissingField, "`text`");
        check(
            r#"{"text":5}"#,
            Code::InvalidField,
            "field `text` must be a string, not 5",
        );
        check(r#"{"text":null}"#, Code::InvalidField, "`text`");
        check(
            r#"{"text":["a"]}"#,
            Code::InvalidField,
            "`text` must be a string, not a list",
        );
        check(r#"{"text":"a","voice":{}}"#, Code::InvalidField, "`voice`");
        check(
            r#"{"text":"a","text":"b"}"#,
            Code::InvalidJson,
            "duplicate field `text`",
        );
        check(r#"{"text":"\ud800"}"#, Code::InvalidJson, "hex escape");
        check("{\"text\":\"a\u{1}b\"}", Code::InvalidJson, "control character");
    }

    #[test]
    fn a_failure_does_not_repeat_the_body() {
        let body = format!("{{\"text\":\"a\",\"speed\":\"{}\"}}", "x".repeat(100_000));
        let failure = parse::<SpeechRequest>(body.as_bytes()).unwrap_err();
        assert_eq!(failure.message, "field `speed` must be a number, not a string");
    }

    #[test]
    fn reads_what_is_right() {
        let request: SpeechRequest = parse(br#"{"text":"a\u0000\ud83d\ude00","language":null,"extra":1}"#).unwrap();
        assert_eq!(request.text, "a\0😀");
        assert_eq!(request.language, None);
    }

    #[test]
    fn says_where_the_bytes_are_not_utf_8() {
        let failure = parse::<SpeechRequest>(b"{\"text\":\"\xff\"}").unwrap_err();
        assert_eq!(failure.code, Code::InvalidJson);
        assert!(failure.message.contains("byte 9"), "{}", failure.message);
    }
}
