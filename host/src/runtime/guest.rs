//! A component that is ready to run.

use std::sync::Arc;

use wasmtime_wasi_http::p2::bindings::ProxyPre;

use super::sandbox::Sandbox;
use crate::capabilities::Capability;

/// Compiled and linked code, with what its sandboxes may have.
pub struct Guest {
    /// The capability that it answers for.
    pub capability: Capability,
    /// Graphs that it may have the host compute. A component with an engine of its own asks for none.
    pub graphs: Arc<[String]>,
    /// The code that instances are made of.
    pub pre: ProxyPre<Sandbox>,
}
