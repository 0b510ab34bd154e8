//! The requests that run and those that wait for it, by kind of place and by client.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::bounds::{Bounds, HEAVY_WORK, Place};
use super::horizon::Horizon;
use super::recent::Recent;
use crate::admission::forecast::{Forecast, Kind, Meter};
use crate::admission::threshold;
use crate::auth::Client;

/// The queue of a client for one kind of places.
type Key = (Place, Client);

/// A request that waited and can no longer be answered in time.
#[derive(Debug)]
pub struct Refused {
    /// Time by which it would be late.
    pub late: Duration,
}

/// The end of a wait.
pub type Sender<P> = oneshot::Sender<Result<P, Refused>>;

/// A request that waits. Dropping the sender refuses it.
pub struct Waiter<P> {
    /// The requests that it is like.
    pub kind: Kind,
    /// Time by which it must be answered.
    pub deadline: Instant,
    ticket: u64,
    sender: Sender<P>,
}

struct Running {
    place: Place,
    kind: Kind,
    meter: Arc<Meter>,
}

/// The state of a gate, which lets requests in with a `P`.
pub struct Queues<P> {
    running: HashMap<u64, Running>,
    held: HashMap<Key, usize>,
    waiting: usize,
    queues: HashMap<Key, VecDeque<Waiter<P>>>,
    /// The queues with somebody in them, in the order in which it is their turn.
    turns: VecDeque<Key>,
    /// Clients that came lately with heavy requests, also those that were refused.
    recent: Recent,
    horizon: Horizon,
    next: u64,
}

impl<P> Default for Queues<P> {
    fn default() -> Self {
        Self {
            running: HashMap::new(),
            held: HashMap::new(),
            waiting: 0,
            queues: HashMap::new(),
            turns: VecDeque::new(),
            recent: Recent::default(),
            horizon: Horizon::default(),
            next: 0,
        }
    }
}

impl<P> Queues<P> {
    /// Requests that have a place of a kind.
    pub fn running(&self, place: Place) -> usize {
        self.held
            .iter()
            .filter(|((of, _), _)| *of == place)
            .map(|(_, held)| held)
            .sum()
    }

    /// The most work that one request has taken so far of those that run and are like another.
    pub fn most_work(&self, kind: &Kind) -> Duration {
        let alike = self.running.values().filter(|running| running.kind.is_like(kind));
        alike.map(|running| running.meter.work()).max().unwrap_or_default()
    }

    /// Requests that wait.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns true if a client may take another place of a kind.
    pub fn may_run(&self, place: Place, client: Client, bounds: &Bounds) -> bool {
        let free = bounds.places(place).saturating_sub(self.running(place));
        let share = threshold(free, bounds.client_percent(place)).max(1);
        free > 0 && self.held.get(&(place, client)).is_none_or(|held| *held < share)
    }

    /// Takes a place. Returns the number under which it is given back.
    pub fn take(&mut self, place: Place, client: Client, kind: &Kind, meter: &Arc<Meter>) -> u64 {
        *self.held.entry((place, client)).or_default() += 1;
        let ticket = self.ticket();
        let running = Running {
            place,
            kind: kind.clone(),
            meter: Arc::clone(meter),
        };
        self.running.insert(ticket, running);
        ticket
    }

    /// Gives a place back.
    pub fn give_back(&mut self, place: Place, client: Client, ticket: u64) {
        self.running.remove(&ticket);
        if let Some(held) = self.held.get_mut(&(place, client)) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&(place, client));
            }
        }
    }

    /// Puts a request into a queue.
    pub fn wait(
        &mut self,
        place: Place,
        client: Client,
        kind: Kind,
        deadline: Instant,
        most: usize,
    ) -> Option<(u64, oneshot::Receiver<Result<P, Refused>>)> {
        let key = (place, client);
        if self.waiting >= most {
            let own = self.queues.get(&key).map_or(0, VecDeque::len);
            let (greediest, longest) = self
                .queues
                .iter()
                .map(|(key, queue)| (*key, queue.len()))
                .max_by_key(|(_, length)| *length)?;
            if own + 1 >= longest {
                return None;
            }
            let last = self.queues.get(&greediest)?.back()?.ticket;
            drop(self.leave(greediest.0, greediest.1, last));
        }
        let (sender, receiver) = oneshot::channel();
        let ticket = self.ticket();
        let queue = self.queues.entry(key).or_default();
        if queue.is_empty() {
            // Whoever has no place comes before those who have.
            let has_none = !self.held.contains_key(&key);
            let others = self.turns.iter().position(|other| self.held.contains_key(other));
            self.turns
                .insert(others.filter(|_| has_none).unwrap_or(self.turns.len()), key);
        }
        queue.push_back(Waiter {
            kind,
            deadline,
            ticket,
            sender,
        });
        self.waiting += 1;
        Some((ticket, receiver))
    }

    /// Takes a request out of its queue.
    pub fn leave(&mut self, place: Place, client: Client, ticket: u64) -> Option<Waiter<P>> {
        let key = (place, client);
        let queue = self.queues.get_mut(&key)?;
        let at = queue.iter().position(|waiter| waiter.ticket == ticket)?;
        let waiter = queue.remove(at);
        self.waiting -= 1;
        if queue.is_empty() {
            self.queues.remove(&key);
            self.turns.retain(|other| *other != key);
        }
        waiter
    }

    /// The first requests of all queues, in the order of their turns.
    pub fn firsts(&self) -> Vec<(Place, Client, Kind)> {
        let first = |key: &Key| Some((key.0, key.1, self.queues.get(key)?.front()?.kind.clone()));
        self.turns.iter().filter_map(first).collect()
    }

    /// Takes the first request out of a queue, whose turn comes last then.
    pub fn serve(&mut self, place: Place, client: Client) -> Option<Sender<P>> {
        let key = (place, client);
        let queue = self.queues.get_mut(&key)?;
        let waiter = queue.pop_front()?;
        self.waiting -= 1;
        if place == Place::Heavy {
            self.horizon.let_in();
        }
        self.turns.retain(|other| *other != key);
        if queue.is_empty() {
            self.queues.remove(&key);
        } else {
            self.turns.push_back(key);
        }
        Some(waiter.sender)
    }

    /// Time that the heavy requests take that run and wait.
    pub fn expected_work(&self, forecast: &Forecast) -> Duration {
        let waiting = self.plan(forecast).into_iter().flat_map(|(_, works)| works);
        self.left(forecast) + waiting.sum::<Duration>()
    }

    /// Time by which a heavy request would end after the horizon, if it would, or take more than its client's share of it, where
    /// requests must be answered in the time `respond`. The client is remembered.
    pub fn lateness(
        &mut self,
        client: Client,
        work: Duration,
        forecast: &Forecast,
        respond: Duration,
    ) -> Option<Duration> {
        let (now, horizon) = (Instant::now(), self.horizon.of(respond));
        self.recent.note(client, work, now, horizon);
        let (left, plan) = (self.left(forecast), self.plan(forecast));
        if left.is_zero() && plan.is_empty() {
            return None;
        }
        let place = plan.iter().position(|(of, _)| *of == client);
        let (place, round) = place.map_or_else(
            || (self.place_of_new(client, &plan), 0),
            |place| (place, plan[place].1.len()),
        );
        let before = plan.iter().enumerate().map(|(at, (of, works))| {
            let turns = if at < place { round + 1 } else { round };
            let turns = if *of == client { works.len() } else { turns };
            works.iter().take(turns).sum::<Duration>()
        });
        let before = before.sum::<Duration>() + self.coming(client, &plan, now, horizon);
        let late = (left + before + work).saturating_sub(horizon);
        let late = late.max(beyond_share(client, work, left, &plan, horizon));
        (!late.is_zero()).then_some(late)
    }

    /// Refuses the heavy requests that can no longer be answered in time.
    pub fn refuse_late(&mut self, forecast: &Forecast, respond: Duration) {
        let keys: Vec<Key> = self.heavy().copied().collect();
        let mut queues: Vec<_> = keys
            .iter()
            .map(|key| (self.queues.remove(key).unwrap_or_default(), VecDeque::new()))
            .collect();
        let (now, mut end) = (Instant::now(), self.left(forecast));
        while queues.iter().any(|(waiting, _)| !waiting.is_empty()) {
            for (waiting, kept) in &mut queues {
                while let Some(waiter) = waiting.pop_front() {
                    let work = forecast.expect(&waiter.kind).work;
                    let late = (end + work).saturating_sub(waiter.deadline.saturating_duration_since(now));
                    if late.is_zero() {
                        end += work;
                        kept.push_back(waiter);
                        break;
                    }
                    self.waiting -= 1;
                    self.horizon.refused(now, respond);
                    let _ = waiter.sender.send(Err(Refused { late }));
                }
            }
        }
        for (key, (_, kept)) in keys.into_iter().zip(queues) {
            if kept.is_empty() {
                self.turns.retain(|other| *other != key);
            } else {
                self.queues.insert(key, kept);
            }
        }
    }

    /// The queues of heavy requests, in the order of their turns.
    fn heavy(&self) -> impl Iterator<Item = &Key> {
        self.turns.iter().filter(|(place, _)| *place == Place::Heavy)
    }

    /// Clients with heavy requests that wait, in the order of their turns, and the work of each request. Turns go round,
    /// one request of each client.
    fn plan(&self, forecast: &Forecast) -> Vec<(Client, Vec<Duration>)> {
        let works = |key: &Key| {
            let queue = self.queues.get(key).into_iter().flatten();
            queue.map(|waiter| forecast.expect(&waiter.kind).work).collect()
        };
        self.heavy().map(|key| (key.1, works(key))).collect()
    }

    /// Work of clients whose turn would come before another request of a client, if they came again as they did lately:
    /// those that have none here, where it has one, and others wait. Without this it would wait until they come, and be
    /// refused then.
    fn coming(&self, client: Client, plan: &[(Client, Vec<Duration>)], now: Instant, window: Duration) -> Duration {
        let holds = |client: &Client| self.held.contains_key(&(Place::Heavy, *client));
        let waits = |client: &Client| plan.iter().any(|(other, _)| other == client);
        if !holds(&client) && !waits(&client) || plan.iter().all(|(other, _)| *other == client) {
            return Duration::ZERO;
        }
        let is_here = |other: &Client| *other == client || holds(other) || waits(other);
        self.recent.expected(is_here, now, window)
    }

    /// The place in the order of turns of a client that begins to wait: before those that run something, if it does not.
    fn place_of_new(&self, client: Client, plan: &[(Client, Vec<Duration>)]) -> usize {
        let holds = |client: Client| self.held.contains_key(&(Place::Heavy, client));
        let first = plan.iter().position(|(other, _)| holds(*other));
        first.filter(|_| !holds(client)).unwrap_or(plan.len())
    }

    /// Work that is left of what runs. Whatever took longer than expected takes half as long again.
    fn left(&self, forecast: &Forecast) -> Duration {
        let left = |running: &Running| {
            let (expected, used) = (forecast.expect(&running.kind).work, running.meter.work());
            match running.place {
                Place::Heavy => expected.checked_sub(used).unwrap_or(used / 2),
                Place::Light if used > HEAVY_WORK => used / 2,
                Place::Light | Place::Stream => Duration::ZERO,
            }
        };
        self.running.values().map(left).sum()
    }

    fn ticket(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Returns true if nothing runs and nobody waits.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.running.is_empty()
            && self.held.is_empty()
            && self.queues.is_empty()
            && self.turns.is_empty()
            && self.waiting == 0
    }
}

/// Time by which a client that has requests waiting would take more than its share with another one. Where others wait, too,
/// it may fill an equal part of the horizon, or half of the time that is free where that is more: what it filled beyond
/// that, others would need when they come, and whoever waits would be refused late.
fn beyond_share(
    client: Client,
    work: Duration,
    left: Duration,
    plan: &[(Client, Vec<Duration>)],
    horizon: Duration,
) -> Duration {
    let own = plan.iter().find(|(of, _)| *of == client);
    let (Some((_, own)), 2..) = (own, plan.len()) else {
        return Duration::ZERO;
    };
    let planned = left + plan.iter().flat_map(|(_, works)| works).sum::<Duration>();
    let equal = horizon / u32::try_from(plan.len()).unwrap_or(u32::MAX);
    let share = equal.max(horizon.saturating_sub(planned) / 2);
    (own.iter().sum::<Duration>() + work).saturating_sub(share)
}
