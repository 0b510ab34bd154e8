//! Gives the speech engine its data folders.
//!
//! The engine opens its data by path. In the component there is no file system: the few C library functions that
//! Rust's standard library reads files with are answered from static bytes (`guest`). Natively, for tests and
//! measurements, the same files are written to a folder for temporary files (`native`).

#[cfg(target_arch = "wasm32")]
mod guest;
#[cfg(not(target_arch = "wasm32"))]
mod native;

use std::path::PathBuf;
use std::sync::LazyLock;

use quartet_api::Language;

use super::data::{self, DataFile};

/// One folder: its name under the root, and its files.
struct Folder {
    name: &'static str,
    files: Vec<DataFile>,
}

static FOLDERS: LazyLock<Vec<Folder>> = LazyLock::new(|| {
    let languages = Language::ALL.into_iter().map(|language| Folder {
        name: language.code(),
        files: data::folder(language),
    });
    languages
        .chain([Folder {
            name: SOUNDS,
            files: data::sounds(),
        }])
        .collect()
});

const SOUNDS: &str = "sounds";

/// The folder to translate a language's text with.
pub fn folder(language: Language) -> PathBuf {
    root().join(language.code())
}

/// The folder to load the sounds from.
pub fn sounds() -> PathBuf {
    root().join(SOUNDS)
}

#[cfg(target_arch = "wasm32")]
use guest::root;
#[cfg(not(target_arch = "wasm32"))]
use native::root;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_readable_and_whole() {
        for folder in FOLDERS.iter() {
            for (path, bytes) in &folder.files {
                assert_eq!(std::fs::read(root().join(folder.name).join(path)).unwrap(), *bytes);
            }
        }
    }
}
