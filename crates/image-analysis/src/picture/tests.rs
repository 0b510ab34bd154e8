//! Decoding of good files and of bad ones.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageFormat, RgbImage, RgbaImage};

use super::*;

/// Picture that is red in the upper left and blue elsewhere, in a shape that shows its orientation.
fn sample(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let corner = x < width / 2 && y < height / 2;
        image::Rgb(if corner { [250, 10, 10] } else { [10, 10, 250] })
    })
}

fn encoded(image: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn is_red(picture: &Picture, x: usize, y: usize) -> bool {
    let [red, _, blue] = picture.at(x, y);
    red > 200 && blue < 60
}

#[test]
fn every_allowed_kind_is_read_by_its_content() {
    for (format, expected) in [
        (ImageFormat::Jpeg, Format::Jpeg),
        (ImageFormat::Png, Format::Png),
        (ImageFormat::WebP, Format::WebP),
        (ImageFormat::Gif, Format::Gif),
        (ImageFormat::Bmp, Format::Bmp),
        (ImageFormat::Tiff, Format::Tiff),
    ] {
        let decoded = decode(&encoded(&sample(40, 20), format)).unwrap();
        assert_eq!((decoded.format, decoded.width, decoded.height), (expected, 40, 20));
        assert!(is_red(&decoded.picture, 5, 5), "{expected:?}");
        assert!(!is_red(&decoded.picture, 35, 5), "{expected:?}");
    }
}

#[test]
fn a_jpeg_is_turned_as_its_camera_says() {
    // The least EXIF there is: one directory with the entry "orientation".
    let exif = |orientation: u8| {
        let mut exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
        exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
        exif
    };
    for (orientation, size, red) in [
        (1, (40, 20), (5, 5)),
        (3, (40, 20), (35, 15)),
        (6, (20, 40), (15, 5)),
        (8, (20, 40), (5, 35)),
    ] {
        let image = sample(40, 20);
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
        encoder.set_exif_metadata(exif(orientation)).unwrap();
        encoder
            .write_image(image.as_raw(), 40, 20, ExtendedColorType::Rgb8)
            .unwrap();
        let decoded = decode(&bytes).unwrap();
        assert_eq!((decoded.width, decoded.height), size, "orientation {orientation}");
        assert_eq!((decoded.picture.width(), decoded.picture.height()), size);
        assert!(is_red(&decoded.picture, red.0, red.1), "orientation {orientation}");
    }
}

#[test]
fn a_large_jpeg_is_decoded_at_the_size_that_is_enough() {
    let (width, height) = (1_001, 600);
    let image = sample(width, height);
    let bytes = encoded(&image, ImageFormat::Jpeg);
    let sides = |enough| {
        let decoded = decode_with(&bytes, enough).unwrap();
        assert_eq!((decoded.width, decoded.height), (1_001, 600));
        let (width, height) = (decoded.picture.width(), decoded.picture.height());
        assert!(is_red(&decoded.picture, width / 4, height / 4));
        assert!(!is_red(&decoded.picture, width * 3 / 4, height / 4));
        (width, height)
    };
    assert_eq!(sides(600_600), (1_001, 600));
    assert_eq!(sides(150_300), (501, 300));
    assert_eq!(sides(30_000), (251, 150));
    assert_eq!(sides(1), (126, 75));
    // Other formats come whole, and what ends early is told as ever.
    let png = decode_with(&encoded(&image, ImageFormat::Png), 1).unwrap();
    assert_eq!(png.picture.width(), 1_001);
    let cut = &bytes[..bytes.len() / 2];
    assert_eq!(decode_with(cut, 1).unwrap_err(), decode(cut).unwrap_err());
}

#[test]
fn a_smaller_jpeg_looks_as_the_whole_one_scaled_down() {
    let image = RgbImage::from_fn(640, 480, |x, y| {
        let wave = |at: u32| ((f64::from(at) / 40.0).sin() * 100.0 + 128.0) as u8;
        image::Rgb([wave(x), wave(y), wave(x + y)])
    });
    for grey in [false, true] {
        let bytes = if grey {
            let mut bytes = Vec::new();
            let grey = image::DynamicImage::ImageRgb8(image.clone()).into_luma8();
            grey.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Jpeg).unwrap();
            bytes
        } else {
            encoded(&image, ImageFormat::Jpeg)
        };
        let smaller = decode_with(&bytes, 70_000).unwrap().picture;
        assert_eq!((smaller.width(), smaller.height()), (320, 240));
        let whole = decode(&bytes).unwrap().picture.resized(320, 240);
        let difference = |(one, other): (&u8, &u8)| u64::from(one.abs_diff(*other));
        let pairs = smaller.pixels().iter().zip(whole.pixels());
        let mean = pairs.map(difference).sum::<u64>() as f64 / smaller.pixels().len() as f64;
        assert!(mean < 3.0, "{mean}");
    }
}

#[test]
fn other_files_are_named_for_what_they_are() {
    for (bytes, word) in [
        (&b"%PDF-1.7\n"[..], "PDF"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "SVG"),
        (b"<!doctype html>", "web page"),
        (b"hello", "plain text"),
        (b"\x00\x01\x02\xfe\xff", "no picture"),
        (b"", "no picture"),
    ] {
        let error = decode(bytes).unwrap_err();
        assert!(matches!(error, PictureError::OtherKind { .. }), "{error:?}");
        let sentence = error.to_string();
        assert!(
            sentence.contains(word) && sentence.contains("JPEG, PNG, WebP"),
            "{sentence}"
        );
    }
}

#[test]
fn a_file_that_ends_early_is_damaged() {
    // Noise, so that every part of the file matters.
    let mut state = 1u32;
    let noise = RgbImage::from_fn(64, 64, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
    });
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
    ] {
        let bytes = encoded(&noise, format);
        for part in [bytes.len() / 2, bytes.len() * 9 / 10] {
            let error = decode(&bytes[..part]).expect_err(&format!("{format:?} of {part} bytes"));
            assert!(matches!(error, PictureError::Damaged { .. }), "{format:?}: {error:?}");
        }
        // The signature alone.
        assert!(decode(&bytes[..16]).is_err(), "{format:?}");
    }
}

#[test]
fn a_file_that_says_it_is_huge_is_refused_before_it_is_decoded() {
    let mut png = encoded(&sample(8, 8), ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0xFF, 0, 0, 0, 0xFF, 0]);
    // The checksum of the changed header.
    let sum = png[12..29].iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            sum >> 1 ^ (0xEDB8_8320 & (sum & 1).wrapping_neg())
        })
    });
    png[29..33].copy_from_slice(&(!sum).to_be_bytes());
    let error = decode(&png).unwrap_err();
    assert!(
        matches!(error, PictureError::TooManyPixels { width: 65280, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("40000000 pixels are allowed"), "{error}");

    let mut bmp = encoded(&sample(8, 8), ImageFormat::Bmp);
    bmp[18..26].copy_from_slice(&[0, 0xFF, 0, 0, 0, 0xFF, 0, 0]);
    assert!(matches!(decode(&bmp), Err(PictureError::TooManyPixels { .. })));
}

#[test]
fn a_file_that_says_it_is_larger_than_it_is_is_damaged() {
    let mut bmp = encoded(&sample(8, 8), ImageFormat::Bmp);
    bmp[18..20].copy_from_slice(&[0, 4]);
    assert!(matches!(decode(&bmp), Err(PictureError::Damaged { .. })));
}

#[test]
fn what_is_transparent_shows_a_background_that_its_content_stands_out_from() {
    let of = |colour: [u8; 3]| {
        let image = RgbaImage::from_fn(10, 10, |x, _| {
            let [red, green, blue] = colour;
            image::Rgba([red, green, blue, if x < 2 { 255 } else { 0 }])
        });
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        decode(&bytes).unwrap().picture
    };
    assert_eq!(of([0, 0, 0]).at(5, 5), [255, 255, 255]);
    assert_eq!(of([0, 0, 0]).at(1, 5), [0, 0, 0]);
    assert_eq!(of([255, 255, 255]).at(5, 5), [0, 0, 0]);
}

#[test]
fn a_very_large_picture_is_scaled_down() {
    let decoded = decode(&encoded(&sample(6000, 4000), ImageFormat::Png)).unwrap();
    assert_eq!((decoded.width, decoded.height), (6000, 4000));
    assert!(decoded.picture.width() * decoded.picture.height() <= 12_000_000);
    assert!((decoded.scale() - 6000.0 / decoded.picture.width() as f32).abs() < 0.001);
}
