//! Capabilities: what they are called, what they may have, and what a component must answer before it serves. Each is a
//! `capability.toml`; those of the components of this repository are in the program, and whoever runs the service adds
//! others.
//!
//! They are read before anything is served, and stay what they are until the process ends.

pub mod capability;
pub mod file;
pub mod grant;
pub mod name;
pub mod operation;
pub mod probe;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};

pub use capability::{Capability, Definition};
use file::Origin;

/// The name of the file in the folder of a capability.
const FILE_NAME: &str = "capability.toml";

/// The file that a folder of sources has, and one of built components has not.
const SOURCE: &str = "Cargo.toml";

/// Size of a file that a probe sends, in bytes.
const MAX_PROBE_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// A capability in the program.
struct Embedded {
    name: &'static str,
    text: &'static str,
    /// Files for its probe, by their paths from the folder of the `capability.toml`.
    files: &'static [(&'static str, &'static [u8])],
}

include!(concat!(env!("OUT_DIR"), "/capabilities.rs"));

/// Every capability of this process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Capabilities(Arc<[Capability]>);

impl Capabilities {
    /// The capabilities in the program, in the contract's order.
    ///
    /// # Errors
    /// When one of their files is wrong, which a test finds out.
    pub fn embedded() -> anyhow::Result<Self> {
        let mut all = Vec::new();
        // The order is that of lists and logs; what the contract does not know comes behind.
        let mut embedded: Vec<&Embedded> = EMBEDDED.iter().collect();
        embedded.sort_by_key(|embedded| {
            let mut contract = quartet_api::Capability::ALL.iter();
            let place = contract.position(|capability| capability.name() == embedded.name);
            place.unwrap_or(usize::MAX)
        });
        for embedded in embedded {
            let defined = file::one(embedded.name, embedded.text, Origin::Program, &|path| {
                embedded.file(path)
            });
            defined
                .and_then(|definition| add(&mut all, definition))
                .map_err(|reason| anyhow!("components/{}/{FILE_NAME}: {reason}", embedded.name))?;
        }
        Ok(Self(all.into()))
    }

    /// The capabilities in the program, then those of a file, then those that have a folder with a `capability.toml` in
    /// the folder of the components.
    ///
    /// # Errors
    /// When a file cannot be read, or has something in it that is not allowed.
    pub fn load(file: Option<&Path>, components: &Path) -> anyhow::Result<Self> {
        let mut all = Self::embedded()?.0.to_vec();
        if let Some(path) = file {
            let beside = path.parent().filter(|parent| *parent != Path::new(""));
            let beside = beside.unwrap_or(Path::new("."));
            let text = read(path)?;
            file::list(&text, &|name| read_beside(beside, name))
                .and_then(|definitions| {
                    definitions
                        .into_iter()
                        .try_for_each(|definition| add(&mut all, definition))
                })
                .map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
        }
        for (name, folder) in folders(components)? {
            let path = folder.join(FILE_NAME);
            let text = read(&path)?;
            file::one(&name, &text, Origin::Operator, &|name| read_beside(&folder, name))
                .and_then(|definition| add(&mut all, definition))
                .map_err(|reason| match folder.join(SOURCE).is_file() {
                    true => anyhow!(
                        "{}: {reason}; these are sources, and what is built of them is in another folder: \
                         --components target/components",
                        path.display()
                    ),
                    false => anyhow!("{}: {reason}", path.display()),
                })?;
        }
        Ok(Self(all.into()))
    }

    /// All of them: those of the contract, then those that were added.
    pub fn iter(&self) -> std::slice::Iter<'_, Capability> {
        self.0.iter()
    }

    /// The one with this name.
    pub fn get(&self, name: &str) -> Option<&Capability> {
        self.iter().find(|capability| capability.name() == name)
    }

    /// The graphs of all of them.
    pub fn graphs(&self) -> impl Iterator<Item = &str> {
        let graphs = self.iter().flat_map(|capability| capability.graphs.iter());
        graphs.map(String::as_str)
    }

    /// Their names, for a person.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.iter().map(Capability::name).collect();
        names.join(", ")
    }
}

impl Embedded {
    fn file(&self, path: &str) -> Result<Vec<u8>, String> {
        let found = self.files.iter().find(|(name, _)| *name == path);
        found
            .map(|(_, bytes)| bytes.to_vec())
            .ok_or_else(|| "it is not in the program".to_owned())
    }
}

/// Adds a capability, unless something else has its name.
fn add(all: &mut Vec<Capability>, definition: Definition) -> Result<(), String> {
    let name = &definition.name;
    if name::is_reserved(name) || all.iter().any(|other| other.name() == name) {
        return Err(format!("the name {name:?} is taken"));
    }
    all.push(definition.into());
    Ok(())
}

/// Names and paths of the folders with a `capability.toml`, by name. No folder of components is no reason to fail: that
/// the components are missing is told elsewhere.
fn folders(components: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(components) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", components.display())),
    };
    let mut found = Vec::new();
    for entry in entries {
        let folder = entry
            .with_context(|| format!("{} cannot be read", components.display()))?
            .path();
        if folder.join(FILE_NAME).is_file() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, folder));
        }
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).map_err(|error| anyhow!("{} cannot be read: {error}", path.display()))
}

/// Reads a file that a probe sends. A link may not lead elsewhere: a component would be shown what it has no business
/// with.
fn read_beside(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let message = |error: std::io::Error| error.to_string();
    let allowed = folder.canonicalize().map_err(message)?.join(probe::FOLDER);
    let path = folder.join(name).canonicalize().map_err(message)?;
    if !path.starts_with(&allowed) {
        return Err(format!("it is not in the folder `{}`", probe::FOLDER));
    }
    let facts = fs::metadata(&path).map_err(message)?;
    if !facts.is_file() || facts.len() > MAX_PROBE_FILE_BYTES {
        return Err(format!("it is no file of at most {MAX_PROBE_FILE_BYTES} bytes"));
    }
    fs::read(path).map_err(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of components, with these files.
    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("quartet-capabilities-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn the_program_has_those_of_the_contract_in_its_order() {
        let all = Capabilities::embedded().unwrap();
        let contract: Vec<_> = quartet_api::Capability::ALL
            .iter()
            .map(|capability| capability.name())
            .collect();
        assert_eq!(all.names(), contract.join(", "));
        assert!(Capabilities::load(None, Path::new("/no/such/folder")).is_ok());
    }

    #[test]
    fn a_folder_is_a_capability() {
        let probe = "[[probe]]\nform = { part = \"a\", media_type = \"text/plain\", file = \"probe/a.txt\" }";
        let files = [
            ("words/capability.toml", probe),
            ("words/probe/a.txt", "hello"),
            ("words.wasm", ""),
            ("notes/readme", "no capability"),
        ];
        let folder = folder("words", &files);
        let all = Capabilities::load(None, &folder).unwrap();
        assert_eq!(all.names(), "tts, image, pdf, chat, words");
        let words = all.get("words").unwrap();
        assert!(String::from_utf8_lossy(&words.probe[0].body).contains("hello"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_wrong_is_named_with_its_file() {
        for (name, files, parts) in [
            (
                "unknown",
                &[("words/capability.toml", "\ngrphs = []")][..],
                &["words/capability.toml: line 2", "`graphs`"][..],
            ),
            (
                "taken",
                &[("tts/capability.toml", "")],
                &["tts/capability.toml", "taken"],
            ),
            (
                "sources",
                &[("chat/capability.toml", ""), ("chat/Cargo.toml", "")],
                &["chat/capability.toml", "taken", "--components target/components"],
            ),
            (
                "page",
                &[("readyz/capability.toml", "")],
                &["readyz/capability.toml", "taken"],
            ),
            (
                "none",
                &[("none/capability.toml", "")],
                &["none/capability.toml", "taken"],
            ),
            (
                "name",
                &[("Words/capability.toml", "")],
                &["Words/capability.toml", "lower-case"],
            ),
        ] {
            let folder = folder(name, files);
            let reason = Capabilities::load(None, &folder).unwrap_err().to_string();
            assert!(parts.iter().all(|part| reason.contains(part)), "{reason}");
            fs::remove_dir_all(folder).unwrap();
        }
        let twice = "[[capability]]\nname = \"words\"\n";
        let folder = folder("twice", &[("list.toml", twice), ("words/capability.toml", "")]);
        let reason = Capabilities::load(Some(&folder.join("list.toml")), &folder).unwrap_err();
        assert!(reason.to_string().contains("taken"), "{reason}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_probe_sends_nothing_that_is_elsewhere() {
        let toml = |file: &str| {
            format!("[[probe]]\nform = {{ part = \"a\", media_type = \"text/plain\", file = \"{file}\" }}")
        };
        for (file, reason) in [
            ("secret", "takes a path in the folder `probe`"),
            ("probe/../secret", "takes a path in the folder `probe`"),
            ("/etc/passwd", "takes a path in the folder `probe`"),
            ("probe/link", "not in the folder"),
            ("probe/folder", "no file"),
            ("probe/missing", "No such file"),
        ] {
            let files = [
                ("a/capability.toml", &*toml(file)),
                ("a/secret", "s"),
                ("a/probe/folder/b", ""),
            ];
            let folder = folder("elsewhere", &files);
            std::os::unix::fs::symlink("../secret", folder.join("a/probe/link")).unwrap();
            let said = Capabilities::load(None, &folder).unwrap_err().to_string();
            assert!(said.contains(reason), "{said}");
            fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn the_example_of_a_list_is_one() {
        let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/words/capabilities.toml");
        let all = Capabilities::load(Some(Path::new(list)), Path::new("/no/such/folder")).unwrap();
        assert_eq!(all.get("words").unwrap().probe[0].path, "/info");
    }
}
