//! Comparing two releases, and what is inside of archives that differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{command, digest};

/// A file that is not the same in both folders.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its path, after that of the archive that it is in.
    pub path: String,
    /// The way in which it differs.
    pub kind: Kind,
}

/// The way in which a file differs.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is missing in the second folder.
    OnlyInFirst,
    /// It is missing in the first folder.
    OnlyInSecond,
    /// Modes, or what links lead to.
    Attributes(String, String),
    /// Bytes: how many differ, from which on, and the sizes.
    Bytes {
        /// Bytes that differ, as far as both files go.
        differing: usize,
        /// The first of them.
        first: usize,
        /// Sizes of both.
        sizes: (usize, usize),
    },
    /// The first release says so by a digest; the file is not there.
    Unknown,
    /// An archive whose files are the same.
    Packing,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}: ", self.path)?;
        match &self.kind {
            Kind::OnlyInFirst => write!(formatter, "only in the release"),
            Kind::OnlyInSecond => write!(formatter, "not in the release"),
            Kind::Attributes(one, other) => write!(formatter, "{one} in the release, {other} here"),
            Kind::Bytes {
                differing,
                first,
                sizes: (one, other),
            } => write!(
                formatter,
                "{differing} bytes differ, from byte {first} on; {one} bytes in the release, {other} here"
            ),
            Kind::Unknown => write!(
                formatter,
                "differs; the release's file is not there, which would tell more"
            ),
            Kind::Packing => write!(
                formatter,
                "the same files, packed in another way: by other versions of tar, gzip or dpkg-deb"
            ),
        }
    }
}

/// All differences between two releases, of which the first may lack files: their digests tell whether they differ. Archives
/// are unpacked into `work`, which is removed.
///
/// # Errors
/// When something cannot be read, a file of the first release is not what its digest says, or an archive cannot be unpacked.
pub fn releases(one: &Path, other: &Path, work: &Path) -> Result<Vec<Difference>> {
    let (first, second) = (sums(one)?, sums(other)?);
    let mut found = Vec::new();
    for name in first.keys().chain(second.keys()).collect::<BTreeSet<_>>() {
        let file = one.join(name);
        if let Some(sum) = first.get(name).filter(|_| file.is_file()) {
            ensure!(
                digest::of_file(&file)? == *sum,
                "{} is not what SHA256SUMS says",
                file.display()
            );
        }
        if first.get(name) == second.get(name) {
            continue;
        }
        let kind = match (first.get(name), second.get(name)) {
            (Some(_), None) => Kind::OnlyInFirst,
            (None, _) => Kind::OnlyInSecond,
            (Some(_), Some(_)) if !file.is_file() => Kind::Unknown,
            _ => {
                found.extend(files(&file, &other.join(name), name, work)?);
                continue;
            }
        };
        found.push(Difference {
            path: name.clone(),
            kind,
        });
    }
    let _ = fs::remove_dir_all(work);
    Ok(found)
}

/// The digests that a release states, by the names of its files.
fn sums(folder: &Path) -> Result<BTreeMap<String, String>> {
    let file = folder.join("SHA256SUMS");
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let sums = text.lines().filter_map(|line| line.split_once("  "));
    Ok(sums.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect())
}

/// Differences of two files, which are called `path`.
fn files(one: &Path, other: &Path, path: &str, work: &Path) -> Result<Vec<Difference>> {
    let Some(kind) = bytes(one, other)? else {
        return Ok(Vec::new());
    };
    let kind = match inside(one, other, path, work)? {
        Some(inside) if !inside.is_empty() => return Ok(inside),
        Some(_) => Kind::Packing,
        None => kind,
    };
    Ok(vec![Difference {
        path: path.to_owned(),
        kind,
    }])
}

/// All differences between two folders, sorted.
fn folders(one: &Path, other: &Path, prefix: &str, work: &Path) -> Result<Vec<Difference>> {
    let (first, second) = (listed(one)?, listed(other)?);
    let mut found = Vec::new();
    for name in first.keys().chain(second.keys()).collect::<BTreeSet<_>>() {
        let path = format!("{prefix}{name}");
        let kind = match (first.get(name), second.get(name)) {
            (Some(_), None) => Kind::OnlyInFirst,
            (None, _) => Kind::OnlyInSecond,
            (Some(one), Some(other)) if one != other => Kind::Attributes(one.clone(), other.clone()),
            _ => {
                found.extend(files(&one.join(name), &other.join(name), &path, work)?);
                continue;
            }
        };
        found.push(Difference { path, kind });
    }
    Ok(found)
}

/// Differences of the files in two archives; `None` for files that are none.
fn inside(one: &Path, other: &Path, path: &str, work: &Path) -> Result<Option<Vec<Difference>>> {
    // For those inside of archives.
    let work = work.join("inside");
    let unpacked = (work.join("one"), work.join("other"));
    let _ = fs::remove_dir_all(&work);
    if !(unpack(one, &unpacked.0)? && unpack(other, &unpacked.1)?) {
        return Ok(None);
    }
    let found = folders(&unpacked.0, &unpacked.1, &format!("{path}: "), &work)?;
    fs::remove_dir_all(&work).context("removing what was unpacked")?;
    Ok(Some(found))
}

/// Unpacks an archive; `false` for files that are none.
fn unpack(archive: &Path, folder: &Path) -> Result<bool> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let mut tool;
    if name.ends_with(".deb") {
        tool = Command::new("dpkg-deb");
        tool.arg("--raw-extract").args([archive, folder]);
    } else if name.ends_with(".tar") || name.ends_with(".tar.gz") {
        tool = Command::new("tar");
        tool.args(["--extract", "--preserve-permissions", "--file"]);
        tool.args([archive, Path::new("--directory"), folder]);
    } else {
        return Ok(false);
    }
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    command::output(&mut tool).with_context(|| format!("unpacking {}", archive.display()))?;
    Ok(true)
}

/// All files and folders below a folder, with what is not in their bytes.
fn listed(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut listed = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(above) = waiting.pop() {
        for entry in fs::read_dir(&above).with_context(|| format!("reading {}", above.display()))? {
            let path = entry?.path();
            let about = fs::symlink_metadata(&path)?;
            let attributes = if about.is_symlink() {
                format!("a link to {}", fs::read_link(&path)?.display())
            } else {
                format!("mode {:o}", about.permissions().mode())
            };
            let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
            listed.insert(name, attributes);
            if about.is_dir() {
                waiting.push(path);
            }
        }
    }
    Ok(listed)
}

/// The bytes that differ, if any do. Folders and links have none.
fn bytes(one: &Path, other: &Path) -> Result<Option<Kind>> {
    if !fs::symlink_metadata(one)?.is_file() {
        return Ok(None);
    }
    let read = |path: &Path| fs::read(path).with_context(|| format!("reading {}", path.display()));
    let (one, other) = (read(one)?, read(other)?);
    if one == other {
        return Ok(None);
    }
    let mut differ = one
        .iter()
        .zip(&other)
        .enumerate()
        .filter(|(_, (one, other))| one != other);
    let first = differ.next().map(|(at, _)| at);
    Ok(Some(Kind::Bytes {
        differing: differ.count() + usize::from(first.is_some()),
        first: first.unwrap_or(one.len().min(other.len())),
        sizes: (one.len(), other.len()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs a folder with a file `same` and these, in the order that they are in, and says its digest.
    fn release(folder: &Path, files: &[(&str, &str)]) {
        let (inside, out) = (folder.join("inside"), folder.join("release"));
        fs::create_dir_all(&inside).unwrap();
        fs::create_dir_all(&out).unwrap();
        fs::write(inside.join("same"), "same").unwrap();
        let mut tar = Command::new("tar");
        tar.args(["--create", "--mtime=@0", "--owner=0", "--group=0", "--directory"])
            .arg(&inside)
            .arg("--file")
            .arg(out.join("packed.tar.gz"))
            .args(["--gzip", "same"]);
        for (name, text) in files {
            fs::write(inside.join(name), text).unwrap();
            tar.arg(name);
        }
        command::run(&mut tar).unwrap();
        let sum = digest::of_file(&out.join("packed.tar.gz")).unwrap();
        fs::write(out.join("SHA256SUMS"), format!("{sum}  packed.tar.gz\n")).unwrap();
    }

    /// Differences that are found between two such releases, in words.
    fn between(one: &[(&str, &str)], other: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let folders = ["one", "other"].map(|name| folder.path().join(name));
        release(&folders[0], one);
        release(&folders[1], other);
        let [one, other] = folders.map(|folder| folder.join("release"));
        let found = releases(&one, &other, &folder.path().join("work")).unwrap();
        found.iter().map(Difference::to_string).collect()
    }

    #[test]
    fn the_same_releases_have_no_differences() {
        assert!(between(&[("a", "1")], &[("a", "1")]).is_empty());
    }

    #[test]
    fn files_that_differ_are_found_in_archives() {
        assert_eq!(
            between(&[("a", "1234"), ("b", "")], &[("a", "1x3y5"), ("c", "")]),
            [
                "packed.tar.gz: a: 2 bytes differ, from byte 1 on; 4 bytes in the release, 5 here",
                "packed.tar.gz: b: only in the release",
                "packed.tar.gz: c: not in the release",
            ]
        );
    }

    #[test]
    fn another_order_in_an_archive_is_another_packing() {
        let found = between(&[("a", ""), ("b", "")], &[("b", ""), ("a", "")]);
        assert!(
            found.len() == 1 && found[0].contains("packed in another way"),
            "{found:?}"
        );
    }

    #[test]
    fn modes_are_compared() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for (folder, mode) in [(&one, 0o644), (&other, 0o755)] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("run"), "").unwrap();
            fs::set_permissions(folder.join("run"), fs::Permissions::from_mode(mode)).unwrap();
        }
        let found = folders(&one, &other, "", &folder.path().join("work")).unwrap();
        let kind = Kind::Attributes("mode 100644".to_owned(), "mode 100755".to_owned());
        assert_eq!(
            found,
            [Difference {
                path: "run".to_owned(),
                kind
            }]
        );
    }

    #[test]
    fn digests_are_enough_to_tell_that_something_differs_and_wrong_ones_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        release(&one, &[("a", "1")]);
        release(&other, &[("a", "2")]);
        let (one, other, work) = (one.join("release"), other.join("release"), folder.path().join("work"));
        let packed = one.join("packed.tar.gz");
        fs::write(&packed, "damaged").unwrap();
        assert!(releases(&one, &other, &work).is_err());
        fs::remove_file(&packed).unwrap();
        let found = releases(&one, &other, &work).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].kind, Kind::Unknown);
    }
}
