//! `cargo xtask dist`: what a user installs, into `dist` of the target folder: a tarball, a package for Debian, a list of
//! all that is inside (SBOM), the sources of the part that is under the GPL, and the SHA-256 of each.
//!
//! All of it is to be reproducible: the same commit gives the same bytes in every folder, where the programs are the same that
//! compile and pack. What is compiled names no folder of the machine ([`crate::flags`]), entries are sorted, owners and modes
//! fixed, and every time is that of the last commit, or what `SOURCE_DATE_EPOCH` says. `cargo xtask reproduce` compares.

mod contents;
mod deb;
mod files;
mod glibc;
mod release;
mod sbom;
mod sources;
mod tools;

use std::env;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use quartet_llm_engine::processors::Processors;

use self::release::Release;
use crate::project::Project;
use crate::{build, command, digest, native};

/// The variable that chooses the processor of the language model's engine.
const PROCESSOR: &str = "QUARTET_PROCESSOR";

/// The folder of the target folder that is built in: what is packed has flags of its own.
const APART: &str = "packed";

/// Builds everything for any processor of this kind, and the engine of the language model once more for those with AVX-512 and for
/// those with AMX, and packs it; where it is `built` already, packs that, with one engine for whichever processor it was built for.
///
/// # Errors
/// When something cannot be built or packed.
pub fn run(project: &Project, built: bool) -> Result<()> {
    if !built && env::var_os(PROCESSOR).is_none() {
        // As the person would say it: cargo and the engine's build script hear it from there.
        let mut again = Command::new(env::current_exe()?);
        return command::run(again.args(env::args_os().skip(1)).env(PROCESSOR, "portable"));
    }
    let folder = project.target.join("dist");
    let mut project = project.clone();
    let mut faster_engines = Vec::new();
    if !built {
        project = project.packed(project.target.join(APART))?;
        build::run(&project)?;
        if env::consts::ARCH == "x86_64" {
            for processors in Processors::ALL {
                faster_engines.push((processors.program(), build::engine_for(&project, processors)?));
            }
        }
    }
    let project = &project;
    let host = native::release_file(project, "quartet");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let engine = native::release_file(project, "quartet-llm");
    let release = Release {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        epoch: epoch(project)?,
        folder,
        engine: engine.is_file().then_some(engine),
        faster_engines,
        host,
        components: project.target.join("components"),
    };
    pack(project, &release)
}

fn pack(project: &Project, release: &Release) -> Result<()> {
    let work = release.folder.join("work");
    let engines = release.engine.iter();
    let engines = engines.chain(release.faster_engines.iter().map(|(_, engine)| engine));
    let symbols = glibc::newest([&release.host].into_iter().chain(engines))?;
    eprintln!("dist: the programs need glibc {symbols} or newer; Debian 12 has 2.36");
    let sbom = sbom::write(project, release)?;
    let sources = sources::write(project, release)?;
    let tools = tools::write(project, release)?;
    let tree = contents::tree(project, release, &work, &sbom)?;
    for file in tree.files() {
        project.flags.check(file)?;
    }
    let name = format!("quartet-{}-{}-linux", release.version, env::consts::ARCH);
    let tarball = release.folder.join(format!("{name}.tar.gz"));
    files::tarball(&contents::portable(&tree), &name, release.epoch, &work, &tarball)?;
    let package = deb::write(project, release, &tree, &symbols, &work)?;
    fs::remove_dir_all(&work).context("removing the folder of unfinished things")?;
    let mut sums = String::new();
    for file in [&tarball, &package, &sbom, &sources, &tools] {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let sum = digest::of_file(file)?;
        let megabytes = fs::metadata(file)?.len() as f64 / 1e6;
        eprintln!("dist: {name}, {megabytes:.1} MB, {sum}");
        sums += &format!("{sum}  {name}\n");
    }
    fs::write(release.folder.join("SHA256SUMS"), sums)?;
    eprintln!("dist: all is in {}", release.folder.display());
    Ok(())
}

/// `SOURCE_DATE_EPOCH`, else the time of the last commit.
fn epoch(project: &Project) -> Result<u64> {
    let text = match env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => command::output(project.command("git").args(["log", "-1", "--format=%ct"]))?,
    };
    let epoch = text.trim().parse();
    epoch.with_context(|| format!("SOURCE_DATE_EPOCH is {text:?}; it takes seconds since 1970"))
}
