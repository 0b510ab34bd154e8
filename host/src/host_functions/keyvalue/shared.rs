//! Values in the store that replicas share. While it is away, what comes then is kept in the replica's own memory, or not at
//! all, as the settings have it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::kept::{Answer, Found, Kept, KeptError, Key, Version};
use super::values::{KeyValue, check_key};
use crate::auth::Client;
use crate::config::Unavailable;
use crate::shared::{CallError, SharedState, Written};

/// Keys that were forgotten while the store was away, at most: those that are not forgotten there end by themselves.
const MOST_FORGOTTEN: usize = 10_000;

/// Values of all replicas.
pub struct SharedValues {
    store: Arc<SharedState>,
    own: Arc<KeyValue>,
    unavailable: Unavailable,
    /// Keys of this replica's own that were forgotten while the store was away. A call that came too late may have set them.
    forgotten: Mutex<Vec<Key>>,
}

impl SharedValues {
    /// Values in a store, with those of the replica's own for the time without it.
    pub fn new(store: Arc<SharedState>, own: KeyValue, unavailable: Unavailable) -> Self {
        Self {
            store,
            own: Arc::new(own),
            unavailable,
            forgotten: Mutex::default(),
        }
    }

    fn name(&self, key: &Key) -> String {
        self.store.name(key.0.name(), &key.1)
    }

    fn get_own(&self, key: &Key) -> Option<Found> {
        self.own.get(key, Instant::now())
    }

    async fn get_shared(&self, key: &Key) -> Result<Option<Found>, KeptError> {
        match (self.store.get(&self.name(key)).await, self.unavailable) {
            (Ok(Some(stored)), _) => Ok(Some((stored.value, stored.mark))),
            // What was kept while the store was away, and has not come there yet.
            (Ok(None), _) | (Err(_), Unavailable::Local) => Ok(self.get_own(key)),
            (Err(_), Unavailable::Refuse) => Err(KeptError::Unavailable),
        }
    }

    async fn set_shared(
        &self,
        key: &Key,
        value: Vec<u8>,
        client: Option<Client>,
        unless_changed: Option<Version>,
    ) -> Result<(), KeptError> {
        check_key(key)?;
        let own = self.get_own(key);
        // What was read here is none there.
        let expected = match (unless_changed, &own) {
            (Some(Some(version)), Some((_, there))) if version == *there => Some(None),
            (expected, _) => expected,
        };
        match self
            .store
            .set(&self.name(key), &value, client, expected, self.own.kept())
            .await
        {
            Ok(Written::As(_)) => {
                self.own.remove(key);
                Ok(())
            }
            Ok(Written::Changed) => Err(KeptError::Changed),
            Ok(Written::TooLong) => Err(self.own.too_long()),
            Err(_) if self.unavailable == Unavailable::Local => {
                let unless_changed = unless_changed.filter(|_| own.is_some());
                self.own.set(key.clone(), value, client, unless_changed, Instant::now())
            }
            // As if it had been forgotten at once: whoever asks about it is told that nothing can be reached.
            Err(_) => Ok(()),
        }
    }

    async fn delete_shared(&self, key: &Key, client: Option<Client>) -> Result<(), KeptError> {
        let name = self.name(key);
        let holder = match self.store.get(&name).await {
            Ok(stored) => stored.and_then(|stored| stored.holder),
            Err(error) => return self.delete_own(key, client, error),
        };
        let mut clients: Vec<_> = holder.into_iter().chain(client).collect();
        clients.dedup();
        match self.store.forget(&name, &clients).await {
            Ok(()) => {
                self.own.delete(key, client);
                holder.iter().for_each(|holder| self.own.told(*holder));
                Ok(())
            }
            Err(error) => self.delete_own(key, client, error),
        }
    }

    /// Forgets what the store has never had. What it has cannot be forgotten while it is away, and must not seem to be.
    fn delete_own(&self, key: &Key, client: Option<Client>, _: CallError) -> Result<(), KeptError> {
        if self.get_own(key).is_none() {
            return Err(KeptError::Unavailable);
        }
        self.own.delete(key, client);
        let mut forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        if forgotten.len() < MOST_FORGOTTEN {
            forgotten.push(key.clone());
        }
        Ok(())
    }

    /// Brings to the store what was kept and forgotten while it was away.
    async fn hand_over(&self) {
        let forgotten = std::mem::take(&mut *self.forgotten.lock().unwrap_or_else(PoisonError::into_inner));
        for (done, key) in forgotten.iter().enumerate() {
            if self.store.forget(&self.name(key), &[]).await.is_err() {
                let mut left = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
                left.extend_from_slice(&forgotten[done..]);
                return;
            }
        }
        let mut moved = 0_u64;
        while let Some((key, value, holder, left)) = self.own.oldest(Instant::now()) {
            // It is newer than what was there before the store went away.
            let written = self.store.set(&self.name(&key), &value, holder, None, left).await;
            if written.is_err() {
                break;
            }
            self.own.remove(&key);
            moved += 1;
        }
        if moved > 0 {
            tracing::info!(values = moved, "what was kept while the store was away is in the store");
        }
    }
}

impl Kept for SharedValues {
    fn get<'a>(&'a self, key: &'a Key) -> Answer<'a, Option<Found>> {
        Box::pin(self.get_shared(key))
    }

    fn set<'a>(
        &'a self,
        key: &'a Key,
        value: Vec<u8>,
        client: Option<Client>,
        unless_changed: Option<Version>,
    ) -> Answer<'a, ()> {
        Box::pin(self.set_shared(key, value, client, unless_changed))
    }

    fn delete<'a>(&'a self, key: &'a Key, client: Option<Client>) -> Answer<'a, ()> {
        Box::pin(self.delete_shared(key, client))
    }

    fn look_after(self: Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            let sweep = tokio::spawn(Arc::clone(&self.own).sweep());
            let mut opens = self.store.opens();
            while opens.wait_for(|open| *open).await.is_ok() {
                self.hand_over().await;
                if opens.wait_for(|open| !*open).await.is_err() {
                    break;
                }
            }
            sweep.abort();
        })
    }
}
