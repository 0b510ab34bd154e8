//! Settings on the command line.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::config::sources::{self, Values};
use crate::config::{Config, Invalid, schema};

/// Adds every setting as a flag.
pub fn flags(command: Command) -> Command {
    let command = command.after_help("Every setting can stand in the file (with underscores) or in the environment (QUARTET_LISTEN). A flag is stronger than the environment, the environment than the file.");
    add(command, |_| true)
}

/// Adds some settings as flags. The others count too, from the environment and the file.
pub fn some_flags(command: Command, keys: &[&str]) -> Command {
    add(command, |key| keys.contains(&key))
}

fn add(command: Command, wanted: impl Fn(&str) -> bool) -> Command {
    let file = Arg::new(sources::FILE)
        .long(sources::FILE)
        .value_name("FILE")
        .help("TOML file with settings [env: QUARTET_CONFIG]");
    let schema = schema();
    let settings = schema
        .get_arguments()
        .filter(|argument| wanted(argument.get_id().as_str()));
    command
        .args_override_self(true)
        .next_line_help(true)
        .arg(file)
        .args(settings.cloned().map(unread))
}

/// A setting's flag that takes any text: values are read when those of all sources are gathered.
fn unread(argument: Arg) -> Arg {
    argument
        .required(false)
        .action(ArgAction::Set)
        .value_delimiter(None)
        .value_parser(value_parser!(String))
}

/// The values in force.
pub fn values(matches: &ArgMatches) -> Result<Values, Invalid> {
    let flag = |key: &str| {
        // A command may have a few of the flags only.
        let text = matches.try_get_one::<String>(key).ok().flatten();
        text.filter(|_| matches.value_source(key) == Some(ValueSource::CommandLine))
            .cloned()
    };
    sources::gather(&schema(), flag, |name| std::env::var(name).ok())
}

/// The configuration that flags, environment and file make together.
pub fn configure(matches: &ArgMatches) -> Result<Config, Invalid> {
    Config::new(&values(matches)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_flag_and_switches_need_no_value() {
        let arguments = "serve --allow-public --listen 0.0.0.0:1 --requests-per-minute 9 --workers 1 --workers 2";
        let matches = flags(Command::new("serve"))
            .try_get_matches_from(arguments.split(' '))
            .unwrap();
        let config = configure(&matches).unwrap();
        assert!(config.ingress.allow_public && config.components.watch);
        assert_eq!((config.limits.requests_per_minute, config.components.workers), (9, 2));
    }
}
