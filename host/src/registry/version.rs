//! One loaded version of a capability: an immutable value, and the record of what it has done.

use quartet_api::Capability;
use sha2::{Digest, Sha256};
use wasmtime_wasi_http::p2::bindings::ProxyPre;

use super::grants;
use super::refusal::{Refusal, Step};
use crate::runtime::Runtime;
use crate::runtime::cache::{CodeCache, Origin};
use crate::runtime::compile::Pace;
use crate::runtime::sandbox::Sandbox;

/// Compiled code, linked and ready for instances.
pub struct Version {
    /// What it serves.
    pub capability: Capability,
    /// SHA-256 of the component's bytes in hexadecimal.
    pub digest: String,
    /// The graphs that it may have the host compute. A component with an engine of its own asks for none.
    pub graphs: &'static [&'static str],
    /// Whether it asks the language model.
    pub language: bool,
    /// Where its compiled code came from.
    pub origin: Origin,
    /// What instances are made of.
    pub pre: ProxyPre<Sandbox>,
    /// What it has done.
    pub record: crate::rollout::record::Record,
}

impl Version {
    /// Checks, compiles and links a component.
    pub fn load(
        capability: Capability,
        bytes: &[u8],
        runtime: &Runtime,
        cache: &CodeCache,
        pace: Pace,
    ) -> Result<Self, Refusal> {
        // Before it is compiled, so that what can be refused at once costs nothing.
        let shape = grants::Shape::read(bytes).map_err(|reason| Step::Check.refuses(reason))?;
        grants::check(
            capability,
            shape.imports.iter().map(String::as_str),
            shape.exports.iter().map(String::as_str),
        )
        .map_err(|reason| Step::Check.refuses(reason))?;
        let graphs = match shape.imports.iter().any(|import| grants::is_inference(import)) {
            true => grants::graphs(capability),
            false => &[],
        };
        let digest = digest(bytes);
        let (component, origin) = cache
            .load(&runtime.engine, &digest, bytes, pace)
            .map_err(|error| Step::Compile.refuses(format!("it is no component that can be compiled: {error:#}")))?;
        let pre = runtime
            .linker
            .instantiate_pre(&component)
            .and_then(ProxyPre::new)
            .map_err(|error| Step::Link.refuses(format!("it does not link: {error:#}")))?;
        Ok(Self {
            capability,
            graphs,
            language: shape.imports.iter().any(|import| grants::is_language(import)),
            digest,
            origin,
            pre,
            record: Default::default(),
        })
    }

    /// Enough of the digest for a log line.
    pub fn short_digest(&self) -> &str {
        &self.digest[..12]
    }

    /// The name in responses and logs, such as `tts@0123456789ab`.
    pub fn name(&self) -> String {
        format!("{}@{}", self.capability.name(), self.short_digest())
    }
}

/// The digest that names a component's bytes.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
