//! Values between requests, in the store of the component's host or of a component that it is composed with.
//!
//! A component that does not use [`KeyValue`] does not import `wasi:keyvalue`: what nobody calls is no import.

use quartet_api::keyvalue::{CHANGED, CHECKED_STORE, STORE};

use crate::uploads::{Change, Store};

/// Bindings to the world `keyvalue-client` in `wit/`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "keyvalue-client", generate_all });
}

use bindings::wasi::keyvalue::store::{self, Bucket};

/// Times that a change is made anew because another request came in between. Each time one of those that meet is done.
const MOST_CHANGES: usize = 64;

/// The store called `default`.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyValue;

impl KeyValue {
    fn open(self) -> Result<Bucket, String> {
        store::open(STORE).map_err(words)
    }
}

impl Store for KeyValue {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
        self.open()?.get(key).map_err(words)
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
        self.open()?.set(key, value).map_err(words)
    }

    fn delete(&self, key: &str) -> Result<(), String> {
        self.open()?.delete(key).map_err(words)
    }

    fn change(&self, key: &str, change: Change<'_>) -> Result<(), String> {
        // A host that has no such store sets what was made last.
        let bucket = store::open(CHECKED_STORE)
            .or_else(|_| store::open(STORE))
            .map_err(words)?;
        for _ in 0..MOST_CHANGES {
            let Some(value) = change(bucket.get(key).map_err(words)?) else {
                return Ok(());
            };
            match bucket.set(key, &value).map_err(words) {
                Err(reason) if reason.starts_with(CHANGED) => {}
                done => return done,
            }
        }
        Err(format!("{CHANGED} by others again and again"))
    }
}

fn words(error: store::Error) -> String {
    match error {
        store::Error::NoSuchStore => "there is no store called default".to_owned(),
        store::Error::AccessDenied => "access is denied".to_owned(),
        store::Error::Other(reason) => reason,
    }
}
