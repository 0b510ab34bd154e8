//! The service as other services' APIs: OpenAI's models, chat, responses, embeddings and speech, and the documents of Open
//! WebUI, Tika, docling-serve and Mistral, with their failures and keys, the tools of the Model Context Protocol, and Home
//! Assistant's Wyoming protocol; asked by hand and by these services' own packages.

mod chat;
mod documents;
mod embeddings;
mod frameworks;
mod functions;
mod keys;
mod lists;
mod mcp;
mod packages;
mod responses;
mod speech;
mod wyoming;

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
