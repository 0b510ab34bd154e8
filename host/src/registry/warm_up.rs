//! The warm-up: requests that have a language model read the beginnings of its prompts before anybody asks.

use std::sync::Arc;

use super::Registry;
use super::probe::Probe;
use crate::config::Limits;
use crate::runtime::Runtime;
use crate::runtime::run::Budget;

/// Waits until the language model is loaded, if it is to be loaded at the start, and makes the requests that capabilities
/// name for that, one after the other, with the limits of every request.
pub async fn run(runtime: Arc<Runtime>, registry: Arc<Registry>, limits: Limits) {
    if !runtime.language.loaded().await {
        return;
    }
    for capability in registry.capabilities().iter() {
        let Some(chosen) = registry.choose(capability) else {
            continue;
        };
        let probe = Probe {
            runtime: &runtime,
            version: &chosen.version,
            budget: Budget {
                fuel: runtime.fuel(limits.respond_fuel, limits.respond_seconds),
                head: limits.respond_seconds,
                total: limits.respond_seconds,
            },
        };
        for step in &capability.warm_up {
            match probe.send(step).await {
                Ok(answer) => tracing::info!(
                    component = capability.name(),
                    status = answer.status().as_u16(),
                    "the language model has read the beginning of its prompts"
                ),
                Err(reason) => tracing::warn!(component = capability.name(), reason, "the warm-up failed"),
            }
        }
    }
}
