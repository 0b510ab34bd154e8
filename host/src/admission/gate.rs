//! Places to run, shared fairly between clients, and let in as far as memory and time reach.
//!
//! There are three kinds of places: for light requests, for heavy ones that compute for long, and for streams. For each:
//!
//! 1. One client holds at most a share of the places, even when nobody waits: a place that is held cannot be taken back,
//!    so some must be free when another client comes. By default it takes no more than are left free: alone half, the
//!    second a quarter, the third an eighth, so that it takes many clients to fill the places, not two.
//! 2. A place that becomes free goes round the clients that wait, one request of each in turn, however many each has
//!    waiting.
//! 3. When the queue is full and another client comes, whoever waits with the most requests loses its last one.
//!
//! Heavy requests are few at a time, as many as there are processors: all at once they would share the processors and
//! all be too late. The others wait, for as long as they can still be answered in time. One that cannot be, by what
//! [is known](super::Forecast) of those before it and the turns of rule 2, is refused at once; and one that could be
//! until other clients came is refused then. So that this is rare, a client's second request is let in only where it would
//! be in time if whoever came lately came again, and all wait for less long where it happened ([`horizon`]).

mod bounds;
mod horizon;
mod queues;
mod recent;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quartet_api::Code;

use self::bounds::{Bounds, HEAVY_WORK, Place};
use self::queues::{Queues, Refused, Sender};
use super::forecast::{Forecast, Kind, Meter, Needs};
use super::memory::{MemoryBudget, MemoryShare};
use crate::auth::Client;
use crate::config::Limits;
use crate::failure::Failure;

/// Seconds after which a request that found no place may try again, where nothing better is known.
const RETRY_SECONDS: u64 = 2;

/// Longest time that a client is asked to wait.
const MAX_RETRY: Duration = Duration::from_secs(60);

/// Limits the requests that run, those that wait for that, and their time to wait.
#[derive(Clone)]
pub struct Gate(Arc<Shared>);

struct Shared {
    bounds: Bounds,
    forecast: Forecast,
    memory: Arc<MemoryBudget>,
    state: Mutex<Queues<Permit>>,
}

/// A place to run, given back when dropped.
pub struct Permit {
    shared: Arc<Shared>,
    client: Client,
    place: Place,
    kind: Kind,
    ticket: u64,
    meter: Arc<Meter>,
    memory: Option<MemoryShare>,
}

impl Permit {
    /// Counts what the request uses.
    pub fn meter(&self) -> Arc<Meter> {
        Arc::clone(&self.meter)
    }

    /// The memory that it is let in with. To be dropped before the permit.
    pub fn take_memory(&mut self) -> Option<MemoryShare> {
        self.memory.take()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.shared.forecast.learn(&self.kind, &self.meter);
        drop(self.memory.take());
        self.shared.lock().give_back(self.place, self.client, self.ticket);
        self.shared.hand_on();
    }
}

impl Gate {
    /// A gate with the configured bounds, which shares out `memory` and runs `heavy` requests that compute for long at a
    /// time.
    pub fn new(limits: &Limits, memory: Arc<MemoryBudget>, heavy: usize) -> Self {
        let bounds = Bounds {
            light: limits.concurrent_requests,
            heavy: heavy.clamp(1, limits.concurrent_requests),
            streams: limits.concurrent_streams,
            client_percent: limits.client_percent,
            queue: limits.queued_requests,
            patience: limits.queue_milliseconds,
            respond: limits.respond_seconds,
        };
        Self::with(bounds, memory, limits.memory_bytes)
    }

    fn with(bounds: Bounds, memory: Arc<MemoryBudget>, max_memory: usize) -> Self {
        Self(Arc::new(Shared {
            bounds,
            forecast: Forecast::new(max_memory),
            memory,
            state: Mutex::default(),
        }))
    }

    /// Requests that run, and how many may.
    pub fn running(&self) -> (usize, usize) {
        let state = self.0.lock();
        (
            state.running(Place::Light) + state.running(Place::Heavy),
            self.0.bounds.light,
        )
    }

    /// Requests and streams that wait, and how many may.
    pub fn waiting(&self) -> (usize, usize) {
        (self.0.lock().waiting(), self.0.bounds.queue)
    }

    /// Streams that run, and how many may.
    pub fn streams(&self) -> (usize, usize) {
        (self.0.lock().running(Place::Stream), self.0.bounds.streams)
    }

    /// The memory of all sandboxes that is taken, and how much there is, in bytes.
    pub fn memory(&self) -> (usize, usize) {
        self.0.memory.bytes()
    }

    /// Seconds that the heavy requests take that run and wait, as far as that is known.
    pub fn expected_work(&self) -> Duration {
        self.0.lock().expected_work(&self.0.forecast)
    }

    /// Returns true if a client that has no request running would get a place at once.
    pub fn has_room(&self) -> bool {
        let state = self.0.lock();
        state.running(Place::Light) < self.0.bounds.light && state.running(Place::Heavy) == 0
    }

    /// Checks by its head that a request can be answered in time, before its body is read.
    ///
    /// # Errors
    /// When it would be refused at once.
    pub fn check(&self, client: Client, kind: &Kind, streams: bool) -> Result<(), Failure> {
        let mut state = self.0.lock();
        let needs = self.0.needs(&state, kind);
        match place(needs, streams) {
            Place::Heavy => self.0.in_time(&mut state, client, needs),
            Place::Light | Place::Stream => Ok(()),
        }
    }

    /// Waits for a place to run, which is held for as long as the permit lives.
    ///
    /// # Errors
    /// When it could not be answered in time, the queue is full, or the wait is over.
    pub async fn enter(&self, client: Client, kind: Kind, streams: bool) -> Result<Permit, Failure> {
        let shared = &self.0;
        let (place, ticket, receiver) = {
            let mut state = shared.lock();
            let needs = shared.needs(&state, &kind);
            let place = place(needs, streams);
            if place == Place::Heavy {
                shared.in_time(&mut state, client, needs)?;
            }
            if let Some(permit) = shared.let_in(&mut state, client, place, &kind, needs) {
                return Ok(permit);
            }
            let deadline = Instant::now() + shared.bounds.respond;
            let (ticket, receiver) = state
                .wait(place, client, kind, deadline, shared.bounds.queue)
                .ok_or_else(busy)?;
            state.refuse_late(&shared.forecast, shared.bounds.respond);
            (place, ticket, receiver)
        };
        let _left = QueueGuard {
            shared,
            place,
            client,
            ticket,
        };
        let patience = match place {
            Place::Heavy => shared.bounds.respond,
            Place::Light | Place::Stream => shared.bounds.patience,
        };
        match tokio::time::timeout(patience, receiver).await {
            Ok(Ok(Ok(permit))) => Ok(permit),
            Ok(Ok(Err(Refused { late }))) => Err(overloaded(late)),
            _ => Err(busy()),
        }
    }
}

/// The place that a request takes.
fn place(needs: Needs, streams: bool) -> Place {
    match streams {
        true => Place::Stream,
        false if needs.work >= HEAVY_WORK => Place::Heavy,
        false => Place::Light,
    }
}

/// Takes a request out of the queue, if it is still there: also when the client leaves while it waits.
struct QueueGuard<'a> {
    shared: &'a Shared,
    place: Place,
    client: Client,
    ticket: u64,
}

impl Drop for QueueGuard<'_> {
    fn drop(&mut self) {
        // The sender is dropped after the lock is given back.
        let _waiter = self.shared.lock().leave(self.place, self.client, self.ticket);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues<Permit>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Needs of a request, as far as those before it tell, and for files those that run: of many that are sent at once,
    /// none has ended when it shows that they are no small ones.
    fn needs(&self, state: &Queues<Permit>, kind: &Kind) -> Needs {
        let mut needs = self.forecast.expect(kind);
        if kind.is_file() {
            needs.work = needs.work.max(state.most_work(kind));
        }
        needs
    }

    /// Checks that a heavy request can be answered in time.
    fn in_time(&self, state: &mut Queues<Permit>, client: Client, needs: Needs) -> Result<(), Failure> {
        let late = state.lateness(client, needs.work, &self.forecast, self.bounds.respond);
        late.map_or(Ok(()), |late| Err(overloaded(late)))
    }

    /// Lets a request in, if it may run now.
    fn let_in(
        self: &Arc<Self>,
        state: &mut Queues<Permit>,
        client: Client,
        place: Place,
        kind: &Kind,
        needs: Needs,
    ) -> Option<Permit> {
        if !state.may_run(place, client, &self.bounds) {
            return None;
        }
        let memory = self.memory.admit(needs.memory)?;
        let meter = Arc::<Meter>::default();
        let ticket = state.take(place, client, kind, &meter);
        Some(Permit {
            shared: Arc::clone(self),
            client,
            place,
            kind: kind.clone(),
            ticket,
            meter,
            memory: Some(memory),
        })
    }

    /// Lets those in that wait and may run now.
    fn hand_on(self: &Arc<Self>) {
        loop {
            let sent = {
                let mut state = self.lock();
                state.refuse_late(&self.forecast, self.bounds.respond);
                self.next(&mut state)
            };
            let Some((sender, permit)) = sent else { return };
            // Whoever left in this moment sends the permit back, and dropping it serves the one behind.
            let _ = sender.send(Ok(permit));
        }
    }

    /// The next request that waits and may run, with its place.
    fn next(self: &Arc<Self>, state: &mut Queues<Permit>) -> Option<(Sender<Permit>, Permit)> {
        for (place, client, kind) in state.firsts() {
            let needs = self.forecast.expect(&kind);
            if let Some(permit) = self.let_in(state, client, place, &kind, needs)
                && let Some(sender) = state.serve(place, client)
            {
                return Some((sender, permit));
            }
        }
        None
    }
}

fn busy() -> Failure {
    Failure::new(Code::Busy, "the service is busy; try again in a few seconds").retry_after(RETRY_SECONDS)
}

/// The failure of a request that would be answered so much too late.
fn overloaded(late: Duration) -> Failure {
    let seconds = late.min(MAX_RETRY).as_secs() + 1;
    Failure::new(
        Code::Busy,
        format!("the service is busy, and this request would not be answered in time; try again in {seconds} seconds"),
    )
    .retry_after(seconds)
}
