//! How documents and their indexes are kept as bytes: postcard, compressed, behind a byte that tells the layout.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::document::Document;

/// The layout of kept documents. It changes with their fields.
const LAYOUT: u8 = 1;
/// Nothing that was kept is larger when it is unpacked, in bytes.
const MOST_UNPACKED: u64 = 32 << 20;

/// Why what was kept cannot be used: it is damaged, or of another layout. The document must be sent again then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("what was kept of the document cannot be read")]
pub struct Unreadable;

impl Document {
    /// For keeping.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // A client waits for it.
        pack(LAYOUT, self, Compression::fast())
    }

    /// What was kept.
    ///
    /// # Errors
    /// When the bytes are no document, or one of another layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        unpack(LAYOUT, bytes)
    }
}

pub(crate) fn pack(layout: u8, value: &impl Serialize, compression: Compression) -> Vec<u8> {
    let plain = postcard::to_allocvec(value).unwrap_or_default();
    let mut packed = DeflateEncoder::new(vec![layout], compression);
    // Writing to memory does not fail.
    _ = packed.write_all(&plain);
    packed.finish().unwrap_or_default()
}

pub(crate) fn unpack<T: DeserializeOwned>(layout: u8, bytes: &[u8]) -> Result<T, Unreadable> {
    let packed = bytes.strip_prefix(&[layout]).ok_or(Unreadable)?;
    let mut plain = Vec::new();
    DeflateDecoder::new(packed)
        .take(MOST_UNPACKED)
        .read_to_end(&mut plain)
        .map_err(|_| Unreadable)?;
    postcard::from_bytes(&plain).map_err(|_| Unreadable)
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
        assert_eq!(Document::from_bytes(&bytes[1..]), Err(Unreadable));
        assert_eq!(Document::from_bytes(&bytes[..bytes.len() / 2]), Err(Unreadable));
        assert_eq!(Document::from_bytes(&[]), Err(Unreadable));
    }
}
