//! Changes of versions on all replicas: flags, and how far the replicas have come in words.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use super::{admin, exit};
use crate::config::Invalid;

/// Adds the flags of a change that may be one of all replicas.
pub fn flags(command: Command) -> Command {
    terms(command).arg(
        Arg::new("this-replica")
            .long("this-replica")
            .action(ArgAction::SetTrue)
            .conflicts_with_all(["generation", "wait-seconds", "quorum"])
            .help("Change the host that is asked alone, where replicas share their state"),
    )
}

/// Adds the flags of a change of all replicas.
pub fn terms(command: Command) -> Command {
    command
        .arg(
            Arg::new("generation")
                .long("generation")
                .value_name("NUMBER")
                .help("Refuse unless this is still the generation that the replicas serve; the first is 0"),
        )
        .arg(
            Arg::new("wait-seconds")
                .long("wait-seconds")
                .value_name("SECONDS")
                .help("How long the replicas are waited for [default: 120]"),
        )
        .arg(
            Arg::new("quorum")
                .long("quorum")
                .value_name("NUMBER")
                .help("How many replicas must serve it for the change to count [default: all that are there]"),
        )
        .after_help(
            "Exit code: 0 done, where replicas share their state on every one or as many as --quorum says; 1 refused or failed, or \
             fewer have it; 2 wrong use. The reason is on standard error.",
        )
}

/// Asks for a change, and prints what came of it on each replica.
pub fn change(
    matches: &ArgMatches,
    action: &str,
    body: Bytes,
    tell: impl FnOnce(&Value) -> String,
) -> Result<ExitCode, Invalid> {
    change_by(
        matches,
        action,
        form_urlencoded::Serializer::new(String::new()),
        body,
        |data| {
            let mut said = vec![tell(data)];
            said.extend(lines(&data["fleet"], true));
            said.join("\n")
        },
    )
}

/// The same with more fields in the query, and other words for what came of it.
pub fn change_by(
    matches: &ArgMatches,
    action: &str,
    mut query: form_urlencoded::Serializer<'_, String>,
    body: Bytes,
    tell: impl FnOnce(&Value) -> String,
) -> Result<ExitCode, Invalid> {
    if matches!(matches.try_get_one::<bool>("this-replica"), Ok(Some(true))) {
        query.append_pair("thisReplica", "true");
    }
    for (flag, key) in [
        ("generation", "generation"),
        ("wait-seconds", "waitSeconds"),
        ("quorum", "quorum"),
    ] {
        if let Some(value) = matches.get_one::<String>(flag) {
            query.append_pair(key, value);
        }
    }
    let path = format!("/{}/{action}?{}", admin::text(matches, "capability"), query.finish());
    let mut behind = Vec::new();
    let mut is_complete = true;
    let code = admin::ask(matches, "POST", &path, body, |data| {
        behind = lines(&data["fleet"], false);
        is_complete = data["fleet"].is_null() || data["fleet"]["complete"] == true;
        if !is_complete && behind.is_empty() {
            behind.push("how far the replicas have come is not known: `quartet components` shows it".to_owned());
        }
        tell(data)
    })?;
    for line in behind {
        eprintln!("quartet: {line}");
    }
    Ok(if is_complete { code } else { exit::FAILED })
}

/// A line for each replica that serves what all are to serve, or for each that does not.
fn lines(fleet: &Value, serving: bool) -> Vec<String> {
    let replicas = fleet["replicas"].as_array().into_iter().flatten();
    let shown = replicas.filter(|replica| (replica["state"] == "serving") == serving);
    shown.map(line).collect()
}

fn line(replica: &Value) -> String {
    let name = replica["name"]
        .as_str()
        .filter(|name| !name.is_empty())
        .unwrap_or("a replica");
    let digest = admin::short(&replica["digest"]);
    let state = match replica["state"].as_str() {
        Some("serving") => return format!("{name} serves {digest}"),
        Some("working") => "is still at work on it",
        Some("waiting") => "cannot get it yet",
        Some("refused") => "has refused it",
        _ => "does not serve it",
    };
    match replica["reason"].as_str() {
        Some(reason) => format!("{name} {state} and serves {digest}: {reason}"),
        None => format!("{name} {state} and serves {digest}"),
    }
}

/// The replicas of a capability for a table: how many of them serve its desired version, and its generation; a dash
/// where none is desired.
pub fn summary(fleet: &Value) -> String {
    let replicas = match fleet["replicas"].as_array() {
        Some(replicas) if !fleet["digest"].is_null() => replicas,
        _ => return "-".to_owned(),
    };
    let serving = replicas.iter().filter(|replica| replica["state"] == "serving").count();
    format!("{serving}/{} #{}", replicas.len(), fleet["generation"])
}

/// A line for each replica that does not serve the desired version of a capability.
pub fn behind(component: &Value) -> impl Iterator<Item = String> {
    let name = component["capability"].as_str().unwrap_or_default();
    lines(&component["fleet"], false)
        .into_iter()
        .map(move |line| format!("{name}: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_replica_has_a_line_with_its_reason() {
        let replica = |state: &str, reason: Option<&str>| json!({"name": "a/1", "digest": "0123456789abcdef", "state": state, "reason": reason});
        let fleet = json!({"generation": 4, "digest": "fedcba", "complete": false, "replicas": [
            replica("serving", None),
            replica("refused", Some("probe: it is silent")),
            {"name": "", "digest": null, "state": "silent", "reason": null},
        ]});
        assert_eq!(lines(&fleet, true), ["a/1 serves 0123456789ab"]);
        assert_eq!(
            lines(&fleet, false),
            [
                "a/1 has refused it and serves 0123456789ab: probe: it is silent",
                "a replica does not serve it and serves none"
            ]
        );
        assert_eq!(summary(&fleet), "1/3 #4");
        assert_eq!(summary(&Value::Null), "-");
    }
}
