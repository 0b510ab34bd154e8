//! `POST /v1/embeddings`: vectors of texts.

mod request;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_api::operations::PDF_EMBEDDINGS;
use quartet_api::pdf::{TextEmbeddings, TextsToEmbed};
use serde::Serialize;

use self::request::Asked;
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
    } = visit.compute(move || request::read(&bytes)).await?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_of_little_endian_floats() {
        assert_eq!(
            numbers(vec![1.0, -2.0], true),
            Numbers::Base64("AACAPwAAAMA=".to_owned())
        );
    }
}
