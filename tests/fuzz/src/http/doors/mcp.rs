//! Messages of the Model Context Protocol.

#[path = "../../../../../host/src/http/doors/mcp/arguments.rs"]
pub mod arguments;
#[path = "../../../../../host/src/http/doors/mcp/message.rs"]
pub mod message;
#[path = "../../../../../host/src/http/doors/mcp/progress.rs"]
pub mod progress;
#[path = "../../../../../host/src/http/doors/mcp/result.rs"]
pub mod result;
#[path = "../../../../../host/src/http/doors/mcp/revision.rs"]
pub mod revision;
