//! Tesseract's recognisers of lines: a `.traineddata` file with a small recurrent network, its characters and their codes.
//! The network becomes an ONNX graph (`graph`), the characters a table of text (`characters`). The dictionaries in the
//! file, which are most of it, are left out.
//!
//! The format is that of the program's own source (`ccutil/tessdatamanager`, `lstm/network`, `lstm/weightmatrix`,
//! `ccutil/unicharcompress`, `ccutil/unicharset`), little-endian throughout.

mod bytes;
mod characters;
mod graph;
mod layer;

use anyhow::{Context, Result, ensure};

use bytes::Bytes;
use layer::Layer;

/// Number of the network among the file's entries.
const LSTM: usize = 17;
/// Number of the characters.
const LSTM_UNICHARSET: usize = 21;
/// Number of the codes of the characters.
const LSTM_RECODER: usize = 22;
/// More entries than any file has.
const MOST_ENTRIES: usize = 64;

/// The ONNX graph of a file's network: input `line` [lines, 1, height, width] of −1 (ink) to 1 (paper), output
/// `probabilities` [lines, width / 3, codes].
///
/// # Errors
/// When the file is none of Tesseract's, or its network has layers that are not known here.
pub fn network(file: &[u8]) -> Result<Vec<u8>> {
    let mut network = Bytes::new(entry(file, LSTM)?);
    graph::convert(&Layer::read(&mut network).context("the network")?)
}

/// The table of a file's characters: in its first line the code of "nothing", then each character's codes, a tab, and the
/// character.
///
/// # Errors
/// When the file is none of Tesseract's, or a part of it is not as it must be.
pub fn alphabet(file: &[u8]) -> Result<String> {
    let mut network = Bytes::new(entry(file, LSTM)?);
    Layer::read(&mut network).context("the network")?;
    // Its description, four counters, the last of which is the code of "nothing".
    network.text()?;
    for _ in 0..3 {
        network.i32()?;
    }
    let nothing = network.i32()?;
    characters::table(entry(file, LSTM_UNICHARSET)?, entry(file, LSTM_RECODER)?, nothing)
}

/// One entry of the file: it begins with their number and where each begins, −1 for none.
fn entry(file: &[u8], index: usize) -> Result<&[u8]> {
    let mut header = Bytes::new(file);
    let count = header.size()?;
    ensure!(
        (LSTM_RECODER + 1..MOST_ENTRIES).contains(&count),
        "this is no file of Tesseract 4 or 5"
    );
    let offsets = (0..count).map(|_| header.i64()).collect::<Result<Vec<_>>>()?;
    let start = usize::try_from(offsets[index]).with_context(|| format!("the file lacks entry {index}"))?;
    let end = offsets
        .iter()
        .filter_map(|offset| usize::try_from(*offset).ok())
        .filter(|offset| *offset > start)
        .min()
        .unwrap_or(file.len());
    file.get(start..end).context("an entry is beyond the file's end")
}
