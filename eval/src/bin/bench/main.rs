//! `cargo xtask bench`: what the service costs, beside its peers in the same run. Prints Markdown.
//!
//! Absolute times are of this machine and this minute; the ratios are what counts.

mod load;
mod memory;
mod plain;
mod speech;
mod wasmtime;

use quartet_tests::Service;

fn main() {
    let service = Service::start(&["--requests-per-minute", "1000000000", "--log", "error"]);
    load::print(&service);
    load::print_beside_long(&service);
    memory::print(&service);
    speech::print(&service);
}

/// The value below which this part of the sorted values lies.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let index = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or(f64::NAN)
}
