//! A component that breaks every rule on request, for the isolation suite.
//!
//! The header `x-misbehave` says how; without it, it answers as it should, and speaks well enough to pass the host's
//! probe. Not part of the service.

#![cfg(target_arch = "wasm32")]

mod speech;

use std::hint::black_box;
use std::time::Duration;

use quartet_component_sdk::wasi::bindings::wasi::io::streams::OutputStream;
use quartet_component_sdk::wasi::bindings::{self, exports};
use quartet_component_sdk::wasi::http_types::{
    Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam,
};

struct Misbehaving;

bindings::export!(Misbehaving with_types_in quartet_component_sdk::wasi::bindings);

impl bindings::Guest for Misbehaving {
    fn init() {}
}

impl exports::wasi::http::incoming_handler::Guest for Misbehaving {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        let how = request
            .headers()
            .get("x-misbehave")
            .into_iter()
            .next()
            .unwrap_or_default();
        let target = request.path_with_query().unwrap_or_default();
        if how.is_empty() && speech::ROUTES.iter().any(|route| target == route.operation.path) {
            return quartet_component_sdk::wasi::serve(speech::ROUTES, request, out);
        }
        match how.as_slice() {
            b"loop" => loop {
                black_box(());
            },
            b"allocate" => loop {
                black_box(vec![1_u8; 1 << 20]).leak();
            },
            b"recurse" => {
                recurse(0);
            }
            b"trap" => panic!("a secret that no client may read"),
            b"print" => loop {
                println!("{}", "noise ".repeat(1000));
            },
            b"sleep" => std::thread::sleep(Duration::from_secs(3600)),
            b"handles" => {
                let mut held = Vec::new();
                loop {
                    held.push(Fields::new());
                }
            }
            b"no-answer" => return,
            b"refuse" => {
                let error = quartet_component_sdk::wasi::http_types::ErrorCode::InternalError(None);
                return ResponseOutparam::set(out, Err(error));
            }
            _ => {}
        }
        let (body, stream) = begin(out, how.as_slice());
        match how.as_slice() {
            b"flood" => loop {
                write(&stream, &[b'x'; 4096]);
            },
            b"half" => {
                write(&stream, b"only this");
                panic!("gave up half way");
            }
            b"half-sleep" => {
                write(&stream, b"only this");
                std::thread::sleep(Duration::from_secs(3600));
            }
            b"half-quietly" => {
                write(&stream, b"only this");
                return;
            }
            _ => write(&stream, b"well behaved"),
        }
        drop(stream);
        let _ = OutgoingBody::finish(body, None);
    }
}

/// The C library's `getenv`, by the linker's `--wrap`: nothing is set. A panic asks for it, and the environment is no
/// import that a component may have.
#[unsafe(no_mangle)]
extern "C" fn __wrap_getenv(_: *const std::ffi::c_char) -> *mut std::ffi::c_char {
    std::ptr::null_mut()
}

/// Sends the head of a response; the ways that end half way differ in whether they say how long they would have been.
fn begin(out: ResponseOutparam, how: &[u8]) -> (OutgoingBody, OutputStream) {
    let headers = Fields::new();
    if how == b"half" {
        headers
            .set("content-length", &[b"1000".to_vec()])
            .expect("a valid header");
    }
    let response = OutgoingResponse::new(headers);
    let body = response.body().expect("a new response has a body");
    ResponseOutparam::set(out, Ok(response));
    let stream = body.write().expect("a new body has a stream");
    (body, stream)
}

fn write(stream: &OutputStream, bytes: &[u8]) {
    if stream.blocking_write_and_flush(bytes).is_err() {
        panic!("nobody listens");
    }
}

/// Fills the stack of calls, and not the stack in memory that compilers keep for arrays beside it.
fn recurse(depth: u64) -> u64 {
    if black_box(depth) == u64::MAX {
        return 0;
    }
    recurse(depth + 1).wrapping_mul(3)
}
