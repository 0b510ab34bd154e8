//! Requests for a response.

#[path = "../../../../../host/src/http/doors/responses/request.rs"]
pub mod request;
