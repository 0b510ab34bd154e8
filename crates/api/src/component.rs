//! Version and counters of the component behind a capability.

use serde::{Deserialize, Serialize};

/// The version of a component that serves: the host adds it to a capability's `info` as the field [`ComponentInfo::FIELD`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComponentInfo {
    /// SHA-256 of the component's file in hexadecimal.
    pub digest: String,
    /// Since when it serves, in UTC after RFC 3339.
    pub since: String,
    /// Requests that it has answered or failed to answer since the host loaded it.
    pub requests: u64,
    /// Requests that failed in the service: a status of 500 or more, or an answer that was cut off.
    pub errors: u64,
}

impl ComponentInfo {
    /// The field of an `info` result that it stands in.
    pub const FIELD: &'static str = "component";
}
