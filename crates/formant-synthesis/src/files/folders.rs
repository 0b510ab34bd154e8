//! The engine's data folders: a folder a language, and one for the sounds that all languages share.

use std::sync::LazyLock;

use quartet_api::Language;

use crate::data::{self, DataFile};

/// A data folder.
pub struct Folder {
    /// Its name under the root.
    pub name: &'static str,
    /// Its files.
    pub files: Vec<DataFile>,
}

/// All folders.
pub static FOLDERS: LazyLock<Vec<Folder>> = LazyLock::new(|| {
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

/// The name of the folder with the sounds.
pub const SOUNDS: &str = "sounds";
