//! Decoding of files to upright pictures. The format is detected by content, never by name; the size is checked before
//! memory is allocated.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use quartet_api::limits::{PICTURE_BYTES, PICTURE_PIXELS, PICTURE_PROGRESSIVE_PIXELS};

use super::{Picture, scaled};

/// Most pixels of a picture that is worked on: a larger one is scaled down as soon as it is decoded. The text of a page
/// that fills twelve megapixels is 50 pixels high, and the models see 48 of them.
const MAX_WORKING_PIXELS: usize = 12_000_000;

/// Most characters of a message of a decoder that the client is shown.
const MAX_REASON_CHARACTERS: usize = 160;

/// File formats that can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JPEG, turned by its EXIF orientation.
    Jpeg,
    /// PNG.
    Png,
    /// WebP; of an animation the first frame.
    WebP,
    /// GIF; the first frame.
    Gif,
    /// Windows bitmap.
    Bmp,
    /// TIFF; the first page.
    Tiff,
}

impl Format {
    /// Common name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Jpeg => "JPEG",
            Format::Png => "PNG",
            Format::WebP => "WebP",
            Format::Gif => "GIF",
            Format::Bmp => "BMP",
            Format::Tiff => "TIFF",
        }
    }

    const fn of(format: ImageFormat) -> Option<Self> {
        Some(match format {
            ImageFormat::Jpeg => Format::Jpeg,
            ImageFormat::Png => Format::Png,
            ImageFormat::WebP => Format::WebP,
            ImageFormat::Gif => Format::Gif,
            ImageFormat::Bmp => Format::Bmp,
            ImageFormat::Tiff => Format::Tiff,
            _ => return None,
        })
    }
}

/// Decoded file.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// Format of the file.
    pub format: Format,
    /// Width of the upright picture in the file, in pixels.
    pub width: usize,
    /// Height of the upright picture in the file, in pixels.
    pub height: usize,
    /// The upright picture; smaller than in the file where that is very large.
    pub picture: Picture,
}

impl Decoded {
    /// Scale from [`Self::picture`] to the picture in the file.
    pub fn scale(&self) -> f32 {
        self.width as f32 / self.picture.width() as f32
    }
}

/// Reason why a file cannot be worked on. The messages are for the client and follow "the file …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The file is of another kind.
    #[error("is {found}; allowed: JPEG, PNG, WebP, GIF, BMP, TIFF")]
    OtherKind {
        /// Probable kind, with its article.
        found: &'static str,
    },
    /// The format is known, but the file uses a feature that is not.
    #[error("is a {} of a kind that cannot be read: {reason}", format.name())]
    Unsupported {
        /// Format of the file.
        format: Format,
        /// Message of the decoder.
        reason: String,
    },
    /// The file is corrupt or truncated.
    #[error("is a damaged {}: {reason}", format.name())]
    Damaged {
        /// Format of its header.
        format: Format,
        /// Description of the damage.
        reason: String,
    },
    /// The picture has too many pixels.
    #[error("has {width} × {height} pixels; {most} pixels are allowed{note}")]
    TooManyPixels {
        /// Width as stored, in pixels.
        width: u32,
        /// Height as stored, in pixels.
        height: u32,
        /// Most pixels.
        most: u64,
        /// Scope of the limit, where it is a special one.
        note: &'static str,
    },
    /// The picture needs too much memory, for another reason than the number of pixels.
    #[error("needs {bytes} bytes when decoded, because of its many or deep channels; {most} bytes are allowed")]
    TooManyBytes {
        /// Bytes that it needs.
        bytes: u64,
        /// Most bytes.
        most: u64,
    },
}

/// Decodes a file.
///
/// # Errors
/// When it is no picture of an allowed kind, is damaged, or is too large.
pub fn decode(bytes: &[u8]) -> Result<Decoded, PictureError> {
    decode_with(bytes, MAX_WORKING_PIXELS)
}

/// Decodes a file for work that needs about `enough` pixels: a large JPEG may come smaller, in a part of the time. All that is
/// wrong with a file is found as by [`decode`], but for damage inside of the picture, which is not looked at closely.
///
/// # Errors
/// As for [`decode`].
pub fn decode_with(bytes: &[u8], enough: usize) -> Result<Decoded, PictureError> {
    let found = image::guess_format(bytes).ok();
    let Some((guessed, format)) = found.and_then(|guessed| Some((guessed, Format::of(guessed)?))) else {
        return Err(PictureError::OtherKind { found: kind(bytes) });
    };
    // Before a decoder looks: some refuse a large picture in words of their own.
    if let Ok(size) = imagesize::blob_size(bytes) {
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        check_size(side(size.width), side(size.height), PICTURE_PIXELS, "")?;
    }
    let fail = |error: ImageError| describe(format, error);
    let mut limits = Limits::default();
    limits.max_alloc = Some(PICTURE_BYTES * 2);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), guessed);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(fail)?;

    let (width, height) = decoder.dimensions();
    check_size(width, height, PICTURE_PIXELS, "")?;
    if format == Format::Jpeg {
        let scan = JpegScan::of(bytes);
        if scan.is_some_and(|scan| scan.progressive) {
            check_size(width, height, PICTURE_PROGRESSIVE_PIXELS, " in a progressive JPEG")?;
        }
        // The decoder fills what is missing with grey, which would pass for what is in the picture.
        if !scan.is_some_and(|scan| scan.ends) {
            return Err(PictureError::Damaged {
                format,
                reason: "it ends before the picture does".to_owned(),
            });
        }
    }
    let decoded_bytes = decoder.total_bytes();
    if decoded_bytes > PICTURE_BYTES {
        return Err(PictureError::TooManyBytes {
            bytes: decoded_bytes,
            most: PICTURE_BYTES,
        });
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let smaller = match format {
        Format::Jpeg => scaled::decode(bytes, enough),
        _ => None,
    };
    let nothing = || PictureError::Damaged {
        format,
        reason: "it has no pixels".to_owned(),
    };
    let stored = match smaller {
        Some(smaller) => smaller,
        None => {
            let pixels = rgb(DynamicImage::from_decoder(decoder).map_err(fail)?);
            Picture::new(width as usize, height as usize, pixels).ok_or_else(nothing)?
        }
    };
    let working = stored.at_most(MAX_WORKING_PIXELS);
    let mut image = image::RgbImage::from_raw(working.width() as u32, working.height() as u32, working.into_pixels())
        .map(DynamicImage::ImageRgb8)
        .ok_or_else(nothing)?;
    image.apply_orientation(orientation);
    let turned = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    let (width, height) = if turned { (height, width) } else { (width, height) };
    let picture =
        Picture::new(image.width() as usize, image.height() as usize, image.into_bytes()).ok_or_else(nothing)?;
    Ok(Decoded {
        format,
        width: width as usize,
        height: height as usize,
        picture,
    })
}

fn check_size(width: u32, height: u32, most: u64, note: &'static str) -> Result<(), PictureError> {
    if u64::from(width) * u64::from(height) > most {
        return Err(PictureError::TooManyPixels {
            width,
            height,
            most,
            note,
        });
    }
    Ok(())
}

/// Converts to eight-bit RGB. Transparent parts show a background that the content stands out from.
fn rgb(image: DynamicImage) -> Vec<u8> {
    if !image.color().has_alpha() {
        return image.into_rgb8().into_raw();
    }
    let mut bytes = image.into_rgba8().into_raw();
    let background = background(&bytes);
    // In place: a copy of the largest allowed picture would not fit beside it.
    for index in 0..bytes.len() / 4 {
        let alpha = u32::from(bytes[index * 4 + 3]);
        for channel in 0..3 {
            let value = u32::from(bytes[index * 4 + channel]);
            bytes[index * 3 + channel] = ((value * alpha + background * (255 - alpha) + 127) / 255) as u8;
        }
    }
    bytes.truncate(bytes.len() / 4 * 3);
    bytes
}

/// Background behind transparent parts: white, unless the content is nearly white itself.
fn background(rgba: &[u8]) -> u32 {
    let (mut light, mut weight) = (0, 0);
    for pixel in rgba.chunks_exact(4) {
        let luma = u64::from(pixel[0]) * 3 + u64::from(pixel[1]) * 6 + u64::from(pixel[2]);
        light += luma * u64::from(pixel[3]);
        weight += 10 * u64::from(pixel[3]);
    }
    if weight > 0 && light / weight > 215 { 0 } else { 255 }
}

/// Findings from the markers of a JPEG file.
#[derive(Clone, Copy)]
struct JpegScan {
    /// True if all coefficients are held in memory before there is a picture.
    progressive: bool,
    /// True if there is an end marker behind the first scan.
    ends: bool,
}

impl JpegScan {
    fn of(bytes: &[u8]) -> Option<Self> {
        let mut position = 2;
        let mut progressive = false;
        loop {
            let marker = *bytes.get(position + 1)?;
            if bytes[position] != 0xFF {
                return None;
            }
            match marker {
                // A fill byte.
                0xFF => {
                    position += 1;
                    continue;
                }
                // Markers without a length.
                0x01 | 0xD0..=0xD8 => {
                    position += 2;
                    continue;
                }
                0xC2 | 0xC6 | 0xCA | 0xCE => progressive = true,
                0xDA => {
                    let ends = bytes[position..].windows(2).any(|pair| pair == [0xFF, 0xD9]);
                    return Some(Self { progressive, ends });
                }
                _ => {}
            }
            let length = usize::from(*bytes.get(position + 2)?) << 8 | usize::from(*bytes.get(position + 3)?);
            position += 2 + length;
        }
    }
}

fn describe(format: Format, error: ImageError) -> PictureError {
    match error {
        ImageError::Unsupported(error) => PictureError::Unsupported {
            format,
            reason: brief(&error),
        },
        ImageError::Limits(error) => PictureError::Damaged {
            format,
            reason: format!("it asks for more memory than its size allows ({})", brief(&error)),
        },
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => PictureError::Damaged {
            format,
            reason: "it ends before the picture does".to_owned(),
        },
        error => PictureError::Damaged {
            format,
            reason: brief(&error),
        },
    }
}

/// Message of a decoder on one line, cut to a maximum length.
fn brief(error: &dyn std::fmt::Display) -> String {
    let text: String = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(MAX_REASON_CHARACTERS).collect()
}

/// Probable kind of a file that is no picture.
fn kind(bytes: &[u8]) -> &'static str {
    let starts = |prefix: &[u8]| bytes.starts_with(prefix);
    let brand = bytes.get(4..12).unwrap_or_default();
    if brand.starts_with(b"ftyp") {
        return match &brand[4..] {
            b"heic" | b"heix" | b"mif1" | b"hevc" => "a HEIC picture",
            b"avif" | b"avis" => "an AVIF picture",
            _ => "a video or another media file",
        };
    }
    let text = bytes.get(..512).unwrap_or(bytes).trim_ascii_start();
    if starts(b"%PDF-") {
        "a PDF"
    } else if starts(b"PK\x03\x04") {
        "a ZIP archive or an office document"
    } else if starts(&[0, 0, 1, 0]) {
        "an icon file"
    } else if starts(b"8BPS") {
        "a Photoshop document"
    } else if starts(b"\x1f\x8b") {
        "a compressed file"
    } else if starts(b"\xff\x0a") || starts(b"\0\0\0\x0cJXL ") {
        "a JPEG XL picture"
    } else if text.starts_with(b"<svg") || text.windows(4).any(|window| window == b"<svg") {
        "an SVG drawing"
    } else if text.starts_with(b"<") {
        "a web page or an XML document"
    } else if !text.is_empty() && std::str::from_utf8(text).is_ok() {
        "plain text"
    } else {
        "no picture of a known kind"
    }
}
