//! Limits as the host configured them.

use quartet_api::limits::Limit;

/// The value of a limit: the environment variable `QUARTET_<KEY>` where the host sets it, else the default.
pub fn configured(limit: &Limit) -> u64 {
    std::env::var(format!("QUARTET_{}", limit.key.to_ascii_uppercase()))
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(limit.default)
}
