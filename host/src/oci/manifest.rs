//! Manifests of artifacts, and the one layout of them that is a component.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::digest::Digest;

/// The type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// The types that are asked for: of what is none of a component it is said what it is.
pub const ACCEPTED: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, \
     application/vnd.docker.distribution.manifest.v2+json, application/vnd.docker.distribution.manifest.list.v2+json";

/// The type of a manifest's config that makes the artifact one of WebAssembly.
pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";

/// The type of the layer that is the component.
pub const LAYER: &str = "application/wasm";

/// The largest manifest that is read.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Something that the registry has, as a manifest describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// Its type.
    pub media_type: String,
    /// Its digest.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
    /// Words of whoever made it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

impl Descriptor {
    /// Describes these bytes.
    pub fn of(media_type: &str, bytes: &[u8]) -> Self {
        Self {
            media_type: media_type.to_owned(),
            digest: Digest::of(bytes),
            size: bytes.len() as u64,
            annotations: BTreeMap::new(),
        }
    }
}

/// A manifest. Fields that are not needed are not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    schema_version: u32,
    #[serde(default)]
    media_type: String,
    config: Descriptor,
    /// The artifact's content.
    pub layers: Vec<Descriptor>,
}

/// The part of a document by which it is told what it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    media_type: Option<String>,
    manifests: Option<serde::de::IgnoredAny>,
}

impl Manifest {
    /// The manifest of a component.
    pub fn new(config: Descriptor, component: Descriptor) -> Self {
        Self {
            schema_version: 2,
            media_type: MANIFEST.to_owned(),
            config,
            layers: vec![component],
        }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// With the reason, when it is none.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let none = |error: serde_json::Error| format!("its manifest cannot be read: {error}");
        let head: Head = serde_json::from_slice(bytes).map_err(none)?;
        if head.manifests.is_some() {
            return Err("it is an index of several artifacts: name one of them by its digest".to_owned());
        }
        match head.media_type.as_deref() {
            None | Some(MANIFEST) => serde_json::from_slice(bytes).map_err(none),
            Some(other) => Err(format!("its manifest is of the type {other:?} and not {MANIFEST}")),
        }
    }

    /// The layer that is the component.
    ///
    /// # Errors
    /// With the reason, when the artifact is none of WebAssembly, or the component is larger than `most` bytes.
    pub fn component(&self, most: u64) -> Result<&Descriptor, String> {
        if self.config.media_type != CONFIG {
            return Err(format!(
                "it is no artifact of WebAssembly: its config is of the type {:?} and not {CONFIG}",
                self.config.media_type
            ));
        }
        let layer = match &self.layers[..] {
            [layer] => layer,
            layers => {
                return Err(format!(
                    "it has {} layers; an artifact with a component has one",
                    layers.len()
                ));
            }
        };
        if layer.media_type != LAYER {
            return Err(format!(
                "its layer is no component: it is of the type {:?} and not {LAYER}",
                layer.media_type
            ));
        }
        if layer.size > most {
            return Err(format!(
                "its component has {} bytes; {most} are allowed (`component_bytes`)",
                layer.size
            ));
        }
        Ok(layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn document() -> Value {
        json!(Manifest::new(
            Descriptor::of(CONFIG, b"{}"),
            Descriptor::of(LAYER, b"a component")
        ))
    }

    fn component(document: &Value, most: u64) -> Result<Descriptor, String> {
        let manifest = Manifest::read(document.to_string().as_bytes())?;
        manifest.component(most).cloned()
    }

    #[test]
    fn the_layout_of_a_component_is_the_one_that_others_write() {
        // As `wkg oci push` writes it.
        let written = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": {"mediaType": CONFIG, "digest": Digest::of(b"{}"), "size": 2},
            "layers": [{"mediaType": LAYER, "digest": Digest::of(b"a component"), "size": 11}],
        });
        assert_eq!(document(), written);
        assert_eq!(component(&written, 11), Ok(Descriptor::of(LAYER, b"a component")));
        // Other programs add to it, or leave the type out.
        let mut other = written;
        other["annotations"] = json!({"org.opencontainers.image.created": "2026-01-01T00:00:00Z"});
        other["layers"][0]["annotations"] = json!({"org.opencontainers.image.title": "tts.wasm"});
        other.as_object_mut().unwrap().remove("mediaType");
        assert!(component(&other, 11).is_ok());
    }

    #[test]
    fn what_is_no_component_is_told_apart() {
        let layer = document()["layers"][0].clone();
        for (pointer, value, reason) in [
            (
                "/config/mediaType",
                json!("application/vnd.oci.image.config.v1+json"),
                "no artifact of WebAssembly",
            ),
            (
                "/layers/0/mediaType",
                json!("application/vnd.oci.image.layer.v1.tar+gzip"),
                "no component",
            ),
            ("/layers", json!([]), "it has 0 layers"),
            ("/layers", json!([layer, layer]), "it has 2 layers"),
            ("/layers/0/size", json!(12), "12 bytes; 11 are allowed"),
            ("/layers/0/size", json!(-1), "cannot be read"),
            ("/layers/0/digest", json!("sha256:../../x"), "no SHA-256 digest"),
            (
                "/mediaType",
                json!("application/vnd.docker.distribution.manifest.v2+json"),
                "docker",
            ),
        ] {
            let mut document = document();
            *document.pointer_mut(pointer).unwrap() = value;
            let refused = component(&document, 11).unwrap_err();
            assert!(refused.contains(reason), "{pointer}: {refused}");
        }
        let index =
            json!({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []});
        assert!(component(&index, 11).unwrap_err().contains("index of several"));
        assert!(component(&json!([]), 11).unwrap_err().contains("cannot be read"));
    }
}
