//! The binary files of a MeCab dictionary, version 102, UTF-8.
//!
//! The format has no specification but MeCab's source (`dictionary.cpp`, `char_property.cpp`, `connector.cpp` and the
//! double array of `darts.h`, version 0.996): little-endian numbers without padding.

use anyhow::{Context, Result, bail, ensure};

/// One reading of one written form.
pub struct Entry {
    /// The written form.
    pub surface: String,
    /// Its context as a left neighbour sees it: a row number of the connections.
    pub left: u16,
    /// The same for a right neighbour.
    pub right: u16,
    /// Cost of the word itself.
    pub cost: i16,
    /// Eleven fields separated by commas: part of speech (4), inflection, form, base form, reading, pronunciation,
    /// accent, accent rule; seven fields for unlisted words.
    pub feature: String,
}

/// A category of characters, by which they make unlisted words.
pub struct Category {
    /// Its name, the surface in the list of unlisted words.
    pub name: String,
}

/// The categories and every character's part in them.
pub struct Categories {
    /// By number.
    pub names: Vec<Category>,
    /// For each of the characters U+0000 to U+FFFE, bits: 0 to 17 the categories it belongs to, 18 to 25 the one by
    /// default, 26 to 29 the longest unlisted word in characters, 30 whether a run makes a word, 31 whether unlisted
    /// words are tried beside listed ones.
    pub characters: Vec<u32>,
}

const HEADER: usize = 72;
const VERSION: u32 = 102;
const NAME: usize = 32;
/// Characters that the table of categories covers.
const CHARACTERS: usize = 0xffff;

fn u16_at(bytes: &[u8], offset: usize) -> Result<u16> {
    Ok(u16::from_le_bytes(
        bytes
            .get(offset..offset + 2)
            .context("the file ends early")?
            .try_into()?,
    ))
}

fn u32_at(bytes: &[u8], offset: usize) -> Result<u32> {
    Ok(u32::from_le_bytes(
        bytes
            .get(offset..offset + 4)
            .context("the file ends early")?
            .try_into()?,
    ))
}

/// All entries of a `.dic` file, in the order of their written forms' bytes.
///
/// # Errors
///
/// When the file is of another format or damaged.
pub fn entries(file: &[u8]) -> Result<Vec<Entry>> {
    ensure!(
        u32_at(file, 4)? == VERSION,
        "not a MeCab dictionary of version {VERSION}"
    );
    let charset = file.get(40..HEADER).context("the file ends early")?;
    ensure!(
        charset.to_ascii_lowercase().starts_with(b"utf-8\0"),
        "not a dictionary in UTF-8"
    );
    let mut start = HEADER;
    let mut section = |field: usize| -> Result<&[u8]> {
        let length = u32_at(file, field)? as usize;
        let bytes = file.get(start..start + length).context("the file ends early")?;
        start += length;
        Ok(bytes)
    };
    let (trie, tokens, features) = (section(24)?, section(28)?, section(32)?);

    let mut entries = Vec::new();
    for (surface, value) in keys(trie)? {
        let surface = String::from_utf8(surface)?;
        let (first, count) = (value as usize >> 8, value as usize & 0xff);
        for token in first..first + count {
            let token = token * 16;
            let feature = features
                .get(u32_at(tokens, token + 8)? as usize..)
                .context("a feature is missing")?;
            let end = feature
                .iter()
                .position(|byte| *byte == 0)
                .context("a feature has no end")?;
            entries.push(Entry {
                surface: surface.clone(),
                left: u16_at(tokens, token)?,
                right: u16_at(tokens, token + 2)?,
                cost: u16_at(tokens, token + 6)?.cast_signed(),
                feature: String::from_utf8(feature[..end].to_vec())?,
            });
        }
    }
    Ok(entries)
}

/// The keys of a double array, sorted, with their values.
///
/// A unit is a base and a check. The child for byte `b` of a node whose base is `n` is unit `n + b + 1` if its check is
/// `n`; the node ends a key if the check of unit `n` is `n` and its base, taken as signed, is negative: the value's
/// complement.
fn keys(trie: &[u8]) -> Result<Vec<(Vec<u8>, u32)>> {
    let units = trie.len() / 8;
    let mut keys = Vec::new();
    let mut open = vec![(u32_at(trie, 0)?, Vec::new())];
    while let Some((base, key)) = open.pop() {
        let node = base as usize;
        if node >= units {
            bail!("a node lies outside the double array");
        }
        let value = u32_at(trie, node * 8)?;
        if u32_at(trie, node * 8 + 4)? == base && value.cast_signed() < 0 {
            keys.push((key.clone(), !value));
        }
        for byte in (0..=u8::MAX).rev() {
            let child = node + usize::from(byte) + 1;
            if child < units && u32_at(trie, child * 8 + 4)? == base {
                open.push((u32_at(trie, child * 8)?, [key.as_slice(), &[byte]].concat()));
            }
        }
    }
    Ok(keys)
}

/// The file `char.bin`.
///
/// # Errors
///
/// When the file ends early.
pub fn categories(file: &[u8]) -> Result<Categories> {
    let count = u32_at(file, 0)? as usize;
    let names = (0..count)
        .map(|number| {
            let name = file
                .get(4 + number * NAME..4 + (number + 1) * NAME)
                .context("the file ends early")?;
            let end = name.iter().position(|byte| *byte == 0).unwrap_or(NAME);
            Ok(Category {
                name: String::from_utf8(name[..end].to_vec())?,
            })
        })
        .collect::<Result<_>>()?;
    let table = 4 + count * NAME;
    let characters = (0..CHARACTERS)
        .map(|character| u32_at(file, table + character * 4))
        .collect::<Result<_>>()?;
    Ok(Categories { names, characters })
}

/// The file `matrix.bin`: how many numbers the left and the right word of a pair can have, and the costs as they lie
/// there (`i16`, the right attribute of the left word varying fastest).
///
/// # Errors
///
/// When the size of the file is not what its head says.
pub fn connections(file: &[u8]) -> Result<(u16, u16, &[u8])> {
    let (lefts, rights) = (u16_at(file, 0)?, u16_at(file, 2)?);
    let costs = &file[4..];
    ensure!(
        costs.len() == usize::from(lefts) * usize::from(rights) * 2,
        "the connections are damaged"
    );
    Ok((lefts, rights, costs))
}
