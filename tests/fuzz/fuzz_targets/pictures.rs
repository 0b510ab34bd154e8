//! Fuzz target: any bytes are decoded as a picture, whole or at a part of its size, or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quartet_image_analysis::picture::{decode, decode_with};

/// Pixels that are enough for what looks at a small picture.
const ENOUGH: usize = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let whole = decode(bytes);
    let part = decode_with(bytes, ENOUGH);
    assert!(
        whole.is_err() || part.is_ok(),
        "a picture that can be read is refused when less of it is enough"
    );
});
