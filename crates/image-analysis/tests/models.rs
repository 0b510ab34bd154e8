//! Recognition with the real models. The models are those of `cargo xtask setup`.

use std::path::PathBuf;

use font8x8::UnicodeFonts;
use quartet_image_analysis::models;
use quartet_image_analysis::picture::Picture;
use quartet_inference::engine::{Catalog, Engine};
use quartet_inference::{Data, Graphs, NamedTensor, Tensor};

fn engine() -> Engine {
    let folder = std::env::var_os("QUARTET_MODELS").expect("QUARTET_MODELS names the folder of the models");
    Engine::new(Catalog::of_folder(&PathBuf::from(folder), models::all()))
}

/// Page with text in the 8 × 8 font of an old computer, each line scaled by its `size`.
struct Page {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Page {
    fn new(width: usize, height: usize, paper: u8) -> Self {
        Self {
            width,
            height,
            pixels: vec![paper; width * height * 3],
        }
    }

    fn write(mut self, text: &str, left: usize, top: usize, size: usize, ink: u8) -> Self {
        for (index, character) in text.chars().enumerate() {
            let rows = font8x8::BASIC_FONTS.get(character).expect("a letter of the font");
            for (y, row) in rows.iter().enumerate() {
                for x in (0..8).filter(|x| row >> x & 1 == 1) {
                    for offset in 0..size * size {
                        let column = left + (index * 8 + x) * size + offset % size;
                        let line = top + y * size + offset / size;
                        let start = (line * self.width + column) * 3;
                        self.pixels[start..start + 3].fill(ink);
                    }
                }
            }
        }
        self
    }

    /// Turns the page clockwise by quarters.
    fn turned(self, quarters: usize) -> Picture {
        let picture = image::RgbImage::from_raw(self.width as u32, self.height as u32, self.pixels).expect("a page");
        let turned = match quarters {
            0 => picture,
            1 => image::imageops::rotate90(&picture),
            2 => image::imageops::rotate180(&picture),
            _ => image::imageops::rotate270(&picture),
        };
        Picture::new(turned.width() as usize, turned.height() as usize, turned.into_raw()).expect("a page")
    }
}

fn receipt(paper: u8, ink: u8) -> Page {
    Page::new(640, 360, paper)
        .write("The Corner Shop", 40, 30, 4, ink)
        .write("Bread and butter", 40, 120, 3, ink)
        .write("4.50", 500, 120, 3, ink)
        .write("Two apples", 40, 180, 3, ink)
        .write("1.25", 500, 180, 3, ink)
        .write("TOTAL", 40, 260, 3, ink)
        .write("5.75", 500, 260, 3, ink)
}

const ROWS: [&str; 4] = [
    "The Corner Shop",
    "Bread and butter 4.50",
    "Two apples 1.25",
    "TOTAL 5.75",
];

/// Turn and rows of the text. In letters of so few dots a gap may pass for a colon: marks alone do not count.
fn rows(picture: &Picture) -> (usize, Vec<String>) {
    let reading = quartet_ocr::read(picture, &engine(), &|| false).expect("the models are there");
    let words = |row: &str| -> Vec<String> {
        let words = row
            .split_whitespace()
            .filter(|word| word.chars().any(char::is_alphanumeric));
        words.map(str::to_owned).collect()
    };
    let text = reading.text();
    let rows = text.lines().map(|row| words(row).join(" "));
    (reading.turn, rows.filter(|row| !row.is_empty()).collect())
}

#[test]
fn reads_dark_on_light_and_light_on_dark_row_by_row() {
    for (paper, ink) in [(255, 0), (20, 235)] {
        assert_eq!(
            rows(&receipt(paper, ink).turned(0)),
            (0, ROWS.map(str::to_owned).to_vec()),
            "paper {paper}"
        );
    }
}

#[test]
fn reads_a_page_that_lies_on_any_of_its_sides() {
    for (quarters, turn) in [(1, 3), (2, 2), (3, 1)] {
        assert_eq!(
            rows(&receipt(255, 0).turned(quarters)),
            (turn, ROWS.map(str::to_owned).to_vec())
        );
    }
}

#[test]
fn when_the_time_is_up_what_was_not_read_is_listed() {
    let reading = quartet_ocr::read(&receipt(255, 0).turned(0), &engine(), &|| true).expect("the models are there");
    assert!(
        reading.stopped && reading.lines.is_empty() && reading.unread.len() >= 4,
        "{reading:?}"
    );
}

#[test]
fn an_empty_page_has_no_text() {
    assert_eq!(rows(&Page::new(300, 200, 240).turned(0)), (0, Vec::new()));
}

#[test]
fn a_line_reads_the_same_alone_and_among_others_in_every_script() {
    // The networks' alphabets know as many codes as they give.
    for (graph, height) in [
        ("ocr-cyrillic", 36),
        ("ocr-hangul", 48),
        ("ocr-devanagari", 36),
        ("ocr-arabic", 48),
    ] {
        let (width, engine) = (240, engine());
        let page = Page::new(width, height, 255).write("Bread 4.50", 20, 8, 2, 0).turned(0);
        let light = page
            .pixels()
            .iter()
            .step_by(3)
            .map(|value| f32::from(*value) / 127.5 - 1.0);
        let line: Vec<f32> = light.collect();
        let empty = vec![1.0; line.len()];
        let read = |lines: &[&[f32]]| -> Vec<f32> {
            let shape = vec![lines.len(), 1, height, width];
            let input = NamedTensor::new("line", Tensor::new(shape, Data::F32(lines.concat())).expect("a tensor"));
            let output = engine
                .run(graph, vec![input], &[])
                .expect("the model is there")
                .remove(0);
            assert_eq!(output.tensor.shape()[..2], [lines.len(), width / 3], "{graph}");
            output.tensor.as_f32().expect("probabilities").to_vec()
        };
        let (alone, among) = (read(&[&line]), read(&[&empty, &line]));
        let same = alone
            .iter()
            .zip(&among[alone.len()..])
            .all(|(a, b)| (a - b).abs() < 1e-3);
        assert!(same && among.len() == 2 * alone.len(), "{graph}");
        // Something is written on one, and nothing on the other.
        assert!(alone.iter().zip(&among).any(|(a, b)| (a - b).abs() > 0.5), "{graph}");
    }
}
