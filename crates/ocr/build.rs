//! Embeds the alphabets of the text recognisers: they are lists of characters, and a component has no
//! files.

use std::path::PathBuf;

/// Environment variable with the folder of the models; `cargo xtask` sets it.
const MODELS: &str = "QUARTET_MODELS";

/// Alphabets: files of that folder, which keep their names.
const ALPHABETS: [&str; 5] = [
    "ocr-alphabet.txt",
    "ocr-cyrillic-alphabet.txt",
    "ocr-hangul-alphabet.txt",
    "ocr-devanagari-alphabet.txt",
    "ocr-arabic-alphabet.txt",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={MODELS}");
    let folder = std::env::var_os(MODELS).map(PathBuf::from);
    let output = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names the folder for output"));
    for name in ALPHABETS {
        let path = folder.as_ref().map(|folder| folder.join(name));
        if let Some(path) = &path {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        // A model that is not to be had keeps nobody from building the rest: without the file there is no reading, and
        // the operations that need it say so.
        let text = path
            .and_then(|path| std::fs::read_to_string(path).ok())
            .unwrap_or_default();
        std::fs::write(output.join(name), text).expect("the folder for output can be written to");
    }
}
