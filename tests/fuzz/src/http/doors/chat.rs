//! Requests for an answer in a conversation.

#[path = "../../../../../host/src/http/doors/chat/content.rs"]
pub mod content;
#[path = "../../../../../host/src/http/doors/chat/request.rs"]
pub mod request;
#[path = "../../../../../host/src/http/doors/chat/stop.rs"]
pub mod stop;
#[path = "../../../../../host/src/http/doors/chat/tools.rs"]
pub mod tools;

pub use self::request::{Asked, asks, check_alone, check_tuning, conversation, flag, model, parallel};
pub use self::stop::Stop;
pub use self::tools::{Form, Offer, offer};
