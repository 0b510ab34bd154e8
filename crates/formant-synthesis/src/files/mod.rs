//! Gives the speech engine its data folders.
//!
//! The engine opens its data by path. In the component there is no file system: the few C library functions that
//! Rust's standard library reads files with are answered from static bytes (`guest`). Natively, for tests and
//! measurements, the same files are written to a folder for temporary files (`native`).

mod folders;
#[cfg(target_arch = "wasm32")]
mod guest;
#[cfg(not(target_arch = "wasm32"))]
mod native;

use std::path::PathBuf;

use quartet_api::Language;

use folders::SOUNDS;
#[cfg(target_arch = "wasm32")]
use guest::root;
#[cfg(not(target_arch = "wasm32"))]
use native::root;

/// The folder to translate a language's text with.
pub fn folder(language: Language) -> PathBuf {
    root().join(language.code())
}

/// The folder to load the sounds from.
pub fn sounds() -> PathBuf {
    root().join(SOUNDS)
}

#[cfg(test)]
mod tests {
    use super::folders::FOLDERS;
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
