//! Open connections: how many there may be, which of them stand idle, and which go when there is no room.
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
const PAUSE: Duration = Duration::from_millis(100);

/// Time that a connection must have been idle before it is closed for another: a new one has its request on the way,
/// and is not to make room for the next one before that can be read.
const YOUNG: Duration = Duration::from_millis(100);

/// One connection in this many is closed when room is made, so that under a flood not each new one has to look for its
/// own.
const BATCH: usize = 64;

/// The table of open connections.
pub struct Slots {
    most: usize,
    most_of_client: usize,
    young: Duration,
    table: Mutex<Table>,
    freed: Notify,
    epoch: Instant,
}

#[derive(Default)]
struct Table {
    next: u64,
    open: HashMap<u64, Arc<ConnectionState>>,
    /// Connections of clients that are counted, without those that were told to close.
    of_client: HashMap<Client, usize>,
    /// Connections that were told to close and are still there.
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
    told: Notify,
    epoch: Instant,
}

const CLOSE: u8 = 2;

impl Slots {
    /// Room for `most` connections, `most_of_client` of them from one client.
    pub fn new(most: usize, most_of_client: usize) -> Self {
        Self {
            most: most.max(1),
            most_of_client: most_of_client.max(1),
            young: YOUNG,
            table: Mutex::default(),
            freed: Notify::new(),
            epoch: Instant::now(),
        }
    }

    /// Waits until there is room for another connection, and closes idle ones for that.
    pub async fn room(&self) {
        loop {
            if self.lock().open.len() < self.most {
                return;
            }
            self.close_idle();
            self.change().await;
        }
    }

    /// Closes those that are idle longest, unless some are closing already.
    pub fn close_idle(&self) {
        let mut table = self.lock();
        if table.closing > 0 {
            return;
        }
        let mut idle: Vec<_> = table
            .open
            .values()
            .filter_map(|slot| Some((slot.closable(self.young)?, Arc::clone(slot))))
            .collect();
        let count = (table.open.len() / BATCH).max(1).min(idle.len());
        if count > 0 {
            idle.select_nth_unstable_by_key(count - 1, |(since, _)| *since);
        }
        for (_, slot) in idle.drain(..count) {
            table.close(&slot);
        }
    }

    /// Waits until a connection ends, or a moment.
    pub async fn change(&self) {
        // That the time is over is as good a reason to look again.
        let _ = tokio::time::timeout(PAUSE, self.freed.notified()).await;
    }

    /// Takes a place for a connection. `client` is who it counts for; `None` is not counted.
    ///
    /// `None` is returned when the client has as many as it may, and none of them is idle.
    pub fn take(self: &Arc<Self>, client: Option<Client>) -> Option<ConnectionGuard> {
        let mut table = self.lock();
        if let Some(client) = client {
            if table
                .of_client
                .get(&client)
                .is_some_and(|count| *count >= self.most_of_client)
            {
                let of_client = table.open.values().filter(|slot| slot.client == Some(client));
                let oldest = of_client
                    .filter_map(|slot| Some((slot.closable(self.young)?, slot)))
                    .min_by_key(|(since, _)| *since);
                let oldest = Arc::clone(oldest?.1);
                table.close(&oldest);
            }
            *table.of_client.entry(client).or_default() += 1;
        }
        let slot = Arc::new(ConnectionState {
            client,
            requests: AtomicUsize::new(0),
            since: AtomicU64::new(0),
            order: AtomicU8::new(0),
            told: Notify::new(),
            epoch: self.epoch,
        });
        slot.rest();
        let id = table.next;
        table.next += 1;
        table.open.insert(id, Arc::clone(&slot));
        Some(ConnectionGuard {
            slots: Arc::clone(self),
            id,
            slot,
        })
    }

    /// Lets every connection finish what it has begun, and waits until all have ended.
    pub async fn finish(&self) {
        for slot in self.lock().open.values() {
            slot.tell(Order::Finish);
        }
        while !self.lock().open.is_empty() {
            self.change().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn close(&mut self, slot: &ConnectionState) {
        slot.tell(Order::Close);
        self.closing += 1;
        self.forget(slot.client);
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

    /// Resolves when something is to happen to it.
    pub async fn told(&self) -> Order {
        self.told.notified().await;
        match self.order.load(Ordering::Relaxed) {
            CLOSE => Order::Close,
            _ => Order::Finish,
        }
    }

    /// Begins a request.
    pub fn begin(self: &Arc<Self>) -> Busy {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(self))
    }

    /// Time at which it became idle, if it may be closed for another.
    fn closable(&self, young: Duration) -> Option<u64> {
        let old = self.idle().is_some_and(|idle| idle >= young);
        (old && self.order.load(Ordering::Relaxed) != CLOSE).then(|| self.since.load(Ordering::Relaxed))
    }

    /// Sets the moment at which it became idle to now.
    fn rest(&self) {
        let now = u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.since.store(now, Ordering::Relaxed);
    }

    fn tell(&self, order: Order) {
        if order == Order::Close {
            self.order.store(CLOSE, Ordering::Relaxed);
        }
        self.told.notify_one();
    }
}

/// A connection's place. Dropping it gives the place back.
pub struct ConnectionGuard {
    slots: Arc<Slots>,
    id: u64,
    /// The connection.
    pub slot: Arc<ConnectionState>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut table = self.slots.lock();
        table.open.remove(&self.id);
        if self.slot.order.load(Ordering::Relaxed) == CLOSE {
            table.closing -= 1;
        } else {
            table.forget(self.slot.client);
        }
        drop(table);
        self.slots.freed.notify_one();
    }
}

/// A request on a connection. Dropping it ends the request.
pub struct Busy(Arc<ConnectionState>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.rest();
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

    fn slots(most: usize, most_of_client: usize) -> Arc<Slots> {
        let mut slots = Slots::new(most, most_of_client);
        slots.young = Duration::ZERO;
        slots.into()
    }

    fn told_to_close(seat: &ConnectionGuard) -> bool {
        seat.slot.order.load(Ordering::Relaxed) == CLOSE
    }

    #[tokio::test]
    async fn the_longest_idle_goes_for_a_new_one_and_the_busy_stay() {
        let slots = slots(3, 10);
        let seats: Vec<_> = (0..3).map(|_| slots.take(None).unwrap()).collect();
        for (since, seat) in [30, 10, 20].into_iter().zip(&seats) {
            seat.slot.since.store(since, Ordering::Relaxed);
        }
        let _request = seats[1].slot.begin();
        slots.close_idle();
        assert_eq!(
            seats.iter().map(told_to_close).collect::<Vec<_>>(),
            [false, false, true]
        );
        // Nothing more goes while one is going.
        slots.close_idle();
        assert!(!told_to_close(&seats[0]));
        assert_eq!(seats[2].slot.told().await, Order::Close);
        drop(seats.into_iter().nth(2));
        slots.room().await;
    }

    #[tokio::test]
    async fn room_comes_when_a_busy_connection_becomes_idle() {
        let slots = slots(1, 10);
        let seat = slots.take(None).unwrap();
        let request = seat.slot.begin();
        let waiting = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { slots.room().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(request);
        assert_eq!(seat.slot.told().await, Order::Close);
        drop(seat);
        waiting.await.unwrap();
    }

    #[test]
    fn one_client_replaces_its_own_idle_connections_only() {
        let slots = slots(100, 2);
        let other = slots.take(client(2)).unwrap();
        let first = slots.take(client(1)).unwrap();
        let second = slots.take(client(1)).unwrap();
        first.slot.since.store(0, Ordering::Relaxed);
        second.slot.since.store(1, Ordering::Relaxed);
        other.slot.since.store(0, Ordering::Relaxed);
        let third = slots.take(client(1)).unwrap();
        assert!(told_to_close(&first) && !told_to_close(&second) && !told_to_close(&other));
        let _busy = (second.slot.begin(), third.slot.begin());
        assert!(slots.take(client(1)).is_none());
        assert!(slots.take(client(2)).is_some());
        assert!(slots.take(None).is_some());
        drop((first, second, third, other));
        let table = slots.lock();
        assert!(table.open.is_empty() && table.of_client.is_empty() && table.closing == 0);
    }

    #[test]
    fn busy_is_not_idle() {
        let slots = slots(1, 1);
        let seat = slots.take(None).unwrap();
        assert!(seat.slot.idle().is_some());
        let (first, second) = (seat.slot.begin(), seat.slot.begin());
        drop(first);
        assert!(seat.slot.idle().is_none());
        drop(second);
        assert!(seat.slot.idle().is_some());
    }

    #[test]
    fn a_new_connection_is_not_closed_before_it_can_ask() {
        let mut slots = Slots::new(1, 1);
        slots.young = Duration::from_secs(3600);
        let slots = Arc::new(slots);
        let seat = slots.take(client(1)).unwrap();
        slots.close_idle();
        assert!(!told_to_close(&seat));
        assert!(slots.take(client(1)).is_none());
    }
}
