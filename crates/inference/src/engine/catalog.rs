//! Catalog of graphs and their sources.

use std::collections::BTreeMap;

#[cfg(not(target_family = "wasm"))]
use crate::graphs::GraphError;

/// Source of a graph's ONNX file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In a file. A component reaches none.
    #[cfg(not(target_family = "wasm"))]
    File(std::path::PathBuf),
    /// In this program.
    Bytes(&'static [u8]),
}

impl Source {
    /// The bytes of a graph's file.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn read(&self, graph: &str) -> Result<std::borrow::Cow<'static, [u8]>, GraphError> {
        match self {
            Self::File(path) => {
                let bytes = std::fs::read(path).map_err(|error| GraphError::Missing {
                    graph: graph.to_owned(),
                    reason: format!("{} cannot be read: {error}", path.display()),
                })?;
                Ok(bytes.into())
            }
            Self::Bytes(bytes) => Ok((*bytes).into()),
        }
    }

    /// Returns true if it can be read.
    pub(super) fn is_there(&self) -> bool {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Self::File(path) => path.is_file(),
            Self::Bytes(_) => true,
        }
    }
}

/// Graphs by name.
#[derive(Debug, Clone, Default)]
pub struct Catalog(BTreeMap<String, Source>);

impl Catalog {
    /// The graphs called `names`, each in the file `<name>.onnx` of `folder`. Files need not be there yet.
    #[cfg(not(target_family = "wasm"))]
    pub fn of_folder<'a>(folder: &std::path::Path, names: impl IntoIterator<Item = &'a str>) -> Self {
        names
            .into_iter()
            .map(|name| (name.to_owned(), Source::File(folder.join(format!("{name}.onnx")))))
            .collect()
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
