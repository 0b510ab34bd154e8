//! `wasi:keyvalue/store@0.2.0-draft2` over a folder, with an end for each value: for hosts that have no store which outlives
//! a request, but can open a folder. It is the folder `/quartet` of the component.

#[cfg(target_arch = "wasm32")]
mod component {
    use std::fs;
    use std::hash::{BuildHasher, RandomState};
    use std::io::ErrorKind;
    use std::path::{Path, PathBuf};

    use quartet_keyvalue::{ExpiringStore, PlainStore, STORE};
    use sha2::{Digest, Sha256};

    /// Bindings to the world `keyvalue-files` in `wit/`.
    mod bindings {
        wit_bindgen::generate!({ path: "../../wit", world: "keyvalue-files", generate_all });
    }

    use bindings::exports::wasi::keyvalue::store as wit;
    use bindings::wasi::clocks::wall_clock;

    /// The only folder, and so the only store.
    const FOLDER: &str = "/quartet";

    /// No request writes a file for longer, in seconds.
    const UNFINISHED_SECONDS: u64 = 600;

    struct Component;

    bindings::export!(Component with_types_in bindings);

    impl wit::Guest for Component {
        type Bucket = Folder;

        fn open(identifier: String) -> Result<wit::Bucket, wit::Error> {
            if identifier != STORE {
                return Err(wit::Error::NoSuchStore);
            }
            if !Path::new(FOLDER).is_dir() {
                return Err(wit::Error::Other(format!("the host has opened no folder {FOLDER}")));
            }
            Ok(wit::Bucket::new(Folder))
        }
    }

    struct Folder;

    impl Folder {
        fn ending(&self) -> ExpiringStore<&Self> {
            let now = wall_clock::now();
            ExpiringStore {
                store: self,
                now: now.seconds * 1000 + u64::from(now.nanoseconds / 1_000_000),
            }
        }
    }

    fn file(name: &str) -> PathBuf {
        Path::new(FOLDER).join(name)
    }

    impl PlainStore for &Folder {
        /// A digest: keys may have any characters and be longer than a file's name.
        fn name(&self, key: &str) -> String {
            Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect()
        }

        fn get(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
            match fs::read(file(name)) {
                Ok(value) => Ok(Some(value)),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        }

        /// By a rename, so that whoever reads meanwhile gets one value or the other, whole.
        fn set(&self, name: &str, value: &[u8]) -> Result<(), String> {
            // Requests write at the same time: none may have the other's file.
            let number = RandomState::new().hash_one(name);
            let unfinished = file(&format!("{name}.{}-{number:016x}", wall_clock::now().seconds));
            fs::write(&unfinished, value)
                .and_then(|()| fs::rename(&unfinished, file(name)))
                .map_err(|error| error.to_string())
        }

        fn delete(&self, name: &str) -> Result<(), String> {
            match fs::remove_file(file(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error.to_string()),
                _ => Ok(()),
            }
        }

        fn keys(&self) -> Result<Vec<String>, String> {
            let now = wall_clock::now().seconds;
            let entries = fs::read_dir(FOLDER).map_err(|error| error.to_string())?;
            let mut names = Vec::new();
            for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
                let Some((_, unfinished)) = name.split_once('.') else {
                    names.push(name);
                    continue;
                };
                // Another request is writing it, or ended while it did, and then nobody else will remove it.
                let begun = unfinished.split('-').next().and_then(|begun| begun.parse::<u64>().ok());
                if begun.is_none_or(|begun| begun + UNFINISHED_SECONDS < now) {
                    self.delete(&name)?;
                }
            }
            Ok(names)
        }
    }

    impl wit::GuestBucket for Folder {
        fn get(&self, key: String) -> Result<Option<Vec<u8>>, wit::Error> {
            self.ending().get(&key).map_err(wit::Error::Other)
        }

        fn set(&self, key: String, value: Vec<u8>) -> Result<(), wit::Error> {
            self.ending().set(&key, &value).map_err(wit::Error::Other)
        }

        fn delete(&self, key: String) -> Result<(), wit::Error> {
            self.ending().delete(&key).map_err(wit::Error::Other)
        }

        fn exists(&self, key: String) -> Result<bool, wit::Error> {
            Ok(wit::GuestBucket::get(self, key)?.is_some())
        }

        /// Keys are secrets of those whose values they name.
        fn list_keys(&self, _: Option<String>) -> Result<wit::KeyResponse, wit::Error> {
            Err(wit::Error::AccessDenied)
        }
    }
}
