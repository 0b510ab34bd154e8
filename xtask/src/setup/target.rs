//! The compiler's target `wasm32-wasip2`: is it there, and where it comes from when it is not. In this order: from
//! rustup, from the copy that an earlier set-up kept, or built from the distribution's packages
//! ([`super::standard_library`]).

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, process};

use anyhow::{Context, Result, bail};

use super::rustc::Rustc;
use super::standard_library;
use crate::project::{Project, WASM};
use crate::scratch::{Scratch, lock_cache};
use crate::{command, progress};

/// rustup loads about 25 MB; where its server is not reached it tries for very long.
const RUSTUP_TIME: Duration = Duration::from_secs(180);

/// When set, rustup is not asked.
const NO_RUSTUP: &str = "QUARTET_NO_RUSTUP";

/// Makes sure that the target can be compiled for.
///
/// # Errors
/// When it is missing and cannot be had, or when what was put in place does not compile a program.
pub fn ensure(project: &Project) -> Result<()> {
    // One question to the compiler, 30 ms: all that this costs when the target is there.
    let libraries = command::output(
        project
            .command("rustc")
            .args(["--print", "target-libdir", "--target", WASM]),
    )?;
    if complete(Path::new(libraries.trim_end())) {
        return Ok(());
    }
    let rustc = Rustc::find(project)?;
    let _lock = lock_cache(project)?;
    let installed = rustc.targets().join(WASM);
    if complete(&installed.join("lib")) {
        return Ok(());
    }
    let start = Instant::now();
    progress::setup(&format!("Rust {} lacks the target {WASM}", rustc.release));
    let scratch = Scratch::new(project)?;
    let how = if from_rustup(&rustc)? && complete(&installed.join("lib")) {
        "by rustup"
    } else {
        let kept = project
            .cache
            .join(WASM)
            .join(format!("{}-{:.9}", rustc.release, rustc.commit));
        let how = if complete(&kept.join("lib")) {
            "from the copy kept in the cache"
        } else {
            let built = standard_library::build(&rustc, &scratch.0)?;
            keep(&built, &kept)?;
            "built from the distribution's source"
        };
        place(&kept, &installed)?;
        if let Err(error) = try_out(project, &scratch.0) {
            // Neither the toolchain nor the cache keeps what does not work.
            let _ = fs::remove_dir_all(&installed);
            let _ = fs::remove_dir_all(&kept);
            return Err(error.context(format!(
                "the target {WASM} is in place ({how}), but a program does not link"
            )));
        }
        how
    };
    progress::setup(&format!(
        "{WASM} is there, {how}, after {} s",
        start.elapsed().as_secs()
    ));
    Ok(())
}

/// Returns true if the folder has a standard library and the C library beneath it. The newest part is looked for last on
/// purpose: an installation that was broken off lacks one of them.
fn complete(libraries: &Path) -> bool {
    let standard = fs::read_dir(libraries).is_ok_and(|files| {
        files.flatten().any(|file| {
            let name = file.file_name();
            name.to_string_lossy().starts_with("libstd-") && Path::new(&name).extension() == Some(OsStr::new("rlib"))
        })
    });
    let has = |name: &str| fs::metadata(libraries.join("self-contained").join(name)).is_ok_and(|file| file.len() > 0);
    standard && standard_library::C_LIBRARY.iter().all(|name| has(name))
}

/// Asks rustup for the target, when the compiler is one of its own. Whether it succeeds is not an error here: there are
/// other ways.
fn from_rustup(rustc: &Rustc) -> Result<bool> {
    if env::var_os(NO_RUSTUP).is_some() || !command::exists("rustup") {
        return Ok(false);
    }
    let home = env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".rustup")));
    let Some(toolchains) = home.and_then(|home| home.join("toolchains").canonicalize().ok()) else {
        return Ok(false);
    };
    let sysroot = rustc.sysroot.canonicalize().context("the compiler's folder")?;
    let (Some(parent), Some(name)) = (sysroot.parent(), sysroot.file_name()) else {
        return Ok(false);
    };
    if parent != toolchains {
        return Ok(false);
    }
    progress::setup(&format!("asking rustup for it (at most {} s)", RUSTUP_TIME.as_secs()));
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", "--toolchain"]).arg(name).arg(WASM);
    let added = command::within(RUSTUP_TIME, &mut rustup).is_ok_and(|status| status.success());
    if !added {
        progress::setup("rustup does not get it");
    }
    Ok(added)
}

/// Moves what was built into the cache.
fn keep(built: &Path, kept: &Path) -> Result<()> {
    let parent = kept.parent().context("the cache is a folder inside another")?;
    fs::create_dir_all(parent)?;
    let _ = fs::remove_dir_all(kept);
    fs::rename(built, kept).with_context(|| format!("keeping the target in {}", kept.display()))
}

/// Copies the target from the cache into the toolchain, where rustup would have put it, and shows it there in one move:
/// another compiler may be running.
fn place(kept: &Path, installed: &Path) -> Result<()> {
    let beside = installed.with_file_name(format!(".{WASM}-{}", process::id()));
    let placed = copy(kept, &beside).and_then(|()| {
        let _ = fs::remove_dir_all(installed);
        fs::rename(&beside, installed)
    });
    if let Err(error) = placed {
        let _ = fs::remove_dir_all(&beside);
        bail!("cannot put the target {WASM} into {}: {error}", installed.display());
    }
    Ok(())
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copied = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &copied)?;
        } else {
            fs::copy(entry.path(), &copied)?;
        }
    }
    Ok(())
}

/// Compiles and links a program, the only proof that compiler and library fit together.
fn try_out(project: &Project, scratch: &Path) -> Result<()> {
    let (source, program) = (scratch.join("program.rs"), scratch.join("program.wasm"));
    fs::write(&source, "fn main() { println!(\"{:?}\", std::env::args().count()); }\n")?;
    let mut rustc = project.command("rustc");
    rustc
        .args(["--edition", "2024", "-O", "--target", WASM, "-o"])
        .arg(&program)
        .arg(&source);
    command::output(&mut rustc).map(drop)
}
