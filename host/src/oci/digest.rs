//! Digests, by which a registry knows everything that it has.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The algorithm that every registry has.
const ALGORITHM: &str = "sha256:";

/// A SHA-256 as registries write it: `sha256:` and 64 hexadecimal digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Digest(String);

impl Digest {
    /// The digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let hexadecimal: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Self(format!("{ALGORITHM}{hexadecimal}"))
    }

    /// Reads a digest; none of what is no SHA-256.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(ALGORITHM)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (digits.len() == 64 && digits.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// The digest as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digits alone.
    pub fn digits(&self) -> &str {
        &self.0[ALGORITHM.len()..]
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("{text:?} is no SHA-256 digest"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_way_to_write_it() {
        let digest = Digest::of(b"abc");
        assert_eq!(
            digest.to_string(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest.clone()));
        for wrong in [
            digest.digits().to_owned(),
            digest.to_string().to_uppercase(),
            format!("{digest}0"),
            format!("sha512:{}", digest.digits()),
            String::new(),
        ] {
            assert_eq!(Digest::parse(&wrong), None, "{wrong}");
        }
    }
}
