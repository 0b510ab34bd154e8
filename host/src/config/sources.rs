//! Sources of settings, the strongest first: flag, environment variable, file, default.
//!
//! Values are texts here: [`Config`](super::Config) reads them. clap could read environment variables itself, but then a
//! file would come before them or not at all.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use toml::Spanned;

use super::kind::Kind;
use super::parse::Invalid;
use super::{installed, llm, memory};

/// The flag of the file with settings.
pub const FILE: &str = "config";

/// A name that is at least so much like another (Jaro-Winkler, 0 to 1) is taken for a slip.
const LIKENESS: f64 = 0.85;

/// The value of a setting.
#[derive(Clone, PartialEq, Eq)]
pub struct Value {
    /// The value as it was written.
    pub text: String,
    /// Its source.
    pub source: Source,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Flag,
    /// An environment variable.
    Environment(String),
    /// A line of the file with settings.
    File {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
    },
    /// Nobody set it.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment(variable) => write!(f, "environment variable {variable}"),
            Self::File { path, line } => write!(f, "{path} line {line}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// The values in force, by setting. A setting without value and default is not among them.
pub type Values = BTreeMap<String, Value>;

/// The environment variable of a setting.
pub fn variable(key: &str) -> String {
    format!("QUARTET_{}", key.to_ascii_uppercase())
}

/// Gathers the values from the flags, the environment, and the file that one of them names.
///
/// # Errors
/// When the file cannot be read or has something else than settings in it.
pub fn gather(
    schema: &Command,
    flag: impl Fn(&str) -> Option<String>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Values, Invalid> {
    let mut values = match flag(FILE).or_else(|| environment(&variable(FILE))) {
        Some(path) => read(&path, schema)?,
        None => Values::new(),
    };
    for argument in schema.get_arguments() {
        let key = argument.get_id().as_str();
        let from_environment = || {
            let variable = variable(key);
            environment(&variable).map(|text| (text, Source::Environment(variable)))
        };
        let stronger = flag(key).map(|text| (text, Source::Flag)).or_else(from_environment);
        if let Some((text, source)) = stronger {
            values.insert(key.to_owned(), Value { text, source });
        }
        tidy(argument, &mut values);
    }
    complete(schema, &mut values)?;
    Ok(values)
}

/// Takes a list's empty items out, and an empty value where that means that nothing is set.
fn tidy(argument: &Arg, values: &mut Values) {
    let key = argument.get_id().as_str();
    let Some(value) = values.get_mut(key) else { return };
    if Kind::of(argument) == Kind::List {
        let items = value.text.split(',').map(str::trim).filter(|item| !item.is_empty());
        value.text = items.collect::<Vec<_>>().join(",");
    }
    if value.text.is_empty() && argument.get_default_values().is_empty() {
        values.remove(key);
    }
}

/// Adds the defaults.
fn complete(schema: &Command, values: &mut Values) -> Result<(), Invalid> {
    for argument in schema.get_arguments() {
        if let [text] = argument.get_default_values() {
            default(values, argument.get_id().as_str(), text.to_string_lossy().into_owned());
        }
    }
    // Those that depend on the machine.
    for (key, installed) in [("components", installed::components()), ("models", installed::models())] {
        if let Some(value) = values.get_mut(key)
            && value.source == Source::Default
            && !Path::new(&value.text).is_dir()
            && let Some(installed) = installed
        {
            value.text = installed.display().to_string();
        }
    }
    default(values, "language_engine", llm::engine().display().to_string());
    let cache = default(values, "cache", cache().unwrap_or_default());
    if cache.is_empty() {
        return Err(Invalid(
            "`cache` has no default here, because neither XDG_CACHE_HOME nor HOME is set".to_owned(),
        ));
    }
    let cache = PathBuf::from(cache);
    default(
        values,
        "admin_listen",
        format!("unix:{}", cache.join("admin.sock").display()),
    );
    default(
        values,
        "admin_token_file",
        cache.join("admin.token").display().to_string(),
    );
    if !values.contains_key("memory_budget") {
        let text = |key: &str| values.get(key).map_or("", |value| value.text.as_str());
        let writes = text("language_model") != "off" && text("language_remote").is_empty();
        let come = text("offline").parse() != Ok(true) || !text("models_mirror").is_empty();
        let text = memory::budget(Path::new(text("models")), writes, come).to_string();
        let source = Source::Default;
        values.insert("memory_budget".to_owned(), Value { text, source });
    }
    Ok(())
}

/// The value of a setting, which is `text` where none is given.
fn default(values: &mut Values, key: &str, text: String) -> String {
    let source = Source::Default;
    let value = values.entry(key.to_owned()).or_insert(Value { text, source });
    value.text.clone()
}

fn cache() -> Option<String> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let caches = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))?;
    Some(caches.join("quartet").join("compiled").display().to_string())
}

/// Reads a file with settings.
fn read(path: &str, schema: &Command) -> Result<Values, Invalid> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Invalid(format!("the configuration file {path} cannot be read: {error}")))?;
    parse(&text, path, schema)
}

fn parse(text: &str, path: &str, schema: &Command) -> Result<Values, Invalid> {
    let source = |at: usize| Source::File {
        path: path.to_owned(),
        line: text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1,
    };
    let refused = |at: usize, reason: String| Invalid(format!("{}: {reason}", source(at)));
    let table: BTreeMap<Spanned<String>, Spanned<toml::Value>> = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        refused(at, format!("not valid TOML: {}", error.message()))
    })?;
    let mut lines: Vec<_> = table.into_iter().collect();
    lines.sort_by_key(|(key, _)| key.span().start);
    let mut values = Values::new();
    for (key, value) in lines {
        let at = key.span().start;
        let key = key.into_inner();
        let argument = schema.get_arguments().find(|argument| *argument.get_id() == key);
        let kind = argument
            .map(Kind::of)
            .ok_or_else(|| refused(at, unknown(&key, schema)))?;
        let text =
            as_text(value.into_inner(), kind).map_err(|takes| refused(at, format!("`{key}` must be {takes}")))?;
        let source = source(at);
        values.insert(key, Value { text, source });
    }
    Ok(values)
}

fn as_text(value: toml::Value, kind: Kind) -> Result<String, &'static str> {
    match value {
        toml::Value::String(text) => Ok(text),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Boolean(switch) => Ok(switch.to_string()),
        toml::Value::Array(items) if kind == Kind::List && items.iter().all(toml::Value::is_str) => {
            let items: Vec<_> = items.iter().filter_map(toml::Value::as_str).collect();
            Ok(items.join(","))
        }
        _ if kind == Kind::List => Err("a string or an array of strings"),
        _ => Err("a string, a whole number, true or false"),
    }
}

/// A sentence about a name that no setting has, with the one that was meant most likely.
fn unknown(key: &str, schema: &Command) -> String {
    let names = schema.get_arguments().map(|argument| argument.get_id().as_str());
    let like = |name: &str| strsim::jaro_winkler(key, name);
    let nearest = names.max_by(|one, other| like(one).total_cmp(&like(other)));
    match nearest.filter(|name| like(name) >= LIKENESS) {
        Some(name) => format!("`{key}` is no setting; did you mean `{name}`? --help lists them"),
        None => format!("`{key}` is no setting; --help lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, schema};

    /// A line for each setting, with names and kinds of values that must never stop being valid.
    const EVERY_SETTING: &str = include_str!("every_setting.toml");

    fn parsed(text: &str) -> Result<Values, String> {
        parse(text, "quartet.toml", &schema()).map_err(|Invalid(message)| message)
    }

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn every_setting_is_a_line_a_flag_and_a_variable() {
        let lines = parsed(EVERY_SETTING).unwrap();
        let names: Vec<_> = lines.keys().map(String::as_str).collect();
        let mut known: Vec<_> = schema()
            .get_arguments()
            .map(|argument| argument.get_id().to_string())
            .collect();
        known.sort_unstable();
        assert_eq!(names, known);
        let flags = gather(&schema(), |key| Some(lines.get(key)?.text.clone()), nothing).unwrap();
        let variables = |name: &str| {
            let key = name.strip_prefix("QUARTET_")?.to_ascii_lowercase();
            Some(lines.get(&key)?.text.clone())
        };
        let variables = gather(&schema(), nothing, variables).unwrap();
        let file = std::env::temp_dir().join(format!("quartet-every-setting-{}.toml", std::process::id()));
        std::fs::write(&file, EVERY_SETTING).unwrap();
        let named = |key: &str| (key == FILE).then(|| file.to_str().unwrap().to_owned());
        let lines = gather(&schema(), named, nothing).unwrap();
        std::fs::remove_file(&file).unwrap();
        for values in [flags, variables, lines] {
            // The one that is empty in the file, because it goes with another one.
            assert_eq!(values.len() + 1, names.len());
            assert!(values.values().all(|value| value.source != Source::Default));
            assert!(Config::new(&values).is_ok());
        }
    }

    #[test]
    fn flag_beats_environment_beats_file_beats_default() {
        let file = std::env::temp_dir().join(format!("quartet-precedence-{}.toml", std::process::id()));
        std::fs::write(&file, "\nworkers = 1\nconnections = 1\nlog = \"debug\"\n").unwrap();
        let environment = |name: &str| match name {
            "QUARTET_CONFIG" => Some(file.to_str().unwrap().to_owned()),
            "QUARTET_WORKERS" | "QUARTET_CONNECTIONS" => Some("2".to_owned()),
            _ => None,
        };
        let values = gather(&schema(), |key| (key == "workers").then(|| "3".to_owned()), environment).unwrap();
        std::fs::remove_file(&file).unwrap();
        let value = |key: &str| format!("{} {}", values[key].text, values[key].source);
        assert_eq!(value("workers"), "3 flag");
        assert_eq!(value("connections"), "2 environment variable QUARTET_CONNECTIONS");
        assert_eq!(value("log"), format!("debug {} line 4", file.display()));
        assert_eq!(value("metrics"), "auto default");
        let config = Config::new(&values).unwrap();
        assert_eq!((config.components.workers, config.limits.connections), (3, 2));
    }

    #[test]
    fn unknown_names_are_refused_with_their_line_and_the_likely_one() {
        for (text, message) in [
            (
                "# What it is.\nlog = \"info\"\n\nlisen = 1\nzzz = 1",
                "quartet.toml line 4: `lisen` is no setting; did you mean `listen`? --help lists them",
            ),
            (
                "allow-public = true",
                "quartet.toml line 1: `allow-public` is no setting; did you mean `allow_public`? --help lists them",
            ),
            (
                "[zzz]\nlisten = 1",
                "quartet.toml line 1: `zzz` is no setting; --help lists them",
            ),
        ] {
            assert_eq!(parsed(text).err().unwrap(), message);
        }
    }

    #[test]
    fn wrong_values_are_refused_with_their_line() {
        for (text, part) in [
            (
                "\nlisten = [1]",
                "quartet.toml line 2: `listen` must be a string, a whole number",
            ),
            (
                "workers = 1.5",
                "`workers` must be a string, a whole number, true or false",
            ),
            (
                "trusted_proxies = [1]",
                "`trusted_proxies` must be a string or an array of strings",
            ),
            ("log = \"info\"\nlisten", "quartet.toml line 2: not valid TOML"),
        ] {
            let message = parsed(text).err().unwrap();
            assert!(message.contains(part), "{message}");
        }
        let mut values = parsed("\n\nworkers = \"many\"\n").unwrap();
        complete(&schema(), &mut values).unwrap();
        let Invalid(message) = Config::new(&values).unwrap_err();
        assert_eq!(
            message,
            "quartet.toml line 3: `workers` is \"many\"; it takes a whole number"
        );
    }

    #[test]
    fn lists_are_texts_or_arrays() {
        let lists = parsed("cors_origins = [\"https://a.example\", \"https://b.example\"]\nworkers = \"7\"").unwrap();
        assert_eq!(lists["cors_origins"].text, "https://a.example,https://b.example");
        assert_eq!(lists["workers"].text, "7");
    }
}
