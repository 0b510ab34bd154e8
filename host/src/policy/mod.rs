//! Policies that the settings describe and requests are judged by: trusted proxies, names and origins of browsers, outgoing
//! requests.

pub mod cors;
pub mod outgoing;
pub mod proxies;
pub mod sites;
