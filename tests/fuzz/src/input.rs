//! Inputs that several targets read alike.

use http::{HeaderMap, HeaderName, HeaderValue};

/// Most bytes of a sentence that tells a client of its mistake, however much it sent.
pub const MAX_SENTENCE_BYTES: usize = 2_000;

/// A head, as lines of `name: value`, and what stands behind the empty line after it. Lines that are no field are passed over,
/// as none of them gets past the server.
pub fn head(bytes: &[u8]) -> (HeaderMap, &[u8]) {
    let mut headers = HeaderMap::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let line = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or_default();
        if line.is_empty() {
            break;
        }
        if let Some(colon) = line.iter().position(|byte| *byte == b':')
            && let Ok(name) = HeaderName::from_bytes(&line[..colon])
            && let Ok(value) = HeaderValue::from_bytes(line[colon + 1..].trim_ascii())
        {
            headers.append(name, value);
        }
    }
    (headers, rest)
}
