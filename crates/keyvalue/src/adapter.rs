//! The adapter between two drafts of `wasi:keyvalue/store`, which differ in little more than their names.

/// Implements `wasi:keyvalue/store@0.2.0-draft2`, with expiry, over the store that a host offers.
///
/// - `exports`: the module of the bindings that is implemented;
/// - `imports`: the module of the bindings of the host's store;
/// - `clock`: the module of `wasi:clocks/wall-clock`;
/// - `cursor`: turns the cursor of a page of keys into what the host's `list_keys` takes.
///
/// It defines the type `Component`, which is to be exported.
#[macro_export]
macro_rules! adapt_store {
    (exports: $exports:path, imports: $imports:path, clock: $clock:path, cursor: $cursor:expr $(,)?) => {
        use $clock as wall_clock;
        use $exports as wit;
        use $imports as host;

        struct Component;

        impl wit::Guest for Component {
            type Bucket = Bucket;

            fn open(identifier: String) -> Result<wit::Bucket, wit::Error> {
                // A host that makes a store of any name would give an empty one for values that two requests may change.
                if identifier != $crate::STORE {
                    return Err(wit::Error::NoSuchStore);
                }
                let bucket = host::open(&identifier).map_err(|error| match error {
                    host::Error::NoSuchStore => wit::Error::NoSuchStore,
                    host::Error::AccessDenied => wit::Error::AccessDenied,
                    host::Error::Other(reason) => wit::Error::Other(reason),
                })?;
                Ok(wit::Bucket::new(Bucket(bucket)))
            }
        }

        struct Bucket(host::Bucket);

        impl Bucket {
            fn expiring(&self) -> $crate::ExpiringStore<&Self> {
                let now = wall_clock::now();
                $crate::ExpiringStore {
                    store: self,
                    now: now.seconds * 1000 + u64::from(now.nanoseconds / 1_000_000),
                }
            }
        }

        impl $crate::PlainStore for &Bucket {
            fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
                self.0.get(key).map_err(message)
            }

            fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
                self.0.set(key, value).map_err(message)
            }

            fn delete(&self, key: &str) -> Result<(), String> {
                self.0.delete(key).map_err(message)
            }

            fn keys(&self) -> Result<Vec<String>, String> {
                let mut keys = Vec::new();
                let mut cursor = None;
                loop {
                    let page = self.0.list_keys($cursor(&cursor)).map_err(message)?;
                    keys.extend(page.keys);
                    cursor = page.cursor;
                    if cursor.is_none() {
                        return Ok(keys);
                    }
                }
            }
        }

        impl wit::GuestBucket for Bucket {
            fn get(&self, key: String) -> Result<Option<Vec<u8>>, wit::Error> {
                self.expiring().get(&key).map_err(wit::Error::Other)
            }

            fn set(&self, key: String, value: Vec<u8>) -> Result<(), wit::Error> {
                self.expiring().set(&key, &value).map_err(wit::Error::Other)
            }

            fn delete(&self, key: String) -> Result<(), wit::Error> {
                self.expiring().delete(&key).map_err(wit::Error::Other)
            }

            fn exists(&self, key: String) -> Result<bool, wit::Error> {
                Ok(wit::GuestBucket::get(self, key)?.is_some())
            }

            /// Refused: keys are secrets of those whose values they name.
            fn list_keys(&self, _: Option<String>) -> Result<wit::KeyResponse, wit::Error> {
                Err(wit::Error::AccessDenied)
            }
        }

        fn message(error: host::Error) -> String {
            match error {
                host::Error::NoSuchStore => "there is no such store".to_owned(),
                host::Error::AccessDenied => "access is denied".to_owned(),
                host::Error::Other(reason) => reason,
            }
        }
    };
}
