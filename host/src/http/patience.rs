//! Waits for a place to run for longer than a client does: for requests whose answers nobody waits for.

use std::time::{Duration, Instant};

use http::Request;
use quartet_api::Code;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::admission::Permit;
use crate::auth::Caller;
use crate::body::ReadBody;
use crate::capabilities::operation::Operation;
use crate::failure::Failure;
use crate::http::operate::Operator;
use crate::telemetry::guard::AccessGuard;

/// Longest wait for a place to run.
const PATIENCE: Duration = Duration::from_secs(900);

/// Pause before the next try, where nothing better is known.
const PAUSE: Duration = Duration::from_secs(2);

/// The patience of one request.
pub struct Patience {
    closing: watch::Receiver<bool>,
    entered: Box<dyn Fn() + Send + Sync>,
}

impl Patience {
    /// Patience that ends when `closing` is true; `entered` is told when there is a place.
    pub fn new(closing: watch::Receiver<bool>, entered: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            closing,
            entered: Box::new(entered),
        }
    }

    /// Waits for a place to run.
    ///
    /// # Errors
    /// When there is none in all that time, or the service shuts down.
    pub async fn enter(
        &mut self,
        operator: &Operator,
        operation: &Operation,
        request: &Request<ReadBody>,
        caller: &Caller,
        access: &mut AccessGuard,
    ) -> Result<Permit, Failure> {
        let begun = Instant::now();
        loop {
            if *self.closing.borrow() {
                return Err(Failure::new(
                    Code::Unavailable,
                    "the service shut down before the job ran",
                ));
            }
            let failure = match operator.enter(operation, request, caller, access).await {
                Err(failure) if failure.code == Code::Busy && begun.elapsed() < PATIENCE => failure,
                Err(failure) => return Err(failure),
                Ok(permit) => {
                    (self.entered)();
                    return Ok(permit);
                }
            };
            let pause = failure.retry_after.map_or(PAUSE, Duration::from_secs);
            // Whatever changes meanwhile is seen above.
            let _ = timeout(pause, self.closing.changed()).await;
        }
    }
}
