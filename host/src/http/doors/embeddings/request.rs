//! The body of a request for vectors.

use quartet_api::pdf::EmbeddingPurpose;
use serde_json::Value;

use crate::failure::Failure;
use crate::http::doors::object;

/// A request that is right.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// The texts.
    pub texts: Vec<String>,
    /// The purpose of their vectors.
    pub purpose: EmbeddingPurpose,
    /// True to have the vectors in Base64.
    pub base64: bool,
    /// The numbers that a vector is to have.
    pub dimensions: Option<u64>,
}

/// Reads a request. Fields that are not known are passed over.
///
/// # Errors
/// With the field that is wrong.
pub fn read(body: &[u8]) -> Result<Asked, Failure> {
    let mut fields = object::read(body)?;
    let texts = match fields.remove("input") {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => texts(items)?,
        None => return Err(Failure::missing_field("input", "a text or a list of texts")),
        Some(_) => return Err(Failure::field("input", "takes a text or a list of texts")),
    };
    Ok(Asked {
        texts,
        purpose: purpose(fields.get("input_type"))?,
        base64: match fields
            .get("encoding_format")
            .map(|value| value.as_str().unwrap_or_default())
        {
            None | Some("float") => false,
            Some("base64") => true,
            Some(_) => return Err(Failure::field("encoding_format", "takes float or base64")),
        },
        dimensions: match fields.get("dimensions") {
            None | Some(Value::Null) => None,
            Some(value) => match value.as_u64() {
                Some(dimensions @ 1..) => Some(dimensions),
                _ => return Err(Failure::field("dimensions", "takes a whole number from 1")),
            },
        },
    })
}

fn texts(items: Vec<Value>) -> Result<Vec<String>, Failure> {
    let read = |(index, item)| match item {
        Value::String(text) => Ok(text),
        Value::Number(_) | Value::Array(_) => Err(Failure::field(
            "input",
            "takes texts, and not the numbers of tokens, which are another model's (LangChain sends texts with \
             check_embedding_ctx_length=False)",
        )),
        _ => Err(Failure::field(format!("input[{index}]"), "takes a text")),
    };
    items.into_iter().enumerate().map(read).collect()
}

/// The purpose by the names that servers of such models use. Clients of OpenAI name none: then a vector is good for
/// comparing texts of one kind.
fn purpose(value: Option<&Value>) -> Result<EmbeddingPurpose, Failure> {
    match value.map(|value| value.as_str().unwrap_or_default()) {
        None | Some("query" | "search_query") => Ok(EmbeddingPurpose::Question),
        Some("passage" | "document" | "search_document") => Ok(EmbeddingPurpose::Passage),
        Some(_) => Err(Failure::field("input_type", "takes query or passage")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_taken_and_every_wrong_field_is_named() {
        let read = |body: Value| read(body.to_string().as_bytes());
        let asked = read(json!({"model": "text-embedding-3-small", "input": "one", "user": "x"})).unwrap();
        assert_eq!(
            (asked.texts, asked.base64, asked.purpose),
            (vec!["one".to_owned()], false, EmbeddingPurpose::Question)
        );
        let more =
            json!({"input": ["one", "two"], "encoding_format": "base64", "input_type": "passage", "dimensions": 384});
        let asked = read(more).unwrap();
        assert_eq!(
            (asked.texts.len(), asked.base64, asked.purpose),
            (2, true, EmbeddingPurpose::Passage)
        );
        for (body, field, part) in [
            (json!({}), "input", "missing"),
            (json!({"input": 5}), "input", "a text"),
            (json!({"input": [1, 2]}), "input", "check_embedding_ctx_length"),
            (json!({"input": [[1, 2]]}), "input", "tokens"),
            (json!({"input": ["a", null]}), "input[1]", "a text"),
            (
                json!({"input": "a", "encoding_format": "int8"}),
                "encoding_format",
                "float",
            ),
            (json!({"input": "a", "dimensions": 0}), "dimensions", "from 1"),
            (json!({"input": "a", "input_type": "fun"}), "input_type", "query"),
        ] {
            let failure = read(body.clone()).unwrap_err();
            assert_eq!(failure.wrong_field(), Some(field), "{body}");
            assert!(failure.message.contains(part), "{body}: {}", failure.message);
        }
    }
}
