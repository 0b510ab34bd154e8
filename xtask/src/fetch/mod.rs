//! Getting files from where they are published: addresses and registries through their ordinary clients, archives, and a
//! place to work in.

pub mod archive;
pub mod debian;
pub mod origin;
pub mod scratch;
