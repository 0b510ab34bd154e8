//! The settings of the language model: which one writes, and where.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgAction, Args};
use http::Uri;
use quartet_llm_engine::protocol::Accelerator;

use super::components::Components;
use super::installed;
use super::parse::{Invalid, Parsed, Secret, Toggle, endpoint, one_of, switch, threads, toggle, whole, within};

/// The language model.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Language model")]
pub struct Llm {
    /// Language model: auto, one of models.toml, the path of a GGUF file, or off. auto is the largest of models.toml that
    /// is there, has the memory that it wants, and is not too slow on this machine. Not looked at with `language_remote`.
    #[arg(long, default_value = "auto")]
    language_model: String,
    /// When the language model is loaded: first-use or start.
    #[arg(long, value_parser = one_of(LOADS), default_value = "start")]
    language_load: Load,
    /// Have the language model, once it is loaded, read the beginnings of all prompts before anybody asks. Without that a start
    /// costs minutes of computing less, and the first questions of each kind wait for it.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    language_warm_up: bool,
    /// Threads that compute the language model; 0 takes one for each processor.
    #[arg(long, value_parser = threads, default_value = "0")]
    language_threads: usize,
    /// Tokens that a conversation and its answer may have together; more need more memory.
    #[arg(long, value_parser = within::<u32>(256..=1_000_000), default_value = "4096")]
    language_context: u32,
    /// Answers that the language model writes at the same time.
    #[arg(long, value_parser = within::<u32>(1..=64), default_value = "4")]
    language_sequences: u32,
    /// Answers that wait for the language model beside those that are written.
    #[arg(long, value_parser = whole::<u64>, default_value = "16")]
    language_queue: u64,
    /// Tokens that an answer has at most where nothing else is asked for.
    #[arg(long, value_parser = within::<u32>(1..=1_000_000), default_value = "512")]
    language_tokens: u32,
    /// Time without a question after which the language model's memory is given back; 0 keeps it.
    #[arg(long, value_parser = whole::<u64>, default_value = "0")]
    language_idle_seconds: u64,
    /// Program of the built-in engine, such as one that was built for graphics processors; by default quartet-llm beside this one.
    #[arg(long)]
    language_engine: PathBuf,
    /// Have a server write instead that speaks OpenAI's protocol: the address before /chat/completions, such as
    /// http://127.0.0.1:11434/v1.
    #[arg(long, value_parser = server)]
    language_remote: Option<Uri>,
    /// The model's name on that server.
    #[arg(long)]
    language_remote_model: Option<String>,
    /// The server's key. Better in the environment or in `language_remote_key_file` than on the command line, which
    /// others on the machine can see.
    #[arg(long, value_parser = Secret::from_str)]
    language_remote_key: Option<Secret>,
    /// File with the server's key and nothing else.
    #[arg(long)]
    language_remote_key_file: Option<PathBuf>,
    /// The server's model takes pictures.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "false")]
    language_remote_sees: bool,
    /// Tokens that the server's model takes, prompt and answer together.
    #[arg(long, value_parser = within::<u32>(1..=10_000_000), default_value = "8192")]
    language_remote_context: u32,
    /// Time for which the server may say nothing, before its first word and between two.
    #[arg(long, value_parser = within::<u32>(1..=3_600), default_value = "30")]
    language_remote_seconds: u32,
    /// Have the language model answer about pictures and documents, and keep only what their evidence says: on, off, or
    /// auto: on unless `language_remote` is a server on another machine.
    #[arg(long, value_parser = toggle, default_value = "auto")]
    language_phrasing: Toggle,
}

/// The time at which the language model is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    FirstUse,
    Start,
}

const LOADS: &[(&str, Load)] = &[("first-use", Load::FirstUse), ("start", Load::Start)];

/// The language model of the service.
#[derive(Debug, Clone, Default)]
pub enum Language {
    /// None.
    #[default]
    Off,
    /// The built-in engine.
    Local(Local),
    /// A server.
    Remote(Remote),
}

/// The built-in engine.
#[derive(Debug, Clone)]
pub struct Local {
    /// The models to choose from, never none: the one that wants the most memory first.
    pub models: Vec<Gguf>,
    /// True if the project's set-up can get them.
    pub listed: bool,
    /// The engine's program.
    pub engine: PathBuf,
    /// True if it is loaded before anybody asks.
    pub at_start: bool,
    /// True if it reads what its prompts begin with before anybody asks.
    pub warm_up: bool,
    /// Threads that compute.
    pub threads: usize,
    /// Tokens of a conversation and its answer.
    pub context: u32,
    /// Answers at the same time.
    pub sequences: u32,
    /// Answers that wait.
    pub queue: u32,
    /// Tokens of an answer where nothing is asked for.
    pub tokens: u32,
    /// After how long it is unloaded.
    pub idle: Option<Duration>,
    /// The folder for what it has read of prompts that are the same for everybody.
    pub prompt_cache: PathBuf,
    /// The graphics processors that may compute.
    pub accelerator: Accelerator,
}

/// A model that the built-in engine can load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gguf {
    /// Its name, for people.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Bytes of memory that should be free for it; 0 where it was chosen by hand.
    pub memory: u64,
    /// True if setting up gets it without being asked to, and where it was chosen by hand.
    pub default: bool,
    /// False if it is known to choose functions and their arguments badly.
    pub tools: bool,
}

/// A server that speaks OpenAI's protocol.
#[derive(Debug, Clone)]
pub struct Remote {
    /// The address that answers are asked for at.
    pub address: Uri,
    /// The model's name there.
    pub model: String,
    /// The key, if the server wants one.
    pub key: Key,
    /// True if the model takes pictures.
    pub sees: bool,
    /// Tokens of a conversation and its answer.
    pub context: u32,
    /// Answers at the same time; more are refused.
    pub requests: u32,
    /// Tokens of an answer where nothing is asked for.
    pub tokens: u32,
    /// Time for which the server may say nothing.
    pub patience: Duration,
}

impl Remote {
    /// True if what is written there leaves this machine.
    pub fn is_elsewhere(&self) -> bool {
        !is_loopback(&self.address)
    }
}

/// A server's key, or where it is.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Key {
    /// The server wants none.
    #[default]
    None,
    /// The key itself.
    Text(String),
    /// The file that it is in.
    File(PathBuf),
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::None => f.write_str("None"),
            // Configurations are printed; keys must not be.
            Key::Text(_) => f.write_str("Text(…)"),
            Key::File(path) => write!(f, "File({})", path.display()),
        }
    }
}

impl Llm {
    /// The environment of components that answer about pictures and documents: it tells them to ask for a model's words.
    pub fn phrasing(&self) -> Vec<(String, String)> {
        let on = match self.language_phrasing {
            Toggle::On => true,
            Toggle::Off => false,
            // What is found in somebody's documents leaves the machine only where that was asked for.
            Toggle::Auto => match &self.language_remote {
                Some(address) => is_loopback(address),
                None => self.language_model != "off",
            },
        };
        on.then(|| ("QUARTET_LANGUAGE_PHRASING".to_owned(), "on".to_owned()))
            .into_iter()
            .collect()
    }

    /// The language model of the service: with the folders of the models that have names and of what is computed once.
    pub(super) fn language(&self, components: &Components) -> Result<Language, Invalid> {
        let models = &components.models;
        let queue = u32::try_from(self.language_queue.min(100_000)).unwrap_or(u32::MAX);
        if let Some(address) = &self.language_remote {
            return Ok(Language::Remote(Remote {
                address: address.clone(),
                model: self
                    .language_remote_model
                    .clone()
                    .ok_or_else(|| Invalid("`language_remote` is set and `language_remote_model` is not".to_owned()))?,
                key: self.key()?,
                sees: self.language_remote_sees,
                context: self.language_remote_context,
                requests: self.language_sequences.saturating_add(queue),
                tokens: self.language_tokens,
                patience: Duration::from_secs(self.language_remote_seconds.into()),
            }));
        }
        let model = &self.language_model;
        if model == "off" {
            return Ok(Language::Off);
        }
        if model.is_empty() {
            return Err(Invalid(
                "`language_model` is empty; it takes auto, a name of models.toml, the path of a GGUF file, or off"
                    .to_owned(),
            ));
        }
        let path = PathBuf::from(model);
        let listed = path.extension().is_none_or(|ending| ending != "gguf") && !model.contains('/');
        let choices = if model == "auto" {
            catalogue(models)
        } else if listed {
            vec![Gguf {
                name: model.clone(),
                file: models.join(format!("{model}.gguf")),
                memory: 0,
                default: true,
                tools: LANGUAGE_MODELS.iter().all(|(name, .., tools)| name != model || *tools),
            }]
        } else {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            vec![Gguf {
                name,
                file: path,
                memory: 0,
                default: true,
                tools: true,
            }]
        };
        Ok(Language::Local(Local {
            models: choices,
            listed,
            engine: self.language_engine.clone(),
            at_start: self.language_load == Load::Start,
            warm_up: self.language_warm_up,
            threads: self.language_threads,
            context: self.language_context,
            sequences: self.language_sequences,
            queue,
            tokens: self.language_tokens,
            idle: (self.language_idle_seconds > 0).then(|| Duration::from_secs(self.language_idle_seconds)),
            prompt_cache: components.cache.clone(),
            accelerator: components.accelerator,
        }))
    }

    fn key(&self) -> Result<Key, Invalid> {
        match (&self.language_remote_key, &self.language_remote_key_file) {
            (None, None) => Ok(Key::None),
            (Some(Secret(text)), None) => Ok(Key::Text(text.clone())),
            (None, Some(file)) => Ok(Key::File(file.clone())),
            (Some(_), Some(_)) => Err(Invalid(
                "`language_remote_key` and `language_remote_key_file` are both set".to_owned(),
            )),
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/language_models.rs"));

/// The language models of models.toml, in the folder `models`: the one that wants the most memory first.
pub(super) fn catalogue(models: &Path) -> Vec<Gguf> {
    let mut catalogue: Vec<_> = LANGUAGE_MODELS
        .iter()
        .map(|(name, file, memory, default, tools)| Gguf {
            name: (*name).to_owned(),
            file: models.join(file),
            memory: *memory,
            default: *default,
            tools: *tools,
        })
        .collect();
    catalogue.sort_by_key(|model| std::cmp::Reverse(model.memory));
    catalogue
}

/// The program of the built-in engine: one that is installed for just this processor, else the one beside the host's.
pub(super) fn engine() -> PathBuf {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent);
    let name = format!("quartet-llm{}", std::env::consts::EXE_SUFFIX);
    let beside = || folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
    folder.and_then(installed::engine).unwrap_or_else(beside)
}

fn server(base: &str) -> Parsed<Uri> {
    endpoint(base, "/chat/completions").ok_or_else(|| "an address such as http://127.0.0.1:11434/v1".to_owned())
}

/// True if an address is on this machine.
fn is_loopback(address: &Uri) -> bool {
    let host = address.host().unwrap_or_default();
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{config, refused};

    fn language(pairs: &[(&str, &str)]) -> Language {
        config(pairs).unwrap().language
    }

    fn local(pairs: &[(&str, &str)]) -> Local {
        match language(pairs) {
            Language::Local(local) => local,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_is_in_the_folder_of_the_models_and_a_path_is_where_it_is() {
        let default = local(&[("models", "m")]);
        assert!(default.listed && default.at_start && default.warm_up);
        assert!(default.models.len() > 1);
        assert!(default.models.is_sorted_by_key(|model| std::cmp::Reverse(model.memory)));
        assert!(default.models.iter().all(|model| model.file.starts_with("m")));
        let named = local(&[("models", "m"), ("language_model", "small")]);
        assert_eq!(named.models[0].file, PathBuf::from("m/small.gguf"));
        let own = local(&[
            ("language_model", "/data/my.model.gguf"),
            ("language_load", "first-use"),
            ("language_warm_up", "false"),
        ]);
        let model = &own.models[0];
        assert_eq!(
            (model.name.as_str(), own.listed, own.at_start, own.warm_up),
            ("my.model", false, false, false)
        );
        assert_eq!(model.file, PathBuf::from("/data/my.model.gguf"));
        assert!(matches!(language(&[("language_model", "off")]), Language::Off));
        assert_eq!(local(&[("language_idle_seconds", "0")]).idle, None);
    }

    #[test]
    fn set_up_gets_a_model_for_machines_of_any_size() {
        let table: toml::Table = include_str!("../../../models.toml").parse().unwrap();
        let models = table["model"].as_array().unwrap();
        let smallest = local(&[]).models.pop().unwrap();
        for wanted in ["qwen2.5-coder-1.5b-instruct", &smallest.name] {
            let is_default = |model: &toml::Value| model.get("default").and_then(toml::Value::as_bool) == Some(true);
            assert!(
                models
                    .iter()
                    .any(|model| model["name"].as_str() == Some(wanted) && is_default(model)),
                "{wanted}"
            );
        }
    }

    #[test]
    fn answers_are_worded_where_that_is_asked_for_or_a_server_writes() {
        let server = [
            ("language_remote", "http://127.0.0.1:11434/v1"),
            ("language_remote_model", "m"),
        ];
        let elsewhere = [
            ("language_remote", "https://api.example/v1"),
            ("language_remote_model", "m"),
        ];
        let given = |phrasing, more: &[(&'static str, &'static str)]| {
            let mut pairs = more.to_vec();
            pairs.push(("language_phrasing", phrasing));
            config(&pairs).unwrap().llm.phrasing()
        };
        for (phrasing, more, on) in [
            ("auto", &[][..], true),
            ("auto", &[("language_model", "off")], false),
            ("auto", &server, true),
            ("auto", &elsewhere, false),
            ("on", &elsewhere, true),
            ("off", &[], false),
            ("off", &server, false),
            ("on", &[], true),
        ] {
            assert_eq!(!given(phrasing, more).is_empty(), on, "{phrasing}");
        }
        refused(&[("language_phrasing", "maybe")], "on, off or auto");
    }

    #[test]
    fn a_server_on_this_machine_is_not_elsewhere() {
        for (address, here) in [
            ("http://localhost:11434/v1", true),
            ("http://127.0.0.1:11434/v1", true),
            ("http://[::1]:11434/v1", true),
            ("https://api.example/v1", false),
            ("http://10.0.0.1/v1", false),
        ] {
            assert_eq!(is_loopback(&server(address).unwrap()), here, "{address}");
        }
    }

    #[test]
    fn a_server_needs_an_address_and_a_model() {
        let pairs = [
            ("language_remote", "https://api.example/v1/"),
            ("language_remote_model", "m"),
            ("language_remote_key", "secret"),
        ];
        let Language::Remote(remote) = language(&pairs) else {
            panic!()
        };
        assert_eq!(remote.address, "https://api.example/v1/chat/completions");
        assert!(!format!("{remote:?}").contains("secret"));
        for (wrong, part) in [
            (vec![pairs[0]], "`language_remote_model`"),
            (vec![("language_remote", "api.example"), pairs[1]], "`language_remote`"),
            (vec![("language_remote", "ftp://a/v1"), pairs[1]], "`language_remote`"),
            (
                vec![pairs[0], pairs[1], pairs[2], ("language_remote_key_file", "f")],
                "both set",
            ),
            (vec![("language_context", "9")], "`language_context`"),
            (vec![("language_sequences", "0")], "`language_sequences`"),
            (vec![("language_load", "never")], "`language_load`"),
            (vec![("language_model", "")], "`language_model`"),
        ] {
            refused(&wrong, part);
        }
    }
}
