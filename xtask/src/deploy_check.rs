//! `cargo xtask deploy-check`: the files of `deploy/`, judged by the tools of their own fields: hadolint, the schemas of
//! Compose and of Kubernetes, kubectl, HAProxy, systemd's own analysis. What needs no such tool is part of the tests.
//!
//! Spin and SpinKube are not among them: their tools come with no package manager. A test holds `spin.toml` against the
//! operations.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::{command, python};

const FOLDER: &str = "deploy";
const KUBERNETES: &str = "kubernetes";
const UNIT: &str = "quartet.service";

/// The program that the unit starts, where it is installed.
const INSTALLED: &str = "/usr/local/bin/quartet";
/// A program that every system has, in its place: systemd looks whether it is there.
const PRESENT: &str = "/bin/true";

/// The most exposure that systemd may count, in tenths of its scale from 0 to 10. What is left is what the unit needs:
/// the network, and code that is compiled while it runs.
const EXPOSURE: &str = "--threshold=20";

/// Judges every file; all of them, also when one is refused.
///
/// # Errors
/// When a tool cannot be had, or refuses a file; what it says is shown.
pub fn run(project: &Project) -> Result<()> {
    let folder = project.root.join(FOLDER);
    let cache = project.cache.join("deploy-check");
    let python = python::environment(project, &cache, &folder.join("requirements.txt"), "three validators")?;
    let tools = python.parent().context("the environment has no folder of programs")?;
    let mut refused = Vec::new();
    let mut judge = |file: &str, tool: &Path, arguments: &[&str]| {
        eprintln!("deploy-check: {file}");
        if let Err(error) = command::run(project.command(tool).args(arguments).arg(folder.join(file))) {
            eprintln!("error: {error:#}");
            refused.push(file.to_owned());
        }
    };
    for file in ["Containerfile", "Containerfile.package", "Containerfile.models"] {
        judge(file, &tools.join("hadolint"), &["--failure-threshold", "info"]);
    }
    judge(
        "compose.yaml",
        &tools.join("check-jsonschema"),
        &["--builtin-schema", "vendor.compose-spec"],
    );
    judge(
        "fleet/compose.yaml",
        &tools.join("check-jsonschema"),
        &["--builtin-schema", "vendor.compose-spec"],
    );
    if command::exists("haproxy") {
        judge("fleet/haproxy.cfg", Path::new("haproxy"), &["-c", "-f"]);
    } else {
        eprintln!("deploy-check: fleet/haproxy.cfg is not judged, because there is no HAProxy here");
    }
    if command::exists("kubectl") {
        if let Err(error) = kubernetes(
            project,
            &folder.join(KUBERNETES),
            &cache,
            &tools.join("kubernetes-validate"),
        ) {
            eprintln!("error: {error:#}");
            refused.push(KUBERNETES.to_owned());
        }
    } else {
        eprintln!("deploy-check: {KUBERNETES} is not judged, because there is no kubectl here");
    }
    if command::exists("systemd-analyze") {
        if let Err(error) = unit(project, &folder, &cache) {
            eprintln!("error: {error:#}");
            refused.push(UNIT.to_owned());
        }
    } else {
        eprintln!("deploy-check: {UNIT} is not judged, because there is no systemd here");
    }
    if !refused.is_empty() {
        bail!("refused: {}", refused.join(", "));
    }
    eprintln!("deploy-check: all files are in order");
    Ok(())
}

/// Judges what kubectl makes of the overlays: one pod, several, and several with all that their file offers.
fn kubernetes(project: &Project, folder: &Path, cache: &Path, validator: &Path) -> Result<()> {
    let copy = cache.join(KUBERNETES);
    let _ = fs::remove_dir_all(&copy);
    command::run(project.command("cp").arg("-r").arg(folder).arg(&copy))?;
    let fleet = copy.join("fleet/kustomization.yaml");
    let plain = fs::read_to_string(&fleet).with_context(|| format!("reading {}", fleet.display()))?;
    let all = plain.replace("  # - ", "  - ");
    if all == plain {
        bail!("{} offers nothing to choose", fleet.display());
    }
    for (overlay, text) in [("base", &plain), ("fleet", &plain), ("fleet", &all)] {
        fs::write(&fleet, text).with_context(|| format!("writing {}", fleet.display()))?;
        let made = command::output(project.command("kubectl").arg("kustomize").arg(copy.join(overlay)))?;
        let objects = made.matches("\nkind: ").count();
        eprintln!("deploy-check: {KUBERNETES}/{overlay}, {objects} objects");
        let file = cache.join("made.yaml");
        fs::write(&file, made).with_context(|| format!("writing {}", file.display()))?;
        command::run(project.command(validator).arg("--strict").arg(&file))?;
    }
    Ok(())
}

fn unit(project: &Project, folder: &Path, cache: &Path) -> Result<()> {
    eprintln!("deploy-check: {UNIT}");
    let text = fs::read_to_string(folder.join(UNIT)).with_context(|| format!("reading {UNIT}"))?;
    if !text.contains(INSTALLED) {
        bail!("{UNIT} does not start {INSTALLED}");
    }
    let copy = cache.join(UNIT);
    fs::write(&copy, text.replace(INSTALLED, PRESENT)).with_context(|| format!("writing {}", copy.display()))?;
    // The manual is made with a release, so that `man` does not know it here.
    command::run(
        project
            .command("systemd-analyze")
            .args(["verify", "--man=no"])
            .arg(&copy),
    )?;
    let mut security = project.command("systemd-analyze");
    security.args(["security", "--no-pager", "--offline=true", EXPOSURE]);
    // A table of ninety lines, of which only the verdict matters.
    let table = command::output(security.arg(&copy))?;
    eprintln!("{}", table.lines().last().unwrap_or_default().trim());
    Ok(())
}
