//! Schedules the computation of graphs.
//!
//! One at a time, by a multilevel feedback queue (Corbató, Merwin-Daggett, Daley: An experimental time-sharing system,
//! 1962): who has used little comes before who has used much, and of those who have used about as much, the request
//! that began first. So a short request does not wait for a page of text, and of many short ones the first are done
//! early; if they took turns with every graph, all of them would be done at the very end, and too late together.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// Times after which a request comes behind those who have used less.
const LEVEL_TIMES: [Duration; 3] = [
    Duration::from_millis(1_500),
    Duration::from_millis(6_000),
    Duration::from_millis(15_000),
];

/// Hands out turns.
#[derive(Debug, Default)]
pub struct Scheduler {
    state: Mutex<State>,
    requests: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    taken: bool,
    /// By level, then by the request's number.
    waiting: BTreeMap<(usize, u64), oneshot::Sender<Turn>>,
}

/// One request in the queue.
#[derive(Debug)]
pub struct Ticket {
    number: u64,
    used_micros: AtomicU64,
}

impl Ticket {
    /// Takes down that the request has computed for a time.
    pub fn used(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.used_micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn level(&self) -> usize {
        let used = Duration::from_micros(self.used_micros.load(Ordering::Relaxed));
        LEVEL_TIMES.iter().take_while(|level| used >= **level).count()
    }
}

/// The right to compute, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Option<Arc<Scheduler>>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.turns.take() {
            turns.hand_on();
        }
    }
}

impl Scheduler {
    /// A ticket for a request that begins. It waits for one turn at a time.
    pub fn ticket(&self) -> Ticket {
        Ticket {
            number: self.requests.fetch_add(1, Ordering::Relaxed),
            used_micros: AtomicU64::new(0),
        }
    }

    /// Waits for a turn. When the waiting is given up, the place in the queue is, too.
    pub async fn wait(self: &Arc<Self>, ticket: &Ticket) -> Turn {
        loop {
            let receiver = {
                let mut state = self.state();
                if !state.taken {
                    state.taken = true;
                    return self.turn();
                }
                let (sender, receiver) = oneshot::channel();
                state.waiting.insert((ticket.level(), ticket.number), sender);
                receiver
            };
            // The sender goes without a turn only when a second waiter with this ticket has taken its place.
            if let Ok(turn) = receiver.await {
                return turn;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(self: &Arc<Self>) -> Turn {
        Turn {
            turns: Some(Arc::clone(self)),
        }
    }

    fn hand_on(self: &Arc<Self>) {
        loop {
            let mut state = self.state();
            let Some((_, next)) = state.waiting.pop_first() else {
                state.taken = false;
                return;
            };
            drop(state);
            match next.send(self.turn()) {
                Ok(()) => return,
                // It waits no longer; the turn must not be handed on a second time when it is dropped.
                Err(mut turn) => turn.turns = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Returns the turn, if there is one for the waiting request.
    fn poll<F: Future<Output = Turn>>(waiting: std::pin::Pin<&mut F>) -> Option<Turn> {
        match waiting.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    #[test]
    fn one_at_a_time_and_the_oldest_request_first() {
        let turns = Arc::<Scheduler>::default();
        let (old, young) = (turns.ticket(), turns.ticket());
        let running = poll(pin!(turns.wait(&turns.ticket()))).unwrap();
        let (mut late, mut early) = (pin!(turns.wait(&young)), pin!(turns.wait(&old)));
        assert!(poll(late.as_mut()).is_none() && poll(early.as_mut()).is_none());
        drop(running);
        assert!(poll(late.as_mut()).is_none());
        let turn = poll(early.as_mut()).unwrap();
        assert!(poll(late.as_mut()).is_none());
        drop(turn);
        assert!(poll(late).is_some());
    }

    #[test]
    fn who_has_used_much_comes_after_who_has_used_little() {
        let turns = Arc::<Scheduler>::default();
        let (page, short) = (turns.ticket(), turns.ticket());
        page.used(Duration::from_secs(2));
        short.used(Duration::from_secs(1));
        let running = poll(pin!(turns.wait(&turns.ticket()))).unwrap();
        let (mut first, mut second) = (pin!(turns.wait(&page)), pin!(turns.wait(&short)));
        assert!(poll(first.as_mut()).is_none() && poll(second.as_mut()).is_none());
        drop(running);
        assert!(poll(first.as_mut()).is_none());
        drop(poll(second).unwrap());
        assert!(poll(first).is_some());
    }

    #[test]
    fn who_gives_up_holds_nobody_back() {
        let turns = Arc::<Scheduler>::default();
        let tickets = [turns.ticket(), turns.ticket(), turns.ticket()];
        let running = poll(pin!(turns.wait(&tickets[0]))).unwrap();
        {
            let mut gives_up = pin!(turns.wait(&tickets[1]));
            assert!(poll(gives_up.as_mut()).is_none());
        }
        let mut stays = pin!(turns.wait(&tickets[2]));
        assert!(poll(stays.as_mut()).is_none());
        drop(running);
        // Given up after the turn was there for it.
        let mut next = pin!(turns.wait(&tickets[0]));
        assert!(poll(next.as_mut()).is_none());
        drop(poll(stays).unwrap());
        drop(poll(next).unwrap());
        assert!(poll(pin!(turns.wait(&tickets[1]))).is_some());
    }
}
