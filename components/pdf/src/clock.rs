//! Clock of the C library inside the component: monotonic time, and never the date.
//!
//! Rust's standard library for `wasm32-wasip2` asks the C library for the time. The linker's `--wrap` (see `build.rs`)
//! sends its calls here. A crate that draws pages can write colour profiles, which bear the date of their making: that
//! is never called, but the C library's function would make the component import the date.

use std::ffi::c_int;

use quartet_component_sdk::system::monotonic_time;

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_clock_gettime(_clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    let now = monotonic_time();
    let whole = libc::timespec {
        tv_sec: libc::time_t::try_from(now.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::try_from(now.subsec_nanos()).unwrap_or(0),
    };
    // SAFETY: the standard library passes a place for the time, as the C library's function asks.
    unsafe { time.write(whole) };
    0
}
