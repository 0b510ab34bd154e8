//! `cargo xtask setup`: everything a clean clone needs that cargo does not get by itself. Nothing happens when all is
//! there, which every other command relies on: they set up first.

pub mod llama;
mod obtain;
mod packages;
mod rustc;
mod standard_library;
mod target;
mod traffic;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::{models, progress};

/// The variable that names the folder of the models.
const MODELS: &str = "QUARTET_MODELS";

/// The variable that names the folders of files for traffic, as in `PATH`.
pub const TRAFFIC_FILES: &str = traffic::VARIABLE;

/// The variables for the build scripts of the components.
pub struct Prepared {
    /// Environment variables that name the data packages' files, the page's libraries and the models' folder.
    variables: Vec<(&'static str, PathBuf)>,
    /// The folder of the models.
    pub models: PathBuf,
}

impl Prepared {
    /// Sets the variables for `command`.
    pub fn name_in(&self, command: &mut Command) {
        command.envs(self.variables.iter().map(|(name, path)| (name, path)));
    }
}

/// Gets what is missing, but for language models: nothing that is built needs them.
///
/// # Errors
/// When the compiler's target or a data package can be had from none of its sources; the message says what was tried.
pub fn run(project: &Project) -> Result<Prepared> {
    target::ensure(project)?;
    let mut variables = Vec::new();
    for package in packages::PACKAGES {
        variables.push((package.variable, obtain::ensure(project, package)?));
    }
    // The service answers without its page, which says so.
    let page: Result<Vec<_>> = packages::PAGE
        .iter()
        .map(|package| Ok((package.variable, obtain::ensure(project, package)?)))
        .collect();
    match page {
        Ok(libraries) => variables.extend(libraries),
        Err(error) => progress::setup(&format!("the host is built without its page: {error:#}")),
    }
    let models = models::ensure(project)?;
    variables.push((MODELS, models.clone()));
    Ok(Prepared { variables, models })
}

/// Gets Valkey's server, which only tests need, and returns the program.
///
/// # Errors
/// When it cannot be had.
pub fn valkey(project: &Project) -> Result<PathBuf> {
    let program = obtain::ensure(project, &packages::VALKEY)?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("making {} a program", program.display()))?;
    Ok(program)
}

/// Gets files that other people made, which only measurements of load need, and returns their folders. What cannot be had is left
/// out, and said.
pub fn traffic_files(project: &Project) -> Vec<PathBuf> {
    let mut folders = vec![project.root.join(traffic::OWN)];
    for package in traffic::PACKAGES {
        match obtain::ensure(project, package) {
            Ok(file) => folders.extend(file.parent().map(PathBuf::from)),
            Err(error) => progress::setup(&format!("the files of {} are left out: {error:#}", package.name)),
        }
    }
    folders
}
