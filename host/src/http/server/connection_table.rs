//! The table of open connections: their limits, which are idle, and which are closed to make room.
//!
//! A connection is busy from the moment its service is called to the end of the response's body, and idle otherwise:
//! before its first request, between two, and while the head of one trickles in. Only idle ones are closed to make
//! room, the one that is idle longest first. So whoever holds thousands of connections loses them to whoever has
//! something to ask, and health answers on new connections and old ones.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::auth::Client;

/// Pause before another look for an idle connection.
const IDLE_CHECK_PAUSE: Duration = Duration::from_millis(100);

/// Time that a connection must have been idle before it is closed for another: a new one has its request on the way,
/// and is not to make room for the next one before that can be read.
const MIN_IDLE_TIME: Duration = Duration::from_millis(100);

/// One connection in this many is closed when room is made, so that under a flood not each new one has to look for its
/// own.
const CONNECTIONS_PER_CLOSED: usize = 64;

/// The table of open connections.
pub struct ConnectionTable {
    max: usize,
    max_of_client: usize,
    min_idle: Duration,
    entries: Mutex<Entries>,
    freed: Notify,
    epoch: Instant,
}

#[derive(Default)]
struct Entries {
    next: u64,
    open: HashMap<u64, Arc<ConnectionState>>,
    /// Number of connections of each client, without those that were ordered to close.
    of_client: HashMap<Client, usize>,
    /// Connections that were ordered to close and are still open.
    closing: usize,
}

/// An order to a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// End after the requests that were begun.
    Finish,
    /// End now.
    Close,
}

/// One open connection.
pub struct ConnectionState {
    client: Option<Client>,
    requests: AtomicUsize,
    /// Nanoseconds since the epoch of the table at which it became idle.
    since: AtomicU64,
    order: AtomicU8,
    ordered: Notify,
    epoch: Instant,
}

const CLOSE_ORDER: u8 = 2;

impl ConnectionTable {
    /// A table for `max` connections, `max_of_client` of them from one client.
    pub fn new(max: usize, max_of_client: usize) -> Self {
        Self {
            max: max.max(1),
            max_of_client: max_of_client.max(1),
            min_idle: MIN_IDLE_TIME,
            entries: Mutex::default(),
            freed: Notify::new(),
            epoch: Instant::now(),
        }
    }

    /// Waits until there is room for another connection, and closes idle ones for that.
    pub async fn wait_for_room(&self) {
        loop {
            if self.lock().open.len() < self.max {
                return;
            }
            self.close_idle();
            self.wait_for_change().await;
        }
    }

    /// Closes those that are idle longest, unless some are closing already.
    pub fn close_idle(&self) {
        let mut entries = self.lock();
        if entries.closing > 0 {
            return;
        }
        let mut idle: Vec<_> = entries
            .open
            .values()
            .filter_map(|state| Some((state.closable(self.min_idle)?, Arc::clone(state))))
            .collect();
        let count = (entries.open.len() / CONNECTIONS_PER_CLOSED).max(1).min(idle.len());
        if count > 0 {
            idle.select_nth_unstable_by_key(count - 1, |(since, _)| *since);
        }
        for (_, state) in idle.drain(..count) {
            entries.close(&state);
        }
    }

    /// Waits until a connection ends, but not for long.
    pub async fn wait_for_change(&self) {
        // That the time is over is as good a reason to look again.
        let _ = tokio::time::timeout(IDLE_CHECK_PAUSE, self.freed.notified()).await;
    }

    /// Adds a connection. It counts for `client`; `None` is not counted.
    ///
    /// `None` is returned when the client has as many as it may, and none of them is idle.
    pub fn add(self: &Arc<Self>, client: Option<Client>) -> Option<ConnectionGuard> {
        let mut entries = self.lock();
        if let Some(client) = client {
            if entries
                .of_client
                .get(&client)
                .is_some_and(|count| *count >= self.max_of_client)
            {
                let of_client = entries.open.values().filter(|state| state.client == Some(client));
                let oldest = of_client
                    .filter_map(|state| Some((state.closable(self.min_idle)?, state)))
                    .min_by_key(|(since, _)| *since);
                let oldest = Arc::clone(oldest?.1);
                entries.close(&oldest);
            }
            *entries.of_client.entry(client).or_default() += 1;
        }
        let state = Arc::new(ConnectionState {
            client,
            requests: AtomicUsize::new(0),
            since: AtomicU64::new(0),
            order: AtomicU8::new(0),
            ordered: Notify::new(),
            epoch: self.epoch,
        });
        state.mark_idle();
        let id = entries.next;
        entries.next += 1;
        entries.open.insert(id, Arc::clone(&state));
        Some(ConnectionGuard {
            table: Arc::clone(self),
            id,
            state,
        })
    }

    /// Lets every connection finish what it has begun, and waits until all have ended.
    pub async fn finish(&self) {
        for state in self.lock().open.values() {
            state.send(Order::Finish);
        }
        while !self.lock().open.is_empty() {
            self.wait_for_change().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn close(&mut self, state: &ConnectionState) {
        state.send(Order::Close);
        self.closing += 1;
        self.forget(state.client);
    }

    fn forget(&mut self, client: Option<Client>) {
        let Some(client) = client else { return };
        if let Some(count) = self.of_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.of_client.remove(&client);
            }
        }
    }
}

impl ConnectionState {
    /// Time for which it has been idle; `None` while it is busy.
    pub fn idle(&self) -> Option<Duration> {
        let since = Duration::from_nanos(self.since.load(Ordering::Relaxed));
        (self.requests.load(Ordering::Relaxed) == 0).then(|| self.epoch.elapsed().saturating_sub(since))
    }

    /// Waits for an order.
    pub async fn ordered(&self) -> Order {
        self.ordered.notified().await;
        match self.order.load(Ordering::Relaxed) {
            CLOSE_ORDER => Order::Close,
            _ => Order::Finish,
        }
    }

    /// Begins a request.
    pub fn begin(self: &Arc<Self>) -> RequestGuard {
        self.requests.fetch_add(1, Ordering::Relaxed);
        RequestGuard(Arc::clone(self))
    }

    /// Time at which it became idle, if it may be closed for another.
    fn closable(&self, min_idle: Duration) -> Option<u64> {
        let old = self.idle().is_some_and(|idle| idle >= min_idle);
        (old && self.order.load(Ordering::Relaxed) != CLOSE_ORDER).then(|| self.since.load(Ordering::Relaxed))
    }

    /// Marks it as idle from now on.
    fn mark_idle(&self) {
        let now = u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.since.store(now, Ordering::Relaxed);
    }

    fn send(&self, order: Order) {
        if order == Order::Close {
            self.order.store(CLOSE_ORDER, Ordering::Relaxed);
        }
        self.ordered.notify_one();
    }
}

/// A connection's entry in the table, removed when it is dropped.
pub struct ConnectionGuard {
    table: Arc<ConnectionTable>,
    id: u64,
    /// The connection.
    pub state: Arc<ConnectionState>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut entries = self.table.lock();
        entries.open.remove(&self.id);
        if self.state.order.load(Ordering::Relaxed) == CLOSE_ORDER {
            entries.closing -= 1;
        } else {
            entries.forget(self.state.client);
        }
        drop(entries);
        self.table.freed.notify_one();
    }
}

/// A request on a connection, which ends when it is dropped.
pub struct RequestGuard(Arc<ConnectionState>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.mark_idle();
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn client(last: u8) -> Option<Client> {
        Some(IpAddr::from([192, 0, 2, last]).into())
    }

    fn table(max: usize, max_of_client: usize) -> Arc<ConnectionTable> {
        let mut table = ConnectionTable::new(max, max_of_client);
        table.min_idle = Duration::ZERO;
        table.into()
    }

    fn is_to_close(guard: &ConnectionGuard) -> bool {
        guard.state.order.load(Ordering::Relaxed) == CLOSE_ORDER
    }

    #[tokio::test]
    async fn the_longest_idle_goes_for_a_new_one_and_the_busy_stay() {
        let table = table(3, 10);
        let guards: Vec<_> = (0..3).map(|_| table.add(None).unwrap()).collect();
        for (since, guard) in [30, 10, 20].into_iter().zip(&guards) {
            guard.state.since.store(since, Ordering::Relaxed);
        }
        let _request = guards[1].state.begin();
        table.close_idle();
        assert_eq!(guards.iter().map(is_to_close).collect::<Vec<_>>(), [false, false, true]);
        // Nothing more goes while one is going.
        table.close_idle();
        assert!(!is_to_close(&guards[0]));
        assert_eq!(guards[2].state.ordered().await, Order::Close);
        drop(guards.into_iter().nth(2));
        table.wait_for_room().await;
    }

    #[tokio::test]
    async fn room_comes_when_a_busy_connection_becomes_idle() {
        let table = table(1, 10);
        let guard = table.add(None).unwrap();
        let request = guard.state.begin();
        let waiting = tokio::spawn({
            let table = Arc::clone(&table);
            async move { table.wait_for_room().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(request);
        assert_eq!(guard.state.ordered().await, Order::Close);
        drop(guard);
        waiting.await.unwrap();
    }

    #[test]
    fn one_client_replaces_its_own_idle_connections_only() {
        let table = table(100, 2);
        let other = table.add(client(2)).unwrap();
        let first = table.add(client(1)).unwrap();
        let second = table.add(client(1)).unwrap();
        first.state.since.store(0, Ordering::Relaxed);
        second.state.since.store(1, Ordering::Relaxed);
        other.state.since.store(0, Ordering::Relaxed);
        let third = table.add(client(1)).unwrap();
        assert!(is_to_close(&first) && !is_to_close(&second) && !is_to_close(&other));
        let _busy = (second.state.begin(), third.state.begin());
        assert!(table.add(client(1)).is_none());
        assert!(table.add(client(2)).is_some());
        assert!(table.add(None).is_some());
        drop((first, second, third, other));
        let entries = table.lock();
        assert!(entries.open.is_empty() && entries.of_client.is_empty() && entries.closing == 0);
    }

    #[test]
    fn busy_is_not_idle() {
        let table = table(1, 1);
        let guard = table.add(None).unwrap();
        assert!(guard.state.idle().is_some());
        let (first, second) = (guard.state.begin(), guard.state.begin());
        drop(first);
        assert!(guard.state.idle().is_none());
        drop(second);
        assert!(guard.state.idle().is_some());
    }

    #[test]
    fn a_new_connection_is_not_closed_before_it_can_ask() {
        let mut table = ConnectionTable::new(1, 1);
        table.min_idle = Duration::from_secs(3600);
        let table = Arc::new(table);
        let guard = table.add(client(1)).unwrap();
        table.close_idle();
        assert!(!is_to_close(&guard));
        assert!(table.add(client(1)).is_none());
    }
}
