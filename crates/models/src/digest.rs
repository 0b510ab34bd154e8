//! SHA-256, as lower-case hexadecimal.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The digest of `bytes`.
#[must_use]
pub fn of(bytes: &[u8]) -> String {
    text(Sha256::new_with_prefix(bytes))
}

/// The digest of the file at `path`.
///
/// # Errors
/// When it cannot be read.
pub fn of_file(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    File::open(path)
        .and_then(|mut file| io::copy(&mut file, &mut hasher))
        .with_context(|| format!("reading {}", path.display()))?;
    Ok(text(hasher))
}

/// The digest as text.
fn text(hasher: Sha256) -> String {
    hasher
        .finalize()
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of FIPS 180-4's companion document for the message "abc".
    #[test]
    fn the_published_example() {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").expect("the temporary folder is writable");
        assert_eq!(
            of_file(&path).expect("readable"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
