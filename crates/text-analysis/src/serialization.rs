//! Serialization of documents and their indexes: postcard, compressed, behind a byte that tells the layout.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::document::Document;

/// The version of the layout of serialized documents. It changes with their fields.
const LAYOUT_VERSION: u8 = 1;
/// Limit in bytes for decompressed data.
const MAX_UNPACKED_BYTES: u64 = 32 << 20;

/// Error of deserialization: the bytes are damaged, or of another layout. The document must be sent again then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("what was kept of the document cannot be read")]
pub struct DecodeError;

impl Document {
    /// Serializes the document.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // A client waits for it.
        pack(LAYOUT_VERSION, self, Compression::fast())
    }

    /// Deserializes a document.
    ///
    /// # Errors
    /// When the bytes are no document, or one of another layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        unpack(LAYOUT_VERSION, bytes)
    }
}

pub(crate) fn pack(layout: u8, value: &impl Serialize, compression: Compression) -> Vec<u8> {
    let plain = postcard::to_allocvec(value).unwrap_or_default();
    let mut packed = DeflateEncoder::new(vec![layout], compression);
    // Writing to memory does not fail.
    _ = packed.write_all(&plain);
    packed.finish().unwrap_or_default()
}

pub(crate) fn unpack<T: DeserializeOwned>(layout: u8, bytes: &[u8]) -> Result<T, DecodeError> {
    let packed = bytes.strip_prefix(&[layout]).ok_or(DecodeError)?;
    let mut plain = Vec::new();
    DeflateDecoder::new(packed)
        .take(MAX_UNPACKED_BYTES)
        .read_to_end(&mut plain)
        .map_err(|_| DecodeError)?;
    postcard::from_bytes(&plain).map_err(|_| DecodeError)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Kind, Page};

    #[test]
    fn a_document_comes_back_as_it_was_and_damage_is_noticed() {
        let document = Document {
            pages: vec![Page {
                number: 1,
                blocks: vec![Block {
                    kind: Kind::Paragraph,
                    text: include_str!("../../../tests/data/declaration/en.txt").to_owned(),
                }],
                ..Page::default()
            }],
            ..Document::default()
        };
        let bytes = document.to_bytes();
        assert!(bytes.len() < document.pages[0].blocks[0].text.len() * 2 / 3);
        assert_eq!(Document::from_bytes(&bytes), Ok(document));
        assert_eq!(Document::from_bytes(&bytes[1..]), Err(DecodeError));
        assert_eq!(Document::from_bytes(&bytes[..bytes.len() / 2]), Err(DecodeError));
        assert_eq!(Document::from_bytes(&[]), Err(DecodeError));
    }
}
