//! `quartet config`: the settings in force and where they come from, or the reference of all settings.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value as Json, json};

use super::{Subcommand, exit, settings, table};
use crate::config::sources::{self, Source, Value, Values};
use crate::config::{Config, Invalid, Kind, schema};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

const FORMAT: &str = "format";
const REFERENCE: &str = "reference";

/// Stands for a value that is not shown.
const HIDDEN: &str = "(hidden)";

fn command() -> Command {
    let format = Arg::new(FORMAT)
        .long(FORMAT)
        .value_parser(["table", "json"])
        .default_value("table")
        .help("How to print them");
    let reference = Arg::new(REFERENCE)
        .long(REFERENCE)
        .action(ArgAction::SetTrue)
        .help("Print a description of all settings as Markdown instead");
    let command = Command::new("config").about("Print the settings that are in force, and where each comes from");
    settings::flags(command.arg(format).arg(reference))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    if matches.get_flag(REFERENCE) {
        return Ok(print(&reference()));
    }
    let values = settings::values(matches)?;
    Config::new(&values)?;
    let schema = schema();
    let json = matches.get_one(FORMAT).is_some_and(|format: &String| format == "json");
    if json {
        let all: Vec<_> = schema
            .get_arguments()
            .map(|argument| described(argument, &values))
            .collect();
        return Ok(print(&format!("{:#}\n", Json::from(all))));
    }
    let header = ["SETTING", "VALUE", "SOURCE"].map(str::to_owned);
    let rows = schema.get_arguments().map(|argument| row(argument, &values));
    let rows: Vec<_> = std::iter::once(header).chain(rows).collect();
    Ok(print(&(table::aligned(&rows) + "\n")))
}

/// Writes to standard output. A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    exit::DONE
}

fn row(argument: &Arg, values: &Values) -> [String; 3] {
    let key = argument.get_id().as_str();
    let (text, source) = match values.get(key) {
        Some(value) => (shown(argument, &value.text), value.source.to_string()),
        None => ("-".to_owned(), Source::Default.to_string()),
    };
    [key.to_owned(), text, source]
}

fn described(argument: &Arg, values: &Values) -> Json {
    let key = argument.get_id().as_str();
    let value = values.get(key);
    let mut setting = json!({
        "setting": key,
        "section": argument.get_help_heading(),
        "value": value.map(|value| typed(argument, value)),
    });
    match value.map_or(&Source::Default, |value| &value.source) {
        Source::Flag => setting["source"] = "flag".into(),
        Source::Environment(variable) => {
            setting["source"] = "environment".into();
            setting["variable"] = variable.as_str().into();
        }
        Source::File { path, line } => {
            setting["source"] = "file".into();
            setting["file"] = path.as_str().into();
            setting["line"] = (*line).into();
        }
        Source::Default => setting["source"] = "default".into(),
    }
    setting
}

fn typed(argument: &Arg, value: &Value) -> Json {
    let text = shown(argument, &value.text);
    match Kind::of(argument) {
        Kind::List => text.split(',').collect(),
        // What is in force was read as a number, or as true or false.
        Kind::Number | Kind::Switch => serde_json::from_str(text.trim()).unwrap_or(Json::String(text)),
        Kind::Text | Kind::Secret => text.into(),
    }
}

/// A value without what is secret in it: keys, and what stands before the host in an address.
fn shown(argument: &Arg, text: &str) -> String {
    if Kind::of(argument) == Kind::Secret {
        return HIDDEN.to_owned();
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let authority = rest.split('/').next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((user, _)) => format!("{scheme}://{HIDDEN}{}", &rest[user.len()..]),
        None => text.to_owned(),
    }
}

/// Describes every setting, section by section, as Markdown.
fn reference() -> String {
    let mut text = "<!-- Made by `quartet config --reference`; not edited by hand. -->\n\n# Settings\n\n\
        Every setting can be given as a flag, as an environment variable, or in a TOML file that `--config` or\n\
        `QUARTET_CONFIG` names. A flag is stronger than the environment, the environment than the file. `quartet config` prints\n\
        the settings that are in force and where each comes from.\n"
        .to_owned();
    let mut section = None;
    for argument in schema().get_arguments() {
        let heading = argument.get_help_heading();
        if heading != section {
            section = heading;
            let columns = "| In the file | Flag | Environment variable | Default | Meaning |\n|---|---|---|---|---|\n";
            let _ = write!(text, "\n## {}\n\n{columns}", heading.unwrap_or_default());
        }
        let _ = writeln!(text, "{}", described_in_markdown(argument));
    }
    text
}

fn described_in_markdown(argument: &Arg) -> String {
    let key = argument.get_id().as_str();
    let flag = argument.get_long().unwrap_or_default();
    let default = match argument.get_default_values() {
        [value] => format!("`{}`", value.display()),
        _ => String::new(),
    };
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let (help, variable) = (help.replace('|', "\\|"), sources::variable(key));
    format!("| `{key}` | `--{flag}` | `{variable}` | {default} | {help} |")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::sources::gather;

    fn values(pairs: &[(&str, &str)]) -> Values {
        let flag = |key: &str| {
            let pair = pairs.iter().find(|(name, _)| *name == key);
            pair.map(|(_, value)| (*value).to_owned())
        };
        gather(&schema(), flag, |name| {
            (name == "QUARTET_WORKERS").then(|| "3".to_owned())
        })
        .unwrap()
    }

    fn found(key: &str, values: &Values) -> (String, Json) {
        let schema = schema();
        let argument = schema
            .get_arguments()
            .find(|argument| *argument.get_id() == key)
            .unwrap();
        (row(argument, values).join(" "), described(argument, values))
    }

    #[test]
    fn settings_are_told_with_their_sources_and_without_secrets() {
        let values = values(&[
            ("language_remote_key", "a-secret"),
            ("otlp_endpoint", "https://me:a-secret@otel.example/in"),
            ("trusted_proxies", "10.0.0.1, 10.0.0.2"),
        ]);
        for (key, shown, json) in [
            ("workers", "workers 3 environment variable QUARTET_WORKERS", json!(3)),
            ("watch", "watch true default", json!(true)),
            ("keys", "keys - default", json!(null)),
            ("log", "log info default", json!("info")),
            (
                "trusted_proxies",
                "trusted_proxies 10.0.0.1,10.0.0.2 flag",
                json!(["10.0.0.1", "10.0.0.2"]),
            ),
            (
                "language_remote_key",
                "language_remote_key (hidden) flag",
                json!("(hidden)"),
            ),
            (
                "otlp_endpoint",
                "otlp_endpoint https://(hidden)@otel.example/in flag",
                json!("https://(hidden)@otel.example/in"),
            ),
        ] {
            let (row, described) = found(key, &values);
            assert_eq!((row.as_str(), &described["value"]), (shown, &json));
        }
        assert_eq!(found("workers", &values).1["variable"], "QUARTET_WORKERS");
    }

    #[test]
    fn the_reference_has_every_setting() {
        let text = reference();
        for argument in schema().get_arguments() {
            let key = argument.get_id().as_str();
            let start = format!(
                "| `{key}` | `--{}` | `{}` |",
                key.replace('_', "-"),
                sources::variable(key)
            );
            assert!(text.contains(&start), "{start}");
        }
        assert!(text.contains("| `100` | Requests that one client may send within any 60 seconds. |"));
    }
}
