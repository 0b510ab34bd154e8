//! Folders: the repository, cargo's target folder, and the cache that all clones of a user share.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::flags::Flags;

/// The compiler target of the components.
pub const WASM: &str = "wasm32-wasip2";

/// The folders that the tasks work in.
#[derive(Clone)]
pub struct Project {
    /// The repository.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// Files that are fetched or built once for all clones. Nothing in it is precious.
    pub cache: PathBuf,
    /// Flags that everything is compiled with.
    pub flags: Flags,
}

impl Project {
    /// Finds the folders; creates none.
    ///
    /// # Errors
    /// When there is no home folder to hold the cache and no variable names another place.
    pub fn find() -> Result<Self> {
        // Cargo sets the variable when it runs this program; the other value serves a program started by hand.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest)
            .parent()
            .context("the crate is not inside the repository")?
            .to_owned();
        let target = target_folder().unwrap_or_else(|| root.join("target"));
        Ok(Self {
            root,
            target,
            cache: cache_folder()?,
            flags: Flags::default(),
        })
    }

    /// The same project, built in another target folder with flags of its own: nothing names the folder that it is in.
    ///
    /// # Errors
    /// As [`Flags::without_folders`].
    pub fn packed(&self, target: PathBuf) -> Result<Self> {
        Ok(Self {
            flags: Flags::without_folders(&self.root, &target, &self.cache, WASM)?,
            target,
            ..self.clone()
        })
    }

    /// A command that runs in the repository.
    pub fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.root);
        command
    }

    /// Cargo, as the one that started this program, with the same target folder.
    pub fn cargo(&self, subcommand: &str) -> Command {
        let mut command = self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        self.flags.name_in(&mut command);
        command.arg(subcommand).env("CARGO_TARGET_DIR", &self.target);
        command
    }
}

/// The target folder that this program was built into. Cargo marks it with a file, which finds it wherever a user's
/// configuration has put it, and faster than `cargo metadata`.
fn target_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    program
        .ancestors()
        .skip(1)
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .map(Path::to_owned)
}

/// `$QUARTET_CACHE`, else `$XDG_CACHE_HOME/quartet`, else `~/.cache/quartet`.
fn cache_folder() -> Result<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("QUARTET_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("quartet")))
        .or_else(|| env::home_dir().map(|home| home.join(".cache/quartet")))
        .context("no home folder: set QUARTET_CACHE to a folder for what is fetched once")
}
