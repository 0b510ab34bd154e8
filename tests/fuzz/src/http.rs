//! Requests.

pub mod doors;
#[path = "../../../host/src/http/fields.rs"]
pub mod fields;
#[path = "../../../host/src/http/request_id.rs"]
pub mod request_id;
#[path = "../../../host/src/http/waiting.rs"]
pub mod waiting;
