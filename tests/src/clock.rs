//! A date that is not the machine's, for one process.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library `libfaketime`, where it is installed as Debian does.
pub fn library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut libraries = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    libraries.find(|library| library.exists())
}

/// Has a command read, by that library, how far its date is off from a file, such as `+1h`. What it measures stays right.
pub fn follow(command: &mut Command, library: &Path, file: &Path) {
    command
        .env("LD_PRELOAD", library)
        .env("FAKETIME_TIMESTAMP_FILE", file)
        .env("FAKETIME_NO_CACHE", "1")
        .env("DONT_FAKE_MONOTONIC", "1");
}
