//! Places to run, shared fairly between clients.
//!
//! Three rules, so that no client can keep another from being served:
//!
//! 1. One client holds at most a share of the places, even when nobody waits: a place that is held cannot be taken back,
//!    so some must be free when another client comes. By default it takes no more than are left free: alone half, the
//!    second a quarter, the third an eighth, so that it takes many clients to fill the places, not two.
//! 2. A place that becomes free goes round the clients that wait, one request of each in turn, however many each has
//!    waiting.
//! 3. When the queue is full and another client comes, whoever waits with the most requests loses its last one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quartet_api::Code;
use tokio::sync::oneshot;

use super::threshold;
use crate::auth::Client;
use crate::config::Limits;
use crate::failure::Failure;

/// Limits the requests that run, those that wait for that, and their time to wait.
#[derive(Clone)]
pub struct Gate(Arc<Shared>);

struct Shared {
    places: usize,
    client_percent: usize,
    queue: usize,
    patience: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: usize,
    held: HashMap<Client, usize>,
    waiting: usize,
    queues: HashMap<Client, VecDeque<Waiter>>,
    /// The clients that wait, in the order in which it is their turn.
    turns: VecDeque<Client>,
    next: u64,
}

/// A request that waits. Dropping the sender refuses it.
struct Waiter {
    ticket: u64,
    sender: oneshot::Sender<Permit>,
}

/// A place to run, given back when dropped.
pub struct Permit {
    shared: Arc<Shared>,
    client: Client,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let next = {
            let mut state = self.shared.lock();
            state.give_back(self.client);
            state.next_waiter(&self.shared)
        };
        if let Some((client, sender)) = next {
            // Whoever left in this moment sends the permit back, and dropping it serves the one behind.
            let _ = sender.send(Permit {
                shared: Arc::clone(&self.shared),
                client,
            });
        }
    }
}

impl Gate {
    /// A gate with the configured bounds for requests that are answered at once.
    pub fn new(limits: &Limits) -> Self {
        Self::of(limits, limits.concurrent_requests)
    }

    /// A gate with the configured bounds for streams, which go on for as long as their clients listen.
    pub fn of_streams(limits: &Limits) -> Self {
        Self::of(limits, limits.concurrent_streams)
    }

    fn of(limits: &Limits, places: usize) -> Self {
        Self::with(
            places,
            limits.client_percent,
            limits.queued_requests,
            limits.queue_milliseconds,
        )
    }

    fn with(places: usize, client_percent: usize, queue: usize, patience: Duration) -> Self {
        Self(Arc::new(Shared {
            places,
            client_percent,
            queue,
            patience,
            state: Mutex::default(),
        }))
    }

    /// Requests that run, and how many may.
    pub fn running(&self) -> (usize, usize) {
        (self.0.lock().running, self.0.places)
    }

    /// Requests that wait, and how many may.
    pub fn waiting(&self) -> (usize, usize) {
        (self.0.lock().waiting, self.0.queue)
    }

    /// Returns true if a client that has no request running would get a place at once.
    pub fn has_room(&self) -> bool {
        self.0.lock().running < self.0.places
    }

    /// Waits for a place to run, which is held for as long as the permit lives.
    ///
    /// # Errors
    /// When the queue is full, or the wait is over.
    pub async fn enter(&self, client: Client) -> Result<Permit, Failure> {
        let (ticket, receiver) = {
            let mut state = self.0.lock();
            if state.may_run(client, &self.0) {
                state.take(client);
                return Ok(self.permit(client));
            }
            state.wait(client, self.0.queue).ok_or_else(busy)?
        };
        let _left = QueueGuard {
            shared: &self.0,
            client,
            ticket,
        };
        match tokio::time::timeout(self.0.patience, receiver).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(busy()),
        }
    }

    fn permit(&self, client: Client) -> Permit {
        Permit {
            shared: Arc::clone(&self.0),
            client,
        }
    }
}

/// Takes a request out of the queue, if it is still there: also when the client leaves while it waits.
struct QueueGuard<'a> {
    shared: &'a Shared,
    client: Client,
    ticket: u64,
}

impl Drop for QueueGuard<'_> {
    fn drop(&mut self) {
        // The sender is dropped after the lock is given back.
        let _waiter = self.shared.lock().leave(self.client, self.ticket);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn may_run(&self, client: Client, shared: &Shared) -> bool {
        let free = shared.places.saturating_sub(self.running);
        let share = threshold(free, shared.client_percent).max(1);
        free > 0 && self.held.get(&client).is_none_or(|held| *held < share)
    }

    fn take(&mut self, client: Client) {
        self.running += 1;
        *self.held.entry(client).or_default() += 1;
    }

    fn give_back(&mut self, client: Client) {
        self.running -= 1;
        if let Some(held) = self.held.get_mut(&client) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&client);
            }
        }
    }

    /// Puts a request into the queue.
    fn wait(&mut self, client: Client, most: usize) -> Option<(u64, oneshot::Receiver<Permit>)> {
        if self.waiting >= most {
            let own = self.queues.get(&client).map_or(0, VecDeque::len);
            let (greediest, longest) = self
                .queues
                .iter()
                .map(|(client, queue)| (*client, queue.len()))
                .max_by_key(|(_, length)| *length)?;
            if own + 1 >= longest {
                return None;
            }
            let last = self.queues.get(&greediest)?.back()?.ticket;
            drop(self.leave(greediest, last));
        }
        let (sender, receiver) = oneshot::channel();
        let ticket = self.next;
        self.next += 1;
        let queue = self.queues.entry(client).or_default();
        if queue.is_empty() {
            self.turns.push_back(client);
        }
        queue.push_back(Waiter { ticket, sender });
        self.waiting += 1;
        Some((ticket, receiver))
    }

    fn leave(&mut self, client: Client, ticket: u64) -> Option<Waiter> {
        let queue = self.queues.get_mut(&client)?;
        let place = queue.iter().position(|waiter| waiter.ticket == ticket)?;
        let waiter = queue.remove(place);
        self.waiting -= 1;
        if queue.is_empty() {
            self.queues.remove(&client);
            self.turns.retain(|other| *other != client);
        }
        waiter
    }

    /// Takes a place for the request whose turn it is. One place that is given back lets at most one request in: with that
    /// as many are free as before, when everybody who waits held a full share of them.
    fn next_waiter(&mut self, shared: &Shared) -> Option<(Client, oneshot::Sender<Permit>)> {
        let turn = self.turns.iter().position(|client| self.may_run(*client, shared))?;
        let client = self.turns.remove(turn)?;
        let queue = self.queues.get_mut(&client)?;
        let waiter = queue.pop_front()?;
        if queue.is_empty() {
            self.queues.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        self.waiting -= 1;
        self.take(client);
        Some((client, waiter.sender))
    }
}

fn busy() -> Failure {
    Failure::new(Code::Busy, "the service is busy; try again in a few seconds").retry_after(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;
    use tokio::sync::mpsc;

    const LONG: Duration = Duration::from_secs(60);

    fn client(last: u8) -> Client {
        IpAddr::from([192, 0, 2, last]).into()
    }

    async fn refused(gate: &Gate, who: u8) -> bool {
        gate.enter(client(who)).await.is_err()
    }

    /// Sends a request that waits, and reports with its permit when it is let in.
    fn queue(gate: &Gate, who: u8, served: &mpsc::UnboundedSender<(u8, Result<Permit, Failure>)>) {
        let (gate, served) = (gate.clone(), served.clone());
        tokio::spawn(async move {
            let entered = gate.enter(client(who)).await;
            let _ = served.send((who, entered));
        });
    }

    /// Lets every spawned task come to where it waits.
    async fn settle() {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn one_client_never_has_more_than_its_share() {
        let gate = Gate::with(4, 50, 0, LONG);
        let _held = [gate.enter(client(1)).await, gate.enter(client(1)).await];
        assert!(refused(&gate, 1).await);
        let other = gate.enter(client(2)).await;
        assert!(other.is_ok());
        drop(other);
        assert!(gate.enter(client(2)).await.is_ok());
    }

    #[tokio::test]
    async fn two_clients_do_not_take_all_places() {
        let gate = Gate::with(64, 50, 0, LONG);
        let mut held = Vec::new();
        let mut shares = Vec::new();
        for who in 1..=8 {
            let before = held.len();
            while let Ok(permit) = gate.enter(client(who)).await {
                held.push(permit);
            }
            shares.push(held.len() - before);
        }
        assert_eq!(shares, [32, 16, 8, 4, 2, 1, 1, 0]);
        held.clear();
        let gate = Gate::with(4, 100, 0, LONG);
        while let Ok(permit) = gate.enter(client(1)).await {
            held.push(permit);
        }
        assert_eq!(held.len(), 4, "where the settings let one client have all");
    }

    #[tokio::test]
    async fn places_go_round_the_clients_that_wait() {
        let gate = Gate::with(1, 50, 100, LONG);
        let mut running = Some(gate.enter(client(9)).await.map_err(|_| ()).unwrap());
        let (sender, mut served) = mpsc::unbounded_channel();
        for who in [1, 1, 1, 1, 1, 2, 2, 3] {
            queue(&gate, who, &sender);
            settle().await;
        }
        let mut order = Vec::new();
        for _ in 0..8 {
            drop(running.take());
            let (who, permit) = served.recv().await.unwrap();
            order.push(who);
            running = permit.ok();
        }
        assert_eq!(order, [1, 2, 3, 1, 2, 1, 1, 1]);
        drop(running);
        let state = gate.0.lock();
        assert_eq!((state.running, state.waiting, state.held.len()), (0, 0, 0));
        assert!(state.queues.is_empty() && state.turns.is_empty());
    }

    #[tokio::test]
    async fn a_client_with_a_full_share_is_passed_over() {
        let gate = Gate::with(2, 50, 100, LONG);
        let first = gate.enter(client(1)).await;
        let second = gate.enter(client(2)).await;
        let (sender, mut served) = mpsc::unbounded_channel();
        queue(&gate, 1, &sender);
        settle().await;
        queue(&gate, 2, &sender);
        settle().await;
        // The first in the queue has its share; the place goes to the one behind.
        drop(second);
        let (who, _permit) = served.recv().await.unwrap();
        assert_eq!(who, 2);
        drop(first);
        assert_eq!(served.recv().await.unwrap().0, 1);
    }

    #[tokio::test]
    async fn a_full_queue_takes_from_who_has_most_waiting() {
        let gate = Gate::with(1, 50, 3, LONG);
        let running = gate.enter(client(9)).await;
        let (sender, mut served) = mpsc::unbounded_channel();
        for _ in 0..3 {
            queue(&gate, 1, &sender);
            settle().await;
        }
        assert!(refused(&gate, 1).await, "the queue is full of its own requests");
        queue(&gate, 2, &sender);
        let (who, entered) = served.recv().await.unwrap();
        assert!(who == 1 && entered.is_err(), "the newest of the greediest goes");
        // Now 2 and 1 wait; another of client 2 would have as many as the greediest.
        assert!(refused(&gate, 2).await);
        drop(running);
        let mut order = Vec::new();
        for _ in 0..3 {
            let (who, permit) = served.recv().await.unwrap();
            order.push(who);
            drop(permit);
        }
        assert_eq!(order, [1, 2, 1]);
    }

    #[tokio::test]
    async fn waiting_is_bounded() {
        let gate = Gate::with(1, 50, 1, Duration::from_millis(5));
        let running = gate.enter(client(1)).await;
        assert!(refused(&gate, 2).await);
        assert_eq!(gate.0.lock().waiting, 0);
        drop(running);
        assert!(gate.enter(client(2)).await.is_ok());
    }

    #[tokio::test]
    async fn who_leaves_while_waiting_leaves_no_trace() {
        let gate = Gate::with(1, 50, 10, LONG);
        let running = gate.enter(client(1)).await;
        let waiting = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter(client(2)).await.map(drop) }
        });
        settle().await;
        assert_eq!(gate.0.lock().waiting, 1);
        waiting.abort();
        settle().await;
        assert_eq!(gate.0.lock().waiting, 0);
        drop(running);
        assert_eq!(gate.0.lock().running, 0);
    }
}
