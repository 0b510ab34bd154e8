//! `quartet components`: lists the versions that serve.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use super::{Subcommand, admin, fleet, table};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    admin::command(
        "components",
        "List which versions of the components a running host serves",
    )
    .arg(json.help("As JSON, with everything that is known"))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let json = matches.get_flag("json");
    admin::ask(matches, "GET", "", Bytes::new(), |data| match json {
        true => serde_json::to_string_pretty(data).unwrap_or_default(),
        false => listed(&data["components"]),
    })
}

fn listed(components: &Value) -> String {
    let mut rows = vec![
        [
            "CAPABILITY",
            "VERSION",
            "SINCE",
            "REQUESTS",
            "ERRORS",
            "PREVIOUS",
            "TRIED",
            "REPLICAS",
        ]
        .map(str::to_owned),
    ];
    for component in components.as_array().into_iter().flatten() {
        let current = &component["current"];
        let text = |value: &Value| match value {
            Value::Null => "-".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        rows.push([
            text(&component["capability"]),
            admin::short(&current["digest"]).to_owned(),
            text(&current["since"]),
            text(&current["requests"]),
            text(&current["errors"]),
            admin::short(&component["previous"][0]).to_owned(),
            admin::short(&component["trial"]["digest"]).to_owned(),
            fleet::summary(&component["fleet"]),
        ]);
    }
    let components = components.as_array().into_iter().flatten();
    let behind = components.flat_map(fleet::behind);
    std::iter::once(table::aligned(&rows))
        .chain(behind)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_are_aligned_and_what_is_not_there_has_a_word() {
        let digest = "0123456789abcdef";
        let current = json!({"digest": digest, "since": "2026-01-02T03:04:05Z", "requests": 7, "errors": 0});
        let component = json!({"capability": "tts", "current": current, "previous": [], "trial": null});
        let table = listed(&json!([component]));
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines[1].find("0123456789ab"), lines[0].find("VERSION"));
        assert_eq!(lines[1].find("7  "), lines[0].find("REQUESTS"));
        assert!(lines[1].ends_with("none   -"), "{table}");
    }
}
