//! The settings of the language model: which one writes, and where.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use http::Uri;

use super::{Invalid, Kind, Setting};

/// The program of the built-in engine, beside the host's.
const PROGRAM: &str = "quartet-llm";

/// The settings, for the one table.
pub const SETTINGS: [Setting; 17] = [
    Setting {
        key: "language_model",
        kind: Kind::Text,
        default: "qwen2.5-coder-0.5b-instruct",
        help: "Language model: one of models.toml, the path of a GGUF file, or off. Not looked at with `language_remote`.",
    },
    Setting {
        key: "language_load",
        kind: Kind::Text,
        default: "first-use",
        help: "When the language model is loaded: first-use or start.",
    },
    Setting {
        key: "language_threads",
        kind: Kind::Number,
        default: "0",
        help: "Threads that compute the language model; 0 takes one for each processor.",
    },
    Setting {
        key: "language_context",
        kind: Kind::Number,
        default: "4096",
        help: "Tokens that a conversation and its answer may have together; more need more memory.",
    },
    Setting {
        key: "language_sequences",
        kind: Kind::Number,
        default: "4",
        help: "Answers that the language model writes at the same time.",
    },
    Setting {
        key: "language_queue",
        kind: Kind::Number,
        default: "16",
        help: "Answers that wait for the language model beside those that are written.",
    },
    Setting {
        key: "language_tokens",
        kind: Kind::Number,
        default: "512",
        help: "Tokens that an answer has at most where nothing else is asked for.",
    },
    Setting {
        key: "language_idle_seconds",
        kind: Kind::Number,
        default: "900",
        help: "Time without a question after which the language model's memory is given back; 0 keeps it.",
    },
    Setting {
        key: "language_engine",
        kind: Kind::Text,
        default: "",
        help: "Program of the built-in engine; by default quartet-llm beside this one.",
    },
    Setting {
        key: "language_remote",
        kind: Kind::Text,
        default: "",
        help: "Have a server write instead that speaks OpenAI's protocol: the address before /chat/completions, \
               such as http://127.0.0.1:11434/v1.",
    },
    Setting {
        key: "language_remote_model",
        kind: Kind::Text,
        default: "",
        help: "The model's name on that server.",
    },
    Setting {
        key: "language_remote_key",
        kind: Kind::Text,
        default: "",
        help: "The server's key. Better in the environment or in `language_remote_key_file` than on the command line, \
               which others on the machine can see.",
    },
    Setting {
        key: "language_remote_key_file",
        kind: Kind::Text,
        default: "",
        help: "File with the server's key and nothing else.",
    },
    Setting {
        key: "language_remote_sees",
        kind: Kind::Switch,
        default: "false",
        help: "The server's model takes pictures.",
    },
    Setting {
        key: "language_remote_context",
        kind: Kind::Number,
        default: "8192",
        help: "Tokens that the server's model takes, prompt and answer together.",
    },
    Setting {
        key: "language_remote_seconds",
        kind: Kind::Number,
        default: "30",
        help: "Time for which the server may say nothing, before its first word and between two.",
    },
    Setting {
        key: "language_phrasing",
        kind: Kind::Text,
        default: "auto",
        help: "Have the language model word answers about pictures and documents, and keep only what their evidence says: \
               on, off, or auto: on where `language_remote` is a server on this machine.",
    },
];

/// The language model of the service.
#[derive(Debug, Clone)]
pub enum Language {
    /// None.
    Off,
    /// The built-in engine.
    Local(Local),
    /// A server.
    Remote(Remote),
}

/// The built-in engine.
#[derive(Debug, Clone)]
pub struct Local {
    /// The model's name, for people.
    pub name: String,
    /// Its file.
    pub model: PathBuf,
    /// Whether the project's set-up can get it.
    pub listed: bool,
    /// The engine's program.
    pub engine: PathBuf,
    /// Whether it is loaded before anybody asks.
    pub at_start: bool,
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
}

/// A server that speaks OpenAI's protocol.
#[derive(Debug, Clone)]
pub struct Remote {
    /// Where answers are asked for.
    pub address: Uri,
    /// The model's name there.
    pub model: String,
    /// The key, if the server wants one.
    pub key: Key,
    /// Whether the model takes pictures.
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
    /// Whether what is written there leaves this machine.
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

/// What a component finds in its environment that asks for a model's words.
const PHRASING: (&str, &str) = ("QUARTET_LANGUAGE_PHRASING", "on");

/// The environment of components that answer about pictures and documents.
pub(super) fn phrasing(text: impl Fn(&str) -> String) -> Result<Vec<(String, String)>, Invalid> {
    let on = match text("language_phrasing").as_str() {
        "on" => true,
        "off" => false,
        // What is found in somebody's documents leaves the machine only where that was asked for; and the built-in models
        // take their time and change little.
        "auto" => address(&text("language_remote")).is_ok_and(|address| is_loopback(&address)),
        other => {
            return Err(Invalid(format!(
                "`language_phrasing` is {other:?}; it takes on, off or auto"
            )));
        }
    };
    let (name, value) = PHRASING;
    Ok(on.then(|| (name.to_owned(), value.to_owned())).into_iter().collect())
}

impl Language {
    /// Reads the settings. `text` gives a setting's value.
    pub(super) fn new(text: impl Fn(&str) -> String, models: &std::path::Path) -> Result<Self, Invalid> {
        let number = |key: &str, most: u64| -> Result<u32, Invalid> {
            let value = super::number(key, &text(key))?;
            if value == 0 || value > most {
                return Err(Invalid(format!("`{key}` is {value}; it takes 1 to {most}")));
            }
            u32::try_from(value).map_err(|_| Invalid(format!("`{key}` is too large")))
        };
        let sequences = number("language_sequences", 64)?;
        let queue = super::number("language_queue", &text("language_queue"))?;
        let queue = u32::try_from(queue.min(100_000)).unwrap_or(u32::MAX);
        let tokens = number("language_tokens", 1_000_000)?;
        if !text("language_remote").is_empty() {
            return Ok(Self::Remote(Remote {
                address: address(&text("language_remote"))?,
                model: match text("language_remote_model") {
                    name if name.is_empty() => {
                        return Err(Invalid(
                            "`language_remote` is set and `language_remote_model` is not".to_owned(),
                        ));
                    }
                    name => name,
                },
                key: key(text("language_remote_key"), text("language_remote_key_file"))?,
                sees: super::switch("language_remote_sees", &text("language_remote_sees"))?,
                context: number("language_remote_context", 10_000_000)?,
                requests: sequences.saturating_add(queue),
                tokens,
                patience: Duration::from_secs(number("language_remote_seconds", 3_600)?.into()),
            }));
        }
        let model = text("language_model");
        if model == "off" {
            return Ok(Self::Off);
        }
        let at_start = match text("language_load").as_str() {
            "first-use" => false,
            "start" => true,
            other => {
                return Err(Invalid(format!(
                    "`language_load` is {other:?}; it takes first-use or start"
                )));
            }
        };
        let path = PathBuf::from(&model);
        let listed = path.extension().is_none_or(|ending| ending != "gguf") && !model.contains('/');
        let name = path.file_stem().filter(|_| !listed);
        let name = name.map_or_else(|| model.clone(), |name| name.to_string_lossy().into_owned());
        if name.is_empty() {
            return Err(Invalid(
                "`language_model` is empty; it takes a name of models.toml, the path of a GGUF file, or off".to_owned(),
            ));
        }
        let idle = super::number("language_idle_seconds", &text("language_idle_seconds"))?;
        Ok(Self::Local(Local {
            name,
            model: if listed {
                models.join(format!("{model}.gguf"))
            } else {
                path
            },
            listed,
            engine: match text("language_engine") {
                path if path.is_empty() => program(),
                path => path.into(),
            },
            at_start,
            threads: super::threads("language_threads", &text("language_threads"))?,
            context: match number("language_context", 1_000_000)? {
                small if small < 256 => {
                    return Err(Invalid(format!("`language_context` is {small}; it takes 256 and more")));
                }
                context => context,
            },
            sequences,
            queue,
            tokens,
            idle: (idle > 0).then(|| Duration::from_secs(idle)),
        }))
    }
}

fn program() -> PathBuf {
    let folder = std::env::current_exe().ok();
    let folder = folder.as_deref().and_then(std::path::Path::parent);
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name))
}

fn address(base: &str) -> Result<Uri, Invalid> {
    let whole = format!("{}/chat/completions", base.trim_end_matches('/'));
    let uri = whole.parse::<Uri>().ok().filter(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.authority().is_some() && uri.query().is_none()
    });
    uri.ok_or_else(|| {
        Invalid(format!(
            "`language_remote` is {base:?}; it takes an address such as http://127.0.0.1:11434/v1"
        ))
    })
}

/// Whether an address is on this machine.
fn is_loopback(address: &Uri) -> bool {
    let host = address.host().unwrap_or_default();
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

fn key(text: String, file: String) -> Result<Key, Invalid> {
    match (text.is_empty(), file.is_empty()) {
        (true, true) => Ok(Key::None),
        (false, true) => Ok(Key::Text(text)),
        (true, false) => Ok(Key::File(file.into())),
        (false, false) => Err(Invalid(
            "`language_remote_key` and `language_remote_key_file` are both set".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Given};

    fn language(pairs: &[(&str, &str)]) -> Result<Language, Invalid> {
        let given: Given = pairs
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        Config::from_given(&given).map(|config| config.language)
    }

    fn phrasing_of(pairs: &[(&str, &str)]) -> Result<Vec<(String, String)>, Invalid> {
        let given: Given = pairs
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        Config::from_given(&given).map(|config| config.phrasing)
    }

    fn local(pairs: &[(&str, &str)]) -> Local {
        match language(pairs).unwrap() {
            Language::Local(local) => local,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_is_in_the_folder_of_the_models_and_a_path_is_where_it_is() {
        let default = local(&[("models", "m")]);
        assert!(default.listed && default.model.starts_with("m") && !default.at_start);
        assert_eq!(default.model.extension().unwrap(), "gguf");
        let own = local(&[("language_model", "/data/my.model.gguf"), ("language_load", "start")]);
        assert_eq!((own.name.as_str(), own.listed, own.at_start), ("my.model", false, true));
        assert_eq!(own.model, PathBuf::from("/data/my.model.gguf"));
        assert!(matches!(language(&[("language_model", "off")]), Ok(Language::Off)));
        assert_eq!(local(&[("language_idle_seconds", "0")]).idle, None);
    }

    #[test]
    fn the_default_is_in_models_toml() {
        let table: toml::Table = include_str!("../../../models.toml").parse().unwrap();
        let models = table["model"].as_array().unwrap();
        let file = format!("{}.gguf", SETTINGS[0].default);
        assert!(models.iter().any(|model| {
            model["name"].as_str() == Some(SETTINGS[0].default)
                && model["file"].as_str() == Some(&file)
                && model["default"].as_bool() == Some(true)
        }));
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
            phrasing_of(&pairs)
        };
        for (phrasing, more, on) in [
            ("auto", &[][..], false),
            ("auto", &server, true),
            ("auto", &elsewhere, false),
            ("on", &elsewhere, true),
            ("off", &server, false),
            ("on", &[], true),
        ] {
            assert_eq!(!given(phrasing, more).unwrap().is_empty(), on, "{phrasing}");
        }
        assert!(given("maybe", &[]).unwrap_err().0.contains("on, off or auto"));
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
            assert_eq!(is_loopback(&super::address(address).unwrap()), here, "{address}");
        }
    }

    #[test]
    fn a_server_needs_an_address_and_a_model() {
        let pairs = [
            ("language_remote", "https://api.example/v1/"),
            ("language_remote_model", "m"),
            ("language_remote_key", "secret"),
        ];
        let Ok(Language::Remote(remote)) = language(&pairs) else {
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
            let Invalid(message) = language(&wrong).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
