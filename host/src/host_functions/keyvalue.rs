//! `wasi:keyvalue/store`: values that components keep between requests. In memory only, bounded, and with an expiry.
//!
//! Each capability has a store of its own, called `default`. Keys cannot be listed: a component keeps things for many
//! clients under keys that only they know, and no defect in it may hand out all of them.

mod values;

use std::sync::Arc;
use std::time::Instant;

use wasmtime::component::{HasData, Linker, Resource, ResourceTable};

use crate::auth::Client;
use crate::capabilities::Capability;
use values::Key;
pub use values::{KeyValue, SWEEP_INTERVAL};

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
const STORE_NAME: &str = "default";

/// The store that one sandbox may use.
#[derive(Clone)]
pub struct Grant {
    /// The values.
    pub values: Arc<KeyValue>,
    /// The capability that the values belong to.
    pub capability: Capability,
    /// The client that values are kept for; none in a probe.
    pub client: Option<Client>,
}

/// An open store.
pub struct Bucket(Grant);

impl Bucket {
    fn key(&self, key: String) -> Key {
        (self.0.capability.clone(), key)
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
pub fn add_to_linker<T: KeyValueView + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    store::add_to_linker::<_, Interface>(linker, T::keyvalue)
}

impl store::Host for View<'_> {
    fn open(&mut self, identifier: String) -> wasmtime::Result<Result<Resource<Bucket>, Error>> {
        if identifier != STORE_NAME {
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
        let set = bucket
            .0
            .values
            .set(bucket.key(key), value, bucket.0.client, Instant::now());
        Ok(set.map_err(Error::Other))
    }

    fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<(), Error>> {
        let bucket = self.table.get(&bucket)?;
        bucket.0.values.delete(&bucket.key(key), bucket.0.client);
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
