//! Events of the Wyoming protocol, and what is read out of them.

#[path = "../../../host/src/wyoming/event.rs"]
pub mod event;
#[path = "../../../host/src/wyoming/text.rs"]
pub mod text;
#[path = "../../../host/src/wyoming/voice.rs"]
pub mod voice;
