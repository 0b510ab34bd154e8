//! Versions that were late to answer their probe at the start. All components are compiled then, and the language model is
//! read; on a small machine, or one that others use, a version may be late that is as good as any. Once the others serve it
//! is asked again.

use std::sync::Arc;
use std::time::Duration;

use super::deploy::Deployer;
use crate::capabilities::Capability;

/// Times before each further attempt.
const PAUSES: [Duration; 3] = [Duration::ZERO, Duration::from_secs(30), Duration::from_secs(120)];

/// Loads capabilities again, one after the other, until each one's version passes or is refused for another reason. What
/// somebody changes meanwhile stays as it is.
pub async fn ask_again(deployer: Arc<Deployer>, late: Vec<Capability>) {
    for capability in late {
        until_it_serves(&deployer, &capability).await;
    }
}

async fn until_it_serves(deployer: &Arc<Deployer>, capability: &Capability) {
    let serving = || {
        let current = deployer.registry().current(capability);
        current.map(|version| version.digest.clone())
    };
    let mut left = serving();
    for pause in PAUSES {
        tokio::time::sleep(pause).await;
        if serving() != left {
            return;
        }
        tracing::warn!(
            component = capability.name(),
            "a version was late to answer its probe at the start, and is asked again"
        );
        match deployer.load_again(capability).await {
            Ok(()) => return,
            Err(refusal) => {
                tracing::error!(component = capability.name(), reason = %refusal, "component not loaded");
                if !refusal.is_late {
                    return;
                }
                // One that passed before may serve by now.
                left = serving();
            }
        }
    }
}
