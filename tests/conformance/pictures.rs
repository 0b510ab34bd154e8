//! Pictures with something in them: text in every script, drawn with the fonts of the system, and photographs of other
//! people's packages.

use std::path::Path;

use quartet_tests::files::bitmap_file;
use quartet_tests::skip::not_run;
use serde_json::json;

use crate::image::{Part, ask, send};
use crate::tested;

/// A line of text in a font, black on white: letters stand side by side, from the left to the right.
fn printed(font: &fontdue::Font, text: &str) -> Vec<u8> {
    const PIXELS: f32 = 44.0;
    const WIDTH: usize = 900;
    const HEIGHT: usize = 140;
    const BASE: i32 = 90;
    let mut pixels = vec![[255; 3]; WIDTH * HEIGHT];
    let mut left = 40.0;
    for letter in text.chars() {
        let (metrics, light) = font.rasterize(letter, PIXELS);
        for (place, ink) in light.iter().enumerate() {
            let (x, y) = (place % metrics.width, place / metrics.width);
            let x = left as i32 + metrics.xmin + x as i32;
            let y = BASE - metrics.ymin - metrics.height as i32 + y as i32;
            if (0..WIDTH as i32).contains(&x) && (0..HEIGHT as i32).contains(&y) && *ink > 0 {
                pixels[y as usize * WIDTH + x as usize] = [255 - ink; 3];
            }
        }
        left += metrics.advance_width;
    }
    bitmap_file(WIDTH, HEIGHT, &pixels)
}

/// Text in a script, where a font of the system has it, and its number in a collection of fonts. Letters that join or
/// change beside others stand in their joined forms, or are not used; nor are marks, which only shaping puts in their
/// place.
struct Print {
    name: &'static str,
    fonts: &'static [(&'static str, u32)],
    /// What is drawn, from the left.
    drawn: &'static str,
    /// What is read.
    read: &'static str,
}

const NOTO_CJK: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
const DEJAVU: &str = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

const PRINTS: [Print; 6] = [
    Print {
        name: "Cyrillic",
        fonts: &[(DEJAVU, 0), ("/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", 0)],
        drawn: "Дорога открыта для пешеходов",
        read: "Дорога открыта для пешеходов",
    },
    Print {
        name: "Arabic",
        fonts: &[(DEJAVU, 0)],
        // The joined forms of the word for "school", from its end: it runs from the right.
        drawn: "\u{fe94}\u{feb3}\u{fead}\u{feaa}\u{fee3}",
        read: "مدرسة",
    },
    Print {
        name: "Chinese",
        fonts: &[(NOTO_CJK, 2)],
        drawn: "人人生而自由在尊严和权利上",
        read: "人人生而自由在尊严和权利上",
    },
    Print {
        name: "Japanese",
        fonts: &[(NOTO_CJK, 0)],
        drawn: "すべての人間は生まれながら",
        read: "すべての人間は生まれながら",
    },
    Print {
        name: "Korean",
        fonts: &[(NOTO_CJK, 1)],
        drawn: "모든 인간은 태어날 때부터",
        read: "모든 인간은 태어날 때부터",
    },
    Print {
        name: "Devanagari",
        fonts: &[("/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf", 0)],
        drawn: "घर बस नमक कमल नगर",
        read: "घर बस नमक कमल नगर",
    },
];

#[test]
fn every_script_is_read() {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    for print in PRINTS {
        let font = print.fonts.iter().find_map(|(path, number)| {
            let file = std::fs::read(path).ok()?;
            let settings = fontdue::FontSettings {
                collection_index: *number,
                ..fontdue::FontSettings::default()
            };
            fontdue::Font::from_bytes(file, settings).ok()
        });
        let Some(font) = font else {
            let files: Vec<&str> = print.fonts.iter().map(|(path, _)| *path).collect();
            not_run(
                &format!("every_script_is_read ({})", print.name),
                &format!("there is no font of {}", files.join(" or ")),
            );
            continue;
        };
        let file = printed(&font, print.drawn);
        let data = send(&tested().client, "/image/extract-text", &[("image", &file)], &[]).data();
        let read = data["text"].as_str().unwrap();
        assert_eq!(letters(read), letters(print.read), "{}", print.name);
    }
}

/// Photographs that packages of others have, and a thing that is plainly in each.
const PHOTOGRAPHS: [(&str, &str); 2] = [
    ("/usr/share/doc/opencv-doc/examples/data/messi5.jpg", "person"),
    ("/usr/share/doc/opencv-doc/examples/text/scenetext01.jpg", "car"),
];

#[test]
fn things_in_photographs_are_found_described_and_answered_for() {
    let tested = tested();
    let mut looked = false;
    for (path, label) in PHOTOGRAPHS.map(|(path, label)| (Path::new(path), label)) {
        let Ok(file) = std::fs::read(path) else {
            continue;
        };
        looked = true;
        let mine: &[(&str, &str)] = &[("x-session-id", "conformance-photographs")];
        let parts: [Part<'_>; 2] = [("image", &file), ("language", b"en")];
        let data = send(&tested.client, "/image/analyze", &parts, mine).data();
        let count = data["counts"][label].as_u64().unwrap_or(0);
        assert!(count > 0, "{}: {}", path.display(), data["counts"]);
        let description = data["description"].as_str().unwrap();
        assert!(description.contains(label), "{description}");
        let question = json!({"message": format!("Is there a {label} in the picture?"), "imageId": data["imageId"]});
        let answer = ask(&tested.client, &question, mine).data();
        assert_eq!(answer["answered"], true, "{answer}");
        assert_eq!(answer["evidence"][0]["label"], label, "{answer}");
    }
    if !looked {
        not_run(
            "things_in_photographs_are_found_described_and_answered_for",
            "the photographs of Debian's package opencv-doc are not installed",
        );
    }
}
