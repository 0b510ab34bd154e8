//! Bounded decompression of streams, against decompression bombs.
//!
//! Deflate makes at most 1,032 bytes of one, so short streams need no check. Others are decoded piece by piece here and
//! given up when they pass the limit.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;
use memchr::memmem;

use super::error::Error;
use super::limits::Limits;

/// Most bytes that deflate makes of one.
const MAX_DEFLATE_RATIO: usize = 1032;
/// Most bytes that LZW with codes of 12 bits makes of one.
const MAX_LZW_RATIO: usize = 2731;
/// Most bytes that run-length encoding makes of one.
const MAX_RUN_LENGTH_RATIO: usize = 64;

/// Reason why a stream cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// It is larger than the limit.
    TooLarge,
    /// It is a picture, or broken.
    Undecodable,
}

/// Decodes a stream, to at most `limit` bytes. A broken stream gives its content before the break.
pub fn decode<'a>(stream: &Stream<'a>, limit: usize) -> Result<Cow<'a, [u8]>, DecodeError> {
    let filters = stream.filters();
    if filters.iter().any(|filter| is_picture(*filter)) {
        return Err(DecodeError::Undecodable);
    }
    let raw = stream.raw_data();
    let plain = !stream.dict().contains_key("DecodeParms") && !stream.dict().contains_key("DP");
    if plain && filters.as_slice() == [Filter::FlateDecode] {
        return inflate(&raw, limit).map(Cow::Owned);
    }
    let ratio = filters
        .iter()
        .fold(1_usize, |ratio, filter| ratio.saturating_mul(growth(*filter)));
    if raw.len().saturating_mul(ratio) > limit {
        let measurable =
            filters.first() == Some(&Filter::FlateDecode) && filters.iter().skip(1).all(|filter| growth(*filter) == 1);
        if !measurable || measure(&raw, 1, limit).is_none() {
            return Err(DecodeError::TooLarge);
        }
    }
    stream.decoded_data().map_err(|_| DecodeError::Undecodable)
}

/// Returns true if a stream stays below the limit; for those that `hayro` decodes.
pub fn fits(stream: &Stream<'_>, limit: usize) -> bool {
    let raw = stream.raw_data();
    let filters = stream.filters();
    let ratio = filters
        .iter()
        .fold(1_usize, |ratio, filter| ratio.saturating_mul(growth(*filter)));
    if raw.len().saturating_mul(ratio) <= limit {
        return true;
    }
    let flate = filters.iter().filter(|filter| **filter == Filter::FlateDecode).count();
    let only_flate = flate > 0 && filters.iter().all(|filter| *filter == Filter::FlateDecode);
    only_flate && measure(&raw, flate, limit).is_some()
}

fn is_picture(filter: Filter) -> bool {
    matches!(
        filter,
        Filter::DctDecode | Filter::JpxDecode | Filter::Jbig2Decode | Filter::CcittFaxDecode
    )
}

fn growth(filter: Filter) -> usize {
    match filter {
        Filter::FlateDecode => MAX_DEFLATE_RATIO,
        Filter::LzwDecode => MAX_LZW_RATIO,
        Filter::RunLengthDecode => MAX_RUN_LENGTH_RATIO,
        _ => 1,
    }
}

/// Inflates data with or without a zlib header.
fn inflate(data: &[u8], limit: usize) -> Result<Vec<u8>, DecodeError> {
    let found = drain(ZlibDecoder::new(data), limit)?;
    if !found.is_empty() || data.len() < 3 {
        return Ok(found);
    }
    let bare = drain(DeflateDecoder::new(&data[2..]), limit)?;
    if bare.is_empty() {
        drain(DeflateDecoder::new(data), limit)
    } else {
        Ok(bare)
    }
}

/// Reads up to the first error.
fn drain(mut from: impl Read, limit: usize) -> Result<Vec<u8>, DecodeError> {
    let mut out = Vec::new();
    let mut piece = [0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        if out.len() + count > limit {
            return Err(DecodeError::TooLarge);
        }
        out.extend_from_slice(&piece[..count]);
    }
    Ok(out)
}

/// Number of bytes that come out of `times` decoders in a row; none if they are more than `limit`.
fn measure(data: &[u8], times: usize, limit: usize) -> Option<usize> {
    let mut from: Box<dyn Read + '_> = Box::new(ZlibDecoder::new(data));
    for _ in 1..times.min(8) {
        from = Box::new(ZlibDecoder::new(from));
    }
    let mut piece = [0; 16 << 10];
    let mut size = 0;
    while let Ok(count @ 1..) = from.read(&mut piece) {
        size += count;
        if size > limit {
            return None;
        }
    }
    Some(size)
}

/// Checks the streams of a whole file before it is opened: those with objects or cross-references are decoded while it
/// is opened, where nobody counts, and stay in memory. Streams of encrypted files cannot be looked at from outside.
///
/// # Errors
/// When one of them, or those that stay all together, would be too large.
pub fn check_file(data: &[u8], limits: &Limits) -> Result<(), Error> {
    let mut kept = 0_usize;
    let mut looked_at = 0_usize;
    let mut end = data.len();
    let marks: Vec<usize> = memmem::find_iter(data, b"stream").collect();
    // From the last to the first, so that the end of each is known.
    for at in marks.into_iter().rev() {
        if data[..at].ends_with(b"end") {
            end = at - b"end".len();
            continue;
        }
        let head = &data[at.saturating_sub(1024)..at];
        let head = &head[memmem::rfind(head, b"obj").unwrap_or(0)..];
        let times = memmem::find_iter(head, b"/Fl").count();
        let stays = [&b"ObjStm"[..], b"/XRef", b"/First", b"#"]
            .iter()
            .any(|key| memmem::find(head, key).is_some());
        let start = at + b"stream".len();
        let start = start
            + data[start..]
                .iter()
                .take(2)
                .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                .count();
        let Some(content) = data.get(start..end.max(start)) else {
            continue;
        };
        // Pictures are not decoded here.
        let picture = !stays && times == 1 && memmem::find(head, b"/Image").is_some();
        if times == 0
            || picture
            || (!stays && times == 1 && content.len().saturating_mul(MAX_DEFLATE_RATIO) <= limits.max_stream_bytes)
        {
            continue;
        }
        let limit = if stays {
            limits
                .max_retained_stream_bytes
                .saturating_sub(kept)
                .min(limits.max_stream_bytes)
        } else {
            limits.max_stream_bytes
        };
        let too_large = |limit: usize| Error::Limit {
            what: "bytes in decoded streams",
            limit: limit as u64,
        };
        let size = measure(content, times, limit).ok_or_else(|| {
            too_large(if limit < limits.max_stream_bytes {
                limits.max_retained_stream_bytes
            } else {
                limits.max_stream_bytes
            })
        })?;
        looked_at += size;
        if stays {
            kept += size;
        }
        // Streams may lie in one another in a broken file, which would be much work.
        if looked_at > limits.max_stream_bytes.saturating_mul(16) {
            return Err(too_large(limits.max_stream_bytes.saturating_mul(16)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::ZlibEncoder};

    use super::*;

    fn deflated(data: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    }

    fn file(head: &str, content: &[u8]) -> Vec<u8> {
        [
            format!("1 0 obj\n<<{head}>>\nstream\n").as_bytes(),
            content,
            b"\nendstream\nendobj",
        ]
        .concat()
    }

    #[test]
    fn a_bomb_is_found_before_it_is_opened() {
        let limits = Limits {
            max_stream_bytes: 1 << 20,
            ..Limits::default()
        };
        let bomb = deflated(&vec![0; 2 << 20]);
        let found = check_file(&file("/Type/ObjStm/Filter/FlateDecode", &bomb), &limits);
        assert!(matches!(found, Err(Error::Limit { .. })));
        let twice = file("/Filter[/FlateDecode/FlateDecode]", &deflated(&bomb));
        assert!(matches!(check_file(&twice, &limits), Err(Error::Limit { .. })));
        assert_eq!(
            check_file(
                &file("/Type/ObjStm/Filter/FlateDecode", &deflated(b"1 0 <<>>")),
                &limits
            ),
            Ok(())
        );
    }

    #[test]
    fn what_is_broken_gives_what_comes_before() {
        let mut data = deflated(&b"BT (one) Tj ET ".repeat(500));
        let length = data.len();
        data.truncate(length - 8);
        assert!(inflate(&data, 1 << 20).expect("small").starts_with(b"BT (one) Tj ET "));
        assert_eq!(inflate(&deflated(&[0; 4096]), 100), Err(DecodeError::TooLarge));
    }
}
