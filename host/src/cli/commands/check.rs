//! `quartet check`: checks that `serve` would work with the same settings, without serving.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command};

use super::{Subcommand, exit, settings};
use crate::capabilities::Capabilities;
use crate::config::sources::Values;
use crate::config::{Config, Invalid, Limits, schema};
use crate::host_functions::inference::Inference;
use crate::host_functions::llm::LanguageModel;
use crate::registry::refusal::Step;
use crate::registry::store::Store;
use crate::registry::{load, probe};
use crate::route::Routes;
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
    let values = settings::values(matches)?;
    let config = Config::new(&values)?;
    let _log = telemetry::log::start(&config.telemetry)?;
    match check(&config, &values) {
        Ok(()) => Ok(exit::DONE),
        Err(error) => {
            eprintln!("quartet: {error:#}");
            Ok(exit::FAILED)
        }
    }
}

fn check(config: &Config, values: &Values) -> anyhow::Result<()> {
    let capabilities = Capabilities::load(config.components.capabilities.as_deref(), &config.components.components)?;
    let reach = if config.ingress.is_private() {
        "this machine only"
    } else {
        "other machines too"
    };
    println!("listen      {} ({reach})", config.ingress.listen);
    println!("threads     {} for components", config.components.workers);
    let page = if config.metrics_page() { "/metrics" } else { "off" };
    println!("metrics     {page}");
    match &config.telemetry.otlp_endpoint {
        Some(collector) => println!("traces      {collector}, {} %", config.telemetry.trace_percent),
        None => println!("traces      off"),
    }
    println!("cache       {}", config.components.cache.display());
    println!("components  {}", config.components.components.display());
    for (limit, value, default) in changed_limits(values) {
        println!("limit       {limit} = {value} (default {default})");
    }
    // Traces need certificates where the collector is https: found out here, too.
    let (observer, _) = telemetry::Observer::new(
        config,
        Routes::new(&capabilities)
            .with_doors(config.ingress.openai_api)
            .with_page(config.ingress.shows_page())
            .names(),
    )?;
    let language = LanguageModel::new(
        &config.language,
        config.limits.kept_seconds,
        observer.metrics.language.clone(),
    )?;
    println!("language    {}", language.describe());
    // Guests run here: those of the probe.
    let tasks = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let inference = Inference::from_folder(
        &config.components.models,
        capabilities.graphs(),
        config.components.inference_threads,
        config.components.inference_engine,
    )?;
    println!("inference   {}", inference.engine_name());
    for graph in inference.missing() {
        println!(
            "model       {graph} is missing in {}",
            config.components.models.display()
        );
    }
    let runtime = Runtime::new(
        &config.limits,
        tasks.handle().clone(),
        inference,
        language,
        &config.search,
    )?;
    let cache = CodeCache::new(config.components.cache.clone());
    let store = Store::new(config.components.components.clone());
    let mut missing = Vec::new();
    for capability in capabilities.iter() {
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

/// The limits that are not what they are by default: name, value, default.
fn changed_limits(values: &Values) -> Vec<(String, String, String)> {
    let schema = schema();
    let limits = schema
        .get_arguments()
        .filter(|argument| argument.get_help_heading() == Some(Limits::HEADING));
    let changed = limits.filter_map(|limit| {
        let (key, default) = (
            limit.get_id().as_str(),
            limit.get_default_values().first()?.to_string_lossy(),
        );
        let value = values.get(key)?.text.trim();
        (value != default).then(|| (key.to_owned(), value.to_owned(), default.into_owned()))
    });
    changed.collect()
}
