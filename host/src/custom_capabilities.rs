//! Capabilities that whoever runs the service adds to those of the contract, by a file of settings and a component beside the
//! others: what they are called, what they may have, and how they answer.
//!
//! What there is, is known before anything is served and stays so: one table for the process, as for its log.

use std::path::Path;
use std::sync::OnceLock;

use quartet_api::operations::{Answer, Method, Operation};
use quartet_api::{BASE_PATH, Capability};
use serde::Deserialize;

use crate::own_pages;

/// Longest name, in bytes.
const LONGEST: usize = 32;

/// One capability that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// What it is called: its file is `<name>.wasm`, its paths are under `/api/v1/<name>`.
    pub name: &'static str,
    /// All of its paths, with any method.
    pub operation: &'static Operation,
    /// The graphs that it may have computed.
    pub graphs: &'static [&'static str],
    /// What else it may have.
    pub may: &'static [Grant],
    /// What it must answer before it serves: a path, and whether the answer must be a success.
    pub probe: (&'static str, bool),
}

/// What a capability may have beside clocks and random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// Values kept between requests.
    Keep,
    /// The language model.
    LanguageModel,
    /// Requests to where the settings of the search let them.
    Search,
}

static ALL: OnceLock<Vec<Added>> = OnceLock::new();

/// Everything that was added.
pub fn all() -> &'static [Added] {
    ALL.get().map_or(&[], Vec::as_slice)
}

/// All capabilities: those of the contract, then those that were added.
pub fn capabilities() -> impl Iterator<Item = Capability> {
    let added = all().iter().map(|added| Capability::Added(added.name));
    Capability::ALL.iter().copied().chain(added)
}

/// The capability with this name.
pub fn capability(name: &str) -> Option<Capability> {
    capabilities().find(|capability| capability.name() == name)
}

/// The names of all capabilities, for a person.
pub fn names() -> String {
    let names: Vec<_> = capabilities().map(Capability::name).collect();
    names.join(", ")
}

/// What is known of one that was added.
pub fn of(name: &str) -> Option<&'static Added> {
    all().iter().find(|added| added.name == name)
}

/// The one that a path belongs to.
pub fn at(path: &str) -> Option<&'static Added> {
    let rest = path.strip_prefix(BASE_PATH)?.strip_prefix('/')?;
    of(rest.split('/').next()?)
}

/// Takes what a file says, once, before anything is served.
///
/// # Errors
/// When the file cannot be read, or says what cannot be.
pub fn take(file: &Path) -> anyhow::Result<()> {
    let text =
        std::fs::read_to_string(file).map_err(|error| anyhow::anyhow!("{} cannot be read: {error}", file.display()))?;
    let added = parse(&text).map_err(|reason| anyhow::anyhow!("{}: {reason}", file.display()))?;
    ALL.set(added)
        .map_err(|_| anyhow::anyhow!("capabilities were added twice"))
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    capability: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    #[serde(default)]
    graphs: Vec<String>,
    #[serde(default)]
    may: Vec<Grant>,
    #[serde(default)]
    streams: bool,
    probe: Option<String>,
}

fn parse(text: &str) -> Result<Vec<Added>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut all: Vec<Added> = Vec::new();
    for entry in file.capability {
        let name = entry.name.clone();
        let taken = Capability::from_name(&name).is_some()
            || all.iter().any(|added| added.name == name)
            || own_pages::NAMES.contains(&name.as_str())
            || name == own_pages::NOTHING;
        if taken {
            return Err(format!("the name {name:?} is taken"));
        }
        all.push(read(entry).map_err(|reason| format!("the capability {name:?}: {reason}"))?);
    }
    Ok(all)
}

/// Whether something can be called like this.
pub fn is_name(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn read(entry: Entry) -> Result<Added, String> {
    if !is_name(&entry.name) {
        return Err(format!(
            "`name` takes a lower-case letter, then letters, digits and -, {LONGEST} at most"
        ));
    }
    if let Some(graph) = entry.graphs.iter().find(|graph| !is_name(graph)) {
        return Err(format!(
            "`graphs` has {graph:?}; it takes names of files in the folder of the models, without .onnx: lower-case letters, \
             digits and -"
        ));
    }
    if let Some(probe) = entry.probe.as_ref().filter(|probe| !probe.starts_with('/')) {
        return Err(format!(
            "`probe` is {probe:?}; it takes a path below the capability's own, such as /info"
        ));
    }
    // What there is stays until the process ends.
    let name: &'static str = entry.name.leak();
    let path: &'static str = format!("{BASE_PATH}/{name}").leak();
    let graphs: Vec<&'static str> = entry.graphs.into_iter().map(|graph| &*graph.leak()).collect();
    Ok(Added {
        name,
        operation: Box::leak(Box::new(Operation {
            capability: Capability::Added(name),
            method: Method::Get,
            path,
            answer: if entry.streams { Answer::Stream } else { Answer::Events },
            summary: "Added by whoever runs the service",
        })),
        graphs: graphs.leak(),
        may: entry.may.leak(),
        probe: match entry.probe {
            Some(probe) => (format!("{path}{probe}").leak(), true),
            None => (path, false),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_there_is_and_what_it_may_have() {
        let all = parse(
            "[[capability]]\nname = \"words\"\n[[capability]]\nname = \"signs\"\ngraphs = [\"ocr-detection\"]\n\
             may = [\"keep\", \"language-model\", \"search\"]\nstreams = true\nprobe = \"/info\"",
        )
        .unwrap();
        let [words, signs] = all.as_slice() else {
            panic!("{all:?}")
        };
        assert_eq!((words.name, words.operation.path), ("words", "/api/v1/words"));
        assert_eq!(
            (words.probe, words.may.len(), words.graphs.len()),
            (("/api/v1/words", false), 0, 0)
        );
        assert_eq!(signs.may, [Grant::Keep, Grant::LanguageModel, Grant::Search]);
        assert_eq!(
            (signs.graphs, signs.probe),
            (["ocr-detection"].as_slice(), ("/api/v1/signs/info", true))
        );
        assert!(signs.operation.answer.streams(None) && !words.operation.answer.streams(None));
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        for (text, part) in [
            ("[[capability]]\nname = \"tts\"", "taken"),
            ("[[capability]]\nname = \"none\"", "taken"),
            ("[[capability]]\nname = \"a\"\n[[capability]]\nname = \"a\"", "taken"),
            ("[[capability]]\nname = \"../a\"", "`name`"),
            ("[[capability]]\nname = \"a\"\ngraphs = [\"../b\"]", "`graphs`"),
            ("[[capability]]\nname = \"a\"\nmay = [\"files\"]", "files"),
            ("[[capability]]\nname = \"a\"\nprobe = \"info\"", "`probe`"),
            ("[[capability]]\nname = \"a\"\npath = \"/b\"", "path"),
            ("", "capability"),
        ] {
            let reason = parse(text).unwrap_err();
            assert!(reason.contains(part), "{reason}");
        }
    }
}
