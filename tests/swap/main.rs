//! Versions of a component change while the service serves: swapped, refused, rolled back, tried, and under load.

mod admin;
mod artifacts;
mod bad;
mod load;
mod own;
mod restart;
mod trials;
mod ways;
mod world;
