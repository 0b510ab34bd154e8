//! The table of the data packages: files that the components are built with and that no crate carries. Each comes
//! complete from one of its sources and is checked against a digest, so that it does not matter which one answers.

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;

use super::fetch;
use crate::project::Project;

/// A package of data.
pub struct Package {
    /// What a person calls it, with its version: its folder in the cache.
    pub name: &'static str,
    /// The variable that tells a component's build script where the file is.
    pub variable: &'static str,
    /// The file that the variable names: one that was taken out of the archive, or the one that was made of it.
    pub file: &'static str,
    /// What becomes of the archive.
    pub treatment: Treatment,
    /// Where to get the archive, in this order.
    pub sources: &'static [Source],
}

/// What becomes of an archive.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "which of the two are needed depends on the table")]
pub enum Treatment {
    /// These files are taken out: paths as the archive has them. The files' names are kept, their folders not.
    Take(&'static [&'static str]),
    /// A program of this repository reads it and makes the file: the crate in this folder, called with the paths of the
    /// archive and of the file to write. When the crate's source changes, the file is made anew.
    Convert(&'static str),
}

/// One place to get a package from.
pub struct Source {
    /// How.
    pub from: From<'static>,
    /// SHA-256 of the archive, in lower-case hexadecimal.
    pub sha256: &'static str,
}

/// The way to a package's archive. All but the first are registries, asked through their ordinary clients.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "which of the ways are taken depends on the table")]
pub enum From<'a> {
    /// The publisher's own address, over HTTPS.
    Address(&'a str),
    /// Debian: `name=version`.
    Debian(&'a str),
    /// npm: `name@version`.
    Npm(&'a str),
    /// PyPI: `name==version`, and the flags with which pip chooses one of its files (`--no-binary`, or which Python and
    /// which platform a wheel is for), so that every machine gets the same.
    Python(&'a str, &'a [&'a str]),
}

impl fmt::Display for From<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => f.write_str(address),
            Self::Debian(package) => write!(f, "Debian's {package}"),
            Self::Npm(package) => write!(f, "npm's {package}"),
            Self::Python(package, _) => write!(f, "PyPI's {package}"),
        }
    }
}

/// All packages.
const PACKAGES: &[Package] = &[Package {
    name: "japanese-pyopenjtalk-plus-0.4.1.post10",
    variable: "QUARTET_JA_DICTIONARY",
    file: "japanese.dic",
    treatment: Treatment::Convert("tools/dictionary"),
    // Every wheel of the version has the same dictionary: which Python and which machine it is for does not matter.
    sources: &[Source {
        from: From::Python(
            "pyopenjtalk-plus==0.4.1.post10",
            &[
                "--only-binary=:all:",
                "--implementation=cp",
                "--python-version=3.11",
                "--platform=manylinux_2_28_x86_64",
            ],
        ),
        sha256: "239c2fe9d6fb97a3c14ccfaabee91f44c7953d36b34249c7e05884eecbebc93d",
    }],
}];

/// Makes sure that every package is in the cache, and returns the variables that name their files.
///
/// # Errors
/// When a package can be had from none of its sources.
pub fn ensure(project: &Project) -> Result<Vec<(&'static str, PathBuf)>> {
    PACKAGES
        .iter()
        .map(|package| Ok((package.variable, fetch::ensure(project, package)?)))
        .collect()
}
