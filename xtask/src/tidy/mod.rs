//! `cargo xtask tidy`: the rules of the tree that no compiler checks.
//!
//! - [`dependencies`]: libraries know nothing of components and hosts.
//! - [`files`]: the look of each file.
//! - [`docs`]: doc comments make sense in a list.
//! - [`licences`]: the licences of the dependencies.
//! - [`modules`]: modules import each other in no circle, and layers only look down.
//! - [`features`]: each dependency is compiled once.
//! - [`profiles`]: the service is compiled at full speed.

mod dependencies;
mod docs;
mod features;
mod files;
mod licences;
mod modules;
mod profiles;

use anyhow::{Result, bail};

use crate::project::Project;

/// Checks everything and lists all that is found.
///
/// # Errors
/// When a rule is broken, or git or cargo cannot be asked.
pub fn run(project: &Project) -> Result<()> {
    let mut found = files::check(project)?;
    found.extend(docs::check(project)?);
    found.extend(licences::check(project)?);
    found.extend(modules::check(project)?);
    found.extend(dependencies::check(project)?);
    found.extend(features::check(project)?);
    found.extend(profiles::check(project)?);
    if !found.is_empty() {
        bail!("the tree is not tidy:\n  {}", found.join("\n  "));
    }
    Ok(())
}
