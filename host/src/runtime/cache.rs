//! Cache of compiled components on disk, so that a start does not compile again.
//!
//! A file's name is the digest of the component's bytes and of the engine's settings. Its content ends with a digest of
//! its name and of all before: compiled code is run as it is read, so neither a damaged file nor another component's
//! must get that far. wasmtime's own cache was not
//! taken, because it keeps its entries compressed: they would be unpacked at every start, and could not be mapped.
//!
//! The folder is bounded: whenever something is added, the entries that were not used for longest go.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use super::compile::{Compiler, Pace};
use crate::config::Limits;

const DIGEST_BYTES: usize = 32;

/// Extension of a file that is being written.
const UNFINISHED_EXTENSION: &str = "part";

/// Default number of entries that are kept.
const DEFAULT_KEPT_ENTRIES: usize = 16;

/// Counts the files that this process writes, so that no two have the same name before they are finished.
static FILES_WRITTEN: AtomicU64 = AtomicU64::new(0);

/// A folder of compiled components.
pub struct CodeCache {
    folder: PathBuf,
    kept: usize,
    compiler: Compiler,
    /// Code that was compiled ahead, for any processor.
    installed: Option<PathBuf>,
}

/// The source of compiled code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The cache had it.
    Cached,
    /// The component was compiled now.
    Compiled,
}

impl CodeCache {
    /// A cache in this folder, which is made when it is first needed.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            kept: DEFAULT_KEPT_ENTRIES,
            compiler: Compiler::Here,
            installed: None,
        }
    }

    /// Limits the number of compiled components that are kept.
    #[must_use]
    pub fn keeping(self, kept: usize) -> Self {
        Self { kept, ..self }
    }

    /// Sets the compiler for components that the cache does not have.
    #[must_use]
    pub fn compiled_by(self, compiler: Compiler) -> Self {
        Self { compiler, ..self }
    }

    /// Sets a folder with code that was compiled ahead ([`precompile`]) and that only who installs programs can write to.
    #[must_use]
    pub fn beside(self, installed: Option<PathBuf>) -> Self {
        Self { installed, ..self }
    }

    /// Removes unfinished files of hosts that were killed.
    pub fn tidy(&self) {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path
                .extension()
                .is_some_and(|extension| extension == UNFINISHED_EXTENSION)
                && !writer_lives(&path)
            {
                match std::fs::remove_file(&path) {
                    Ok(()) => tracing::info!(path = %path.display(), "an unfinished file was removed"),
                    Err(error) => {
                        tracing::warn!(path = %path.display(), %error, "an unfinished file cannot be removed");
                    }
                }
            }
        }
    }

    /// The compiled component for these bytes.
    pub fn load(
        &self,
        engine: &Engine,
        digest: &str,
        bytes: &[u8],
        pace: Pace,
    ) -> wasmtime::Result<(Component, Origin)> {
        let path = self.folder.join(format!("{digest}-{:016x}.cwasm", settings(engine)));
        if let Some(component) = read(engine, &path) {
            // What is used stays; on a disk that cannot be written to, nothing goes either.
            let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
            return Ok((component, Origin::Cached));
        }
        let ahead = self
            .installed
            .as_ref()
            .map(|folder| folder.join(installed_name(digest)));
        if let Some(component) = ahead.filter(|path| path.is_file()).and_then(|path| read(engine, &path)) {
            return Ok((component, Origin::Cached));
        }
        let code = self.compiler.compile(engine, bytes, pace)?;
        // A full or read-only disk costs time at the next start, not this start.
        let component = match self.write(&path, &code) {
            Ok(()) => {
                self.prune();
                read(engine, &path)
            }
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "compiled code cannot be kept");
                None
            }
        };
        match component {
            Some(component) => Ok((component, Origin::Compiled)),
            // SAFETY: the bytes were made by this engine just now.
            None => Ok((unsafe { Component::deserialize(engine, &code) }?, Origin::Compiled)),
        }
    }

    fn write(&self, path: &Path, code: &[u8]) -> std::io::Result<()> {
        let mut folder = std::fs::DirBuilder::new();
        folder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&self.folder)?;
        let number = FILES_WRITTEN.fetch_add(1, Ordering::Relaxed);
        let unfinished = path.with_extension(format!("{}-{number}.{UNFINISHED_EXTENSION}", std::process::id()));
        let mut options = File::options();
        options.write(true).create_new(true);
        // Whatever others may do by default: who can write here can have the host run what they like.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(&unfinished).and_then(|mut file| {
            file.write_all(code)?;
            file.write_all(&seal(path, code))?;
            file.sync_all()
        });
        written
            .and_then(|()| std::fs::rename(&unfinished, path))
            .inspect_err(|_| {
                let _ = std::fs::remove_file(&unfinished);
            })
    }

    /// Removes the entries that were not used for longest. Hosts that run from a removed file keep their mapping of it.
    fn prune(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return;
        };
        let mut compiled = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(used) = entry.metadata().and_then(|facts| facts.modified()) else {
                continue;
            };
            if path.extension().is_some_and(|extension| extension == "cwasm") {
                compiled.push((used, path));
            }
        }
        compiled.sort_unstable();
        let surplus = compiled.len().saturating_sub(self.kept);
        for (_, path) in compiled.into_iter().take(surplus) {
            remove(&path);
        }
    }
}

/// Compiles a component ahead, for every processor of this kind with AVX2, into a folder that is installed with the program;
/// `digest` is that of its bytes.
///
/// # Errors
/// When it is no component, or the file cannot be written.
pub fn precompile(limits: &Limits, digest: &str, bytes: &[u8], folder: &Path) -> anyhow::Result<PathBuf> {
    let mut code = super::portable_engine(limits)?.precompile_component(bytes)?;
    let path = folder.join(installed_name(digest));
    let seal = seal(&path, &code);
    code.extend(seal);
    std::fs::write(&path, code)?;
    Ok(path)
}

/// The name of a file of code that was compiled ahead. Whether it fits an engine, wasmtime finds in it.
fn installed_name(digest: &str) -> String {
    format!("{digest}.cwasm")
}

fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        tracing::debug!(path = %path.display(), %error, "compiled code cannot be removed");
    }
}

/// A number for everything about the engine that decides whether compiled code fits it.
fn settings(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

/// The digest at the end of a file.
fn seal(path: &Path, code: &[u8]) -> [u8; DIGEST_BYTES] {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    Sha256::new().chain_update(name).chain_update(code).finalize().into()
}

/// Returns true if the process whose number is in the name of an unfinished file still runs. Where that cannot be seen,
/// as from another container, its file goes; it then keeps its code in memory, as with a full disk.
fn writer_lives(unfinished: &Path) -> bool {
    let stem = unfinished.file_stem().map(Path::new).and_then(Path::extension);
    let number = stem.and_then(|stem| stem.to_str()?.split('-').next());
    number.is_some_and(|number| Path::new("/proc").join(number).exists())
}

/// A path that leads to a file that is open, whatever its own path leads to now: wasmtime maps components by path only.
#[cfg(target_os = "linux")]
fn opened(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;

    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    path.exists().then_some(path)
}

/// None: other systems have no such path.
#[cfg(not(target_os = "linux"))]
fn opened(_: &File) -> Option<PathBuf> {
    None
}

/// Returns true if nobody but this user, or the system's, could have written a file. The folder may be everybody's, as
/// volumes of containers are.
#[cfg(unix)]
fn is_own(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;

    /// Leave to write for the group and for others.
    const WRITTEN_BY_OTHERS: u32 = 0o022;
    file.metadata().is_ok_and(|facts| {
        let owner = facts.uid();
        (owner == rustix::process::geteuid().as_raw() || owner == 0) && facts.mode() & WRITTEN_BY_OTHERS == 0
    })
}

/// Returns true: other systems' rights are not looked at.
#[cfg(not(unix))]
fn is_own(_: &File) -> bool {
    true
}

fn read(engine: &Engine, path: &Path) -> Option<Component> {
    // Opened once: what is checked is what is mapped, whatever is put in its place meanwhile.
    let mut file = File::open(path).ok()?;
    if !is_own(&file) {
        tracing::warn!(path = %path.display(), "others could have written this compiled code; it will be made anew");
        let _ = std::fs::remove_file(path);
        return None;
    }
    let mut content = Vec::new();
    file.read_to_end(&mut content).ok()?;
    let code_length = content.len().checked_sub(DIGEST_BYTES)?;
    let (code, digest) = content.split_at(code_length);
    if seal(path, code) != *digest {
        tracing::warn!(path = %path.display(), "compiled code is damaged and will be made anew");
        return None;
    }
    // SAFETY: the digest shows that this is what a host wrote, in a file that only this user, or who installs programs, can
    // write to; wasmtime checks that it was made by an engine with settings that fit. Mapped from the file, so that instances
    // share it.
    match unsafe { Component::deserialize_file(engine, opened(&file).as_deref().unwrap_or(path)) } {
        Ok(component) => Some(component),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "compiled code does not fit and will be made anew");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_was_compiled_ahead_is_taken_whole_or_not_at_all() {
        let (own, installed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let limits = crate::config::tests::config(&[]).unwrap().limits;
        let engine = crate::runtime::engine(&limits).unwrap();
        let bytes = b"\0asm\x0d\0\x01\0";
        let path = precompile(&limits, "a", bytes, installed.path()).unwrap();
        let cache = CodeCache::new(own.path().join("code")).beside(Some(installed.path().to_owned()));
        let origin = |digest: &str| cache.load(&engine, digest, bytes, Pace::Full).unwrap().1;
        if cfg!(target_arch = "aarch64") || has_avx2() {
            assert_eq!(origin("a"), Origin::Cached);
        }
        assert_eq!(origin("b"), Origin::Compiled, "another component's code");
        let mut damaged = std::fs::read(&path).unwrap();
        damaged[100] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(origin("a"), Origin::Compiled);
    }

    fn has_avx2() -> bool {
        #[cfg(target_arch = "x86_64")]
        return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    #[test]
    fn the_folder_is_bounded_and_what_was_used_last_stays() {
        let folder = std::env::temp_dir().join(format!("quartet-cache-{}", std::process::id()));
        let cache = CodeCache::new(folder.clone()).keeping(2);
        let engine = Engine::default();
        let bytes = b"\0asm\x0d\0\x01\0";
        let origin = |digest: &str| {
            // The clock of file systems has steps of some milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(20));
            cache.load(&engine, digest, bytes, Pace::Full).unwrap().1
        };
        assert_eq!(origin("a"), Origin::Compiled);
        assert_eq!(origin("b"), Origin::Compiled);
        assert_eq!(origin("a"), Origin::Cached);
        assert_eq!(origin("c"), Origin::Compiled);
        assert_eq!(origin("a"), Origin::Cached);
        assert_eq!(
            origin("b"),
            Origin::Compiled,
            "the one that was not used for longest went"
        );
        // What others may write to is not run, however right its digest is: they can make one, too.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;

            let written = || std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            for path in written() {
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666)).unwrap();
            }
            assert_eq!(origin("b"), Origin::Compiled);
            assert_eq!(origin("b"), Origin::Cached);
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
