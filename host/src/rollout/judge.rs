//! Lets a trial end by itself: when its numbers have spoken, or when its time is over.

use std::sync::Arc;
use std::time::Duration;

use super::trial::Trial;
use super::verdict::Verdict;
use crate::registry::deploy::Deployer;

/// Time between two looks at the clock and at whether a look at the numbers is due.
const TICK: Duration = Duration::from_millis(100);

/// Ends when the trial does.
pub async fn watch(deployer: Arc<Deployer>, trial: Arc<Trial>) {
    let capability = trial.candidate.capability;
    loop {
        tokio::time::sleep(TICK).await;
        let goes_on = deployer
            .registry
            .serving(capability)
            .and_then(|serving| serving.trial.clone())
            .is_some_and(|running| Arc::ptr_eq(&running, &trial));
        if !goes_on {
            return;
        }
        let ended = match trial.judge() {
            Verdict::Open if trial.left() > Duration::ZERO => continue,
            Verdict::Open if trial.plan.shadow => deployer.abort(capability, Some(&trial), "its time is over").await,
            Verdict::Open => {
                let reason = "its time is over, and there were too few requests to tell";
                deployer.abort(capability, Some(&trial), reason).await
            }
            Verdict::Promote(reason) => deployer.promote(capability, Some(&trial), &reason).await,
            Verdict::Reject(reason) => deployer.abort(capability, Some(&trial), &reason).await,
        };
        match ended {
            Ok(_) => return,
            // Somebody else has ended it meanwhile, or it cannot be written; the next round tells.
            Err(unchanged) => tracing::warn!(component = capability.name(), ?unchanged, "a trial cannot be ended"),
        }
    }
}
