//! The older draft of `wasi:keyvalue` behind `wasi:keyvalue/store@0.2.0-draft2`, with an end for each value.

#[cfg(target_arch = "wasm32")]
mod component {
    use quartet_keyvalue::{Ending, Plain};

    /// Bindings to both drafts. The older one stands apart from `wit/`, where the newer one would get another name by it.
    mod bindings {
        wit_bindgen::generate!({
            inline: "
                package quartet:keyvalue-draft;
                world adapter {
                    import wasi:clocks/wall-clock@0.2.12;
                    import wasi:keyvalue/store@0.2.0-draft;
                    export wasi:keyvalue/store@0.2.0-draft2;
                }
            ",
            path: ["../../wit", "wit"],
            world: "quartet:keyvalue-draft/adapter",
            generate_all,
        });
    }

    use bindings::exports::wasi::keyvalue0_2_0_draft2::store as wit;
    use bindings::wasi::clocks::wall_clock;
    use bindings::wasi::keyvalue0_2_0_draft::store as host;

    struct Component;

    bindings::export!(Component with_types_in bindings);

    impl wit::Guest for Component {
        type Bucket = Bucket;

        fn open(identifier: String) -> Result<wit::Bucket, wit::Error> {
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
        fn ending(&self) -> Ending<&Self> {
            let now = wall_clock::now();
            Ending {
                store: self,
                now: now.seconds * 1000 + u64::from(now.nanoseconds / 1_000_000),
            }
        }
    }

    impl Plain for &Bucket {
        fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
            self.0.get(key).map_err(words)
        }

        fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
            self.0.set(key, value).map_err(words)
        }

        fn delete(&self, key: &str) -> Result<(), String> {
            self.0.delete(key).map_err(words)
        }

        fn keys(&self) -> Result<Vec<String>, String> {
            let mut keys = Vec::new();
            let mut cursor = None;
            loop {
                let page = self.0.list_keys(cursor).map_err(words)?;
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

    fn words(error: host::Error) -> String {
        match error {
            host::Error::NoSuchStore => "there is no such store".to_owned(),
            host::Error::AccessDenied => "access is denied".to_owned(),
            host::Error::Other(reason) => reason,
        }
    }
}
