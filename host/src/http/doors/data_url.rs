//! Data URLs (RFC 2397): files inside of JSON.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::failure::Failure;

/// Base64 as clients write it: some leave the padding off.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes of a data URL in a field, or of Base64 alone where `bare` is true.
///
/// # Errors
/// When it is something else, such as an address: nothing is fetched.
pub fn read(at: String, text: &str, bare: bool) -> Result<Vec<u8>, Failure> {
    let encoded = match text.split_once(',') {
        Some((head, encoded)) if head.starts_with("data:") && head.ends_with(";base64") => encoded,
        None if bare && !text.contains(':') => text,
        _ => {
            return Err(Failure::field(
                at,
                "takes a data URL with Base64, such as data:image/png;base64,…; addresses are not fetched",
            ));
        }
    };
    let bytes = BASE64
        .decode(encoded.trim_ascii())
        .ok()
        .filter(|bytes| !bytes.is_empty());
    bytes.ok_or_else(|| Failure::field(at, "is no Base64"))
}
