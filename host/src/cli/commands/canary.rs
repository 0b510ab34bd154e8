//! `quartet canary`: tries a version beside the one that serves.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use serde_json::Value;

use super::{Subcommand, admin, component, fleet};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

/// Flags of the plan: name, field of the query, value and help.
const PLAN_FLAGS: &[(&str, &str, &str, &str)] = &[
    (
        "percent",
        "percent",
        "PERCENT",
        "Part of the requests [default: 5; of a shadow 100]",
    ),
    (
        "requests",
        "requests",
        "COUNT",
        "Requests that it answers before it is promoted [default: 200]",
    ),
    (
        "seconds",
        "seconds",
        "SECONDS",
        "How long it is tried at most [default: 3600]",
    ),
    (
        "latency-ratio",
        "latencyRatio",
        "RATIO",
        "How many times longer than the current version's its 95th percentiles may be [default: 1.5]",
    ),
];

fn command() -> Command {
    let command = admin::command_with(
        "canary",
        "Try a version of a component beside the one that serves",
        component::SETTINGS,
    )
    .arg(admin::capability())
    .arg(component::argument())
    .arg(switch(
        "shadow",
        "It answers nobody: its answers are compared with those that were sent",
    ))
    .arg(switch(
        "status",
        "Say how the version fares that is being tried, or how the last one ended",
    ))
    .arg(switch("promote", "Have the version serve that is being tried"))
    .arg(switch("abort", "Send the version away that is being tried"))
    .group(
        ArgGroup::new("what")
            .args(["file", "status", "promote", "abort"])
            .required(true),
    );
    let command = fleet::flags(command);
    PLAN_FLAGS.iter().fold(command, |command, (flag, _, value, help)| {
        command.arg(
            Arg::new(*flag)
                .long(*flag)
                .value_name(*value)
                .help(*help)
                .requires("file"),
        )
    })
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let name = admin::text(matches, "capability");
    let asked = |flag: &str| matches.get_flag(flag);
    if asked("status") {
        return admin::ask(matches, "GET", &format!("/{name}"), Bytes::new(), status);
    }
    if asked("promote") {
        return fleet::change(matches, "canary/promote", Bytes::new(), admin::deployed);
    }
    if asked("abort") {
        return fleet::change(matches, "canary/abort", Bytes::new(), admin::deployed);
    }
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("shadow", if asked("shadow") { "true" } else { "false" });
    for (flag, key, ..) in PLAN_FLAGS {
        if let Some(value) = matches.get_one::<String>(flag) {
            query.append_pair(key, value);
        }
    }
    let bytes = match component::read(matches)? {
        Ok(bytes) => bytes,
        Err(code) => return Ok(code),
    };
    fleet::change_by(matches, "canary", query, bytes, |data| {
        let place = match data["fleet"]["replicas"].as_array() {
            Some(replicas) => format!(" on {} replicas", replicas.len()),
            None => String::new(),
        };
        format!(
            "{name}@{} is being tried beside {}{place}; `quartet canary {name} --status` says how it fares",
            admin::short(&data["digest"]),
            admin::short(&data["previous"])
        )
    })
}

fn status(data: &Value) -> String {
    let shown = match (&data["trial"], &data["lastTrial"]) {
        (Value::Null, Value::Null) => return "no version was tried since the host started".to_owned(),
        (Value::Null, ended) => ended,
        (trial, _) => trial,
    };
    serde_json::to_string_pretty(shown).unwrap_or_default()
}
