//! The format of `capability.toml`, and of a file with a list of capabilities.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::capability::Definition;
use super::grant::{self, Environment, Grant};
use super::name::{self, is_name};
use super::probe::{self, ReadFile, Written, WrittenStep};

/// Similarity from which a known word is proposed for an unknown one.
const MIN_SIMILARITY: f64 = 0.7;

/// The writer of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Whoever made the program.
    Program,
    /// Whoever runs the service.
    Operator,
}

/// A file with a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    capability: Vec<Entry>,
}

/// A capability.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// In a list only: a file of its own has the name of its folder.
    name: Option<String>,
    #[serde(default)]
    graphs: Vec<String>,
    #[serde(default)]
    may: Vec<Grant>,
    environment: Option<Vec<Environment>>,
    #[serde(default)]
    streams: bool,
    #[serde(default)]
    probe: Written,
    #[serde(default)]
    warm_up: Vec<WrittenStep>,
}

/// Reads a file with the capability of this name.
///
/// # Errors
/// A sentence that names the line or the key.
pub fn one(name: &str, text: &str, origin: Origin, read: ReadFile<'_>) -> Result<Definition, String> {
    if !is_name(name) {
        return Err(format!("the folder is called {name:?}; a name is {}", name::FORM));
    }
    let entry: Entry = parse(text)?;
    match &entry.name {
        Some(other) if other != name => Err(format!("`name` is {other:?}; the folder is called {name:?}")),
        _ => entry.define(name.to_owned(), origin, read),
    }
}

/// Reads an operator's file with a list of capabilities.
///
/// # Errors
/// A sentence that names the line, or the capability and the key.
pub fn list(text: &str, read: ReadFile<'_>) -> Result<Vec<Definition>, String> {
    let define = |mut entry: Entry| {
        let name = entry.name.take().ok_or("a capability has no `name`")?;
        let defined = match is_name(&name) {
            true => entry.define(name.clone(), Origin::Operator, read),
            false => Err(format!("`name` takes {}", name::FORM)),
        };
        defined.map_err(|reason| format!("the capability {name:?}: {reason}"))
    };
    let list: List = parse(text)?;
    list.capability.into_iter().map(define).collect()
}

impl Entry {
    fn define(self, name: String, origin: Origin, read: ReadFile<'_>) -> Result<Definition, String> {
        if let Some(graph) = self.graphs.iter().find(|graph| !is_name(graph)) {
            return Err(format!(
                "`graphs` has {graph:?}; it takes names of files in the folder of the models, without .onnx: lower-case \
                 letters, digits and -"
            ));
        }
        let mut grants = self.may;
        if origin == Origin::Operator {
            grants.extend(grant::OF_ADDED);
        }
        let searches = grants.contains(&Grant::Search);
        let environment = match self.environment {
            Some(environment) => environment,
            None if searches => vec![Environment::Search],
            None => Vec::new(),
        };
        if environment.contains(&Environment::Search) && !searches {
            return Err("`environment` has \"search\", and `may` does not".to_owned());
        }
        if environment.contains(&Environment::Phrasing) && origin == Origin::Operator {
            return Err("`environment` has \"phrasing\", which is for the service's own components".to_owned());
        }
        Ok(Definition {
            name,
            graphs: self.graphs.into(),
            grants,
            environment,
            streams: self.streams,
            probe: self.probe.steps(read)?,
            warm_up: probe::steps("warm_up", self.warm_up, read)?,
        })
    }
}

/// Reads TOML. The error names the line, and for an unknown word the one that was probably meant.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| {
            let before = text.get(..span.start).unwrap_or_default();
            format!("line {}: ", before.matches('\n').count() + 1)
        });
        let message = error.message();
        let meant = meant(message)
            .map(|word| format!("; did you mean `{word}`?"))
            .unwrap_or_default();
        format!("{}{message}{meant}", line.unwrap_or_default())
    })
}

/// The known word most like an unknown one, out of serde's sentence with the unknown one first and then the known ones.
fn meant(message: &str) -> Option<&str> {
    if !message.starts_with("unknown ") {
        return None;
    }
    let mut words = message.split('`').skip(1).step_by(2);
    let unknown = words.next()?;
    let alike = words.map(|word| (strsim::jaro_winkler(unknown, word), word));
    let (similarity, word) = alike.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (similarity >= MIN_SIMILARITY).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::super::probe::Status;
    use super::*;
    use quartet_api::Code;

    fn no_files(_: &str) -> Result<Vec<u8>, String> {
        Err("none".to_owned())
    }

    #[test]
    fn a_list_says_what_there_is_and_what_it_may_have() {
        let all = list(
            "[[capability]]\nname = \"words\"\n[[capability]]\nname = \"signs\"\ngraphs = [\"ocr-detection\"]\n\
             may = [\"keep\", \"language-model\", \"search\"]\nstreams = true\nprobe = \"/info\"",
            &no_files,
        )
        .unwrap();
        let [words, signs] = all.as_slice() else {
            panic!("{all:?}")
        };
        assert_eq!((&*words.name, words.graphs.len(), words.streams), ("words", 0, false));
        assert_eq!(words.grants, grant::OF_ADDED);
        assert!(words.environment.is_empty());
        assert_eq!(
            (&*words.probe[0].path, words.probe[0].expected.status),
            ("", Status::NoServerError)
        );
        let ok = Status::Is(http::StatusCode::OK);
        assert_eq!((&*signs.probe[0].path, signs.probe[0].expected.status), ("/info", ok));
        for grant in [Grant::Keep, Grant::LanguageModel, Grant::Search] {
            assert!(signs.grants.contains(&grant));
        }
        assert_eq!(
            (&*signs.graphs, signs.streams),
            (["ocr-detection".to_owned()].as_slice(), true)
        );
        assert_eq!(signs.environment, [Environment::Search]);
    }

    #[test]
    fn a_file_of_its_own_has_steps_with_bodies() {
        let text = r#"
            [[probe]]
            path = "/count"
            headers = { accept = "application/json" }
            json = { text = "a b" }
            content_type = "application/json"
            answer = [{ at = "/data/words", is = 2 }]
            [[probe]]
            method = "PUT"
            form = { part = "file", media_type = "text/plain", file = "probe/text" }
            failure = "method_not_allowed"
        "#;
        let read = |path: &str| Ok(format!("<{path}>").into_bytes());
        let words = one("words", text, Origin::Operator, &read).unwrap();
        let [count, put] = words.probe.as_slice() else {
            panic!("{words:?}")
        };
        assert_eq!(
            (&count.method, count.body.as_slice()),
            (&http::Method::POST, br#"{"text":"a b"}"#.as_slice())
        );
        assert_eq!(count.headers.len(), 2);
        let status = Status::Failure(Code::MethodNotAllowed);
        assert_eq!((&put.method, put.expected.status), (&http::Method::PUT, status));
        let form = String::from_utf8(put.body.clone()).unwrap();
        assert!(
            form.contains("name=\"file\"") && form.contains("<probe/text>"),
            "{form}"
        );
    }

    #[test]
    fn what_cannot_be_is_refused_by_line_or_key() {
        for (text, part) in [
            ("name = \"../a\"", "`name`"),
            ("graphs = []", "`name`"),
            ("name = \"a\"\ngraphs = [\"../b\"]", "`graphs`"),
            ("name = \"a\"\nmay = [\"files\"]", "line 3: unknown variant `files`"),
            (
                "name = \"a\"\nmay = [\"language-modle\"]",
                "did you mean `language-model`?",
            ),
            ("name = \"a\"\nprobe = \"info\"", "`probe`"),
            ("name = \"a\"\nprobe = []", "`probe`"),
            ("name = \"a\"\nprobe = 1", "line 3: "),
            ("name = \"a\"\npath = \"/b\"", "line 3: unknown field `path`"),
            ("name = \"a\"\n\ngrphs = []", "line 4: unknown field `grphs`"),
            ("name = \"a\"\ngrphs = []", "did you mean `graphs`?"),
            (
                "name = \"a\"\n[[capability.probe]]\npath = \"/\"\nheader = {}",
                "line 5: unknown field `header`",
            ),
            ("name = \"a\"\nprobe = [{ path = \"b\" }]", "`probe` 1: `path`"),
            ("name = \"a\"\nprobe = [{ failure = \"no\" }]", "`failure`"),
            ("name = \"a\"\nprobe = [{ status = 200, failure = \"busy\" }]", "both"),
            (
                "name = \"a\"\nprobe = [{ answer = [{ at = \"data\", is = 1 }] }]",
                "`at`",
            ),
            (
                "name = \"a\"\nprobe = [{ answer = [{ at = \"/data\" }] }]",
                "nothing is expected",
            ),
            (
                "name = \"a\"\nprobe = [{ form = { part = \"f\", media_type = \"a/b\", file = \"../b\" } }]",
                "`file` is \"../b\"",
            ),
            (
                "name = \"a\"\nprobe = [{ form = { part = \"f\", media_type = \"a/b\", file = \"probe/b\" } }]",
                "probe/b cannot be read: none",
            ),
        ] {
            let reason = list(&format!("[[capability]]\n{text}"), &no_files).unwrap_err();
            assert!(reason.contains(part), "{reason}");
        }
        assert!(list("", &no_files).unwrap_err().contains("capability"));
        let other = one("a", "name = \"b\"", Origin::Operator, &no_files).unwrap_err();
        assert!(other.contains("the folder is called \"a\""), "{other}");
        assert!(one("A", "", Origin::Operator, &no_files).unwrap_err().contains("\"A\""));
    }
}
