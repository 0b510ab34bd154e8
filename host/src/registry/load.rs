//! Loads a version from a component's bytes: checks, compiles and links it.

use std::sync::Arc;

use wasmtime_wasi_http::p2::bindings::ProxyPre;

use super::grants;
use super::refusal::{Refusal, Step};
use crate::capabilities::Capability;
use crate::runtime::Runtime;
use crate::runtime::cache::CodeCache;
use crate::runtime::compile::Pace;
use crate::runtime::guest::Guest;
use crate::version::{self, Version};

/// Checks, compiles and links a component. `reached` hears of each step as it begins.
///
/// # Errors
/// When it does not pass one of these steps.
pub fn load(
    capability: &Capability,
    bytes: &[u8],
    runtime: &Runtime,
    cache: &CodeCache,
    pace: Pace,
    reached: impl Fn(Step),
) -> Result<Version, Refusal> {
    reached(Step::Check);
    // Before it is compiled, so that what can be refused at once costs nothing.
    let shape = grants::Shape::read(bytes).map_err(|reason| Step::Check.refuses(reason))?;
    grants::check(
        capability,
        shape.imports.iter().map(String::as_str),
        shape.exports.iter().map(String::as_str),
    )
    .map_err(|reason| Step::Check.refuses(reason))?;
    let graphs = match shape.imports.iter().any(|import| grants::is_inference(import)) {
        true => Arc::clone(&capability.graphs),
        false => Arc::default(),
    };
    let digest = version::digest(bytes);
    reached(Step::Compile);
    let (component, origin) = cache
        .load(&runtime.engine, &digest, bytes, pace)
        .map_err(|error| Step::Compile.refuses(format!("it is no component that can be compiled: {error:#}")))?;
    reached(Step::Link);
    let pre = runtime
        .linker
        .instantiate_pre(&component)
        .and_then(ProxyPre::new)
        .map_err(|error| Step::Link.refuses(format!("it does not link: {error:#}")))?;
    let guest = Guest {
        capability: capability.clone(),
        graphs,
        pre,
    };
    Ok(Version {
        capability: capability.clone(),
        guest: Arc::new(guest),
        digest,
        language: shape.imports.iter().any(|import| grants::is_language(import)),
        origin,
        record: Default::default(),
    })
}
