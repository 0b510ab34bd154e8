//! Putting a component into a registry. The same component always makes the same artifact.

use bytes::Bytes;
use http::{Method, StatusCode, header};
use serde_json::json;

use super::client::{Ask, Client, Intent, failure, origin};
use super::digest::Digest;
use super::manifest::{self, CONFIG, Descriptor, LAYER, Manifest};
use super::reference::Reference;

/// The type of content that is not looked into.
const BYTES: &str = "application/octet-stream";

/// Puts a component under a tag, and returns the reference by the manifest's digest.
///
/// # Errors
/// With the reference and the reason, when the registry does not take it.
pub async fn push(
    reference: &Reference,
    component: Bytes,
    imports: &[String],
    exports: &[String],
) -> Result<Reference, String> {
    let pushed = match (reference.tag(), reference.digest()) {
        (Some(tag), None) => {
            let client = Client::new(reference, Intent::Push);
            match client {
                Ok(mut client) => push_by(&mut client, tag, component, imports, exports).await,
                Err(reason) => Err(reason),
            }
        }
        _ => Err("what is pushed takes a tag; its digest comes of it".to_owned()),
    };
    pushed
        .map(|digest| reference.at(&digest))
        .map_err(|reason| format!("{reference} cannot be pushed: {reason}"))
}

async fn push_by(
    client: &mut Client,
    tag: &str,
    component: Bytes,
    imports: &[String],
    exports: &[String],
) -> Result<Digest, String> {
    let layer = Descriptor::of(LAYER, &component);
    // Without a time of its own: who builds the same component twice has one artifact.
    let config = json!({
        "created": "1970-01-01T00:00:00Z",
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [layer.digest],
        "component": {"exports": exports, "imports": imports, "target": null},
    });
    let config = Bytes::from(config.to_string());
    let described = Descriptor::of(CONFIG, &config);
    upload(client, &layer.digest, component).await?;
    upload(client, &described.digest, config).await?;
    let manifest = serde_json::to_vec(&Manifest::new(described, layer)).map_err(|error| error.to_string())?;
    let digest = Digest::of(&manifest);
    let response = client
        .send(&Ask {
            method: Method::PUT,
            uri: client.address(&format!("manifests/{tag}"))?,
            headers: &[(header::CONTENT_TYPE, manifest::MANIFEST)],
            content: manifest.into(),
        })
        .await?;
    match response.status() {
        StatusCode::CREATED => Ok(digest),
        _ => Err(failure(response).await),
    }
}

/// Uploads a blob that the registry does not have, in one piece.
async fn upload(client: &mut Client, digest: &Digest, content: Bytes) -> Result<(), String> {
    let there = Ask {
        method: Method::HEAD,
        uri: client.address(&format!("blobs/{digest}"))?,
        headers: &[],
        content: Bytes::new(),
    };
    if client.send(&there).await?.status() == StatusCode::OK {
        return Ok(());
    }
    let begin = Ask {
        method: Method::POST,
        uri: client.address("blobs/uploads/")?,
        // Some storage asks for a length even where there is nothing.
        headers: &[(header::CONTENT_LENGTH, "0")],
        content: Bytes::new(),
    };
    let response = client.send(&begin).await?;
    if response.status() != StatusCode::ACCEPTED {
        return Err(failure(response).await);
    }
    let place = client.target(&begin.uri, response.headers())?;
    if origin(&place) != origin(&begin.uri) {
        return Err(format!(
            "the registry wants the content at {}, which is another server",
            origin(&place)
        ));
    }
    let mark = if place.query().is_some() { '&' } else { '?' };
    let uri = format!("{place}{mark}digest={digest}");
    let response = client
        .send(&Ask {
            method: Method::PUT,
            uri: uri
                .parse()
                .map_err(|_| "the registry wants the content at what is no address")?,
            headers: &[(header::CONTENT_TYPE, BYTES)],
            content,
        })
        .await?;
    match response.status() {
        StatusCode::CREATED => Ok(()),
        _ => Err(failure(response).await),
    }
}
