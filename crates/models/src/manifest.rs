//! Reading `models.toml`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::source::Source;

/// Size that is allowed for a file of unknown size.
const MAX_UNKNOWN_BYTES: u64 = 8_000_000_000;

/// The whole table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    model: Vec<Model>,
}

/// One file that the host or a build reads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name: for a graph, the one that components ask for.
    pub name: String,
    /// Its file in the models folder.
    pub file: String,
    /// A description for people.
    pub what: String,
    /// Its licence, in the words of SPDX.
    pub licence: String,
    /// Whose it is.
    pub origin: String,
    /// A place where the digest can be checked.
    pub checked: String,
    /// True if the default configuration needs it.
    #[serde(default)]
    pub default: bool,
    /// The machine that it is for, as `<architecture>-<system>`; without it, any. Only programs have it.
    pub machine: Option<String>,
    /// Bytes of free memory that a language model wants. Among those that are there, `language_model = auto` takes the one
    /// that wants the most and gets it. Only language models have it; the host's build script reads it, too.
    pub memory: Option<u64>,
    /// False if a language model was found to choose functions and their arguments badly, so that it is not asked to call any.
    pub tools: Option<bool>,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: String,
    /// Its size in bytes. Only an untried model may lack it.
    pub size: Option<u64>,
    /// True if nobody of this project has had the file: its address and digest are somebody else's word, named in `checked`.
    #[serde(default)]
    pub untried: bool,
    /// Arguments of the converter that makes the file of its parts. Without it, the parts are joined.
    #[serde(default)]
    pub convert: Vec<String>,
    /// Address of the file in one piece, over HTTPS, when the parts are only how other sources have it.
    pub whole: Option<String>,
    /// The published files that it is made of. None: the file itself is published.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// Sources of the parts, in the order in which they are asked.
    #[serde(default)]
    pub sources: Vec<Source>,
}

/// A published file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its name.
    pub file: String,
    /// SHA-256 of it.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
}

impl Model {
    /// Returns true if this is a language model.
    #[must_use]
    pub fn is_language(&self) -> bool {
        self.memory.is_some()
    }

    /// Returns true if it is of use on this machine.
    #[must_use]
    pub fn is_for_here(&self) -> bool {
        let here = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
        self.machine.as_ref().is_none_or(|machine| *machine == here)
    }

    /// Its size in bytes; where nobody knows it, what no model of its kind exceeds.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size.unwrap_or(MAX_UNKNOWN_BYTES)
    }

    /// The published files; for a model that is one itself, that one.
    #[must_use]
    pub fn published(&self) -> Vec<Part> {
        if !self.parts.is_empty() {
            return self.parts.clone();
        }
        vec![Part {
            file: self.file.clone(),
            sha256: self.sha256.clone(),
            size: self.size(),
        }]
    }
}

impl Manifest {
    /// The project's own table, as it was when this was compiled.
    ///
    /// # Errors
    /// When something in it is not as it must be.
    pub fn embedded() -> Result<Self> {
        Self::parse(include_str!("../../../models.toml")).context("models.toml")
    }

    /// Reads a table.
    ///
    /// # Errors
    /// When something in it is not as it must be.
    pub fn parse(text: &str) -> Result<Self> {
        let manifest: Self = toml::from_str(text)?;
        let mut taken = BTreeSet::new();
        for model in &manifest.model {
            model.check().with_context(|| format!("the model {}", model.name))?;
            ensure!(taken.insert(&model.name), "two models are called {}", model.name);
            ensure!(taken.insert(&model.file), "two models are in the file {}", model.file);
        }
        Ok(manifest)
    }

    /// All models.
    pub fn models(&self) -> impl Iterator<Item = &Model> {
        self.model.iter()
    }

    /// The model of this name.
    ///
    /// # Errors
    /// When there is none; the message has all names.
    pub fn find(&self, name: &str) -> Result<&Model> {
        let names = || {
            self.models()
                .map(|model| model.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let found = self.models().find(|model| model.name == name);
        found.with_context(|| format!("there is no model {name}; there are {}", names()))
    }
}

impl Model {
    fn check(&self) -> Result<()> {
        let digests = self.parts.iter().map(|part| &part.sha256).chain([&self.sha256]);
        for digest in digests {
            let hexadecimal = digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            ensure!(
                digest.len() == 64 && hexadecimal,
                "{digest} is no SHA-256 in lower-case hexadecimal"
            );
        }
        for file in self.parts.iter().map(|part| &part.file).chain([&self.file]) {
            ensure!(
                Path::new(file).file_name().is_some_and(|name| name == file.as_str()),
                "{file} is no file's name"
            );
        }
        for (what, text) in [
            ("licence", &self.licence),
            ("origin", &self.origin),
            ("checked", &self.checked),
        ] {
            ensure!(!text.trim().is_empty(), "`{what}` is empty");
        }
        ensure!(!self.sources.is_empty() || self.whole.is_some(), "it has no source");
        ensure!(self.size.is_some() || self.untried, "it has no size");
        ensure!(!(self.default && self.untried), "it is a default that nobody has tried");
        if let Some(address) = &self.whole {
            ensure!(
                address.starts_with("https://"),
                "{address} does not start with https://"
            );
            ensure!(
                self.convert.is_empty() && self.parts.is_empty() == self.sources.is_empty(),
                "`whole` stands beside parts that are joined, or alone"
            );
        }
        if !self.convert.is_empty() {
            ensure!(!self.parts.is_empty(), "it is converted, but of no parts");
            for needed in self.parts.iter().map(|part| part.file.as_str()).chain(["output"]) {
                let place = format!("{{{needed}}}");
                if !self.convert.contains(&place) {
                    bail!("`convert` has no {place}");
                }
            }
        }
        self.sources.iter().try_for_each(Source::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn table(more: &str) -> String {
        format!(
            "[[model]]\nname = \"a\"\nfile = \"a.onnx\"\nwhat = \"w\"\nlicence = \"MIT\"\norigin = \"o\"\n\
             checked = \"c\"\nsha256 = \"{DIGEST}\"\nsize = 3\n{more}\n"
        )
    }

    #[test]
    fn the_projects_own_table_is_right() {
        let manifest = Manifest::embedded().expect("it is right");
        assert!(manifest.models().any(|model| model.default));
        assert!(manifest.find("ocr-detection").is_ok());
        assert!(manifest.find("nothing").is_err());
    }

    #[test]
    fn what_is_published() {
        let one = table("sources = [{ address = \"https://example.org/a\" }]");
        let manifest = Manifest::parse(&one).expect("it is right");
        let published = manifest.find("a").expect("it is there").published();
        assert_eq!(published.len(), 1);
        assert_eq!((published[0].file.as_str(), published[0].size), ("a.onnx", 3));
    }

    #[test]
    fn mistakes_are_named() {
        let part = format!("parts = [{{ file = \"p\", sha256 = \"{DIGEST}\", size = 1 }}]");
        let source = "sources = [{ address = \"https://example.org/a\" }]";
        for (more, word) in [
            ("sources = []".to_owned(), "no source"),
            ("sources = [{ address = \"http://example.org/a\" }]".to_owned(), "https"),
            ("sources = [{ npm = \"a@1\" }]".to_owned(), "path"),
            ("sources = [{ path = \"a\" }]".to_owned(), "one of"),
            (format!("{source}\nconvert = [\"x\"]"), "no parts"),
            (format!("{source}\n{part}\nconvert = [\"x\", \"{{p}}\"]"), "{output}"),
            (format!("{source}\nlicense = \"MIT\""), "license"),
        ] {
            let error = format!("{:#}", Manifest::parse(&table(&more)).expect_err(&more));
            assert!(error.contains(word), "{more}: {error}");
        }
        let digest = table(source).replace(DIGEST, "abc");
        assert!(format!("{:#}", Manifest::parse(&digest).expect_err("too short")).contains("SHA-256"));
        let twice = table(source).repeat(2);
        assert!(format!("{:#}", Manifest::parse(&twice).expect_err("twice")).contains("two models"));
    }
}
