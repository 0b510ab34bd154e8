//! Pictures: decoding, and encoding for models. Decoded ones are upright, in eight-bit RGB, and never larger than what
//! the rest of the crate can work on.

pub mod decode;
mod encode;
mod scaled;
#[cfg(test)]
mod tests;

pub use decode::{Decoded, Format, PictureError, decode, decode_with};
pub use encode::jpeg;
pub use quartet_ocr::Picture;
