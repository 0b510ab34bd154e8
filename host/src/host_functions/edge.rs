//! `quartet:edge/gate`: components ask whether anything is left to do at the edge. Here nothing is: the host has named
//! the request, bounded its body and counted it before the sandbox began.

use wasmtime::component::{ComponentType, Linker, Lower, Resource};
use wasmtime_wasi_http::p2::types::HostIncomingRequest;

/// The interface as components import it.
pub const INTERFACE: &str = "quartet:edge/gate@0.1.0";

/// A client's quota, as `wit/edge.wit` has it.
#[derive(ComponentType, Lower)]
#[component(record)]
pub struct RateLimitStatus {
    quota: u32,
    remaining: u32,
    reset: u32,
}

/// The reason why a request is not let in.
#[derive(ComponentType, Lower)]
#[component(record)]
pub struct Refusal {
    code: String,
    message: String,
}

/// A request at the gate. This host never makes one; the type is what components import.
#[derive(ComponentType, Lower)]
#[component(record)]
pub struct Entry {
    #[component(name = "request-id")]
    request_id: String,
    #[component(name = "body-bytes")]
    body_bytes: u64,
    standing: Option<RateLimitStatus>,
    refusal: Option<Refusal>,
}

/// Makes the interface known to a linker.
///
/// # Errors
/// When it is known to it already.
pub fn add_to_linker<T: 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    linker
        .instance(INTERFACE)?
        .func_wrap("enter", |_, (_,): (Resource<HostIncomingRequest>,)| {
            Ok((None::<Entry>,))
        })
}
