//! Requests of clients, counted over all replicas.
//!
//! The window is the replica's own (`admission::rate`): a log up to a thousand requests, beyond that buckets of a tenth of
//! a second. It is kept and asked in one call, by the server's clock.

use std::time::Duration;

use super::call::{Call, CallError};
use super::state::SharedState;
use super::values::encode;
use crate::auth::Client;

/// Standing of a client after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// True if the request is let in.
    pub admitted: bool,
    /// Requests in the window.
    pub requests: usize,
    /// Time until the oldest of them leave it.
    pub wait: Duration,
}

impl SharedState {
    /// Counts a request of a client that may send `quota` of them within a `window`, in buckets of a `width`.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for it.
    pub async fn count(
        &self,
        client: Client,
        quota: usize,
        window: Duration,
        width: Duration,
    ) -> Result<Counted, CallError> {
        let name = self.seal.name("rate", &[&encode(Some(client))]);
        let (admitted, requests, wait): (u8, usize, u64) = self
            .link
            .call(Call::Count, async |mut connection| {
                let mut call = self.scripts.count.prepare_invoke();
                call.key(format!("{}r:{name}", self.prefix))
                    .key(format!("{}s:{name}", self.prefix));
                call.arg(&self.prefix).arg(quota);
                call.arg(window.as_millis() as u64).arg(width.as_millis().max(1) as u64);
                call.invoke_async(&mut connection).await
            })
            .await?;
        Ok(Counted {
            admitted: admitted == 1,
            requests,
            wait: Duration::from_millis(wait),
        })
    }
}
