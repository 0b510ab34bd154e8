//! Shared parts of the subcommands that ask a running host.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{Arg, ArgMatches, Command};
use quartet_api::Capability;
use serde_json::Value;

use super::settings;
use crate::admin::client;
use crate::capabilities::name;
use crate::config::Invalid;

/// A subcommand that finds the admin interface by the settings.
pub fn command(name: &'static str, about: &'static str) -> Command {
    command_with(name, about, &[])
}

/// The same with flags for other settings that count for it.
pub fn command_with(name: &'static str, about: &'static str, more: &[&str]) -> Command {
    let keys = [&["cache", "admin_listen", "admin_token_file"][..], more].concat();
    settings::some_flags(Command::new(name).about(about), &keys)
        .after_help("Exit code: 0 done, 1 refused or failed, 2 wrong use. The reason is on standard error.")
}

/// The argument that names a capability.
pub fn capability() -> Arg {
    Arg::new("capability")
        .required(true)
        .value_name("CAPABILITY")
        // What there is beside those of the contract, the running host knows.
        .value_parser(|name: &str| match name::is_name(name) {
            true => Ok(name.to_owned()),
            false => {
                let names: Vec<_> = Capability::ALL.iter().map(|capability| capability.name()).collect();
                Err(format!("there is {}, and what was added", names.join(", ")))
            }
        })
        .help("The capability: tts, image, pdf, chat or one that was added")
}

/// The value of an argument; empty where it was not given.
pub fn text<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// Asks the host, and prints the result.
pub fn ask(
    matches: &ArgMatches,
    method: &str,
    path: &str,
    body: Bytes,
    tell: impl FnOnce(&Value) -> String,
) -> Result<ExitCode, Invalid> {
    let config = settings::configure(matches)?;
    Ok(match client::ask(&config.admin, method, path, body) {
        Ok(data) => {
            println!("{}", tell(&data));
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("quartet: {reason}");
            ExitCode::FAILURE
        }
    })
}

/// The beginning of a digest, enough to tell versions apart.
pub fn short(digest: &Value) -> &str {
    digest
        .as_str()
        .map_or("none", |digest| digest.get(..12).unwrap_or(digest))
}

/// A sentence about a version that serves now.
pub fn deployed(data: &Value) -> String {
    let name = data["capability"].as_str().unwrap_or_default();
    let (digest, previous) = (short(&data["digest"]), short(&data["previous"]));
    match data["changed"].as_bool() {
        Some(true) => format!(
            "{name}@{digest} serves; before it served {previous} ({} ms)",
            data["milliseconds"]
        ),
        _ => format!("{name}@{digest} serves, as before"),
    }
}
