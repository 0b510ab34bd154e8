//! The parameters of `tools/call`: the arguments of a tool, and the client's wish to be told of progress.

use quartet_api::failure::excerpt;
use quartet_api::mismatch::mismatch;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::message::Problem;
use crate::failure::Failure;

/// Reads the arguments of a tool.
///
/// # Errors
/// With the argument that is wrong.
pub fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Failure> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        // A field that no tool has is named as the client named it, at whatever length.
        let field = excerpt(error.path());
        let words = error.inner().to_string();
        match field.as_str() {
            "." => Failure::new(
                quartet_api::Code::InvalidField,
                format!("the arguments are wrong: {}", excerpt(&words)),
            ),
            _ => Failure::field(
                field,
                mismatch(&words).unwrap_or_else(|| format!("is wrong: {}", excerpt(&words))),
            ),
        }
    })
}

/// The token by which a client wants to be told of progress.
///
/// # Errors
/// When it is none that a client may choose.
pub fn token(params: &Map<String, Value>) -> Result<Option<Value>, Problem> {
    match params.get("_meta").and_then(|meta| meta.get("progressToken")) {
        None | Some(Value::Null) => Ok(None),
        Some(token) if token.is_string() || token.is_i64() || token.is_u64() => Ok(Some(token.clone())),
        Some(_) => Err(Problem::invalid_params(
            "field `params._meta.progressToken` takes a string or a whole number",
        )),
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::tools::SpeakArguments;
    use serde_json::json;

    use super::*;

    #[test]
    fn wrong_arguments_are_named() {
        let failure = |arguments: Value| read::<SpeakArguments>(arguments).unwrap_err().message;
        assert!(failure(json!({})).contains("missing field `text`"));
        assert_eq!(failure(json!({"text": 5})), "field `text` must be a string, not 5");
        let other = failure(json!({"text": "a", "volume": 5}));
        assert!(other.contains("`volume`") && other.contains("`voice`"), "{other}");
        assert!(read::<SpeakArguments>(json!({"text": "a", "voice": null})).is_ok());
    }

    #[test]
    fn a_failure_does_not_repeat_the_arguments() {
        let long = "x".repeat(100_000);
        for arguments in [json!({"text": "a", "speed": &long}), json!({"text": "a", &long: 1})] {
            let failure = read::<SpeakArguments>(arguments).unwrap_err();
            assert!(failure.message.len() < 1_500, "{}", failure.message.len());
            assert!(failure.wrong_field().is_none_or(|field| field.len() < 1_000));
        }
    }

    #[test]
    fn tokens_are_strings_or_whole_numbers() {
        let token = |value: Value| token(json!({"_meta": {"progressToken": value}}).as_object().unwrap());
        assert_eq!(token(json!("a")), Ok(Some(json!("a"))));
        assert_eq!(token(json!(7)), Ok(Some(json!(7))));
        assert_eq!(token(Value::Null), Ok(None));
        assert!(token(json!(1.5)).is_err() && token(json!({})).is_err());
    }
}
