//! The engine's prompt cache: what it has read for everybody is written to a file beside the compiled components, from which the
//! next engine with the same model goes on.
//!
//! The engine writes before it hears anything of a client, and then closes the file: whoever takes it over by what he says to it
//! has no file to write to, and what the next engine finds is what the host alone has asked.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use crate::config::Gguf;

/// Extension of the file.
const EXTENSION: &str = "prompts";

/// Extension of one that is not written yet. The cache of compiled components tidies up those of hosts that were killed.
const UNFINISHED_EXTENSION: &str = "part";

/// The files of an engine, until it has written.
pub struct PromptCache {
    /// The file of an earlier engine, which may not be there.
    pub written: PathBuf,
    /// The file that this one writes.
    pub new: PathBuf,
    asked: bool,
}

impl PromptCache {
    /// The files in a folder for an engine of this host with a number and a model.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(folder: &Path, model: &Gguf, number: u64) -> std::io::Result<Self> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        let process = std::process::id();
        let files = Self {
            written: folder.join(format!("{}.{EXTENSION}", model.name)),
            new: folder.join(format!("{}.{process}-{number}.{UNFINISHED_EXTENSION}", model.name)),
            asked: false,
        };
        // In a container, a host that was killed may have had the same number.
        remove(&files.new);
        Ok(files)
    }

    /// Returns true the first time.
    pub fn ask(&mut self) -> bool {
        !std::mem::replace(&mut self.asked, true)
    }

    /// Puts what the engine has written in the place of what an earlier one has.
    ///
    /// # Errors
    /// When it cannot be put there.
    pub fn accept(self) -> std::io::Result<()> {
        std::fs::rename(&self.new, &self.written)
    }
}

impl Drop for PromptCache {
    fn drop(&mut self) {
        remove(&self.new);
    }
}

fn remove(path: &Path) {
    // It is not there where it was accepted, or never made.
    let _ = std::fs::remove_file(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Gguf {
        Gguf {
            name: "own.model".to_owned(),
            file: PathBuf::new(),
            memory: 0,
            default: true,
            tools: true,
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn what_is_accepted_takes_the_place_of_the_earlier_one_and_the_rest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("cache");
        for content in ["first", "second"] {
            let mut files = PromptCache::new(&folder, &model(), 1).unwrap();
            assert!(files.ask() && !files.ask());
            std::fs::write(&files.new, content).unwrap();
            let written = files.written.clone();
            files.accept().unwrap();
            assert_eq!(names(&folder), ["own.model.prompts"]);
            assert_eq!(std::fs::read_to_string(&written).unwrap(), content);
        }
        let files = PromptCache::new(&folder, &model(), 2).unwrap();
        std::fs::write(&files.new, "third").unwrap();
        drop(files);
        assert_eq!(names(&folder), ["own.model.prompts"]);
    }

    #[test]
    fn what_a_killed_host_of_the_same_number_has_left_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let left = PromptCache::new(folder.path(), &model(), 1).unwrap();
        std::fs::write(&left.new, "half").unwrap();
        std::mem::forget(left);
        let files = PromptCache::new(folder.path(), &model(), 1).unwrap();
        assert!(!files.new.exists());
    }
}
