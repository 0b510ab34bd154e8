//! Puts the vocabulary of the tokenizer into the component, which has no files.

use std::path::PathBuf;

/// Names the folder of the models; `cargo xtask` sets it.
const MODELS: &str = "QUARTET_MODELS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={MODELS}");
    let file = std::env::var_os(MODELS).map(|folder| PathBuf::from(folder).join("embedding-vocabulary.bin"));
    if let Some(path) = &file {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    // A model that is not to be had keeps nobody from building the rest: without the file nothing is embedded, and
    // answers are found by their words alone.
    let bytes = file.and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let output = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names the folder for output"));
    std::fs::write(output.join("vocabulary.bin"), bytes).expect("the folder for output can be written to");
}
