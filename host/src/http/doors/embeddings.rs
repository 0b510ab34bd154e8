//! `POST /v1/embeddings`: vectors of texts.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_api::Code;
use quartet_api::operations::PDF_EMBEDDINGS;
use quartet_api::pdf::{EmbeddingPurpose, TextEmbeddings, TextsToEmbed};
use serde::Serialize;
use serde_json::{Map, Value};

use super::reply::{self, Names};
use super::visit::{Call, Visit};
use crate::body::ResponseBody;
use crate::failure::Failure;

/// The fields of the operation that have another name here.
const NAMES: Names = &[("texts", "input"), ("purpose", "input_type")];

/// The answer.
#[derive(Debug, Serialize)]
struct List {
    object: &'static str,
    data: Vec<Entry>,
    model: String,
    usage: Usage,
}

#[derive(Debug, Serialize)]
struct Entry {
    object: &'static str,
    index: usize,
    embedding: Numbers,
}

/// A vector in the form that was asked for.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Numbers {
    Float(Vec<f32>),
    /// 32 bits each, little-endian, in Base64.
    Base64(String),
}

#[derive(Debug, Serialize)]
struct Usage {
    prompt_tokens: usize,
    total_tokens: usize,
}

/// A request that is right.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    texts: Vec<String>,
    purpose: EmbeddingPurpose,
    base64: bool,
    dimensions: Option<u64>,
}

/// Answers a request.
///
/// # Errors
/// When the request is wrong, or there is no model.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let bytes = visit.read(body).await?;
    let Asked {
        texts,
        purpose,
        base64,
        dimensions,
    } = visit.compute(move || read(&bytes)).await?;
    let call = Call::json(&PDF_EMBEDDINGS, &TextsToEmbed { texts, purpose });
    let found: TextEmbeddings = reply::take(visit.call(call).await?, NAMES).await?;
    if dimensions.is_some_and(|asked| usize::try_from(asked) != Ok(found.dimensions)) {
        let problem = format!("takes {}: vectors of this model cannot be shortened", found.dimensions);
        return Err(Failure::field("dimensions", problem));
    }
    visit.compute(move || Ok(reply::json(&list(found, base64)))).await
}

fn list(found: TextEmbeddings, base64: bool) -> List {
    let entries = found.embeddings.into_iter().enumerate().map(|(index, vector)| Entry {
        object: "embedding",
        index,
        embedding: numbers(vector, base64),
    });
    List {
        object: "list",
        data: entries.collect(),
        model: found.model,
        usage: Usage {
            prompt_tokens: found.tokens,
            total_tokens: found.tokens,
        },
    }
}

fn numbers(vector: Vec<f32>, base64: bool) -> Numbers {
    if !base64 {
        return Numbers::Float(vector);
    }
    let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
    Numbers::Base64(BASE64_STANDARD.encode(bytes))
}

fn read(body: &[u8]) -> Result<Asked, Failure> {
    let mut fields: Map<String, Value> = serde_json::from_slice(body)
        .map_err(|error| Failure::new(Code::InvalidJson, format!("the body is no JSON object: {error}")))?;
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

    #[test]
    fn base64_is_of_little_endian_floats() {
        assert_eq!(
            numbers(vec![1.0, -2.0], true),
            Numbers::Base64("AACAPwAAAMA=".to_owned())
        );
    }
}
