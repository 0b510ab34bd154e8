//! What components may ask of the host beyond answering their own request.

pub mod inference;
pub mod keyvalue;
pub mod outgoing;
pub mod send;
