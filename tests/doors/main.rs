//! The service as OpenAI's API: models, chat, speech, failures and keys, asked by hand and by OpenAI's own packages.

mod chat;
mod keys;
mod lists;
mod packages;
mod speech;

use quartet_tests::Service;

/// A service that a test may ask as often as it likes.
fn start(flags: &[&str]) -> Service {
    let all: Vec<_> = ["--requests-per-minute", "100000"]
        .iter()
        .chain(flags)
        .copied()
        .collect();
    Service::start(&all)
}
