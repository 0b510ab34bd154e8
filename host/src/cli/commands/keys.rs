//! `quartet keys`: makes API keys.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::Subcommand;
use crate::auth::keys;
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let new = Command::new("new")
        .about("Make a key: prints it once, and the lines to add to the file of keys")
        .arg(
            Arg::new("name")
                .long("name")
                .value_name("NAME")
                .required(true)
                .help("Who gets it; stands in the log"),
        )
        .arg(
            Arg::new("requests-per-minute")
                .long("requests-per-minute")
                .value_name("COUNT")
                .value_parser(value_parser!(u32).range(1..))
                .help("A rate of its own"),
        );
    Command::new("keys")
        .about("Make keys for those who may ask")
        .subcommand_required(true)
        .subcommand(new)
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let Some(matches) = matches.subcommand_matches("new") else {
        return Err(Invalid("`keys` takes `new`".to_owned()));
    };
    let name = matches.get_one::<String>("name").map_or("", String::as_str);
    keys::check_name(name).map_err(Invalid)?;
    let (key, sha256) = match keys::generate() {
        Ok(made) => made,
        Err(error) => {
            eprintln!("quartet: the system has no randomness: {error}");
            return Ok(ExitCode::FAILURE);
        }
    };
    // Two streams, so that `quartet keys new … >> keys.toml` adds the lines and shows the key.
    eprintln!("The key of {name}. It is shown now and never again:\n\n    {key}\n");
    println!("[[key]]\nname = \"{name}\"\nsha256 = \"{sha256}\"");
    if let Some(rate) = matches.get_one::<u32>("requests-per-minute") {
        println!("requests_per_minute = {rate}");
    }
    Ok(ExitCode::SUCCESS)
}
