//! Pictures: decoded, upright, in eight-bit RGB, and never larger than what the rest of the component can work on.

pub mod decode;
#[cfg(test)]
mod tests;

pub use decode::{Decoded, Format, PictureError, decode};
pub use quartet_ocr::Picture;
