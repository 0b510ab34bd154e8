//! `wasi:keyvalue/store`: what components keep between requests. In memory only, bounded, and forgotten after a while.
//!
//! Each capability has a store of its own, called `default`. Keys cannot be listed: a component keeps things for many
//! clients under keys that only they know, and no defect in it may hand out all of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quartet_api::{Capability, limits};
use wasmtime::component::{HasData, Linker, Resource, ResourceTable};

use crate::config::Limits;
use crate::engine::sandbox::Sandbox;

/// Bindings to the interface in `wit/deps`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit/deps/keyvalue.wit",
        inline: "package quartet:host; world keyvalue { import wasi:keyvalue/store@0.2.0-draft2; }",
        world: "quartet:host/keyvalue",
        with: { "wasi:keyvalue/store.bucket": super::Bucket },
        imports: { default: trappable },
    });
}

use bindings::wasi::keyvalue::store::{self, Error, KeyResponse};

/// The only store that a component can open.
const NAME: &str = "default";
/// Length of a key in bytes.
const KEY_BYTES: usize = 1024;
/// What an entry costs beside its key and its value, in bytes.
const ENTRY_BYTES: usize = 128;

/// The values of all capabilities.
pub struct KeyValue {
    state: Mutex<State>,
    bytes: usize,
    value_bytes: usize,
    kept: Duration,
}

type Key = (Capability, String);

#[derive(Default)]
struct State {
    entries: HashMap<Key, Entry>,
    /// Keys by the order in which they were set, which is also that in which they are forgotten.
    order: BTreeMap<u64, Key>,
    next: u64,
    bytes: usize,
}

struct Entry {
    value: Vec<u8>,
    number: u64,
    set: Instant,
}

impl State {
    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.number);
            self.bytes -= cost(key, &entry.value);
        }
    }

    /// Forgets what is older than `kept`, and more until `bytes` fit into `most`.
    fn make_room(&mut self, now: Instant, kept: Duration, bytes: usize, most: usize) {
        while let Some((_, key)) = self.order.first_key_value() {
            let old = self
                .entries
                .get(key)
                .is_none_or(|entry| now.duration_since(entry.set) >= kept);
            if !old && self.bytes + bytes <= most {
                return;
            }
            let key = key.clone();
            self.remove(&key);
        }
    }
}

fn cost(key: &Key, value: &[u8]) -> usize {
    key.1.len() * 2 + value.len() + ENTRY_BYTES
}

impl KeyValue {
    /// An empty one with the configured limits.
    pub fn new(limits: &Limits) -> Self {
        Self {
            state: Mutex::default(),
            bytes: limits.count(&limits::KEPT_BYTES),
            value_bytes: limits.count(&limits::KEPT_VALUE_BYTES),
            kept: Duration::from_secs(limits.get(&limits::KEPT_SECONDS)),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing in here panics half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: &Key, now: Instant) -> Option<Vec<u8>> {
        let state = self.state();
        let entry = state.entries.get(key)?;
        (now.duration_since(entry.set) < self.kept).then(|| entry.value.clone())
    }

    fn set(&self, key: Key, value: Vec<u8>, now: Instant) -> Result<(), Error> {
        if key.1.len() > KEY_BYTES {
            return Err(Error::Other(format!("the key is longer than {KEY_BYTES} bytes")));
        }
        let bytes = cost(&key, &value);
        if value.len() > self.value_bytes || bytes > self.bytes {
            return Err(Error::Other(format!(
                "the value is longer than {} bytes",
                self.value_bytes
            )));
        }
        let mut state = self.state();
        state.remove(&key);
        state.make_room(now, self.kept, bytes, self.bytes);
        let number = state.next;
        state.next += 1;
        state.bytes += bytes;
        state.order.insert(number, key.clone());
        state.entries.insert(
            key,
            Entry {
                value,
                number,
                set: now,
            },
        );
        Ok(())
    }

    fn delete(&self, key: &Key) {
        self.state().remove(key);
    }
}

/// What one sandbox may keep things in.
#[derive(Clone)]
pub struct Grant {
    /// The values.
    pub values: Arc<KeyValue>,
    /// Whose they are.
    pub capability: Capability,
}

/// An open store.
pub struct Bucket(Grant);

impl Bucket {
    fn key(&self, key: String) -> Key {
        (self.0.capability, key)
    }
}

/// A sandbox, seen by this interface.
pub struct View<'a> {
    /// Its handles.
    pub table: &'a mut ResourceTable,
    /// What it may keep things in.
    pub grant: Option<Grant>,
}

struct Interface;

impl HasData for Interface {
    type Data<'a> = View<'a>;
}

/// Makes the interface known to a linker.
///
/// # Errors
/// When it is known to it already.
pub fn add_to_linker(linker: &mut Linker<Sandbox>) -> wasmtime::Result<()> {
    store::add_to_linker::<_, Interface>(linker, Sandbox::keyvalue)
}

impl store::Host for View<'_> {
    fn open(&mut self, identifier: String) -> wasmtime::Result<Result<Resource<Bucket>, Error>> {
        if identifier != NAME {
            return Ok(Err(Error::NoSuchStore));
        }
        let Some(grant) = self.grant.clone() else {
            return Ok(Err(Error::AccessDenied));
        };
        Ok(Ok(self.table.push(Bucket(grant))?))
    }
}

impl store::HostBucket for View<'_> {
    fn get(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        let bucket = self.table.get(&bucket)?;
        Ok(Ok(bucket.0.values.get(&bucket.key(key), Instant::now())))
    }

    fn set(&mut self, bucket: Resource<Bucket>, key: String, value: Vec<u8>) -> wasmtime::Result<Result<(), Error>> {
        let bucket = self.table.get(&bucket)?;
        Ok(bucket.0.values.set(bucket.key(key), value, Instant::now()))
    }

    fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<(), Error>> {
        let bucket = self.table.get(&bucket)?;
        bucket.0.values.delete(&bucket.key(key));
        Ok(Ok(()))
    }

    fn exists(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<bool, Error>> {
        let bucket = self.table.get(&bucket)?;
        Ok(Ok(bucket.0.values.get(&bucket.key(key), Instant::now()).is_some()))
    }

    fn list_keys(&mut self, _: Resource<Bucket>, _: Option<String>) -> wasmtime::Result<Result<KeyResponse, Error>> {
        Ok(Err(Error::AccessDenied))
    }

    fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: Duration = Duration::from_secs(1800);

    fn values(bytes: usize) -> KeyValue {
        KeyValue {
            state: Mutex::default(),
            bytes,
            value_bytes: 1000,
            kept: KEPT,
        }
    }

    fn key(name: &str) -> Key {
        (Capability::Tts, name.to_owned())
    }

    #[test]
    fn keeps_replaces_and_deletes() {
        let (values, now) = (values(10_000), Instant::now());
        values.set(key("a"), vec![1], now).unwrap();
        values.set(key("a"), vec![2], now).unwrap();
        values.set(key("b"), vec![3], now).unwrap();
        assert_eq!(values.get(&key("a"), now), Some(vec![2]));
        values.delete(&key("a"));
        values.delete(&key("a"));
        assert_eq!(
            (values.get(&key("a"), now), values.get(&key("b"), now)),
            (None, Some(vec![3]))
        );
        values.delete(&key("b"));
        let state = values.state();
        assert_eq!((state.bytes, state.entries.len(), state.order.len()), (0, 0, 0));
    }

    #[test]
    fn forgets_after_its_time() {
        let (values, now) = (values(10_000), Instant::now());
        values.set(key("a"), vec![1], now).unwrap();
        assert!(values.get(&key("a"), now + KEPT - Duration::from_millis(1)).is_some());
        assert!(values.get(&key("a"), now + KEPT).is_none());
        values.set(key("b"), vec![1], now + KEPT).unwrap();
        assert_eq!(values.state().entries.len(), 1);
    }

    #[test]
    fn forgets_the_oldest_when_it_is_full() {
        let (values, now) = (values(4 * (ENTRY_BYTES + 2 + 100)), Instant::now());
        for name in ["a", "b", "c", "d", "e"] {
            values.set(key(name), vec![0; 100], now).unwrap();
        }
        assert!(values.get(&key("a"), now).is_none());
        assert!(
            ["b", "c", "d", "e"]
                .iter()
                .all(|name| values.get(&key(name), now).is_some())
        );
        assert!(values.state().bytes <= values.bytes);
    }

    #[test]
    fn what_is_too_large_is_refused_and_loses_nothing() {
        let (values, now) = (values(10_000), Instant::now());
        values.set(key("a"), vec![1], now).unwrap();
        assert!(values.set(key("a"), vec![0; 1001], now).is_err());
        assert!(values.set(key(&"k".repeat(1025)), vec![0], now).is_err());
        assert_eq!(values.get(&key("a"), now), Some(vec![1]));
    }
}
