//! Models in the cache that all clones share.

use std::path::PathBuf;

use super::manifest::Model;
use crate::project::Project;

/// The place of a model.
pub fn model(project: &Project, model: &Model) -> PathBuf {
    file(project, &model.sha256)
}

/// The place of a file of this digest. It appears there by a rename, complete and verified, and is never changed.
pub fn file(project: &Project, sha256: &str) -> PathBuf {
    project.cache.join("models").join(sha256)
}
