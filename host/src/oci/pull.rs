//! Getting a component out of a registry: the manifest by its tag or digest, then its one layer, both held to their digests.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use tokio::time::timeout;

use super::client::{Client, Intent};
use super::digest::Digest;
use super::manifest::Manifest;
use super::reference::Reference;
use super::signature::{self, Key};

/// Time for all of it.
const PULL_TIMEOUT: Duration = Duration::from_secs(600);

/// The header in which registries tell a manifest's digest.
const CONTENT_DIGEST: &str = "docker-content-digest";

/// A component that came from a registry.
#[derive(Debug)]
pub struct Pulled {
    /// The reference by the manifest's digest, whatever it was asked for by.
    pub reference: Reference,
    /// The component.
    pub component: Bytes,
}

/// Gets a component of at most `most` bytes, signed with the key where there is one.
///
/// # Errors
/// With the reference and the reason, when it cannot be had or is not what it is to be.
pub async fn pull(reference: &Reference, most: u64, key: Option<&Key>) -> Result<Pulled, String> {
    let all = async {
        let mut client = Client::new(reference, Intent::Pull)?;
        pull_by(&mut client, reference, most, key).await
    };
    let pulled = match timeout(PULL_TIMEOUT, all).await {
        Ok(pulled) => pulled,
        Err(_) => Err(format!("it has not come within {} seconds", PULL_TIMEOUT.as_secs())),
    };
    pulled.map_err(|reason| format!("{reference} cannot be had: {reason}"))
}

async fn pull_by(client: &mut Client, reference: &Reference, most: u64, key: Option<&Key>) -> Result<Pulled, String> {
    let found = client.manifest(reference.manifest()).await?;
    let (headers, bytes) = found.ok_or_else(|| match (reference.digest(), reference.tag()) {
        (None, Some(tag)) => format!("the registry has no tag {tag:?} in {}", reference.repository()),
        _ => format!(
            "the registry has no artifact with this digest in {}",
            reference.repository()
        ),
    })?;
    let digest = verified(&headers, &bytes, reference.digest())?;
    let manifest = Manifest::read(&bytes)?;
    let layer = manifest.component(most)?;
    if let Some(key) = key {
        signature::check(client, key, &digest).await?;
    }
    // The manifest has a size that was allowed: whatever is more is not read.
    let size = usize::try_from(layer.size).unwrap_or(usize::MAX);
    let component = client.blob(layer.digest.as_str(), size).await?;
    let came = Digest::of(&component);
    if came != layer.digest {
        return Err(format!(
            "the component that came is {came} and not {}, which the manifest names: it was changed, or has not come whole",
            layer.digest
        ));
    }
    Ok(Pulled {
        reference: reference.at(&digest),
        component,
    })
}

/// The digest of a manifest: the one by which it was asked for, and the one that the registry tells, where there are.
fn verified(headers: &HeaderMap, bytes: &[u8], asked: Option<&Digest>) -> Result<Digest, String> {
    let came = Digest::of(bytes);
    if let Some(asked) = asked.filter(|asked| **asked != came) {
        return Err(format!(
            "the manifest that came is {came} and not {asked}: it was changed"
        ));
    }
    let told = headers.get(CONTENT_DIGEST).and_then(|value| value.to_str().ok());
    match told.and_then(Digest::parse).filter(|told| *told != came) {
        Some(told) => Err(format!(
            "the manifest that came is {came} and not {told}, as the registry says"
        )),
        None => Ok(came),
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::{CONFIG, Descriptor, LAYER};
    use super::super::scripted::{Registry, answer};
    use super::*;

    const COMPONENT: &[u8] = b"a component";

    fn document() -> Vec<u8> {
        let manifest = Manifest::new(Descriptor::of(CONFIG, b"{}"), Descriptor::of(LAYER, COMPONENT));
        serde_json::to_vec(&manifest).unwrap()
    }

    fn pulled(rest: &str, answers: Vec<Vec<u8>>) -> Result<Pulled, String> {
        let registry = Registry::start(|_| answers);
        let reference = registry.reference(rest);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let came = runtime.block_on(async {
            let mut client = Client::with_credentials(&reference, Intent::Pull, None)?;
            pull_by(&mut client, &reference, 64, None).await
        });
        registry.asked();
        came
    }

    #[test]
    fn a_component_comes_by_its_tag_or_its_digest_and_is_known_by_its_digest_then() {
        let digest = Digest::of(&document());
        for rest in [
            "tts:1".to_owned(),
            format!("tts@{digest}"),
            format!("tts:gone@{digest}"),
        ] {
            let told = format!("docker-content-digest: {digest}");
            let answers = vec![
                answer("200 OK", &[&told], &document()),
                answer("200 OK", &[], COMPONENT),
            ];
            let pulled = pulled(&rest, answers).unwrap();
            assert_eq!(pulled.component, COMPONENT);
            assert!(pulled.reference.to_string().ends_with(&format!("/tts@{digest}")));
        }
    }

    #[test]
    fn what_is_not_what_was_asked_for_is_refused() {
        let (digest, other) = (Digest::of(&document()), Digest::of(b"other"));
        let manifest = || answer("200 OK", &[], &document());
        let by_tag = |answers| pulled("tts:1", answers).unwrap_err();
        let reason = pulled(&format!("tts@{other}"), vec![manifest()]).unwrap_err();
        assert!(reason.contains(&format!("is {digest} and not {other}")), "{reason}");
        let told = format!("docker-content-digest: {other}");
        let reason = by_tag(vec![answer("200 OK", &[&told], &document())]);
        assert!(reason.contains("as the registry says"), "{reason}");
        let reason = by_tag(vec![manifest(), answer("200 OK", &[], b"A component")]);
        assert!(reason.contains("which the manifest names: it was changed"), "{reason}");
        let reason = by_tag(vec![manifest(), answer("200 OK", &[], b"a component and more")]);
        assert!(reason.contains("more than the 11 bytes"), "{reason}");
        let reason = by_tag(vec![manifest(), answer("404 Not Found", &[], b"")]);
        assert!(reason.contains("does not have sha256:"), "{reason}");
        assert!(by_tag(vec![answer("404 Not Found", &[], b"")]).contains("no tag \"1\" in tts"));
        let reason = pulled(&format!("tts@{digest}"), vec![answer("404 Not Found", &[], b"")]).unwrap_err();
        assert!(reason.contains("no artifact with this digest"), "{reason}");
    }
}
