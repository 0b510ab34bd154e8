//! `wasi:keyvalue/store`: values that components keep between requests. In memory, or in a store that replicas share;
//! bounded, and with an expiry.
//!
//! Each capability has a store of its own, called `default`. Keys cannot be listed: a component keeps things for many
//! clients under keys that only they know, and no defect in it may hand out all of them.
//!
//! Under the name `checked` it is the same store for changes that must not meet: a bucket remembers the version of what was
//! read last through it, and to set that key fails when another request has changed it since. The interface of the proposal
//! for that, `atomics`, would be one more import that every other host and adapter had to offer; a host that does not know
//! the name says so, and a component then does without.

mod kept;
mod shared;
mod values;

use std::sync::Arc;

use wasmtime::component::{HasData, Linker, Resource, ResourceTable};

use crate::auth::Client;
use crate::capabilities::Capability;
use kept::Version;
pub use kept::{Kept, KeptError, Key};
use quartet_api::keyvalue::{CHECKED_STORE, STORE};
pub use shared::SharedValues;
pub use values::{KeyValue, SWEEP_INTERVAL};

/// Bindings to the interface in `wit/deps`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit/deps/keyvalue.wit",
        inline: "package quartet:host; world keyvalue { import wasi:keyvalue/store@0.2.0-draft2; }",
        world: "quartet:host/keyvalue",
        with: { "wasi:keyvalue/store.bucket": super::Bucket },
        imports: { default: async | trappable },
    });
}

use bindings::wasi::keyvalue::store::{self, Error, KeyResponse};

/// The store that one sandbox may use.
#[derive(Clone)]
pub struct Grant {
    /// The values.
    pub values: Arc<dyn Kept>,
    /// The capability that the values belong to.
    pub capability: Capability,
    /// The client that values are kept for; none in a probe.
    pub client: Option<Client>,
}

/// An open store.
pub struct Bucket {
    grant: Grant,
    checked: Option<Checked>,
}

/// What a bucket for changes that must not meet has read last: a key, and the version of its value.
#[derive(Default)]
struct Checked(Option<(String, Version)>);

impl Bucket {
    fn key(&self, key: String) -> Key {
        (self.grant.capability.clone(), key)
    }
}

/// A sandbox that may have a store.
pub trait KeyValueView {
    /// The sandbox, seen by this interface.
    fn keyvalue(&mut self) -> View<'_>;
}

/// A sandbox, seen by this interface.
pub struct View<'a> {
    /// The sandbox's handles.
    pub table: &'a mut ResourceTable,
    /// The store that it may use; `None` for none.
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
pub fn add_to_linker<T: KeyValueView + Send + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    store::add_to_linker::<_, Interface>(linker, T::keyvalue)
}

impl store::Host for View<'_> {
    async fn open(&mut self, identifier: String) -> wasmtime::Result<Result<Resource<Bucket>, Error>> {
        let checked = match identifier.as_str() {
            STORE => None,
            CHECKED_STORE => Some(Checked::default()),
            _ => return Ok(Err(Error::NoSuchStore)),
        };
        let Some(grant) = self.grant.clone() else {
            return Ok(Err(Error::AccessDenied));
        };
        Ok(Ok(self.table.push(Bucket { grant, checked })?))
    }
}

impl store::HostBucket for View<'_> {
    async fn get(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        let bucket = self.table.get_mut(&bucket)?;
        let key = bucket.key(key);
        let found = match bucket.grant.values.get(&key).await {
            Ok(found) => found,
            Err(error) => return Ok(Err(words(&error))),
        };
        let (value, version) = found.unzip();
        if let Some(checked) = &mut bucket.checked {
            checked.0 = Some((key.1, version));
        }
        Ok(Ok(value))
    }

    async fn set(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), Error>> {
        let bucket = self.table.get_mut(&bucket)?;
        let key = bucket.key(key);
        // What was read is changed once: after that it has another version.
        let read = bucket.checked.as_mut().and_then(|checked| checked.0.take());
        let unless_changed = read.filter(|(read, _)| *read == key.1).map(|(_, version)| version);
        let grant = &bucket.grant;
        let set = grant.values.set(&key, value, grant.client, unless_changed).await;
        Ok(set.map_err(|error| words(&error)))
    }

    async fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<(), Error>> {
        let bucket = self.table.get(&bucket)?;
        let key = bucket.key(key);
        let deleted = bucket.grant.values.delete(&key, bucket.grant.client).await;
        Ok(deleted.map_err(|error| words(&error)))
    }

    async fn exists(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<bool, Error>> {
        let bucket = self.table.get(&bucket)?;
        let key = bucket.key(key);
        let found = bucket.grant.values.get(&key).await;
        Ok(found.map(|found| found.is_some()).map_err(|error| words(&error)))
    }

    async fn list_keys(
        &mut self,
        _: Resource<Bucket>,
        _: Option<String>,
    ) -> wasmtime::Result<Result<KeyResponse, Error>> {
        Ok(Err(Error::AccessDenied))
    }

    async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

fn words(error: &KeptError) -> Error {
    Error::Other(error.to_string())
}
