//! The models that the service computes: which ones it needs, which are there, and how those that lack are had.
//!
//! The table is the project's `models.toml`, and the ways are `quartet-models`'; here stand what this program brings to it:
//! a client of HTTP, a process to convert in, and what the person who waits sees.

mod arrivals;
pub mod convert;
mod download;
mod get;
mod lines;
mod wanted;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use quartet_models::{Manifest, Mirror, Model};

pub use self::arrivals::{Arrivals, Coming};
pub use self::get::{Problem, get};
pub use self::lines::Lines;
pub use self::wanted::wanted;

/// The project's table.
static TABLE: LazyLock<Result<Manifest, String>> =
    LazyLock::new(|| Manifest::embedded().map_err(|error| format!("{error:#}")));

/// The project's table of models.
///
/// # Errors
/// When something in it is not as it must be, which a test rules out.
pub fn table() -> anyhow::Result<&'static Manifest> {
    TABLE.as_ref().map_err(|reason| anyhow::anyhow!("{reason}"))
}

/// The folder of models, and the places that they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The folder that the service reads.
    pub folder: PathBuf,
    /// A mirror that is asked before publishers and registries.
    pub mirror: Option<Mirror>,
    /// True if nobody but the mirror is asked.
    pub offline: bool,
}

impl Place {
    /// The place that the settings name.
    pub fn new(components: &crate::config::Components) -> Self {
        Self {
            folder: components.models.clone(),
            mirror: components.models_mirror.as_deref().map(Mirror::read),
            offline: components.offline,
        }
    }

    /// True if something may be fetched at all.
    pub fn is_open(&self) -> bool {
        !self.offline || self.mirror.is_some()
    }
}

/// True if a model's file is in a folder, with the size that it must have.
pub fn is_there(model: &Model, folder: &Path) -> bool {
    let file = std::fs::metadata(folder.join(&model.file));
    file.is_ok_and(|file| file.is_file() && model.size.is_none_or(|size| size == file.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_counts_only_with_its_size() {
        let folder = tempfile::tempdir().unwrap();
        let model = table().unwrap().find("ocr-orientation").unwrap();
        assert!(!is_there(model, folder.path()));
        std::fs::write(folder.path().join(&model.file), "half").unwrap();
        assert!(!is_there(model, folder.path()));
        let file = std::fs::File::create(folder.path().join(&model.file)).unwrap();
        file.set_len(model.size()).unwrap();
        assert!(is_there(model, folder.path()));
    }
}
