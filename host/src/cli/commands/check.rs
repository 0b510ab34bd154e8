//! `quartet check`: checks that `serve` would work with the same settings, without serving.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command};
use quartet_api::limits;

use super::{Subcommand, exit, settings};
use crate::config::{Config, Invalid};
use crate::custom_capabilities;
use crate::host_functions::inference::Inference;
use crate::host_functions::llm::LanguageModel;
use crate::registry::refusal::Step;
use crate::registry::store::Store;
use crate::registry::{self, load, probe};
use crate::runtime::Runtime;
use crate::runtime::cache::CodeCache;
use crate::runtime::compile::Pace;
use crate::telemetry;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    settings::flags(
        Command::new("check")
            .about("Check settings and components as `serve` would take them, without serving: exit code 0, 1 or 2"),
    )
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let config = settings::configure(matches)?;
    telemetry::log::start(&config)?;
    match check(&config) {
        Ok(()) => Ok(exit::DONE),
        Err(error) => {
            eprintln!("quartet: {error:#}");
            Ok(exit::FAILED)
        }
    }
}

fn check(config: &Config) -> anyhow::Result<()> {
    if let Some(file) = &config.capabilities {
        custom_capabilities::take(file)?;
    }
    let reach = if config.listen.ip().is_loopback() {
        "this machine only"
    } else {
        "other machines too"
    };
    println!("listen      {} ({reach})", config.listen);
    println!("threads     {} for components", config.workers);
    let page = if config.observe.metrics_page { "/metrics" } else { "off" };
    println!("metrics     {page}");
    match &config.observe.collector {
        Some(collector) => println!("traces      {collector}, {} %", config.observe.trace_percent),
        None => println!("traces      off"),
    }
    println!("cache       {}", config.cache.display());
    println!("components  {}", config.components.display());
    for limit in limits::ALL {
        let value = config.limits.get(limit);
        if value != limit.default {
            println!("limit       {} = {value} (default {})", limit.key, limit.default);
        }
    }
    // Traces need certificates where the collector is https: found out here, too.
    let (observer, _) = telemetry::Observer::new(&config.observe)?;
    let language = LanguageModel::new(&config.language, observer.metrics.language.clone())?;
    println!("language    {}", language.describe());
    // Guests run here: those of the probe.
    let tasks = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let inference = Inference::from_folder(&config.models, registry::graphs(), config.inference_threads);
    for graph in inference.missing() {
        println!("model       {graph} is missing in {}", config.models.display());
    }
    let runtime = Runtime::new(
        &config.limits,
        tasks.handle().clone(),
        inference,
        language,
        config.search.clone(),
    )?;
    let cache = CodeCache::new(config.cache.clone());
    let store = Store::new(config.components.clone());
    let mut missing = Vec::new();
    for capability in custom_capabilities::capabilities() {
        let name = capability.name();
        let read = std::fs::read(store.file(capability));
        let loaded = read
            .map_err(|error| Step::Read.refuses(format!("it cannot be read: {error}")))
            .and_then(|bytes| load::load(capability, &bytes, &runtime, &cache, Pace::Full).map(Arc::new))
            .and_then(|version| {
                tasks.block_on(probe::run(&runtime, &version, &config.limits))?;
                Ok(version)
            });
        match loaded {
            Ok(version) => println!("component   {name} {}", version.short_digest()),
            Err(reason) => {
                tracing::error!(component = name, %reason, "component not loaded");
                println!("component   {name} is not there, or cannot be loaded");
                missing.push(name);
            }
        }
    }
    if !missing.is_empty() {
        anyhow::bail!("not loaded: {}; the log above says why", missing.join(", "));
    }
    println!("in order");
    Ok(())
}
