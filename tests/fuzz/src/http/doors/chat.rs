//! Requests for an answer in a conversation.

#[path = "../../../../../host/src/http/doors/chat/content.rs"]
pub mod content;
#[path = "../../../../../host/src/http/doors/chat/request.rs"]
pub mod request;
#[path = "../../../../../host/src/http/doors/chat/tools.rs"]
pub mod tools;

pub use self::request::{Asked, asks, check_alone, conversation, flag, model, parallel};
pub use self::tools::{Form, Offer, offer};
