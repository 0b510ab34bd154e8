//! `quartet check`: whether `serve` with the same settings would work, without serving.

use std::process::ExitCode;

use clap::{ArgMatches, Command};
use quartet_api::{Capability, limits};

use super::{Subcommand, exit, settings};
use crate::config::{Config, Invalid};
use crate::engine::Machine;
use crate::engine::cache::CodeCache;
use crate::observe;
use crate::registry::Registry;

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
    observe::log::start(&config)?;
    match check(&config) {
        Ok(()) => Ok(exit::DONE),
        Err(error) => {
            eprintln!("quartet: {error:#}");
            Ok(exit::FAILED)
        }
    }
}

fn check(config: &Config) -> anyhow::Result<()> {
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
    observe::Observer::new(&config.observe)?;
    // The engine wants to know where guests run; none does.
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let machine = Machine::new(&config.limits, runtime.handle().clone())?;
    let registry = Registry::default();
    registry.load_folder(&config.components, &machine, &CodeCache::new(config.cache.clone()));
    for capability in Capability::ALL.iter().copied() {
        match registry.current(capability) {
            Some(version) => println!("component   {} {}", capability.name(), version.short_digest()),
            None => println!("component   {} is not there, or cannot be loaded", capability.name()),
        }
    }
    let missing = registry.missing();
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|capability| capability.name()).collect();
        anyhow::bail!("not loaded: {}; the log above says why", names.join(", "));
    }
    println!("in order");
    Ok(())
}
