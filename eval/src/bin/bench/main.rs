//! `cargo xtask bench`: costs of the service, beside its peers in the same run. Prints Markdown.
//!
//! Absolute times are of this machine and this minute; the ratios are what counts.

mod first_sound;
mod load;
mod memory;
mod plain;
mod quantile;
mod speech;
mod wasmtime;

use quartet_tests::Service;

fn main() {
    // `bench first-sound` measures nothing else.
    let only = std::env::args().nth(1);
    let service = Service::start(&["--requests-per-minute", "1000000000", "--log", "error"]);
    if only.as_deref() == Some("first-sound") {
        first_sound::print(&service);
        return;
    }
    load::print(&service);
    load::print_beside_long(&service);
    memory::print(&service);
    speech::print(&service);
    first_sound::print(&service);
}
