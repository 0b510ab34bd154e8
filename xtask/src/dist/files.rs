//! A tree of files to pack, and packing it so that the same tree gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, FileTimes};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};

use crate::command;

/// Content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A copy of another one.
    Of(PathBuf),
    /// This text.
    Text(String),
}

/// Files by their path in the package, each with its mode. Sorted, as they are packed.
#[derive(Debug, Clone, Default)]
pub struct Tree(BTreeMap<String, (u32, Content)>);

impl Tree {
    /// Adds a file that everybody may read.
    pub fn add(&mut self, path: impl Into<String>, content: Content) {
        self.0.insert(path.into(), (0o644, content));
    }

    /// Adds a file that everybody may run.
    pub fn add_program(&mut self, path: impl Into<String>, content: Content) {
        self.0.insert(path.into(), (0o755, content));
    }

    /// The same files elsewhere; those that have no place there are left out.
    pub fn moved(&self, place: impl Fn(&str) -> Option<String>) -> Self {
        let moved = self
            .0
            .iter()
            .filter_map(|(path, file)| Some((place(path)?, file.clone())));
        Self(moved.collect())
    }

    /// Files that others are copies of.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.values().filter_map(|(_, content)| match content {
            Content::Of(file) => Some(file.as_path()),
            Content::Text(_) => None,
        })
    }

    /// Paths, sorted.
    #[cfg(test)]
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Writes all files into an empty folder, with times and modes.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn write(&self, folder: &Path, epoch: u64) -> Result<()> {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(epoch);
        let set = |path: &Path, mode: u32| -> std::io::Result<()> {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
            File::open(path)?.set_times(FileTimes::new().set_modified(time).set_accessed(time))
        };
        let mut folders = BTreeSet::from([folder.to_owned()]);
        fs::create_dir_all(folder)?;
        for (path, (mode, content)) in &self.0 {
            let to = folder.join(path);
            let above = to.parent().context("a file is in a folder")?;
            fs::create_dir_all(above)?;
            let inside = above.ancestors().take_while(|above| above.starts_with(folder));
            folders.extend(inside.map(Path::to_owned));
            match content {
                Content::Of(file) => fs::copy(file, &to).map(drop),
                Content::Text(text) => fs::write(&to, text),
            }
            .with_context(|| format!("writing {path}"))?;
            set(&to, *mode)?;
        }
        // Innermost first: a folder's time changes with what is written in it.
        for folder in folders.iter().rev() {
            set(folder, 0o755)?;
        }
        Ok(())
    }
}

/// Packs a tree as `<name>/…` into a `.tar.gz`, by GNU tar and gzip, which every system with a C compiler has.
///
/// # Errors
/// When a file cannot be read, or one of the programs fails.
pub fn tarball(tree: &Tree, name: &str, epoch: u64, work: &Path, to: &Path) -> Result<()> {
    let folder = work.join("tarball");
    let _ = fs::remove_dir_all(&folder);
    tree.write(&folder.join(name), epoch)?;
    let plain = to.with_extension("");
    command::run(
        Command::new("tar")
            .args([
                "--create",
                "--format=gnu",
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
            ])
            .args([&format!("--mtime=@{epoch}"), "--file"])
            .args([&plain, Path::new("--directory"), &folder])
            .arg(name),
    )?;
    compress(&plain, to)
}

/// Compresses a file with gzip, without name and time, and removes it.
///
/// # Errors
/// When gzip fails.
pub fn compress(plain: &Path, to: &Path) -> Result<()> {
    let status = Command::new("gzip")
        .args(["--no-name", "-9", "--stdout"])
        .arg(plain)
        .stdout(Stdio::from(File::create(to)?))
        .status()
        .context("cannot start gzip")?;
    ensure!(status.success(), "gzip fails for {}", plain.display());
    Ok(fs::remove_file(plain)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest;

    fn tree(there: &Path) -> Tree {
        let mut tree = Tree::default();
        tree.add("share/doc/b", Content::Text("b".to_owned()));
        tree.add_program("bin/run", Content::Of(there.to_owned()));
        tree.add("share/a", Content::Text("a".to_owned()));
        tree
    }

    #[test]
    fn entries_are_sorted_with_fixed_modes_owners_and_times() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        fs::write(&there, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&there, fs::Permissions::from_mode(0o600)).unwrap();
        let packed = folder.path().join("packed.tar.gz");
        let (work, epoch) = (folder.path().join("work"), 1_700_000_000);
        tarball(&tree(&there), "name", epoch, &work, &packed).unwrap();
        let mut tar = Command::new("tar");
        tar.args([
            "--list",
            "--verbose",
            "--numeric-owner",
            "--full-time",
            "--utc",
            "--file",
        ])
        .arg(&packed);
        let listed = command::output(&mut tar).unwrap();
        let fields: Vec<Vec<_>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
        let paths: Vec<_> = fields.iter().map(|fields| (fields[0], fields[5])).collect();
        assert_eq!(
            paths,
            [
                ("drwxr-xr-x", "name/"),
                ("drwxr-xr-x", "name/bin/"),
                ("-rwxr-xr-x", "name/bin/run"),
                ("drwxr-xr-x", "name/share/"),
                ("-rw-r--r--", "name/share/a"),
                ("drwxr-xr-x", "name/share/doc/"),
                ("-rw-r--r--", "name/share/doc/b"),
            ]
        );
        assert!(
            fields
                .iter()
                .all(|fields| fields[1] == "0/0" && fields[3] == "2023-11-14"),
            "{listed}"
        );
    }

    #[test]
    fn the_same_tree_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        fs::write(&there, "x").unwrap();
        let packed = |name: &str| {
            let packed = folder.path().join(name).with_extension("tar.gz");
            tarball(&tree(&there), "name", 1_700_000_000, &folder.path().join(name), &packed).unwrap();
            digest::of_file(&packed).unwrap()
        };
        let first = packed("first");
        // Another time of writing.
        let later = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
        File::options()
            .write(true)
            .open(&there)
            .unwrap()
            .set_times(later)
            .unwrap();
        assert_eq!(first, packed("second"));
    }

    #[test]
    fn files_are_moved_or_left_out() {
        let moved =
            tree(Path::new("/there")).moved(|path| path.strip_prefix("share/").map(|rest| format!("usr/{rest}")));
        assert_eq!(moved.paths().collect::<Vec<_>>(), ["usr/a", "usr/doc/b"]);
    }
}
