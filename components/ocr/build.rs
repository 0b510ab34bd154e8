//! Puts the alphabet of the text recogniser into the component: it is a list of characters, and the component has no files.

use std::path::PathBuf;

/// Names the folder of the models; `cargo xtask` sets it.
const MODELS: &str = "QUARTET_MODELS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={MODELS}");
    let alphabet = std::env::var_os(MODELS).map(|folder| PathBuf::from(folder).join("ocr-alphabet.txt"));
    if let Some(path) = &alphabet {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    // A model that is not to be had keeps nobody from building the rest: without the file there is no reading, and the
    // operations that need it say so.
    let text = alphabet
        .and_then(|path| std::fs::read_to_string(path).ok())
        .unwrap_or_default();
    let output = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names the folder for output"));
    std::fs::write(output.join("alphabet.txt"), text).expect("the folder for output can be written to");
}
