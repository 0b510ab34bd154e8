//! `cargo xtask bench`: costs of the service, beside its peers in the same run. Prints Markdown.
//!
//! Absolute times are of this machine and this minute; the ratios are what counts.

mod load;
mod memory;
mod plain;
mod quantile;
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
