//! Settings on the command line: the table as flags, and the configuration from flags, environment and file.

use clap::{Arg, ArgMatches, Command};
use quartet_api::limits;

use crate::config::{self, Config, Given, Invalid, Kind, SETTINGS, Setting};

/// Adds the flag for a file with settings.
fn file_flag(command: Command) -> Command {
    command.args_override_self(true).arg(
        Arg::new("config")
            .long("config")
            .value_name("FILE")
            .help("TOML file with settings [env: QUARTET_CONFIG]"),
    )
}

/// Adds some settings as flags. The others count too, from the environment and the file.
pub fn some_flags(command: Command, keys: &[&str]) -> Command {
    let settings = SETTINGS.iter().filter(|setting| keys.contains(&setting.key));
    settings.fold(file_flag(command), |command, setting| command.arg(flag_of(setting)))
}

fn flag_of(setting: &Setting) -> Arg {
    let help = match setting.default {
        "" => setting.help.to_owned(),
        default => format!("{} [default: {default}]", setting.help),
    };
    let arg = Arg::new(setting.key).long(flag(setting.key)).help(help);
    match setting.kind {
        Kind::Text => arg.value_name("TEXT"),
        Kind::List => arg.value_name("LIST"),
        Kind::Number => arg.value_name("NUMBER"),
        Kind::Switch => arg.value_name("BOOL").num_args(0..=1).default_missing_value("true"),
    }
}

/// Adds every setting as a flag.
pub fn flags(command: Command) -> Command {
    let command = file_flag(command)
        .after_help("Every setting can stand in the file (with underscores) or in the environment (QUARTET_LISTEN). A flag is stronger than the environment, the environment than the file.");
    let command = SETTINGS
        .iter()
        .fold(command, |command, setting| command.arg(flag_of(setting)));
    limits::ALL.iter().fold(command, |command, limit| {
        command.arg(
            Arg::new(limit.key)
                .long(flag(limit.key))
                .value_name(limit.unit.word())
                .help(format!("{} [default: {}]", limit.help.trim(), limit.default))
                .help_heading("Limits"),
        )
    })
}

fn flag(key: &str) -> String {
    key.replace('_', "-")
}

/// The configuration that flags, environment and file make together.
pub fn configure(matches: &ArgMatches) -> Result<Config, Invalid> {
    combine(matches, |name| std::env::var(name).ok())
}

fn combine(matches: &ArgMatches, environment: impl Fn(&str) -> Option<String>) -> Result<Config, Invalid> {
    let file = matches
        .get_one::<String>("config")
        .cloned()
        .or_else(|| environment("QUARTET_CONFIG"));
    let mut given = match file {
        Some(path) => {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Invalid(format!("the configuration file {path} cannot be read: {error}")))?;
            config::from_file(&text).map_err(|Invalid(message)| Invalid(format!("{path}: {message}")))?
        }
        None => Given::new(),
    };
    for key in config::keys() {
        // A command may have a few of the flags only.
        let flag = matches.try_get_one::<String>(key).ok().flatten();
        let value = flag
            .cloned()
            .or_else(|| environment(&format!("QUARTET_{}", key.to_ascii_uppercase())));
        if let Some(value) = value {
            given.insert(key.to_owned(), value);
        }
    }
    Config::from_given(&given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serve(arguments: &[&str], environment: &[(&str, &str)]) -> Result<Config, Invalid> {
        let line = ["serve"].iter().chain(arguments);
        let matches = flags(Command::new("serve")).try_get_matches_from(line).unwrap();
        combine(&matches, |name| {
            environment
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn flag_beats_environment_beats_default() {
        let environment = [("QUARTET_LISTEN", "127.0.0.1:2"), ("QUARTET_WORKERS", "3")];
        let config = serve(&["--listen", "127.0.0.1:1"], &environment).unwrap();
        assert_eq!(config.listen.port(), 1);
        assert_eq!(config.workers, 3);
    }

    #[test]
    fn every_setting_has_a_flag_and_switches_need_no_value() {
        let config = serve(
            &["--allow-public", "--listen", "0.0.0.0:1", "--requests-per-minute", "9"],
            &[],
        )
        .unwrap();
        assert_eq!(config.limits.get(&limits::REQUESTS_PER_MINUTE), 9);
    }
}
