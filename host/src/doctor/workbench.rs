//! Everything that it takes to load a component and to ask it something, without serving.

use std::sync::Arc;

use crate::capabilities::{Capabilities, Capability};
use crate::config::{Config, installed_code};
use crate::door::Open;
use crate::host_functions::inference::Inference;
use crate::host_functions::llm::LanguageModel;
use crate::registry::refusal::{Refusal, Step};
use crate::registry::store::Store;
use crate::registry::{load, probe};
use crate::route::Routes;
use crate::runtime::Runtime;
use crate::runtime::cache::CodeCache;
use crate::runtime::compile::Pace;
use crate::telemetry;
use crate::version::Version;

/// A host without listeners.
pub struct Workbench {
    capabilities: Capabilities,
    /// Sandboxes of components.
    pub runtime: Runtime,
    // Guests run here: those of the probe. Dropped last.
    tasks: tokio::runtime::Runtime,
    cache: CodeCache,
    store: Store,
    limits: crate::config::Limits,
}

impl Workbench {
    /// Builds it as `serve` would.
    ///
    /// # Errors
    /// When a setting cannot be followed, such as an engine that cannot be loaded.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let components = &config.components;
        let capabilities = Capabilities::load(components.capabilities.as_deref(), &components.components)?;
        // Traces need certificates where the collector is https: found out here, too.
        let (observer, _) = telemetry::Observer::new(
            config,
            Routes::new(&capabilities)
                .with_doors(Open::from(&config.ingress))
                .with_page(config.ingress.shows_page())
                .with_wyoming(config.wyoming.is_on())
                .names(),
        )?;
        let language = LanguageModel::new(
            &config.language,
            config.limits.kept_seconds,
            observer.metrics.language.clone(),
        )?;
        let tasks = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let inference = Inference::from_folder(
            &components.models,
            capabilities.graphs(),
            components.inference_threads,
            components.inference_engine,
            components.accelerator,
        )?;
        let runtime = Runtime::new(
            &config.limits,
            tasks.handle().clone(),
            inference,
            language,
            &config.search,
        )?;
        Ok(Self {
            capabilities,
            runtime,
            tasks,
            cache: CodeCache::new(components.cache.clone()).beside(installed_code()),
            store: Store::new(components.components.clone()),
            limits: config.limits.clone(),
        })
    }

    /// The capabilities of the service.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Reads, checks, compiles and links the component of a capability.
    ///
    /// # Errors
    /// When it does not pass one of these steps.
    pub fn load(&self, capability: &Capability) -> Result<Arc<Version>, Refusal> {
        let bytes = std::fs::read(self.store.file(capability))
            .map_err(|error| Step::Read.refuses(format!("it cannot be read: {error}")))?;
        load::load(capability, &bytes, &self.runtime, &self.cache, Pace::Full, |_| ()).map(Arc::new)
    }

    /// Asks a component its built-in requests.
    ///
    /// # Errors
    /// When one is not answered as it must be.
    pub fn probe(&self, version: &Arc<Version>) -> Result<(), Refusal> {
        self.tasks.block_on(probe::run(
            &self.runtime,
            version,
            &self.limits,
            self.limits.probe_seconds,
        ))
    }
}
