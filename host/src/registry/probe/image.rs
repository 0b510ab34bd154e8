//! What a version of the image component must answer. Where the models for reading are there, it reads a picture; they may
//! be missing, and then the operations that need them say so.

use quartet_api::Code;
use quartet_api::image::{FILE_PART, TextResult};
use quartet_api::operations::{IMAGE_ANALYZE, IMAGE_CHAT, IMAGE_DETECT_OBJECTS, IMAGE_EXTRACT_TEXT};

use super::{Content, Probe};

/// The graphs by which the picture is read.
const READING: [&str; 2] = ["ocr-detection", "ocr-recognition"];

/// What the picture says, in dots.
const SIGN: [&str; 7] = [
    " ###  ####  ##### #   #",
    "#   # #   # #     ##  #",
    "#   # #   # #     # # #",
    "#   # ####  ####  #  ##",
    "#   # #     #     #   #",
    "#   # #     #     #   #",
    " ###  #     ##### #   #",
];
/// The same in letters.
const WORD: &str = "OPEN";
/// Pixels of a dot, on each side.
const DOT: usize = 6;
/// Dots of empty paper around the sign.
const MARGIN: usize = 6;

/// Sends what is no upload to each operation, and asks about a picture that nobody sent: for this it must look into what is
/// kept. Then has a sign read.
pub(super) async fn run(probe: &Probe<'_>) -> Result<(), String> {
    for upload in [&IMAGE_ANALYZE, &IMAGE_EXTRACT_TEXT, &IMAGE_DETECT_OBJECTS] {
        probe.refused(upload, "{}", Code::UnsupportedMediaType).await?;
    }
    let unknown = format!(r#"{{"message":"What is it?","imageId":"{}"}}"#, "0".repeat(32));
    probe.refused(&IMAGE_CHAT, &unknown, Code::UnknownUpload).await?;
    // One with an engine of its own may need more than a probe's time on a slow machine.
    if !probe.computes(&READING) {
        return Ok(());
    }
    let (width, height, file) = picture();
    let name = IMAGE_EXTRACT_TEXT.path;
    let result: TextResult = probe
        .data(&IMAGE_EXTRACT_TEXT, Some(Content::form(FILE_PART, "image/bmp", &file)))
        .await?;
    if (result.picture.width as usize, result.picture.height as usize) != (width, height) {
        return Err(format!(
            "{name}: a picture of {width} × {height} pixels has {} × {}",
            result.picture.width, result.picture.height
        ));
    }
    if result.text.trim() != WORD {
        return Err(format!("{name}: it read {:?} where {WORD:?} is written", result.text));
    }
    Ok(())
}

/// The sign, dark on light: its width and height in pixels, and a bitmap file of it.
fn picture() -> (usize, usize, Vec<u8>) {
    let dots = SIGN[0].len() + 2 * MARGIN;
    let (width, height) = (dots * DOT, (SIGN.len() + 2 * MARGIN) * DOT);
    let row_bytes = (width * 3).next_multiple_of(4);
    let number = |value: usize| (value as u32).to_le_bytes();
    let mut file = b"BM".to_vec();
    for value in [54 + row_bytes * height, 0, 54, 40, width, height] {
        file.extend(number(value));
    }
    // One plane of 24 bits a pixel, and nothing else that is said of it.
    file.extend([1, 0, 24, 0]);
    file.extend([0; 24]);
    for y in (0..height).rev() {
        let mut row = vec![235; row_bytes];
        let line = (y / DOT).checked_sub(MARGIN).and_then(|line| SIGN.get(line));
        let ink = line
            .into_iter()
            .flat_map(|line| line.bytes().enumerate().filter(|(_, dot)| *dot == b'#'));
        for (column, _) in ink {
            let start = (MARGIN + column) * DOT * 3;
            row[start..start + DOT * 3].fill(30);
        }
        file.extend(row);
    }
    (width, height, file)
}
