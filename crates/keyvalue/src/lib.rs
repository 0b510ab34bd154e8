//! Expiry on top of stores that have none.
//!
//! Quartet's own host forgets uploads after a while. The stores of other hosts keep values for ever, so here each value is
//! written with its expiry time in front of it. An expired value is not returned to anybody and is deleted when it is
//! asked for; a sweep now and then deletes the expired values that nobody asks for.
//!
//! ```
//! use quartet_keyvalue::{ExpiringStore, PlainStore, TIME_TO_LIVE_MILLISECONDS};
//! use std::{cell::RefCell, collections::BTreeMap};
//!
//! #[derive(Default)]
//! struct Memory(RefCell<BTreeMap<String, Vec<u8>>>);
//!
//! impl PlainStore for &Memory {
//!     fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
//!         Ok(self.0.borrow().get(key).cloned())
//!     }
//!     fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
//!         self.0.borrow_mut().insert(key.to_owned(), value.to_vec());
//!         Ok(())
//!     }
//!     fn delete(&self, key: &str) -> Result<(), String> {
//!         self.0.borrow_mut().remove(key);
//!         Ok(())
//!     }
//!     fn keys(&self) -> Result<Vec<String>, String> {
//!         Ok(self.0.borrow().keys().cloned().collect())
//!     }
//! }
//!
//! let memory = Memory::default();
//! let at = |now| ExpiringStore { store: &memory, now };
//! at(1).set("key", b"value").unwrap();
//! assert_eq!(at(2).get("key").unwrap().as_deref(), Some(&b"value"[..]));
//! assert_eq!(at(1 + TIME_TO_LIVE_MILLISECONDS).get("key").unwrap(), None);
//! ```

mod adapter;

/// Name of the store. There is no store `checked` for values that two requests may change: what is set last stays.
pub const STORE: &str = "default";

/// Time after which a value is forgotten, in milliseconds: what the setting `kept_seconds` of the host is by default.
pub const TIME_TO_LIVE_MILLISECONDS: u64 = 1_800_000;

/// Writes per sweep for expired values, on average.
const WRITES_PER_SWEEP: u64 = 32;

/// Time that a request may take between looking at the clock and at a value, in milliseconds. What another one has written
/// meanwhile ends later than anything could by that look at the clock.
const SLACK_MILLISECONDS: u64 = 60_000;

/// Length of the expiry time in front of a value.
const EXPIRY_BYTES: usize = 8;

/// A key-value store without expiry. Errors are messages for a log.
pub trait PlainStore {
    /// Name of a key in the store, where not every key can be a name in it. All other methods take and give such names.
    fn name(&self, key: &str) -> String {
        key.to_owned()
    }

    /// The value of a key.
    ///
    /// # Errors
    /// When the store fails.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String>;

    /// Sets the value of a key.
    ///
    /// # Errors
    /// When the store fails.
    fn set(&self, key: &str, value: &[u8]) -> Result<(), String>;

    /// Deletes a key, which need not be there.
    ///
    /// # Errors
    /// When the store fails.
    fn delete(&self, key: &str) -> Result<(), String>;

    /// The names of all keys.
    ///
    /// # Errors
    /// When the store fails.
    fn keys(&self) -> Result<Vec<String>, String>;
}

/// A store whose values expire.
pub struct ExpiringStore<S> {
    /// Underlying store.
    pub store: S,
    /// The time, in milliseconds since 1970.
    pub now: u64,
}

impl<S: PlainStore> ExpiringStore<S> {
    /// The value of a key, unless it has expired.
    ///
    /// # Errors
    /// When the store fails.
    pub fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
        let name = self.store.name(key);
        let Some(mut written) = self.store.get(&name)? else {
            return Ok(None);
        };
        if self.has_expired(&written) {
            self.store.delete(&name)?;
            return Ok(None);
        }
        written.drain(..EXPIRY_BYTES);
        Ok(Some(written))
    }

    /// Sets the value of a key, which expires after [`TIME_TO_LIVE_MILLISECONDS`].
    ///
    /// # Errors
    /// When the store fails.
    pub fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
        // The clock is as good as a die here: nobody gains by knowing when there is a sweep.
        if self.now.is_multiple_of(WRITES_PER_SWEEP) {
            self.sweep()?;
        }
        let end = self.now.saturating_add(TIME_TO_LIVE_MILLISECONDS).to_le_bytes();
        self.store.set(&self.store.name(key), &[&end, value].concat())
    }

    /// Deletes a key, which need not be there.
    ///
    /// # Errors
    /// When the store fails.
    pub fn delete(&self, key: &str) -> Result<(), String> {
        self.store.delete(&self.store.name(key))
    }

    fn sweep(&self) -> Result<(), String> {
        for name in self.store.keys()? {
            if self.store.get(&name)?.is_some_and(|written| self.has_expired(&written)) {
                self.store.delete(&name)?;
            }
        }
        Ok(())
    }

    /// A value without an expiry was not written here, and counts as expired.
    fn has_expired(&self, written: &[u8]) -> bool {
        let end = written.first_chunk().map_or(0, |end| u64::from_le_bytes(*end));
        // A clock that was set back must not make values last.
        end <= self.now || end > self.now.saturating_add(TIME_TO_LIVE_MILLISECONDS + SLACK_MILLISECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct Memory(RefCell<BTreeMap<String, Vec<u8>>>);

    impl PlainStore for &Memory {
        fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
            Ok(self.0.borrow().get(key).cloned())
        }

        fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
            self.0.borrow_mut().insert(key.to_owned(), value.to_vec());
            Ok(())
        }

        fn delete(&self, key: &str) -> Result<(), String> {
            self.0.borrow_mut().remove(key);
            Ok(())
        }

        fn keys(&self) -> Result<Vec<String>, String> {
            Ok(self.0.borrow().keys().cloned().collect())
        }
    }

    const START: u64 = 1_000_000 * WRITES_PER_SWEEP + 1;

    fn at(store: &Memory, now: u64) -> ExpiringStore<&Memory> {
        ExpiringStore { store, now }
    }

    #[test]
    fn a_value_is_there_until_its_end_and_then_deleted() {
        let memory = Memory::default();
        at(&memory, START).set("a", b"value").unwrap();
        assert_eq!(
            at(&memory, START + TIME_TO_LIVE_MILLISECONDS - 1)
                .get("a")
                .unwrap()
                .as_deref(),
            Some(&b"value"[..])
        );
        assert_eq!(at(&memory, START + TIME_TO_LIVE_MILLISECONDS).get("a").unwrap(), None);
        assert!(memory.0.borrow().is_empty());
    }

    #[test]
    fn an_empty_value_is_a_value_and_one_without_an_end_is_none() {
        let memory = Memory::default();
        at(&memory, START).set("empty", b"").unwrap();
        memory.0.borrow_mut().insert("foreign".to_owned(), b"short".to_vec());
        assert_eq!(at(&memory, START).get("empty").unwrap().as_deref(), Some(&b""[..]));
        assert_eq!(at(&memory, START).get("foreign").unwrap(), None);
    }

    #[test]
    fn what_ended_is_swept_when_something_else_is_set() {
        let memory = Memory::default();
        at(&memory, START).set("old", b"1").unwrap();
        let later = (START + TIME_TO_LIVE_MILLISECONDS).next_multiple_of(WRITES_PER_SWEEP);
        at(&memory, later - 1).set("new", b"2").unwrap();
        assert_eq!(memory.0.borrow().len(), 2);
        at(&memory, later).set("new", b"3").unwrap();
        assert_eq!(memory.0.borrow().keys().collect::<Vec<_>>(), ["new"]);
    }

    #[test]
    fn a_clock_that_goes_back_makes_nothing_last() {
        let memory = Memory::default();
        at(&memory, START + TIME_TO_LIVE_MILLISECONDS).set("a", b"1").unwrap();
        assert_eq!(at(&memory, START).get("a").unwrap(), None);
    }

    #[test]
    fn what_others_write_while_a_request_looks_at_the_store_stays() {
        let memory = Memory::default();
        let sweeping = START.next_multiple_of(WRITES_PER_SWEEP);
        at(&memory, sweeping + 2_000).set("a", b"1").unwrap();
        assert_eq!(at(&memory, sweeping).get("a").unwrap().as_deref(), Some(&b"1"[..]));
        at(&memory, sweeping).set("b", b"2").unwrap();
        assert_eq!(memory.0.borrow().len(), 2);
    }
}
