//! Signatures of artifacts, as `cosign sign --key` keeps them: an artifact beside the one that is signed, under a tag that is
//! made of its digest, with the signed text as its layer and the signature as that layer's annotation.
//!
//! Only a key that the operator has is believed: neither certificates nor the log that they are entered in.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::pki_types::pem::PemObject;
use serde::Deserialize;

use super::client::Client;
use super::digest::Digest;
use super::manifest::{Descriptor, Manifest};

/// The type of the signed text.
const PAYLOAD: &str = "application/vnd.dev.cosign.simplesigning.v1+json";

/// The annotation that is the signature, in base64.
const SIGNATURE: &str = "dev.cosignproject.cosign/signature";

/// The kind of statement that the signed text is.
const KIND: &str = "cosign container image signature";

/// Size of a signed text.
const MAX_PAYLOAD_BYTES: u64 = 64 * 1024;

/// Signatures of one artifact that are looked at.
const MAX_SIGNATURES: usize = 16;

/// The beginning of a public key for ECDSA on the curve P-256, before the point itself.
const P256: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Length of an uncompressed point on that curve.
const POINT_BYTES: usize = 65;

/// The public key of whoever signs.
#[derive(Debug, Clone)]
pub struct Key(Vec<u8>);

/// The signed text.
#[derive(Deserialize)]
struct Payload {
    critical: Critical,
}

#[derive(Deserialize)]
struct Critical {
    image: Image,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Image {
    // The specification and its examples differ in how it is written.
    #[serde(rename = "docker-manifest-digest", alias = "Docker-manifest-digest")]
    digest: String,
}

impl Key {
    /// Reads a key from a file in PEM.
    ///
    /// # Errors
    /// With the reason, when it cannot be read or is of another kind.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        Self::parse(&text).ok_or_else(|| {
            format!(
                "{} has no public key in PEM of ECDSA on P-256, such as cosign makes",
                path.display()
            )
        })
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let key = SubjectPublicKeyInfoDer::from_pem_slice(text).ok()?;
        let point = key.strip_prefix(P256)?;
        (point.len() == POINT_BYTES).then(|| Self(point.to_vec()))
    }

    /// True if a text was signed with this key.
    fn has_signed(&self, text: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.0)
            .verify(text, signature)
            .is_ok()
    }
}

/// Checks that an artifact is signed with a key.
///
/// # Errors
/// With the reason, when it is not.
pub async fn check(client: &mut Client, key: &Key, artifact: &Digest) -> Result<(), String> {
    let tag = format!("sha256-{}.sig", artifact.digits());
    let Some((_, bytes)) = client.manifest(&tag).await? else {
        return Err(
            "it is not signed as `component_key` asks for it (`cosign sign --key`, from version 3 on with \
             --new-bundle-format=false)"
                .to_owned(),
        );
    };
    let signatures = Manifest::read(&bytes).map_err(|reason| format!("its signature cannot be used: {reason}"))?;
    let mut reason = "its signature has none of the form that cosign gives it with --key".to_owned();
    for layer in signatures.layers.iter().take(MAX_SIGNATURES) {
        match one(client, key, artifact, layer).await? {
            Ok(()) => return Ok(()),
            Err(of_this) => reason = of_this,
        }
    }
    Err(reason)
}

/// Checks one signature: whether it counts, or that it cannot be had.
async fn one(
    client: &mut Client,
    key: &Key,
    artifact: &Digest,
    layer: &Descriptor,
) -> Result<Result<(), String>, String> {
    let signature = layer
        .annotations
        .get(SIGNATURE)
        .and_then(|text| STANDARD.decode(text).ok());
    let Some(signature) = signature.filter(|_| layer.media_type == PAYLOAD && layer.size <= MAX_PAYLOAD_BYTES) else {
        return Ok(Err(
            "its signature is not of the form that cosign gives it with --key".to_owned()
        ));
    };
    let size = usize::try_from(layer.size).unwrap_or(usize::MAX);
    let text = client.blob(layer.digest.as_str(), size).await?;
    let came = Digest::of(&text);
    if came != layer.digest {
        return Ok(Err(format!(
            "the signed text that came is {came} and not {}, which its signature names: it was changed",
            layer.digest
        )));
    }
    Ok(judge(key, artifact, &text, &signature))
}

fn judge(key: &Key, artifact: &Digest, text: &[u8], signature: &[u8]) -> Result<(), String> {
    if !key.has_signed(text, signature) {
        return Err("it is signed, but not with the key that `component_key` names".to_owned());
    }
    let signed: Payload =
        serde_json::from_slice(text).map_err(|error| format!("what is signed cannot be read: {error}"))?;
    match signed.critical {
        Critical { kind, .. } if kind != KIND => Err(format!("what is signed is {kind:?} and not {KIND:?}")),
        Critical { image, .. } if image.digest != artifact.as_str() => {
            Err(format!("what is signed is {} and not {artifact}", image.digest))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::client::Intent;
    use super::super::manifest::MANIFEST;
    use super::super::scripted::{Registry, answer};
    use super::*;

    /// Made by `openssl ecparam -name prime256v1` and `openssl dgst -sha256 -sign`.
    const KEY: &[u8] = b"-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEP0XoQeUSO5UMrlcpvFCfkmjVmK6J
x+o5VVpJP3Z7Ghk97Ea1examliE2k+HqyLFHDS5m+WTGh8PnAkA1SSAGJw==
-----END PUBLIC KEY-----
";
    const TEXT: &str = r#"{"critical":{"identity":{"docker-reference":"registry.example.org/quartet-tts"},"image":{"docker-manifest-digest":"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},"type":"cosign container image signature"},"optional":null}"#;
    const SIGNED: &str =
        "MEYCIQC8eFkHQb6wzJ2fdZPfc45EcTOQ5N5ow3w+IUwk2xuzRAIhAOqDFiabemlEK80tCbowF2J38w/YtHG0tw/qBYqxrp+R";

    #[test]
    fn what_openssl_signed_counts_for_its_artifact_and_no_other() {
        let key = Key::parse(KEY).unwrap();
        let signature = STANDARD.decode(SIGNED).unwrap();
        let judged = |artifact: &[u8], text: &str| judge(&key, &Digest::of(artifact), text.as_bytes(), &signature);
        assert_eq!(judged(b"abc", TEXT), Ok(()));
        assert!(
            judged(b"abd", TEXT)
                .unwrap_err()
                .contains("what is signed is sha256:ba78")
        );
        let changed = TEXT.replace("quartet-tts", "quartet-ttt");
        assert!(judged(b"abc", &changed).unwrap_err().contains("not with the key"));
        assert!(judge(&key, &Digest::of(b"abc"), TEXT.as_bytes(), b"").is_err());
    }

    /// A layer with a signature, as cosign describes it.
    fn layer(text: &str, signature: &str) -> Value {
        let mut layer = json!(Descriptor::of(PAYLOAD, text.as_bytes()));
        layer["annotations"] = json!({ (SIGNATURE): signature });
        layer
    }

    /// The judgement on an artifact whose signature has these layers, where the registry gives these texts.
    fn checked(layers: &[Value], texts: &[&str]) -> Result<(), String> {
        let config = Descriptor::of("application/vnd.oci.image.config.v1+json", b"{}");
        let manifest = json!({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers});
        let mut answers = vec![answer("200 OK", &[], manifest.to_string().as_bytes())];
        answers.extend(texts.iter().map(|text| answer("200 OK", &[], text.as_bytes())));
        asked(answers)
    }

    fn asked(answers: Vec<Vec<u8>>) -> Result<(), String> {
        let registry = Registry::start(|_| answers);
        let reference = registry.reference("quartet-tts:1");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let checked = runtime.block_on(async {
            let mut client = Client::with_credentials(&reference, Intent::Pull, None)?;
            check(&mut client, &Key::parse(KEY).unwrap(), &Digest::of(b"abc")).await
        });
        let asked = registry.asked();
        let tag = format!("sha256-{}.sig", Digest::of(b"abc").digits());
        assert!(
            asked[0].contains(&format!("/v2/quartet-tts/manifests/{tag} ")),
            "{asked:?}"
        );
        checked
    }

    #[test]
    fn one_good_signature_of_several_is_enough() {
        let (good, other) = (layer(TEXT, SIGNED), layer("{}", SIGNED));
        assert_eq!(checked(std::slice::from_ref(&good), &[TEXT]), Ok(()));
        assert_eq!(checked(&[other.clone(), good], &["{}", TEXT]), Ok(()));
        assert!(checked(&[other], &["{}"]).unwrap_err().contains("not with the key"));
    }

    #[test]
    fn what_is_no_signature_is_told_apart() {
        let missing = asked(vec![answer("404 Not Found", &[], b"")]).unwrap_err();
        assert!(missing.contains("it is not signed"), "{missing}");
        assert!(checked(&[], &[]).unwrap_err().contains("has none of the form"));
        let changed = TEXT.replace("quartet-tts", "quartet-ttt");
        let reason = checked(&[layer(TEXT, SIGNED)], &[&changed]).unwrap_err();
        assert!(reason.contains("it was changed"), "{reason}");
        let mut bare = layer(TEXT, SIGNED);
        bare["annotations"] = json!({});
        let mut other = layer(TEXT, SIGNED);
        other["mediaType"] = json!("application/json");
        let mut large = layer(TEXT, SIGNED);
        large["size"] = json!(MAX_PAYLOAD_BYTES + 1);
        for wrong in [bare, other, large, layer(TEXT, "no base64!")] {
            let reason = checked(&[wrong], &[]).unwrap_err();
            assert!(reason.contains("not of the form"), "{reason}");
        }
    }

    #[test]
    fn only_a_key_of_the_kind_that_cosign_makes_is_one() {
        // Ed25519.
        let other = b"-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";
        assert!(Key::parse(other).is_none());
        assert!(Key::parse(b"no PEM").is_none());
        let missing = Key::read(Path::new("/of-which-there-is-none.pub")).unwrap_err();
        assert!(missing.contains("cannot be read"), "{missing}");
    }
}
