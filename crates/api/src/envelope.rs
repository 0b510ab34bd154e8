//! The envelope of every successful JSON response.

use serde::{Deserialize, Serialize};

/// `{"success": true, "data": …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Success<T> {
    /// Always true.
    pub success: bool,
    /// The operation's result.
    pub data: T,
}

impl<T> Success<T> {
    /// Wraps a result.
    pub const fn new(data: T) -> Self {
        Self { success: true, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_contracts_shape() {
        assert_eq!(
            serde_json::to_string(&Success::new(7)).unwrap(),
            r#"{"success":true,"data":7}"#
        );
    }
}
