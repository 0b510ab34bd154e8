//! `quartet check`: checks that `serve` would work with the same settings, without serving.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use super::{Subcommand, exit, settings};
use crate::config::sources::Values;
use crate::config::{Config, Invalid, Limits, schema};
use crate::doctor::Workbench;
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
    let reach = if config.ingress.is_private() {
        "this machine only"
    } else {
        "other machines too"
    };
    println!("listen      {} ({reach})", config.ingress.listen);
    if let Some(address) = config.wyoming.wyoming_listen {
        println!("wyoming     {address} (no keys)");
    }
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
    let bench = Workbench::new(config)?;
    println!("language    {}", bench.runtime.language.describe());
    println!("inference   {}", bench.runtime.inference.describe());
    for graph in bench.runtime.inference.missing() {
        println!(
            "model       {graph} is missing in {}",
            config.components.models.display()
        );
    }
    let mut missing = Vec::new();
    for capability in bench.capabilities().iter() {
        let name = capability.name();
        let loaded = bench
            .load(capability)
            .and_then(|version| bench.probe(&version).map(|()| version));
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
