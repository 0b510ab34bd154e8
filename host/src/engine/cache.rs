//! Compiled components on disk, so that a start does not compile what was compiled before.
//!
//! A file's name is the digest of the component's bytes and of the engine's settings. Its content ends with a digest of
//! its name and of all before: compiled code is run as it is read, so neither a damaged file nor another component's
//! must get that far. wasmtime's own cache was not
//! taken, because it keeps its entries compressed: they would be unpacked at every start, and could not be mapped.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

const DIGEST_BYTES: usize = 32;

/// The ending of a file that is being written.
const UNFINISHED: &str = "part";

/// A folder of compiled components.
pub struct CodeCache {
    folder: PathBuf,
}

/// Where compiled code came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was there.
    Cached,
    /// It was compiled now.
    Compiled,
}

impl CodeCache {
    /// A cache in this folder, which is made when it is first needed.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Removes what a host that was killed while it wrote left behind.
    pub fn tidy(&self) {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == UNFINISHED) && !writer_lives(&path) {
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
    pub fn load(&self, engine: &Engine, digest: &str, bytes: &[u8]) -> wasmtime::Result<(Component, Origin)> {
        let path = self.folder.join(format!("{digest}-{:016x}.cwasm", settings(engine)));
        if let Some(component) = read(engine, &path) {
            return Ok((component, Origin::Cached));
        }
        let code = engine.precompile_component(bytes)?;
        // A full or read-only disk costs time at the next start, not this start.
        let component = match self.write(&path, &code) {
            Ok(()) => read(engine, &path),
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
        let unfinished = path.with_extension(format!("{}.{UNFINISHED}", std::process::id()));
        let written = std::fs::File::create(&unfinished).and_then(|mut file| {
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

/// Whether the process whose number is in the name of an unfinished file still runs. Where that cannot be seen, as from
/// another container, its file goes; it then keeps its code in memory, as with a full disk.
fn writer_lives(unfinished: &Path) -> bool {
    let stem = unfinished.file_stem().map(Path::new).and_then(Path::extension);
    let number = stem.and_then(|stem| stem.to_str()?.split('-').next());
    number.is_some_and(|number| Path::new("/proc").join(number).exists())
}

fn read(engine: &Engine, path: &Path) -> Option<Component> {
    let file = std::fs::read(path).ok()?;
    let code_length = file.len().checked_sub(DIGEST_BYTES)?;
    let (code, digest) = file.split_at(code_length);
    if seal(path, code) != *digest {
        tracing::warn!(path = %path.display(), "compiled code is damaged and will be made anew");
        return None;
    }
    // SAFETY: the digest shows that this is what a host wrote, in a folder that only this user can write to, and the
    // name that it was made by an engine with the same settings. Mapped from the file, so that instances share it.
    match unsafe { Component::deserialize_file(engine, path) } {
        Ok(component) => Some(component),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "compiled code does not fit and will be made anew");
            None
        }
    }
}
