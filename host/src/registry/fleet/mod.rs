//! The versions of all replicas: one is asked to swap, and each comes to serve what is desired then, by the same path as a
//! swap of its own.
//!
//! The store that replicas share has for each capability a desired version, with a generation that grows with each change
//! ([`crate::shared`]). `change` makes changes, `follower` has this replica serve what is desired, `trial` has it take part
//! in what all try and decides for all where it is this replica's turn, and `status` tells how far all have come.

mod change;
mod follower;
mod status;
mod trial;

pub use self::change::{Changed, Terms};
pub use self::follower::Fleet;
pub use self::status::{FleetStatus, ReplicaStatus, State};
