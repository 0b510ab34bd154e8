//! Rust's standard library for `wasm32-wasip2`, built from source that a Linux distribution packages. For machines that
//! reach a Debian mirror but not rustup's server.
//!
//! Debian packages the compiler's whole source, the standard library with it, and wasi-libc, the C library that the
//! target links. The library is built as the Rust project builds the one it publishes: the library workspace's own
//! profile `dist`, the package `sysroot`, and the same renaming of paths. `RUSTC_BOOTSTRAP` lets a stable compiler build
//! it (it uses unstable features); whoever then uses the target needs nothing of the kind.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::rustc::Rustc;
use crate::command;
use crate::progress::{self, Terminal};
use crate::project::WASM;
use quartet_models::debian::{Package, Packages};

/// Files of wasi-libc that the target needs: the library, and the starts of a program and of a component without a main.
pub const C_LIBRARY: [&str; 3] = ["libc.a", "crt1-command.o", "crt1-reactor.o"];

/// The packages that have the library's source. The second follows Firefox's needs and is often newer.
const SOURCES: [&str; 2] = ["rust-src", "rust-web-src"];

/// The first snapshot of wasi-libc that has all of [`C_LIBRARY`] for this target: its date, as its versions have it.
const FIRST_WASI_LIBC: u32 = 20_241_201;

/// Builds the library inside `scratch` and returns a folder to put in place as `rustlib/wasm32-wasip2`.
///
/// # Errors
/// When the packages cannot be had, or none is of exactly this compiler's version, or the build fails.
pub fn build(rustc: &Rustc, scratch: &Path) -> Result<PathBuf> {
    let mut packages = Packages::new(&scratch.join("apt"), &Terminal).with_context(|| {
        format!("the target {WASM} comes from rustup, which this machine does not have or reach, or is built here from Debian's packages")
    })?;
    progress::setup("looking for its source in the distribution's packages");
    let (source, c_library) = find(&mut packages, rustc)?;
    progress::setup(&format!("getting {source} and {c_library}"));
    let (library, c_folder) = unpack(&packages, &source, &c_library, scratch)?;

    progress::setup("building the standard library, once: this takes a minute or two");
    let output = scratch.join("build");
    compile(rustc, &library, &output, scratch)?;
    let staged = scratch.join(WASM);
    let libraries = staged.join("lib");
    fs::create_dir_all(libraries.join("self-contained"))?;
    for entry in fs::read_dir(output.join(WASM).join("dist/deps"))? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("rlib")) {
            fs::copy(&path, libraries.join(path.file_name().context("a library has a name")?))?;
        }
    }
    for name in C_LIBRARY {
        let copied = fs::copy(c_folder.join(name), libraries.join("self-contained").join(name));
        copied.with_context(|| format!("{c_library} has no {name} for {WASM}"))?;
    }
    let origin = format!("rustc {} ({})\n{source}\n{c_library}\n", rustc.release, rustc.commit);
    fs::write(staged.join("BUILT-FROM-SOURCE"), origin)?;
    Ok(staged)
}

/// The library's source of exactly the compiler's version, and a wasi-libc that is new enough, from the first suites
/// that have them.
fn find(packages: &mut Packages<'_>, rustc: &Rustc) -> Result<(Package, Package)> {
    let (mut source, mut c_library) = (None, None);
    while source.is_none() || c_library.is_none() {
        if !packages.open_next_suite()? {
            let lacking = if source.is_none() {
                format!("Rust's source {}", rustc.release)
            } else {
                "a wasi-libc of December 2024 or later".to_owned()
            };
            bail!("none of Debian's suites has {lacking}; `rustup target add {WASM}` is the other way");
        }
        for name in SOURCES {
            if source.is_none() {
                source = packages.find(name, |version| is_release(version, &rustc.release))?;
            }
        }
        if c_library.is_none() {
            c_library = packages.find("wasi-libc", |version| snapshot_date(version) >= Some(FIRST_WASI_LIBC))?;
        }
    }
    source.zip(c_library).context("both were found")
}

/// Returns true if a package's version, as "1.95.0+dfsg1-1", is this release of Rust.
fn is_release(version: &str, release: &str) -> bool {
    version
        .strip_prefix(release)
        .is_some_and(|rest| rest.starts_with(['+', '~', '-']))
}

/// The date in a version made from a snapshot, as "0.0~git20250410.f8d3ab5-1".
fn snapshot_date(version: &str) -> Option<u32> {
    version.split_once("git")?.1.get(..8)?.parse().ok()
}

/// Downloads and unpacks both; returns the library's workspace and the folder of the C library.
fn unpack(
    packages: &Packages<'_>,
    source: &Package,
    c_library: &Package,
    scratch: &Path,
) -> Result<(PathBuf, PathBuf)> {
    let (code, c) = (scratch.join("source"), scratch.join("wasi-libc"));
    fs::create_dir_all(&code)?;
    let archive = packages.download(source)?;
    // The package has the whole compiler: only the library is taken, and without Debian's copies of crates, which
    // serve an offline build of everything. The lock file beside the library names what cargo gets in their place.
    let mut contents = Command::new("dpkg-deb");
    let mut contents = contents
        .arg("--fsys-tarfile")
        .arg(&archive)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut tar = Command::new("tar");
    tar.args([
        "--extract",
        "--strip-components=4",
        "--exclude=*/library/vendor",
        "--wildcards",
        "--directory",
    ]);
    tar.arg(&code)
        .arg("./usr/src/rustc*/library")
        .stdin(contents.stdout.take().context("a pipe was asked for")?);
    let unpacked = command::output(&mut tar);
    // tar stops reading after the last file, so that a status other than success means nothing here.
    contents.wait()?;
    unpacked?;
    let library = code.join("library");
    if !library.join("sysroot/Cargo.toml").is_file() {
        bail!("{source} has no library/sysroot");
    }
    command::output(
        Command::new("dpkg-deb")
            .arg("--extract")
            .arg(packages.download(c_library)?)
            .arg(&c),
    )?;
    Ok((library, c.join("usr/lib").join(WASM)))
}

/// Compiles the library's workspace. Cargo shows how far it is.
fn compile(rustc: &Rustc, library: &Path, output: &Path, scratch: &Path) -> Result<()> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(library)
        .args(["build", "--profile", "dist", "--target", WASM, "--package", "sysroot"]);
    cargo.args(["--features", "panic-unwind,backtrace"]);
    // What a user has set for projects of theirs is not for the standard library.
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "CARGO_INCREMENTAL",
    ] {
        cargo.env_remove(name);
    }
    for name in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"] {
        cargo.env_remove(name);
    }
    let source = scratch.join("source");
    let source = source.to_str().context("the cache's path is not UTF-8")?;
    cargo
        .env("CARGO_TARGET_DIR", output)
        .env("RUSTC_BOOTSTRAP", "1")
        // Gives the crates' symbols the same kind of hash that the published library has.
        .env("__CARGO_DEFAULT_LIB_METADATA", "stablestd")
        .env(
            "RUSTFLAGS",
            format!(
                "-Zforce-unstable-if-unmarked --remap-path-prefix={source}=/rustc/{}",
                rustc.commit
            ),
        );
    command::run(&mut cargo).context("building the standard library")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exactly_this_release() {
        assert!(is_release("1.95.0+dfsg1-1~bpo13+1", "1.95.0"));
        assert!(is_release("1.95.0-1", "1.95.0"));
        assert!(!is_release("1.95.0", "1.95"));
        assert!(!is_release("11.95.0-1", "1.95.0"));
    }

    #[test]
    fn dates_of_snapshots() {
        assert_eq!(snapshot_date("0.0~git20250410.f8d3ab5-1"), Some(20250410));
        assert_eq!(snapshot_date("0.0~git20241201"), Some(20241201));
        assert_eq!(snapshot_date("27-1"), None);
        assert_eq!(snapshot_date("1.0git2025"), None);
    }
}
