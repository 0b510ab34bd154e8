//! Working in the cache alone, and the folder that unfinished things are in. Set-ups of several clones may run at the same
//! time, and any of them may be broken off.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::project::Project;

/// Waits until no other set-up gets anything. The cache is this one's as long as the value lives; the system gives it
/// back when the process ends, however it ends.
///
/// # Errors
/// When the cache cannot be made or written to.
pub fn lock_cache(project: &Project) -> Result<File> {
    fs::create_dir_all(&project.cache).with_context(|| format!("making the folder {}", project.cache.display()))?;
    let lock = File::create(project.cache.join("setup.lock")).context("making the lock of the cache")?;
    lock.lock().context("waiting for another set-up")?;
    Ok(lock)
}

/// An empty folder inside the cache, so that what is finished in it is moved into place by a rename. It goes with the
/// value; whoever makes one must be alone in the cache ([`lock_cache`]), because it is always the same folder: that way nothing stays for good
/// when a set-up is broken off.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Makes the folder, without anything that an earlier set-up left in it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(project: &Project) -> Result<Self> {
        let folder = project.cache.join("scratch");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
