//! Adds the version of the component to a capability's `info`: its digest, since when it serves, and how it fares.

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body_util::{BodyExt, Full};
use quartet_api::ComponentInfo;
use serde_json::Value;

use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::version::Version;

/// Adds the field `component` to the result. A response that is no result in an envelope stays as it is.
pub async fn add(response: Response<ResponseBody>, version: &Version) -> Result<Response<ResponseBody>, Failure> {
    let (mut parts, body) = response.into_parts();
    let bytes = body
        .collect()
        .await
        .map_err(|error| Failure::internal(format!("the component gave its body up: {error:?}")))?
        .to_bytes();
    let bytes = extended(&bytes, version).map_or(bytes, Bytes::from);
    parts
        .headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    let body = Full::new(bytes).map_err(|never| match never {}).boxed_unsync();
    Ok(Response::from_parts(parts, body))
}

fn extended(bytes: &[u8], version: &Version) -> Option<Vec<u8>> {
    let mut envelope: Value = serde_json::from_slice(bytes).ok()?;
    let component = serde_json::to_value(version.info()).ok()?;
    envelope
        .get_mut("data")?
        .as_object_mut()?
        .insert(ComponentInfo::FIELD.to_owned(), component);
    serde_json::to_vec(&envelope).ok()
}
