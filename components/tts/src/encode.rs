//! Streaming Base64: bytes come in pieces, and so does their text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The length of the Base64 text of this many bytes.
pub const fn encoded_length(bytes: u64) -> u64 {
    bytes.div_ceil(3) * 4
}

/// Encodes pieces so that their texts, put together, are the Base64 text of the pieces put together.
pub fn base64(pieces: impl Iterator<Item = Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
    let mut pieces = pieces.fuse();
    // Three bytes make four letters: what is left over goes with the next piece, and at the end alone.
    let mut rest = Vec::new();
    std::iter::from_fn(move || {
        let Some(piece) = pieces.next() else {
            let last = std::mem::take(&mut rest);
            return (!last.is_empty()).then(|| STANDARD.encode(last).into_bytes());
        };
        rest.extend_from_slice(&piece);
        let left = rest.split_off(rest.len() - rest.len() % 3);
        let whole = std::mem::replace(&mut rest, left);
        Some(STANDARD.encode(whole).into_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_same_in_pieces_of_any_size() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1_000).collect();
        for size in 1..20 {
            for length in 0..40 {
                let bytes = &bytes[..length * 7];
                let text: Vec<u8> = base64(bytes.chunks(size).map(<[u8]>::to_vec)).flatten().collect();
                assert_eq!(
                    text,
                    STANDARD.encode(bytes).into_bytes(),
                    "{length} bytes in pieces of {size}"
                );
                assert_eq!(text.len() as u64, encoded_length(bytes.len() as u64));
            }
        }
    }
}
