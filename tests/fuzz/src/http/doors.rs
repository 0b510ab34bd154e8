//! Doors: the parts that read bodies.

pub mod chat;
#[path = "../../../../host/src/http/doors/data_url.rs"]
pub mod data_url;
#[path = "../../../../host/src/http/doors/embeddings/request.rs"]
pub mod embeddings;
#[path = "../../../../host/src/http/doors/events.rs"]
pub mod events;
#[path = "../../../../host/src/http/doors/lists.rs"]
pub mod lists;
pub mod mcp;
#[path = "../../../../host/src/http/doors/object.rs"]
pub mod object;
#[path = "../../../../host/src/http/doors/reply.rs"]
pub mod reply;
pub mod responses;
pub mod speech;
