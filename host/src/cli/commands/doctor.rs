//! `quartet doctor`: says what is wrong with the machine and the settings, and what would be better.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::{Subcommand, exit, settings};
use crate::config::{Config, Invalid};
use crate::doctor::{self, Depth, Level};
use crate::telemetry;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

const JSON: &str = "json";
const PROBE: &str = "probe";
const QUICK: &str = "quick";

fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    let about = "Look at machine, folders, ports, models and components: exit code 0, 1 if something is wrong, or 2";
    let command = Command::new("doctor").about(about).args([
        flag(
            PROBE,
            "Ask every component its built-in requests, too, and say how long each takes",
        ),
        flag(QUICK, "Compare models by size, not by SHA-256"),
        flag(JSON, "As JSON"),
    ]);
    settings::flags(command)
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let values = settings::values(matches)?;
    let config = Config::new(&values)?;
    let _log = telemetry::log::start(&config.telemetry)?;
    let depth = Depth {
        probe: matches.get_flag(PROBE),
        quick: matches.get_flag(QUICK),
    };
    let report = doctor::examine(&config, &values, depth);
    let text = match matches.get_flag(JSON) {
        true => format!("{:#}\n", report.json()),
        false => report.text(),
    };
    // A reader that has seen enough, such as `head`, is no failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(match report.level() {
        Level::Wrong => exit::FAILED,
        Level::Ok | Level::Warning => exit::DONE,
    })
}
