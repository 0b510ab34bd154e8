//! The engine's data folders on an ordinary file system: for tests, examples and measurements.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::folders::FOLDERS;

/// The folder that holds the folders.
///
/// # Panics
/// If the folder for temporary files cannot be written to.
pub fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| install().expect("the folder for temporary files is writable"));
    &ROOT
}

/// Writes all files once; later processes with the same data find them.
fn install() -> io::Result<PathBuf> {
    let size: usize = FOLDERS
        .iter()
        .flat_map(|folder| &folder.files)
        .map(|(path, bytes)| path.len() + bytes.len())
        .sum();
    let temporary = std::env::temp_dir();
    let root = temporary.join(format!("quartet-tts-data-{size}"));
    if root.exists() {
        return Ok(root);
    }
    // Another process may be doing the same: whoever is first to rename wins, and both have the same files.
    let draft = temporary.join(format!("quartet-tts-data-{size}-{}", std::process::id()));
    for folder in FOLDERS.iter() {
        for (path, bytes) in &folder.files {
            let path = draft.join(folder.name).join(path);
            fs::create_dir_all(path.parent().expect("a path inside the draft"))?;
            fs::write(path, bytes)?;
        }
    }
    if fs::rename(&draft, &root).is_err() {
        fs::remove_dir_all(&draft)?;
    }
    Ok(root)
}
