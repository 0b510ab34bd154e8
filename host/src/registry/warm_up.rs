//! The warm-up: requests that have a language model read the beginnings of its prompts before anybody asks.

use std::sync::Arc;

use super::Registry;
use super::probe::Probe;
use crate::capabilities::probe::Step;
use crate::config::Limits;
use crate::runtime::Runtime;
use crate::runtime::run::Budget;

/// Times that a request is made until it is answered as expected: a slow machine reads a long beginning in several, because
/// the model goes on where its time was over.
const MAX_ATTEMPTS: u32 = 8;

/// Makes the requests that capabilities name whenever a language model was loaded that nobody has asked yet, one after the
/// other, with the limits of every request.
pub async fn run(runtime: Arc<Runtime>, registry: Arc<Registry>, limits: Limits) {
    let Some(mut loads) = runtime.language.loads() else {
        return;
    };
    loop {
        // At first one may have been loaded, or none yet.
        if *loads.borrow_and_update() > 0 {
            once(&runtime, &registry, &limits).await;
        }
        if loads.changed().await.is_err() {
            return;
        }
    }
}

async fn once(runtime: &Runtime, registry: &Registry, limits: &Limits) {
    for capability in registry.capabilities().iter() {
        let Some(chosen) = registry.choose(capability, None) else {
            continue;
        };
        let probe = Probe {
            runtime,
            version: &chosen.version,
            budget: Budget {
                fuel: runtime.fuel(limits.respond_fuel, limits.respond_seconds),
                head: limits.respond_seconds,
                total: limits.respond_seconds,
            },
            for_model: true,
        };
        if capability.warm_up.is_empty() {
            continue;
        }
        match steps(&probe, &capability.warm_up).await {
            Ok(()) => tracing::info!(
                component = capability.name(),
                "the language model has read the beginning of its prompts"
            ),
            Err(reason) => tracing::warn!(
                component = capability.name(),
                reason,
                "the language model may not have read the beginning of its prompts"
            ),
        }
    }
}

async fn steps(probe: &Probe<'_>, steps: &[Step]) -> Result<(), String> {
    for step in steps {
        attempts(probe, step).await?;
    }
    Ok(())
}

async fn attempts(probe: &Probe<'_>, step: &Step) -> Result<(), String> {
    let mut taken = probe.take(step).await;
    for _ in 1..MAX_ATTEMPTS {
        if taken.is_ok() {
            break;
        }
        taken = probe.take(step).await;
    }
    taken
}
