//! The compiler that cargo uses.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::command;
use crate::project::Project;

/// The compiler in use.
pub struct Rustc {
    /// Its version, as "1.95.0".
    pub release: String,
    /// The commit that it was built from: the standard library is tied to it.
    pub commit: String,
    /// Its folder.
    pub sysroot: PathBuf,
}

impl Rustc {
    /// Asks the compiler that cargo uses here.
    ///
    /// # Errors
    /// When there is none, or it does not say what it is.
    pub fn find(project: &Project) -> Result<Self> {
        let verbose = command::output(project.command("rustc").arg("-vV"))?;
        let field = |name: &str| {
            let value = verbose
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            value
                .map(str::to_owned)
                .with_context(|| format!("rustc does not say its {name}"))
        };
        let sysroot = command::output(project.command("rustc").args(["--print", "sysroot"]))?;
        Ok(Self {
            release: field("release")?,
            commit: field("commit-hash")?,
            sysroot: sysroot.trim_end().into(),
        })
    }

    /// The folder that has a folder for each target.
    pub fn targets(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib")
    }
}
