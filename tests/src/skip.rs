//! Tests that cannot run on a machine.

use std::io::Write;

/// Says that the test `name` is not run, and why; the test then returns. `cargo xtask test` counts it as skipped.
///
/// Written past the test harness, which keeps what tests print to itself when they pass.
///
/// # Panics
/// When nothing can be written.
pub fn not_run(name: &str, why: &str) {
    let mut output = std::io::stdout().lock();
    output
        .write_all(format!("not run: {name}: {why}\n").as_bytes())
        .and_then(|()| output.flush())
        .expect("the standard output");
}
