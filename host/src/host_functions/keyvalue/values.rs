//! The values that are kept, and which are forgotten when there is no room: those of whoever holds most, the oldest
//! first, so that one client cannot make others' vanish. A value that has ended is overwritten then, not when its place is
//! needed: what a memory dump or a swapped page shows is what is kept.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use zeroize::Zeroizing;

use super::kept::{Answer, Found, Kept, KeptError, Key, VERSION_BYTES, Version};
use crate::auth::Client;
use crate::config::Limits;

/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1024;
/// Time between two looks for values that have ended.
pub const SWEEP_INTERVAL: Duration = Duration::from_secs(5);
/// Bytes that an entry takes beside its key and its value.
const ENTRY_OVERHEAD_BYTES: usize = 128;

/// The values of all capabilities.
pub struct KeyValue {
    state: Mutex<State>,
    bytes: usize,
    value_bytes: usize,
    kept: Duration,
    /// Hears of clients that had something forgotten.
    tell: Box<dyn Fn(Client) + Send + Sync>,
}

/// The client that a value is kept for.
type Holder = Option<Client>;

#[derive(Default)]
struct State {
    entries: HashMap<Key, Entry>,
    /// Keys by the order in which they were set, in which they also expire.
    order: BTreeMap<u64, Key>,
    held: HashMap<Holder, Held>,
    /// Holders by how much they hold, and among equals by whose oldest is the youngest.
    by_held: BTreeSet<(usize, Reverse<u64>, Holder)>,
    next: u64,
    bytes: usize,
}

struct Entry {
    value: Zeroizing<Vec<u8>>,
    number: u64,
    set: Instant,
    holder: Holder,
}

impl Entry {
    /// The version of the value: a number that no other value gets.
    fn version(&self) -> [u8; VERSION_BYTES] {
        let mut version = [0; VERSION_BYTES];
        version[..8].copy_from_slice(&self.number.to_be_bytes());
        version
    }
}

/// The values of one client.
#[derive(Default)]
struct Held {
    bytes: usize,
    numbers: BTreeSet<u64>,
}

impl Held {
    /// The place of a holder among all.
    fn rank(&self, holder: Holder) -> Option<(usize, Reverse<u64>, Holder)> {
        let oldest = self.numbers.first()?;
        Some((self.bytes, Reverse(*oldest), holder))
    }
}

impl State {
    fn insert(&mut self, key: Key, value: Vec<u8>, holder: Holder, now: Instant) {
        let (number, bytes) = (self.next, cost(&key, &value));
        self.next += 1;
        self.bytes += bytes;
        self.order.insert(number, key.clone());
        self.hold(holder, |held| {
            held.bytes += bytes;
            held.numbers.insert(number);
        });
        let entry = Entry {
            value: Zeroizing::new(value),
            number,
            set: now,
            holder,
        };
        self.entries.insert(key, entry);
    }

    /// Removes a key, and returns for whom its value was kept.
    fn remove(&mut self, key: &Key) -> Holder {
        let entry = self.entries.remove(key)?;
        let bytes = cost(key, &entry.value);
        self.order.remove(&entry.number);
        self.bytes -= bytes;
        self.hold(entry.holder, |held| {
            held.bytes -= bytes;
            held.numbers.remove(&entry.number);
        });
        entry.holder
    }

    fn hold(&mut self, holder: Holder, change: impl FnOnce(&mut Held)) {
        let held = self.held.entry(holder).or_default();
        if let Some(rank) = held.rank(holder) {
            self.by_held.remove(&rank);
        }
        change(held);
        match held.rank(holder) {
            Some(rank) => drop(self.by_held.insert(rank)),
            None => drop(self.held.remove(&holder)),
        }
    }

    /// Forgets what is older than `kept`.
    fn end_old(&mut self, now: Instant, kept: Duration) {
        while let Some(key) = self.oldest().filter(|key| {
            let entry = self.entries.get(*key);
            entry.is_none_or(|entry| now.duration_since(entry.set) >= kept)
        }) {
            let key = key.clone();
            self.remove(&key);
        }
    }

    /// Forgets what is older than `kept`, and more until `bytes` for `holder` fit into `most`.
    fn make_room(&mut self, now: Instant, kept: Duration, holder: Holder, bytes: usize, most: usize) {
        self.end_old(now, kept);
        while self.bytes + bytes > most {
            let own = self.held.get(&holder).map_or(0, |held| held.bytes) + bytes;
            let largest = self.by_held.last().map(|(held, _, holder)| (*held, *holder));
            let giving = match largest {
                // With what it brings, nobody holds more than who asks.
                Some((held, _)) if held < own && self.held.contains_key(&holder) => holder,
                Some((_, holder)) => holder,
                None => return,
            };
            let number = self.held.get(&giving).and_then(|held| held.numbers.first());
            let Some(key) = number.and_then(|number| self.order.get(number)).cloned() else {
                return;
            };
            self.remove(&key);
        }
    }

    fn oldest(&self) -> Option<&Key> {
        self.order.first_key_value().map(|(_, key)| key)
    }
}

fn cost(key: &Key, value: &[u8]) -> usize {
    key.1.len() * 2 + value.len() + ENTRY_OVERHEAD_BYTES
}

impl KeyValue {
    /// An empty store with the configured limits.
    pub fn new(limits: &Limits) -> Self {
        Self {
            state: Mutex::default(),
            bytes: limits.kept_bytes,
            value_bytes: limits.kept_value_bytes,
            kept: limits.kept_seconds,
            tell: Box::new(|_| ()),
        }
    }

    /// Tells of clients that had something forgotten: who else holds what they said must forget it, too.
    #[must_use]
    pub fn telling(mut self, tell: impl Fn(Client) + Send + Sync + 'static) -> Self {
        self.tell = Box::new(tell);
        self
    }

    /// Wipes values soon after they have ended, for as long as the store is used.
    pub async fn sweep(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(SWEEP_INTERVAL);
        loop {
            ticks.tick().await;
            self.end_old(Instant::now());
        }
    }

    fn end_old(&self, now: Instant) {
        self.state().end_old(now, self.kept);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing in here panics half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a key and its version, if it is kept.
    pub fn get(&self, key: &Key, now: Instant) -> Option<Found> {
        let state = self.state();
        let entry = state.entries.get(key)?;
        (now.duration_since(entry.set) < self.kept).then(|| (entry.value.to_vec(), entry.version()))
    }

    /// Keeps a value for a client; with `unless_changed` only where the key still has this version.
    ///
    /// # Errors
    /// When the key or the value is too long, or the version is another one.
    pub fn set(
        &self,
        key: Key,
        value: Vec<u8>,
        client: Option<Client>,
        unless_changed: Option<Version>,
        now: Instant,
    ) -> Result<(), KeptError> {
        check_key(&key)?;
        let bytes = cost(&key, &value);
        if value.len() > self.value_bytes || bytes > self.bytes {
            return Err(self.too_long());
        }
        let mut state = self.state();
        if let Some(version) = unless_changed {
            let there = state.entries.get(&key);
            let there = there.filter(|entry| now.duration_since(entry.set) < self.kept);
            if there.map(Entry::version) != version {
                return Err(KeptError::Changed);
            }
        }
        state.remove(&key);
        state.make_room(now, self.kept, client, bytes, self.bytes);
        state.insert(key, value, client, now);
        Ok(())
    }

    /// The error of a value that is too long.
    pub fn too_long(&self) -> KeptError {
        KeptError::TooLong(format!("the value is longer than {} bytes", self.value_bytes))
    }

    /// Takes a key out, because its value is kept elsewhere.
    pub fn remove(&self, key: &Key) {
        self.state().remove(key);
    }

    /// The value that was set first, for whom it is kept, and how long it still is.
    pub fn oldest(&self, now: Instant) -> Option<(Key, Vec<u8>, Option<Client>, Duration)> {
        let mut state = self.state();
        state.end_old(now, self.kept);
        let key = state.oldest()?;
        let entry = state.entries.get(key)?;
        let left = self.kept.saturating_sub(now.duration_since(entry.set));
        Some((key.clone(), entry.value.to_vec(), entry.holder, left))
    }

    /// Time for which values are kept.
    pub fn kept(&self) -> Duration {
        self.kept
    }

    /// Tells of a client that had something forgotten.
    pub fn told(&self, client: Client) {
        (self.tell)(client);
    }

    /// Forgets a key for a client, and for the one that its value was kept for: they may share a session.
    pub fn delete(&self, key: &Key, client: Option<Client>) {
        let holder = self.state().remove(key);
        holder.iter().for_each(|client| (self.tell)(*client));
        if let Some(client) = client.filter(|_| client != holder) {
            (self.tell)(client);
        }
    }
}

/// Checks the length of a key.
///
/// # Errors
/// When it is too long.
pub fn check_key(key: &Key) -> Result<(), KeptError> {
    match key.1.len() {
        ..=MAX_KEY_BYTES => Ok(()),
        _ => Err(KeptError::TooLong(format!(
            "the key is longer than {MAX_KEY_BYTES} bytes"
        ))),
    }
}

impl Kept for KeyValue {
    fn get<'a>(&'a self, key: &'a Key) -> Answer<'a, Option<Found>> {
        Box::pin(async { Ok(self.get(key, Instant::now())) })
    }

    fn set<'a>(
        &'a self,
        key: &'a Key,
        value: Vec<u8>,
        client: Option<Client>,
        unless_changed: Option<Version>,
    ) -> Answer<'a, ()> {
        Box::pin(async move { self.set(key.clone(), value, client, unless_changed, Instant::now()) })
    }

    fn delete<'a>(&'a self, key: &'a Key, client: Option<Client>) -> Answer<'a, ()> {
        Box::pin(async move {
            self.delete(key, client);
            Ok(())
        })
    }

    fn look_after(self: Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(self.sweep())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::Capability;

    const KEPT: Duration = Duration::from_secs(1800);

    fn values(bytes: usize) -> KeyValue {
        KeyValue {
            state: Mutex::default(),
            bytes,
            value_bytes: 1000,
            kept: KEPT,
            tell: Box::new(|_| ()),
        }
    }

    fn key(name: &str) -> Key {
        (Capability::bare("tts"), name.to_owned())
    }

    #[test]
    fn keeps_replaces_and_deletes() {
        let (values, now) = (values(10_000), Instant::now());
        values.set(key("a"), vec![1], None, None, now).unwrap();
        values.set(key("a"), vec![2], None, None, now).unwrap();
        values.set(key("b"), vec![3], None, None, now).unwrap();
        let value = |name: &str| values.get(&key(name), now).map(|(value, _)| value);
        assert_eq!(value("a"), Some(vec![2]));
        values.delete(&key("a"), None);
        values.delete(&key("a"), None);
        assert_eq!((value("a"), value("b")), (None, Some(vec![3])));
        values.delete(&key("b"), None);
        let state = values.state();
        assert_eq!((state.bytes, state.entries.len(), state.order.len()), (0, 0, 0));
        assert!(state.held.is_empty() && state.by_held.is_empty());
    }

    #[test]
    fn of_two_changes_that_meet_the_second_is_told() {
        let (values, now) = (values(10_000), Instant::now());
        let version = || values.get(&key("a"), now).map(|(_, version)| version);
        let set = |value, read| values.set(key("a"), vec![value], None, Some(read), now);
        let none = version();
        set(1, none).unwrap();
        assert_eq!(set(2, none), Err(KeptError::Changed), "both began it");
        let first = version();
        set(3, first).unwrap();
        assert_eq!(set(4, first), Err(KeptError::Changed));
        let second = version();
        values.delete(&key("a"), None);
        assert_eq!(set(5, second), Err(KeptError::Changed), "it was forgotten");
        set(6, None).unwrap();
        assert_eq!(values.get(&key("a"), now).unwrap().0, [6]);
        let third = version();
        let later = now + KEPT;
        assert_eq!(
            values.set(key("a"), vec![7], None, Some(third), later),
            Err(KeptError::Changed),
            "its time was over"
        );
    }

    #[test]
    fn forgets_after_its_time() {
        let (values, now) = (values(10_000), Instant::now());
        values.set(key("a"), vec![1], None, None, now).unwrap();
        assert!(values.get(&key("a"), now + KEPT - Duration::from_millis(1)).is_some());
        assert!(values.get(&key("a"), now + KEPT).is_none());
        values.set(key("b"), vec![1], None, None, now + KEPT).unwrap();
        assert_eq!(values.state().entries.len(), 1);
        // Also where nobody sets another one.
        values.end_old(now + KEPT);
        assert_eq!(values.state().entries.len(), 1);
        values.end_old(now + KEPT * 2);
        let state = values.state();
        assert_eq!((state.entries.len(), state.bytes), (0, 0));
    }

    #[test]
    fn who_else_holds_it_hears_of_what_a_client_has_forgotten() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let (heard, client) = (Arc::clone(&told), Client::Address([127, 0, 0, 1].into()));
        let (values, now) = (
            values(10_000).telling(move |client| heard.lock().unwrap().push(client)),
            Instant::now(),
        );
        values.set(key("a"), vec![1], Some(client), None, now).unwrap();
        values.set(key("a"), vec![2], Some(client), None, now).unwrap();
        values.set(key("b"), vec![1], None, None, now).unwrap();
        values.delete(&key("b"), None);
        assert!(told.lock().unwrap().is_empty(), "nothing of a client was forgotten");
        values.delete(&key("a"), None);
        values.delete(&key("a"), None);
        assert_eq!(*told.lock().unwrap(), [client]);
        let other = Client::Address([127, 0, 0, 2].into());
        values.set(key("a"), vec![1], Some(client), None, now).unwrap();
        values.delete(&key("a"), Some(other));
        assert_eq!(told.lock().unwrap()[1..], [client, other]);
    }

    #[test]
    fn forgets_the_oldest_when_it_is_full() {
        let (values, now) = (values(4 * (ENTRY_OVERHEAD_BYTES + 2 + 100)), Instant::now());
        for name in ["a", "b", "c", "d", "e"] {
            values.set(key(name), vec![0; 100], None, None, now).unwrap();
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
        values.set(key("a"), vec![1], None, None, now).unwrap();
        assert!(values.set(key("a"), vec![0; 1001], None, None, now).is_err());
        assert!(values.set(key(&"k".repeat(1025)), vec![0], None, None, now).is_err());
        assert_eq!(values.get(&key("a"), now).map(|(value, _)| value), Some(vec![1]));
    }

    #[test]
    fn who_holds_most_gives_way() {
        let client = |number: u8| Some(Client::Address([127, 0, 0, number].into()));
        let (values, now) = (values(6 * (ENTRY_OVERHEAD_BYTES + 4 + 100)), Instant::now());
        let set = |name: &str, number| values.set(key(name), vec![0; 100], client(number), None, now).unwrap();
        let there = |name: &str| values.get(&key(name), now).is_some();
        set("b1", 2);
        set("c1", 3);
        for name in ["a1", "a2", "a3", "a4", "a5", "a6"] {
            set(name, 1);
        }
        // However much one keeps, the others lose nothing, although theirs is older.
        assert!(there("b1") && there("c1") && there("a6") && !there("a1") && !there("a2"));
        // And somebody new finds room.
        set("d1", 4);
        assert!(there("b1") && there("c1") && there("d1") && !there("a3"));
        // Among equals the oldest goes.
        values.delete(&key("a4"), None);
        values.delete(&key("a5"), None);
        for (name, number) in [("e1", 5), ("f1", 6), ("g1", 7)] {
            set(name, number);
        }
        assert!(!there("b1") && ["c1", "a6", "d1", "e1", "f1", "g1"].iter().all(|name| there(name)));
        // What is replaced counts for who replaces it.
        values.set(key("c1"), vec![0; 200], client(7), None, now).unwrap();
        let state = values.state();
        assert_eq!(state.held.len(), state.by_held.len());
        assert_eq!(state.bytes, state.held.values().map(|held| held.bytes).sum::<usize>());
    }
}
