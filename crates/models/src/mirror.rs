//! A mirror of the operator's own, for networks from which publishers and registries cannot be reached.

use std::fmt;
use std::path::PathBuf;

use crate::manifest::Part;

/// A place in which files lie by their name or by their digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mirror {
    /// A folder, such as the models folder of another machine.
    Folder(PathBuf),
    /// The address that names are added to, ending with a slash. It may be plain HTTP: digests tell what came.
    Address(String),
}

impl Mirror {
    /// Reads a setting: an address with http:// or https://, or the path of a folder.
    #[must_use]
    pub fn read(text: &str) -> Self {
        if text.starts_with("http://") || text.starts_with("https://") {
            let slash = if text.ends_with('/') { "" } else { "/" };
            return Self::Address(format!("{text}{slash}"));
        }
        Self::Folder(PathBuf::from(text))
    }

    /// The names under which a file may lie there, in the order in which they are looked for.
    pub(crate) fn names(file: &Part) -> [&str; 2] {
        [&file.file, &file.sha256]
    }
}

impl fmt::Display for Mirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Address(address) => f.write_str(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_folders_are_told_apart() {
        let address = |text: &str| Mirror::Address(text.to_owned());
        assert_eq!(
            Mirror::read("http://mirror.lan/models"),
            address("http://mirror.lan/models/")
        );
        assert_eq!(Mirror::read("https://mirror.lan/"), address("https://mirror.lan/"));
        assert_eq!(Mirror::read("/srv/models"), Mirror::Folder("/srv/models".into()));
        assert_eq!(Mirror::read("models"), Mirror::Folder("models".into()));
    }
}
