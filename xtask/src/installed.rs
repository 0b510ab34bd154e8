//! `cargo xtask installed`: installs what `cargo xtask dist` made into bare roots of Debian 12 and into images, upgrades it
//! while it answers, and writes the table of `docs/install.md`. The work is done by `eval/install/install.py`, which says
//! "not run" of what this machine lacks: mmdebstrap, podman, or the right to run containers.

use std::ffi::OsString;

use anyhow::{Result, ensure};

use crate::project::Project;
use crate::{command, setup};

/// Runs the script; `flags` are added to its own.
///
/// # Errors
/// When nothing is packed, the models cannot be had, or a way of installing fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let packed = project.target.join("dist");
    ensure!(
        packed.is_dir(),
        "`cargo xtask dist` makes what is installed; it was not run"
    );
    let prepared = setup::run(project)?;
    command::run(
        project
            .command("python3")
            .arg("eval/install/install.py")
            .arg("--dist")
            .arg(packed)
            .arg("--mirror")
            .arg(prepared.models)
            .arg("--work")
            .arg(project.target.join("installed"))
            .args(["--page", "docs/install.md"])
            .args(flags),
    )
}
