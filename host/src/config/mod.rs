//! Settings: a struct for each section, a field for each setting.
//!
//! The structs are all there is: clap makes of them the flags, the help, the defaults and the reading of values; the name
//! in the file is the field's, the environment variable is that name in capitals after `QUARTET_`. [`sources`] decides
//! which value is in force: flag > environment variable > file > default.
#![allow(
    rustdoc::bare_urls,
    reason = "the comments are help texts too, and a terminal shows angle brackets"
)]

mod admin;
mod components;
mod ingress;
mod installed;
mod kind;
mod limits;
mod llm;
mod memory;
mod parse;
mod search;
mod shared;
pub mod sources;
mod telemetry;
mod wyoming;

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, Command, FromArgMatches};

pub use self::admin::{Admin, AdminAddress};
pub use quartet_llm_engine::protocol::Accelerator;

pub use self::components::{Components, InferenceEngine};
pub use self::ingress::Ingress;
pub use self::installed::compiled as installed_code;
pub use self::kind::Kind;
pub use self::limits::Limits;
pub use self::llm::{Gguf, Key, Language, Llm, Local, Remote};
pub use self::memory::{for_language_model as memory_for_language_model, total as memory_of_machine};
pub use self::parse::Invalid;
pub use self::search::Search;
pub use self::shared::{Shared, StoreAddress, StoreHost, Topology, Unavailable};
use self::sources::{Source, Values};
pub use self::telemetry::{LogFormat, Telemetry};
pub use self::wyoming::Wyoming;

/// The configuration.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// The address that clients meet, and who may come in.
    #[command(flatten)]
    pub ingress: Ingress,
    /// The listener for Home Assistant.
    #[command(flatten)]
    pub wyoming: Wyoming,
    /// Components, their compiled code, and their models.
    #[command(flatten)]
    pub components: Components,
    /// The settings of the language model.
    #[command(flatten)]
    pub llm: Llm,
    /// The language model that they choose.
    #[arg(skip)]
    pub language: Language,
    /// The search behind `/chat`.
    #[command(flatten)]
    pub search: Search,
    /// State that several replicas of the service share.
    #[command(flatten)]
    pub shared: Shared,
    /// The admin interface.
    #[command(flatten)]
    pub admin: Admin,
    /// The log, metrics and traces.
    #[command(flatten)]
    pub telemetry: Telemetry,
    /// Bounds on one client, one request and the whole service.
    #[command(flatten)]
    pub limits: Limits,
}

impl Config {
    /// Reads the values of all settings.
    ///
    /// # Errors
    /// When one of them cannot be used, or some not together.
    pub fn new(values: &Values) -> Result<Self, Invalid> {
        let mut schema = schema();
        let arguments = values
            .iter()
            .map(|(key, value)| format!("--{}={}", key.replace('_', "-"), value.text));
        let matches = schema.try_get_matches_from_mut(arguments);
        let mut config = matches
            .and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|error| invalid(&error, &schema, values))?;
        config.ingress.check()?;
        config.shared.check()?;
        config.language = config.llm.language(&config.components)?;
        let admin_listen = values.get("admin_listen");
        config.admin.address_is_default = admin_listen.is_none_or(|value| value.source == Source::Default);
        Ok(config)
    }

    /// True if `/metrics` is served.
    pub fn metrics_page(&self) -> bool {
        self.telemetry.metrics_page(self.ingress.is_private())
    }
}

/// A refused value in our words: the setting's name as the file has it, and where the value comes from.
fn invalid(error: &clap::Error, schema: &Command, values: &Values) -> Invalid {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let (named, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let argument = schema.get_arguments().find(|argument| argument.to_string() == named);
    let (Some(argument), Some(expected)) = (argument, error.source()) else {
        return Invalid(error.to_string());
    };
    let key = argument.get_id().as_str();
    let origin = match values.get(key).map(|value| &value.source) {
        Some(source @ (Source::Environment(_) | Source::File { .. })) => format!("{source}: "),
        _ => String::new(),
    };
    let verb = if Kind::of(argument) == Kind::List { "has" } else { "is" };
    let value = match value.parse::<u64>() {
        Ok(number) => number.to_string(),
        Err(_) => format!("{value:?}"),
    };
    Invalid(format!("{origin}`{key}` {verb} {value}; it takes {expected}"))
}

/// All settings as clap knows them: names, help, defaults, and the section as the heading of each.
pub fn schema() -> Command {
    let command = Command::new("settings").no_binary_name(true).disable_help_flag(true);
    Config::augment_args(command).mut_args(|argument| {
        let kind = Kind::of(&argument);
        // clap takes the last full stop off a comment, as if it were no sentence.
        let help = argument.get_help().map(|help| format!("{help}.")).unwrap_or_default();
        let argument = argument.help(help);
        let own_placeholder = argument.get_help_heading() == Some(Limits::HEADING);
        match kind {
            _ if own_placeholder => argument,
            Kind::Switch => argument
                .value_name(kind.placeholder())
                .num_args(0..=1)
                .default_missing_value("true"),
            _ => argument.value_name(kind.placeholder()),
        }
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The configuration of these flags.
    pub fn config(pairs: &[(&str, &str)]) -> Result<Config, Invalid> {
        let flag = |key: &str| {
            let pair = pairs.iter().find(|(name, _)| *name == key);
            pair.map(|(_, value)| (*value).to_owned())
        };
        Config::new(&sources::gather(&schema(), flag, |_| None)?)
    }

    /// Checks that these flags are refused, and that the reason has a part.
    pub fn refused(pairs: &[(&str, &str)], part: &str) {
        let Invalid(message) = config(pairs).unwrap_err();
        assert!(message.contains(part), "{message}");
    }

    #[test]
    fn the_schema_is_consistent() {
        schema().debug_assert();
        for argument in schema().get_arguments() {
            let help = argument.get_help().unwrap().to_string();
            assert!(help.ends_with('.') && argument.get_help_heading().is_some(), "{help}");
            assert_eq!(
                argument.get_long().unwrap().replace('-', "_"),
                argument.get_id().as_str()
            );
        }
    }

    #[test]
    fn defaults_are_safe() {
        let config = config(&[]).unwrap();
        assert!(config.ingress.listen.ip().is_loopback());
        assert_eq!(config.limits.requests_per_minute, 100);
        assert!(config.components.workers >= 1);
    }

    #[test]
    fn values_are_taken() {
        let config = config(&[("body_bytes", "5"), ("listen", "[::1]:0"), ("stall_seconds", " 7 ")]).unwrap();
        assert_eq!(config.limits.body_bytes, 5);
        assert_eq!(config.limits.stall_seconds.as_secs(), 7);
        assert!(config.ingress.listen.is_ipv6());
    }

    #[test]
    fn refuses_what_cannot_be_used_and_names_it() {
        refused(
            &[("listen", "8080")],
            "`listen` is 8080; it takes an address and a port, such as",
        );
        refused(&[("listen", "0.0.0.0:1")], "`allow_public`");
        refused(&[("requests_per_minute", "many")], "`requests_per_minute`");
        refused(
            &[("memory_bytes", "0")],
            "`memory_bytes` is 0; it takes a whole number above 0",
        );
        refused(
            &[("log_format", "xml")],
            "`log_format` is \"xml\"; it takes human, json or auto",
        );
        refused(&[("allow_public", "yes")], "true or false");
        refused(&[("admin_listen", "0.0.0.0:1")], "`admin_listen`");
        refused(
            &[("client_percent", "101")],
            "`client_percent` is 101; it takes 1 to 100",
        );
        assert!(config(&[("queued_requests", "0"), ("respond_fuel", "0"), ("stream_fuel", "0")]).is_ok());
    }
}
