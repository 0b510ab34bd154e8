//! The versions on disk: those that the next start serves, and those that a rollback goes back to.
//!
//! In the folder of the components, `tts.wasm` is the version that serves, for a person to see and to replace. Beside
//! it the host keeps, in `.quartet/tts`, a copy of every version that passed and may be needed again, named by digest,
//! and in `.quartet/tts.json` their order: the one that serves, then the ones before it. So a file that was replaced by
//! a broken one does not keep the next start from serving.
//!
//! Where a folder for versions is set, all of that lies there, and the folder of the components is never written: that of a
//! package belongs to the package. A swapped version serves after a restart for as long as the file below it is the one that
//! it was swapped in over; a new file, such as that of an upgrade, goes before it.
//!
//! Where that folder cannot be written, versions that come from other replicas are kept aside, in the cache: they are there
//! for a rollback, and the next start gets them from the replicas again.
//!
//! Files appear whole or not at all: they are written under another name, forced to the disk, and renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::capabilities::Capability;
use crate::version;

/// The host's own folder in the folder of the components.
const HOST_FOLDER: &str = ".quartet";

/// A folder of components.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    versions: Option<PathBuf>,
    aside: Option<PathBuf>,
}

/// The versions of a capability that are on disk.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Written")]
struct Order {
    /// Digests of the versions that passed, the one that serves first.
    passed: Vec<String>,
    /// Digest of the capability's file when the first of them was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<String>,
}

/// An order as it was written: the digests alone where the first one is the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Digests(Vec<String>),
    Order { passed: Vec<String>, over: Option<String> },
}

impl From<Written> for Order {
    fn from(written: Written) -> Self {
        match written {
            Written::Digests(passed) => Order { passed, over: None },
            Written::Order { passed, over } => Order { passed, over },
        }
    }
}

impl Store {
    /// A store in the folder of the components.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            versions: None,
            aside: None,
        }
    }

    /// The same store with another folder for the versions that passed, where one is set.
    pub fn with_versions(self, versions: Option<PathBuf>) -> Self {
        Self { versions, ..self }
    }

    /// The same store with another folder for versions of the fleet, where the folder of the components cannot be written.
    pub fn with_aside(self, folder: PathBuf) -> Self {
        Self {
            aside: Some(folder),
            ..self
        }
    }

    /// The folder of the components.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that people put a component into.
    pub fn file(&self, capability: &Capability) -> PathBuf {
        self.folder.join(format!("{}.wasm", capability.name()))
    }

    /// The folder for the versions that passed.
    pub fn versions(&self) -> PathBuf {
        let own = || self.folder.join(HOST_FOLDER);
        self.versions.clone().unwrap_or_else(own)
    }

    fn kept(&self, capability: &Capability, digest: &str) -> PathBuf {
        let folder = self.versions().join(capability.name());
        folder.join(format!("{digest}.wasm"))
    }

    fn kept_aside(&self, capability: &Capability, digest: &str) -> Option<PathBuf> {
        let folder = self.aside.as_ref()?.join(capability.name());
        Some(folder.join(format!("{digest}.wasm")))
    }

    fn order_file(&self, capability: &Capability) -> PathBuf {
        self.versions().join(format!("{}.json", capability.name()))
    }

    fn order(&self, capability: &Capability) -> Order {
        fs::read(self.order_file(capability))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// The digests of the versions that passed, the one that serves first. Empty where nothing was kept.
    pub fn passed(&self, capability: &Capability) -> Vec<String> {
        self.order(capability).passed
    }

    /// The digest of the version that was swapped in over a capability's file of that digest, and serves before it.
    pub fn swapped_over(&self, capability: &Capability, file: &str) -> Option<String> {
        let Order { passed, over } = self.order(capability);
        let first = passed.into_iter().next()?;
        (self.versions.is_some() && over.as_deref() == Some(file) && first != file).then_some(first)
    }

    /// Keeps the bytes of a version that passed.
    pub fn keep(&self, capability: &Capability, digest: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.kept(capability, digest);
        if fs::metadata(&path).is_ok_and(|facts| facts.len() == bytes.len() as u64) {
            return Ok(());
        }
        write(&path, bytes)
    }

    /// Keeps the bytes of a version aside.
    pub fn keep_aside(&self, capability: &Capability, digest: &str, bytes: &[u8]) -> io::Result<()> {
        match self.kept_aside(capability, digest) {
            Some(path) => write(&path, bytes),
            None => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// The bytes of a version that was kept.
    pub fn read(&self, capability: &Capability, digest: &str) -> io::Result<Vec<u8>> {
        let bytes = fs::read(self.kept(capability, digest)).or_else(|error| {
            let aside = self.kept_aside(capability, digest).ok_or(error)?;
            fs::read(aside)
        })?;
        if version::digest(&bytes) != digest {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is damaged"));
        }
        Ok(bytes)
    }

    /// Makes the first of these versions the one that the next start serves, and forgets all that are not named. Each
    /// of them was kept before. Whenever this is interrupted, what is in place is a version that passed.
    pub fn install(&self, capability: &Capability, digests: &[String]) -> io::Result<()> {
        let Some(first) = digests.first() else {
            return Ok(());
        };
        let order = self.order_file(capability);
        let file = self.file(capability);
        let in_place = fs::read(&file).ok().map(|bytes| version::digest(&bytes));
        if self.versions.is_some() {
            let passed = digests.to_vec();
            let written = Order { passed, over: in_place };
            write(&order, &serde_json::to_vec(&written)?)?;
        } else {
            write(&order, &serde_json::to_vec(digests)?)?;
            if in_place.as_ref() != Some(first) {
                write(&file, &self.read(capability, first)?)?;
            }
        }
        self.forget(capability, digests);
        Ok(())
    }

    /// Removes the kept versions of a capability that are not among these.
    pub fn forget(&self, capability: &Capability, but: &[String]) {
        remove_others(&self.versions().join(capability.name()), but);
    }

    /// Removes the versions of a capability that were kept aside and are not among these.
    pub fn forget_aside(&self, capability: &Capability, but: &[String]) {
        if let Some(folder) = &self.aside {
            remove_others(&folder.join(capability.name()), but);
        }
    }
}

/// Removes the versions in a folder that are not among these.
fn remove_others(folder: &Path, but: &[String]) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if but.iter().any(|digest| digest == stem) {
            continue;
        }
        if let Err(error) = fs::remove_file(&path) {
            tracing::debug!(path = %path.display(), %error, "an old version cannot be removed");
        }
    }
}

/// Writes a file so that it is there whole or not at all, whatever happens meanwhile.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let unfinished = path.with_extension("part");
    let written = File::create(&unfinished)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    // The rename itself is only on the disk when its folder is.
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tts() -> Capability {
        Capability::bare("tts")
    }

    fn store(name: &str) -> Store {
        let folder = std::env::temp_dir().join(format!("quartet-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Store::new(folder)
    }

    fn keep(store: &Store, bytes: &[u8]) -> String {
        let digest = version::digest(bytes);
        store.keep(&tts(), &digest, bytes).unwrap();
        digest
    }

    #[test]
    fn the_first_is_in_place_and_only_the_named_stay() {
        let store = store("order");
        let (a, b, c) = (keep(&store, b"a"), keep(&store, b"b"), keep(&store, b"c"));
        store.install(&tts(), &[b.clone(), a.clone()]).unwrap();
        assert_eq!(fs::read(store.file(&tts())).unwrap(), b"b");
        assert_eq!(store.passed(&tts()), [b, a.clone()]);
        assert_eq!(store.read(&tts(), &a).unwrap(), b"a");
        assert!(store.read(&tts(), &c).is_err());
        assert_eq!(
            fs::read_dir(store.folder()).unwrap().count(),
            2,
            "nothing unfinished is left"
        );
        fs::remove_dir_all(store.folder()).unwrap();
    }

    #[test]
    fn a_folder_for_versions_leaves_the_file_alone_and_gives_way_to_a_new_one() {
        let store = store("versions");
        let store = store
            .clone()
            .with_versions(Some(store.folder().with_extension("versions")));
        write(&store.file(&tts()), b"packaged").unwrap();
        let (packaged, swapped) = (version::digest(b"packaged"), keep(&store, b"swapped"));
        store.install(&tts(), std::slice::from_ref(&swapped)).unwrap();
        assert_eq!(fs::read(store.file(&tts())).unwrap(), b"packaged");
        assert_eq!(store.swapped_over(&tts(), &packaged), Some(swapped.clone()));
        assert_eq!(store.swapped_over(&tts(), &version::digest(b"upgraded")), None);
        assert_eq!(store.passed(&tts()), [swapped]);
        assert_eq!(fs::read_dir(store.folder()).unwrap().count(), 1);
        fs::remove_dir_all(store.folder()).unwrap();
        fs::remove_dir_all(store.versions()).unwrap();
    }

    #[test]
    fn an_order_of_digests_alone_is_read() {
        let store = store("digests");
        write(&store.order_file(&tts()), br#"["a","b"]"#).unwrap();
        assert_eq!(store.passed(&tts()), ["a", "b"]);
        fs::remove_dir_all(store.folder()).unwrap();
    }

    #[test]
    fn what_was_damaged_is_not_read() {
        let store = store("damaged");
        let a = keep(&store, b"a");
        fs::write(store.kept(&tts(), &a), b"x").unwrap();
        assert!(store.read(&tts(), &a).is_err());
        assert!(store.install(&tts(), &[a]).is_err());
        fs::remove_dir_all(store.folder()).unwrap();
    }

    #[test]
    fn what_is_kept_aside_is_found_and_forgotten() {
        let store = store("aside");
        let store = store.clone().with_aside(store.folder().join("aside"));
        let (a, b) = (version::digest(b"a"), version::digest(b"b"));
        store.keep_aside(&tts(), &a, b"a").unwrap();
        store.keep_aside(&tts(), &b, b"b").unwrap();
        assert_eq!(store.read(&tts(), &a).unwrap(), b"a");
        store.forget_aside(&tts(), std::slice::from_ref(&b));
        assert!(store.read(&tts(), &a).is_err());
        assert_eq!(store.read(&tts(), &b).unwrap(), b"b");
        fs::remove_dir_all(store.folder()).unwrap();
        assert!(
            Store::new(PathBuf::from("/nowhere"))
                .keep_aside(&tts(), &a, b"a")
                .is_err()
        );
    }

    #[test]
    fn nothing_kept_is_no_error() {
        let store = store("nothing");
        assert!(store.passed(&tts()).is_empty());
        store.forget(&tts(), &[]);
    }
}
