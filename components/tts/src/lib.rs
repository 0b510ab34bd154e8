//! Text to speech in twelve languages and five voices, as a WebAssembly component.
//!
//! [`operations`] answers requests; [`mod@file`], [`wav`], [`cues`] and [`encode`] wrap samples. The work is done by libraries:
//! `quartet_text_normalization` turns text into clauses, `quartet_japanese_g2p` reads kanji, `quartet_arabic_g2p` knows the
//! vowels that Arabic does not write ([`vowels`]), samples are made by
//! `quartet_formant_synthesis`, or by `quartet_neural_speech` where there are graphs, and `quartet_audio_encoding` makes MP3,
//! Opus and FLAC of them. Only this file and [`surroundings`]
//! know that there is a component: everything else is plain Rust, tested natively.

#[cfg(target_arch = "wasm32")]
mod clock;
pub mod cues;
pub mod encode;
pub mod file;
pub mod operations;
pub mod speech;
pub mod surroundings;
pub mod vowels;
pub mod wav;

#[cfg(target_arch = "wasm32")]
mod component {
    use quartet_component_sdk::wasi::bindings;
    use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};

    struct Component;

    impl bindings::Guest for Component {
        fn init() {
            quartet_japanese_g2p::init();
            quartet_formant_synthesis::init();
            quartet_audio_encoding::init(quartet_api::tts::SAMPLE_RATE).expect("it encodes at the rate of speech");
        }
    }

    impl bindings::exports::wasi::http::incoming_handler::Guest for Component {
        fn handle(request: IncomingRequest, response: ResponseOutparam) {
            quartet_component_sdk::wasi::serve(crate::operations::ROUTES, request, response);
        }
    }

    bindings::export!(Component with_types_in quartet_component_sdk::wasi::bindings);
}
