//! Bindings to the world `chat-imports` in `wit/`.
#![allow(missing_docs, reason = "generated from wit/, where the documentation is")]

wit_bindgen::generate!({ path: "../../wit", world: "chat-imports", generate_all });
