//! The component that a command is given: a file, or an artifact of a registry.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{Arg, ArgMatches};

use super::{admin, exit, settings};
use crate::config::Invalid;
use crate::oci::{self, Key, Reference, SCHEME};

/// Settings that count where a component is named.
pub const SETTINGS: &[&str] = &["component_key"];

/// The argument that names a component.
pub fn argument() -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .help("The component: a file, or oci://REGISTRY/REPOSITORY:TAG or oci://REGISTRY/REPOSITORY@sha256:DIGEST")
}

/// The component that was named. Where a registry does not give it, the reason is printed, and there is a code to end with.
pub fn read(matches: &ArgMatches) -> Result<Result<Bytes, ExitCode>, Invalid> {
    let named = admin::text(matches, "file");
    match named.starts_with(SCHEME) {
        true => pull(matches, &named.parse().map_err(Invalid)?),
        false => file(named).map(Ok),
    }
}

/// The bytes of a file.
pub fn file(path: &str) -> Result<Bytes, Invalid> {
    std::fs::read(path)
        .map(Bytes::from)
        .map_err(|error| Invalid(format!("{path} cannot be read: {error}")))
}

fn pull(matches: &ArgMatches, reference: &Reference) -> Result<Result<Bytes, ExitCode>, Invalid> {
    let config = settings::configure(matches)?;
    let key = config.components.component_key.as_deref().map(Key::read).transpose();
    let key = key.map_err(|reason| Invalid(format!("`component_key`: {reason}")))?;
    let pulled = wait(oci::pull(reference, config.limits.component_bytes, key.as_ref()));
    Ok(pulled
        .map(|pulled| {
            // By a tag one does not know what came.
            println!("{reference} is {}", pulled.reference);
            pulled.component
        })
        .map_err(failed))
}

/// Waits for a conversation with a registry.
pub fn wait<T>(conversation: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(conversation)
}

/// Prints the reason of a failure, and returns its code.
pub fn failed(reason: String) -> ExitCode {
    eprintln!("quartet: {reason}");
    exit::FAILED
}
