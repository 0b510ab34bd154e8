//! The `quartet` program.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// mimalloc's option `purge_delay`, which the crate does not name: milliseconds after which freed memory goes back to
/// the system. By default it is a second, looked at when something is next allocated there, so a host that has just
/// swapped a component would keep the memory of several copies of it for as long as it is idle.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

fn main() -> ExitCode {
    // SAFETY: it writes an integer into the allocator's table of options; no other thread is there yet.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
    // SAFETY: no other thread is there yet.
    unsafe { quartet_host::native_memory::share_arenas() };
    let (name, value) = quartet_inference::engine::onnxruntime::NO_TELEMETRY;
    // SAFETY: no other thread is there yet that could read the environment.
    unsafe { std::env::set_var(name, value) };
    quartet_host::cli::run(std::env::args_os())
}
