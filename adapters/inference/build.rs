//! Puts the graphs that `QUARTET_PROVIDED_GRAPHS` names into the component: paths of ONNX files, with colons between them.
//! A component reaches no file, so what it computes must be inside of it. And tells the linker that the component answers
//! `getenv` itself.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--wrap=getenv");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=QUARTET_PROVIDED_GRAPHS");
    let files = env::var_os("QUARTET_PROVIDED_GRAPHS").unwrap_or_default();
    let mut table = String::from("&[");
    for file in env::split_paths(&files).filter(|file| !file.as_os_str().is_empty()) {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let _ = write!(table, "({name:?}, include_bytes!({:?})), ", absolute(&file));
    }
    table.push(']');
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(folder.join("graphs.rs"), table).expect("cargo's folder is writable");
}

fn absolute(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
