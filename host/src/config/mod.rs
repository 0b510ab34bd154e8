//! Settings: one table, and the typed configuration that is made from it.
//!
//! Flag > environment variable > file > default. The limits of [`quartet_api::limits`] are settings too.

pub mod admin_address;
mod ingress;
mod llm;
mod search;
pub mod telemetry;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use quartet_api::limits::{self, Limit, Unit};

use self::admin_address::AdminAddress;
pub use self::ingress::{Edge, TlsFiles};
pub use self::llm::{Key, Language, Local, Remote};
pub use self::search::Search;
use self::telemetry::TelemetrySettings;

/// What a setting's value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Free text, a path or an address.
    Text,
    /// Texts separated by commas; in the file also an array of strings.
    List,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Switch,
}

/// One setting that is not a limit.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The key in the file; with dashes the flag; in capitals after `QUARTET_` the environment variable.
    pub key: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// The default as text; empty where it depends on the machine, as the help says.
    pub default: &'static str,
    /// One sentence for a person.
    pub help: &'static str,
}

/// Every setting that is not a limit.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "listen",
        kind: Kind::Text,
        default: "127.0.0.1:8080",
        help: "Address and port to listen on; port 0 takes a free one.",
    },
    ingress::SETTINGS[0],
    ingress::SETTINGS[1],
    ingress::SETTINGS[2],
    ingress::SETTINGS[3],
    ingress::SETTINGS[4],
    ingress::SETTINGS[5],
    ingress::SETTINGS[6],
    ingress::SETTINGS[7],
    Setting {
        key: "components",
        kind: Kind::Text,
        default: "components",
        help: "Folder with the components, such as tts.wasm.",
    },
    Setting {
        key: "capabilities",
        kind: Kind::Text,
        default: "",
        help: "TOML file with capabilities of your own beside tts, image, pdf and chat; docs/write-a-component.md says how.",
    },
    Setting {
        key: "models",
        kind: Kind::Text,
        default: "models",
        help: "Folder with the models, such as ocr-detection.onnx.",
    },
    Setting {
        key: "inference_threads",
        kind: Kind::Number,
        default: "0",
        help: "Threads that compute a model; 0 takes one for each processor.",
    },
    llm::SETTINGS[0],
    llm::SETTINGS[1],
    llm::SETTINGS[2],
    llm::SETTINGS[3],
    llm::SETTINGS[4],
    llm::SETTINGS[5],
    llm::SETTINGS[6],
    llm::SETTINGS[7],
    llm::SETTINGS[8],
    llm::SETTINGS[9],
    llm::SETTINGS[10],
    llm::SETTINGS[11],
    llm::SETTINGS[12],
    llm::SETTINGS[13],
    llm::SETTINGS[14],
    llm::SETTINGS[15],
    llm::SETTINGS[16],
    search::SETTINGS[0],
    search::SETTINGS[1],
    search::SETTINGS[2],
    search::SETTINGS[3],
    Setting {
        key: "cache",
        kind: Kind::Text,
        default: "",
        help: "Folder for compiled components; by default quartet/compiled in the user's cache folder.",
    },
    Setting {
        key: "watch",
        kind: Kind::Switch,
        default: "true",
        help: "Take a new version when a file in the folder of the components is replaced.",
    },
    Setting {
        key: "admin_listen",
        kind: Kind::Text,
        default: "",
        help: "Where the admin interface listens: off, 127.0.0.1:PORT or unix:PATH; by default unix:admin.sock in the cache folder.",
    },
    Setting {
        key: "admin_token_file",
        kind: Kind::Text,
        default: "",
        help: "File with the admin interface's token, made when it is not there; by default admin.token in the cache folder.",
    },
    Setting {
        key: "log",
        kind: Kind::Text,
        default: "info",
        help: "What to log: error, warn, info, debug or trace.",
    },
    Setting {
        key: "log_format",
        kind: Kind::Text,
        default: "auto",
        help: "human, json, or auto: human on a terminal.",
    },
    Setting {
        key: "workers",
        kind: Kind::Number,
        default: "0",
        help: "Threads that run components; 0 takes one for each processor.",
    },
    Setting {
        key: "metrics",
        kind: Kind::Text,
        default: "auto",
        help: "Serve /metrics for Prometheus: on, off, or auto: on while only this machine reaches the service.",
    },
    Setting {
        key: "otlp_endpoint",
        kind: Kind::Text,
        default: "",
        help: "Collector that takes traces as OTLP over HTTP, such as http://127.0.0.1:4318; by default none.",
    },
    Setting {
        key: "trace_percent",
        kind: Kind::Number,
        default: "100",
        help: "Of a hundred traces that begin here, how many go to the collector; callers decide for theirs.",
    },
];

/// Limits for which 0 has a meaning.
const MAY_BE_ZERO: &[&str] = &[
    limits::QUEUED_REQUESTS.key,
    limits::RESPOND_FUEL.key,
    limits::STREAM_FUEL.key,
];

/// A setting that cannot be used, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid(pub String);

/// How lines of the log look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Human on a terminal, JSON otherwise.
    Auto,
    /// For eyes.
    Human,
    /// For programs.
    Json,
}

/// The typed configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// How the service meets its clients.
    pub edge: Edge,
    /// Folder with the components.
    pub components: PathBuf,
    /// The file of capabilities that were added.
    pub capabilities: Option<PathBuf>,
    /// Folder with the models.
    pub models: PathBuf,
    /// Threads that compute a model.
    pub inference_threads: usize,
    /// The language model.
    pub language: Language,
    /// What components that answer about pictures and documents find in their environment.
    pub phrasing: Vec<(String, String)>,
    /// The search behind `/chat`.
    pub search: Search,
    /// Folder for compiled components.
    pub cache: PathBuf,
    /// Whether new versions are taken from the folder of the components.
    pub watch: bool,
    /// Where the admin interface listens.
    pub admin: AdminAddress,
    /// The file with its token.
    pub admin_token: PathBuf,
    /// A filter for the log.
    pub log: String,
    /// How lines of the log look.
    pub log_format: LogFormat,
    /// Threads that run components.
    pub workers: usize,
    /// What can be seen from outside.
    pub observe: TelemetrySettings,
    /// The limits.
    pub limits: Limits,
}

/// The value of every limit.
#[derive(Debug, Clone)]
pub struct Limits(BTreeMap<&'static str, u64>);

impl Limits {
    /// The value of one limit.
    pub fn get(&self, limit: &Limit) -> u64 {
        self.0.get(limit.key).copied().unwrap_or(limit.default)
    }

    /// A limit in seconds as a duration.
    pub fn seconds(&self, limit: &Limit) -> std::time::Duration {
        std::time::Duration::from_secs(self.get(limit))
    }

    /// A limit that counts things in memory.
    pub fn count(&self, limit: &Limit) -> usize {
        usize::try_from(self.get(limit)).unwrap_or(usize::MAX)
    }
}

/// Values as they were given, by key; the strongest source wins before they come here.
pub type Given = BTreeMap<String, String>;

impl Config {
    /// Makes the configuration from what was given; everything else takes its default.
    pub fn from_given(given: &Given) -> Result<Self, Invalid> {
        let text = |key: &str| -> String {
            let default = SETTINGS
                .iter()
                .find(|setting| setting.key == key)
                .map_or("", |setting| setting.default);
            given.get(key).map_or(default, String::as_str).to_owned()
        };
        let listen: SocketAddr = text("listen").parse().map_err(|_| {
            Invalid(format!(
                "`listen` is {:?}; it takes an address and a port, such as 127.0.0.1:8080",
                text("listen")
            ))
        })?;
        let edge = Edge::new(text, listen)?;
        let cache = match text("cache") {
            path if path.is_empty() => default_cache()?,
            path => path.into(),
        };
        let log_format = match text("log_format").as_str() {
            "auto" => LogFormat::Auto,
            "human" => LogFormat::Human,
            "json" => LogFormat::Json,
            other => {
                return Err(Invalid(format!(
                    "`log_format` is {other:?}; it takes human, json or auto"
                )));
            }
        };
        let workers = threads("workers", &text("workers"))?;
        let inference_threads = threads("inference_threads", &text("inference_threads"))?;
        let models = PathBuf::from(text("models"));
        let language = Language::new(text, &models)?;
        let mut values = BTreeMap::new();
        for limit in limits::ALL {
            let value = match given.get(limit.key) {
                Some(value) => number(limit.key, value)?,
                None => limit.default,
            };
            if limit.unit == Unit::Percent && value > 100 {
                return Err(Invalid(format!("`{}` is {value}; it takes 1 to 100", limit.key)));
            }
            if value == 0 && !MAY_BE_ZERO.contains(&limit.key) {
                return Err(Invalid(format!(
                    "`{}` is 0; it takes a whole number above 0",
                    limit.key
                )));
            }
            values.insert(limit.key, value);
        }
        Ok(Self {
            listen,
            edge,
            components: text("components").into(),
            capabilities: Some(text("capabilities"))
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            models,
            inference_threads,
            language,
            phrasing: llm::phrasing(text)?,
            search: Search::new(text)?,
            watch: switch("watch", &text("watch"))?,
            admin: AdminAddress::parse(&text("admin_listen"), &cache).map_err(Invalid)?,
            admin_token: match text("admin_token_file") {
                path if path.is_empty() => cache.join("admin.token"),
                path => path.into(),
            },
            cache,
            log: text("log"),
            log_format,
            workers,
            observe: TelemetrySettings::from_given(text, listen.ip().is_loopback()).map_err(Invalid)?,
            limits: Limits(values),
        })
    }
}

fn number(key: &str, value: &str) -> Result<u64, Invalid> {
    value
        .trim()
        .parse()
        .map_err(|_| Invalid(format!("`{key}` is {value:?}; it takes a whole number")))
}

/// A number of threads; 0 is one for each processor.
fn threads(key: &str, value: &str) -> Result<usize, Invalid> {
    Ok(match number(key, value)? {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => usize::try_from(threads.min(1024)).unwrap_or(1024),
    })
}

fn switch(key: &str, value: &str) -> Result<bool, Invalid> {
    value
        .trim()
        .parse()
        .map_err(|_| Invalid(format!("`{key}` is {value:?}; it takes true or false")))
}

fn default_cache() -> Result<PathBuf, Invalid> {
    let from = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("quartet").join("compiled"))
        .ok_or_else(|| {
            Invalid("`cache` has no default here, because neither XDG_CACHE_HOME nor HOME is set".to_owned())
        })
}

/// Every key that a file, the environment or the command line may set.
pub fn keys() -> impl Iterator<Item = &'static str> {
    SETTINGS
        .iter()
        .map(|setting| setting.key)
        .chain(limits::ALL.iter().map(|limit| limit.key))
}

/// Reads the settings of a TOML file.
pub fn from_file(text: &str) -> Result<Given, Invalid> {
    let table: toml::Table = text
        .parse()
        .map_err(|error| Invalid(format!("not valid TOML: {error}")))?;
    let mut given = Given::new();
    for (key, value) in table {
        if !keys().any(|known| known == key) {
            return Err(Invalid(format!("`{key}` is no setting; --help lists them")));
        }
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(switch) => switch.to_string(),
            toml::Value::Array(items) if takes_list(&key) && items.iter().all(toml::Value::is_str) => {
                let items: Vec<_> = items.iter().filter_map(toml::Value::as_str).collect();
                items.join(",")
            }
            _ if takes_list(&key) => {
                return Err(Invalid(format!("`{key}` must be a string or an array of strings")));
            }
            _ => {
                return Err(Invalid(format!(
                    "`{key}` must be a string, a whole number, true or false"
                )));
            }
        };
        given.insert(key, text);
    }
    Ok(given)
}

fn takes_list(key: &str) -> bool {
    SETTINGS
        .iter()
        .any(|setting| setting.key == key && setting.kind == Kind::List)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> Given {
        pairs
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect()
    }

    fn refused(pairs: &[(&str, &str)], part: &str) {
        let Invalid(message) = Config::from_given(&given(pairs)).unwrap_err();
        assert!(message.contains(part), "{message}");
    }

    #[test]
    fn keys_are_unique() {
        let all: Vec<_> = keys().collect();
        let mut unique = all.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(all.len(), unique.len());
    }

    #[test]
    fn defaults_are_safe() {
        let config = Config::from_given(&Given::new()).unwrap();
        assert!(config.listen.ip().is_loopback());
        assert_eq!(config.limits.get(&limits::REQUESTS_PER_MINUTE), 100);
        assert!(config.workers >= 1);
    }

    #[test]
    fn values_are_taken() {
        let config = Config::from_given(&given(&[("body_bytes", "5"), ("listen", "[::1]:0")])).unwrap();
        assert_eq!(config.limits.get(&limits::BODY_BYTES), 5);
        assert!(config.listen.is_ipv6());
    }

    #[test]
    fn refuses_what_cannot_be_used_and_names_it() {
        refused(&[("listen", "8080")], "`listen`");
        refused(&[("listen", "0.0.0.0:1")], "`allow_public`");
        refused(&[("requests_per_minute", "many")], "`requests_per_minute`");
        refused(&[("memory_bytes", "0")], "above 0");
        refused(&[("log_format", "xml")], "`log_format`");
        refused(&[("allow_public", "yes")], "true or false");
        refused(&[("admin_listen", "0.0.0.0:1")], "`admin_listen`");
        refused(&[("client_percent", "101")], "`client_percent`");
        assert!(Config::from_given(&given(&[("listen", "0.0.0.0:1"), ("allow_public", "true")])).is_ok());
    }

    #[test]
    fn reads_a_file_and_refuses_unknown_keys() {
        let file = from_file("listen = \"127.0.0.1:1\"\nrequests_per_minute = 7\nallow_public = false").unwrap();
        assert_eq!(file["requests_per_minute"], "7");
        let lists = from_file("cors_origins = [\"https://a.example\", \"https://b.example\"]").unwrap();
        assert_eq!(lists["cors_origins"], "https://a.example,https://b.example");
        assert!(
            from_file("trusted_proxies = [1]")
                .unwrap_err()
                .0
                .contains("array of strings")
        );
        assert!(from_file("lisen = 1").unwrap_err().0.contains("`lisen`"));
        assert!(from_file("listen = [1]").unwrap_err().0.contains("`listen`"));
        assert!(from_file("listen").is_err());
    }
}
