//! One loaded version of a capability: an immutable value.

use std::path::Path;

use quartet_api::Capability;
use sha2::{Digest, Sha256};
use wasmtime_wasi_http::p2::bindings::ProxyPre;

use super::imports;
use crate::engine::Machine;
use crate::engine::cache::{CodeCache, Origin};
use crate::engine::sandbox::Sandbox;

/// Compiled code, linked and ready for instances.
pub struct Version {
    /// What it serves.
    pub capability: Capability,
    /// SHA-256 of the component's bytes in hexadecimal.
    pub digest: String,
    /// Where its compiled code came from.
    pub origin: Origin,
    /// What instances are made of.
    pub pre: ProxyPre<Sandbox>,
}

impl Version {
    /// Reads, checks, compiles and links a component. The error is a reason for the operator.
    pub fn load(capability: Capability, path: &Path, machine: &Machine, cache: &CodeCache) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("it cannot be read: {error}"))?;
        let digest = hex(&Sha256::digest(&bytes));
        let (component, origin) = cache
            .load(&machine.engine, &digest, &bytes)
            .map_err(|error| format!("it is no component that can be compiled: {error:#}"))?;
        let shape = component.component_type();
        imports::check(
            capability,
            shape.imports(&machine.engine).map(|(name, _)| name),
            shape.exports(&machine.engine).map(|(name, _)| name),
        )?;
        let pre = machine
            .linker
            .instantiate_pre(&component)
            .and_then(ProxyPre::new)
            .map_err(|error| format!("it does not link: {error:#}"))?;
        Ok(Self {
            capability,
            digest,
            origin,
            pre,
        })
    }

    /// Enough of the digest for a log line.
    pub fn short_digest(&self) -> &str {
        &self.digest[..12]
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
