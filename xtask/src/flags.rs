//! Flags of the compilers, for programs in which no folder of the machine is named: two builds in two folders then give the
//! same bytes.
//!
//! Cargo's own option for that, `trim-paths` of a profile, is not stable. Flags are part of what cargo compares before it takes
//! a crate as compiled, and so these are for a target folder that nothing else is built in.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::command;

/// Settings of others: flags that would replace these or be beside them, and another place for what is not finished.
const OTHERS: [&str; 5] = [
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_BUILD_DIR",
    "CPPFLAGS",
    "LDFLAGS",
];

/// Arguments and variables that are added to a call of cargo. None by default.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Lines of cargo's configuration.
    configuration: Vec<String>,
    /// Variables.
    variables: Vec<(&'static str, String)>,
    /// Folders that nothing may name.
    hidden: Vec<String>,
}

impl Flags {
    /// The flags that give these folders of this machine, and those of the compilers, names that every machine has: of the
    /// repository, the target folder, the cache. They are for this machine and for the target `other`.
    ///
    /// # Errors
    /// When rustc does not say where it is, or a folder's name has a character that separates flags.
    pub fn without_folders(root: &Path, target: &Path, cache: &Path, other: &str) -> Result<Self> {
        let of_rustc = |argument: &[&str]| command::output(Command::new("rustc").current_dir(root).args(argument));
        let version = of_rustc(&["-vV"])?;
        let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name));
        let machine = field("host: ").context("rustc does not say its host")?;
        let commit = field("commit-hash: ").context("rustc does not say its commit")?;
        let compiler = PathBuf::from(of_rustc(&["--print", "sysroot"])?.trim_end());
        let cargo = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
            .context("no home folder: set CARGO_HOME")?;
        let folders = [
            // Where the sources of the standard library are installed, rustc names them; elsewhere it says this.
            (compiler.join("lib/rustlib/src/rust"), format!("/rustc/{commit}")),
            (compiler, "/rust".to_owned()),
            (cargo.clone(), "/cargo".to_owned()),
            (cache.to_owned(), "/cache".to_owned()),
            (root.to_owned(), "/quartet".to_owned()),
            (target.to_owned(), "/quartet/target".to_owned()),
        ];
        let mut flags = Self::of([machine, other], &sorted(folders.into()))?;
        let cargo = cargo.to_string_lossy().into_owned();
        flags.variables.extend([
            // C's `__DATE__`, which mimalloc keeps; not that of the commit, after which it would not be compiled again.
            ("SOURCE_DATE_EPOCH", "0".to_owned()),
            // llama.cpp asks git for its own commit, and would get that of a repository that the home folder is in.
            ("GIT_CEILING_DIRECTORIES", cargo),
        ]);
        Ok(flags)
    }

    fn of(targets: [&str; 2], folders: &[(PathBuf, String)]) -> Result<Self> {
        let (mut names, mut hidden) = (Vec::new(), Vec::new());
        for (folder, name) in folders {
            let folder = folder
                .to_str()
                .with_context(|| format!("{} is not UTF-8", folder.display()))?;
            ensure!(
                !folder.contains(|character: char| character.is_whitespace() || character == '='),
                "{folder} has a character in its name that separates flags of compilers: build elsewhere"
            );
            names.push(format!("{folder}={name}"));
            // `/src` is a part of paths of others, and in a container the repository may lie where it is said to lie.
            if folder.matches('/').count() > 1 && !name.starts_with(folder) {
                hidden.push(folder.to_owned());
            }
        }
        let rust: Vec<_> = names
            .iter()
            .map(|name| format!("--remap-path-prefix={name}"))
            .map(toml::Value::String)
            .collect();
        let rust = toml::Value::Array(rust);
        let c: Vec<_> = names.iter().map(|name| format!("-ffile-prefix-map={name}")).collect();
        Ok(Self {
            // Added to those of `.cargo/config.toml`, as variables would not be.
            configuration: targets
                .map(|target| format!("target.{target}.rustflags={rust}"))
                .to_vec(),
            variables: ["CFLAGS", "CXXFLAGS"].map(|name| (name, c.join(" "))).to_vec(),
            hidden,
        })
    }

    /// Makes sure that what was compiled names none of the folders.
    ///
    /// # Errors
    /// When it names one, or cannot be read.
    pub fn check(&self, file: &Path) -> Result<()> {
        let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        if let Some(text) = self.found_in(&bytes) {
            bail!(
                "{} names a folder of this machine, {text:?}: it would be another file in another folder",
                file.display()
            );
        }
        Ok(())
    }

    /// The first path in these bytes that begins with one of the folders.
    fn found_in(&self, bytes: &[u8]) -> Option<String> {
        let slashes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut from = slashes.map(|(at, _)| &bytes[at..]);
        let found = from.find(|from| self.hidden.iter().any(|folder| from.starts_with(folder.as_bytes())))?;
        let printable = found.iter().take(200).take_while(|byte| byte.is_ascii_graphic());
        Some(printable.map(|byte| char::from(*byte)).collect())
    }

    /// Adds them to `cargo`, which has no arguments yet.
    pub fn name_in(&self, cargo: &mut Command) {
        for line in &self.configuration {
            cargo.args(["--config", line]);
        }
        if !self.configuration.is_empty() {
            for other in OTHERS {
                cargo.env_remove(other);
            }
        }
        cargo.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

/// Folders by the length of their names, with those that links stand for: of several that match, compilers take the last.
fn sorted(mut folders: Vec<(PathBuf, String)>) -> Vec<(PathBuf, String)> {
    let meant: Vec<_> = folders
        .iter()
        .filter_map(|(folder, name)| Some((folder.canonicalize().ok()?, name.clone())))
        .collect();
    folders.extend(meant);
    folders.sort_by_key(|(folder, _)| length(folder));
    folders.dedup();
    folders
}

fn length(folder: &Path) -> usize {
    folder.as_os_str().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(folders: &[(&str, &str)]) -> Result<Flags> {
        let folders = folders
            .iter()
            .map(|(folder, name)| (PathBuf::from(folder), (*name).to_owned()));
        Flags::of(["machine", "guest"], &sorted(folders.collect()))
    }

    #[test]
    fn the_innermost_folder_is_named_last() {
        let flags = flags(&[("/a/none/target", "/t"), ("/a/none", "/q")]).unwrap();
        assert_eq!(
            flags.configuration,
            ["machine", "guest"].map(|target| format!(
                "target.{target}.rustflags=[\"--remap-path-prefix=/a/none=/q\", \"--remap-path-prefix=/a/none/target=/t\"]"
            ))
        );
        let c = "-ffile-prefix-map=/a/none=/q -ffile-prefix-map=/a/none/target=/t";
        assert_eq!(flags.variables, ["CFLAGS", "CXXFLAGS"].map(|name| (name, c.to_owned())));
        let mut cargo = Command::new("cargo");
        flags.name_in(&mut cargo);
        assert_eq!(cargo.get_args().filter(|argument| *argument == "--config").count(), 2);
        assert!(
            cargo
                .get_envs()
                .any(|(name, value)| name == "RUSTFLAGS" && value.is_none())
        );
    }

    #[test]
    fn folders_are_found_in_what_was_compiled() {
        let flags = flags(&[("/a/none", "/q"), ("/src", "/q"), ("/quartet/x", "/quartet/x/target")]).unwrap();
        assert_eq!(
            flags.found_in(b"at /q/a/none/host.rs\0").as_deref(),
            Some("/a/none/host.rs")
        );
        for other in ["/q/a/non/host.rs", "/src/host.rs", "/quartet/x/host.rs", ""] {
            assert_eq!(flags.found_in(other.as_bytes()), None, "{other}");
        }
        assert_eq!(Flags::default().found_in(b"/a/none"), None);
    }

    #[test]
    fn a_folder_that_flags_cannot_name_is_refused() {
        assert!(flags(&[("/with a space", "/q")]).is_err());
    }

    #[test]
    fn without_flags_cargo_is_called_as_it_was() {
        let mut cargo = Command::new("cargo");
        Flags::default().name_in(&mut cargo);
        assert_eq!(cargo.get_args().count() + cargo.get_envs().count(), 0);
    }
}
