//! The warm-up: requests that have a language model read the beginnings of its prompts before anybody asks.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::watch;

use super::Registry;
use super::probe::Probe;
use crate::capabilities::probe::Step;
use crate::config::Limits;
use crate::runtime::Runtime;
use crate::runtime::run::Budget;
use crate::version::Version;

/// Times that a request is made until it is answered as expected: a slow machine reads a long beginning in several, because
/// the model goes on where its time was over.
const MAX_ATTEMPTS: u32 = 8;

/// Makes the requests that capabilities name, one after the other, with the limits of every request: whenever a language model was
/// loaded, and for each version that serves or is tried from then on. Clients who ask meanwhile go on from what is read with them.
pub fn run(runtime: Arc<Runtime>, registry: Arc<Registry>, limits: Limits) -> impl Future<Output = ()> {
    // From now on, and not from when it runs: the first model is loaded before that.
    let (loads, changes) = (runtime.language.loads(), registry.changes());
    async move {
        if let Some(loads) = loads {
            after_each((loads, changes), &runtime, &registry, &limits).await;
        }
    }
}

async fn after_each(
    (mut loads, mut changes): (watch::Receiver<u64>, watch::Receiver<()>),
    runtime: &Runtime,
    registry: &Registry,
    limits: &Limits,
) {
    let mut last = 0;
    let mut known = HashSet::new();
    loop {
        let load = *loads.borrow_and_update();
        changes.borrow_and_update();
        if load != last {
            last = load;
            known.clear();
        }
        // At first there may be no model yet, and later none any more.
        if runtime.language.is_loaded() {
            for version in versions(registry) {
                if known.insert(version.digest.clone()) {
                    once(runtime, &version, limits).await;
                }
            }
            runtime.language.warmed_up(load);
        }
        let is_over = tokio::select! {
            changed = loads.changed() => changed.is_err(),
            changed = changes.changed() => changed.is_err(),
        };
        if is_over {
            return;
        }
    }
}

/// The versions that answer somebody, those that are soon done first, and then by name, which has chat before those that need an
/// upload: somebody types a message before they look for a document.
fn versions(registry: &Registry) -> Vec<Arc<Version>> {
    let capabilities = registry.capabilities().iter();
    let serving = capabilities.filter_map(|capability| registry.serving(capability));
    let mut versions: Vec<_> = serving
        .flat_map(|serving| {
            let tried = serving.trial.as_ref().map(|trial| Arc::clone(&trial.candidate));
            [Some(Arc::clone(&serving.current)), tried]
        })
        .flatten()
        .collect();
    versions.sort_by_key(|version| {
        let capability = &version.capability;
        (capability.warm_up.len(), capability.name().to_owned())
    });
    versions
}

async fn once(runtime: &Runtime, version: &Arc<Version>, limits: &Limits) {
    let warm_up = &version.capability.warm_up;
    if warm_up.is_empty() {
        return;
    }
    let probe = Probe {
        runtime,
        version,
        budget: Budget {
            fuel: runtime.fuel(limits.respond_fuel, limits.respond_seconds),
            head: limits.respond_seconds,
            total: limits.respond_seconds,
        },
        for_model: true,
    };
    let (component, version) = (version.capability.name(), version.short_digest());
    match steps(&probe, warm_up).await {
        Ok(()) => tracing::info!(
            component,
            version,
            "the language model has read the beginning of its prompts"
        ),
        Err(reason) => tracing::warn!(
            component,
            version,
            reason,
            "the language model may not have read the beginning of its prompts"
        ),
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
