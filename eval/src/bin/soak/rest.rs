//! What the service still holds when nobody asks any more.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use quartet_eval::process::{self, Look};

use crate::metrics::{InUse, Metrics};

/// Time for everything to end: longer than an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The service at rest, or what keeps it from it.
#[derive(Debug, Default)]
pub struct Rest {
    /// What is in use; none where the service did not say.
    pub in_use: Option<InUse>,
    /// The host.
    pub host: Option<Look>,
    /// Versions of components whose code is mapped.
    pub versions: usize,
    /// Seconds until it was at rest, or [`PATIENCE`].
    pub after: f64,
}

/// Waits until nothing is in use and versions that nobody needs are freed.
pub async fn reached(host: u32, address: SocketAddr) -> Rest {
    let start = Instant::now();
    let mut metrics = Metrics::new(address);
    loop {
        let rest = Rest {
            in_use: metrics.ask().await,
            host: process::look(host),
            versions: process::mapped_versions(host),
            after: start.elapsed().as_secs_f64(),
        };
        if rest.in_use.is_some_and(|now| unused(&now)) || start.elapsed() > PATIENCE {
            return rest;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Returns true where nothing runs or waits and the only connection is the one that asks.
pub fn unused(now: &InUse) -> bool {
    let all = [now.requests, now.streams, now.waiting, now.jobs, now.sandboxes];
    all.iter().all(|count| *count == 0.0) && now.connections <= 1.0
}
