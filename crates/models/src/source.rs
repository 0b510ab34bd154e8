//! One place to get a published file from.

use std::fmt;

use anyhow::{Result, ensure};
use serde::Deserialize;

use crate::origin::Origin;

/// One place to get published files from: an address, or a package of a registry and the file's path inside of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The publisher's own address, over HTTPS.
    address: Option<String>,
    /// A package of PyPI: `name==version`.
    python: Option<String>,
    /// A package of npm: `name@version`.
    npm: Option<String>,
    /// A package of Debian: `name=version`.
    debian: Option<String>,
    /// The file's path inside the package.
    path: Option<String>,
}

/// The place of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// At an address.
    Address(String),
    /// In a package: which one, and the path inside of it.
    Package(Package, String),
}

/// A package of a registry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Package {
    /// PyPI's, a wheel for any Python and any machine.
    Python(String),
    /// npm's.
    Npm(String),
    /// Debian's.
    Debian(String),
}

impl Source {
    /// Checks that it is one of the kinds, and complete.
    pub(crate) fn check(&self) -> Result<()> {
        let kinds = [&self.address, &self.python, &self.npm, &self.debian];
        ensure!(
            kinds.iter().filter(|kind| kind.is_some()).count() == 1,
            "a source has one of `address`, `python`, `npm` and `debian`"
        );
        match &self.address {
            Some(address) => ensure!(
                address.starts_with("https://"),
                "{address} does not start with https://"
            ),
            None => ensure!(self.path.is_some(), "a package's source has no `path`"),
        }
        Ok(())
    }

    /// The package, where it is one.
    pub(crate) fn package(&self) -> Option<Package> {
        match self.place("") {
            Place::Package(package, _) => Some(package),
            Place::Address(_) => None,
        }
    }

    /// The place of the part called `part` in this source.
    pub(crate) fn place(&self, part: &str) -> Place {
        let filled = |text: &str| text.replace("{part}", part);
        let path = self.path.as_deref().map(filled).unwrap_or_default();
        match (&self.address, &self.python, &self.npm, &self.debian) {
            (_, Some(package), ..) => Place::Package(Package::Python(package.clone()), path),
            (_, _, Some(package), _) => Place::Package(Package::Npm(package.clone()), path),
            (.., Some(package)) => Place::Package(Package::Debian(package.clone()), path),
            (address, ..) => Place::Address(filled(address.as_deref().unwrap_or_default())),
        }
    }
}

impl Package {
    /// The place where it is published.
    pub(crate) fn origin(&self) -> Origin<'_> {
        match self {
            // Whatever Python runs here: the same wheel for all.
            Self::Python(package) => Origin::Python(package, &["--only-binary=:all:", "--python-version=3.13"]),
            Self::Npm(package) => Origin::Npm(package),
            Self::Debian(package) => Origin::Debian(package),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => f.write_str(address),
            Self::Package(package, path) => write!(f, "{path} in {}", package.origin()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_filled_in() {
        let source: Source = toml::from_str("npm = \"a@1\"\npath = \"package/{part}\"").expect("a source");
        assert_eq!(
            source.place("b.bin"),
            Place::Package(Package::Npm("a@1".into()), "package/b.bin".into())
        );
        assert_eq!(source.place("b.bin").to_string(), "package/b.bin in npm's a@1");
        let source: Source = toml::from_str("address = \"https://example.org/{part}\"").expect("a source");
        assert_eq!(
            source.place("b.bin"),
            Place::Address("https://example.org/b.bin".into())
        );
    }
}
