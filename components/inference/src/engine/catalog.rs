//! Which graphs there are and where they come from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where a graph's ONNX file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In a file.
    File(PathBuf),
    /// In this program.
    Bytes(&'static [u8]),
}

/// Graphs by name.
#[derive(Debug, Clone, Default)]
pub struct Catalog(BTreeMap<String, Source>);

impl Catalog {
    /// The graphs called `names`, each in the file `<name>.onnx` of `folder`. Files need not be there yet.
    pub fn of_folder<'a>(folder: &Path, names: impl IntoIterator<Item = &'a str>) -> Self {
        names
            .into_iter()
            .map(|name| (name.to_owned(), Source::File(folder.join(format!("{name}.onnx")))))
            .collect()
    }

    /// The files that are not there, with the names of their graphs.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.0.iter().filter_map(|(name, source)| match source {
            Source::File(path) if !path.is_file() => Some((name.as_str(), path.as_path())),
            _ => None,
        })
    }
}

impl FromIterator<(String, Source)> for Catalog {
    fn from_iter<I: IntoIterator<Item = (String, Source)>>(graphs: I) -> Self {
        Self(graphs.into_iter().collect())
    }
}

impl IntoIterator for Catalog {
    type Item = (String, Source);
    type IntoIter = std::collections::btree_map::IntoIter<String, Source>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
