//! Schedules the computation of graphs.
//!
//! One at a time. Between clients, who has had the graphs for less time comes first ([`FairQueue`]): so a client that has
//! a page of text read or long sentences spoken lets those of others in after each graph. Of one client's requests, and
//! of clients that have had about as much, a multilevel feedback queue (Corbató, Merwin-Daggett, Daley: An experimental
//! time-sharing system, 1962) decides: who has used little comes before who has used much, and of those who have used
//! about as much, the request that began first. So a short request does not wait for a page of text, and of many short
//! ones the first are done early; if they took turns with every graph, all of them would be done at the very end, and
//! too late together.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::host_functions::fair_queue::{FairQueue, User};

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
    waiting: FairQueue<oneshot::Sender<Turn>>,
}

/// One request in the queue.
#[derive(Debug)]
pub struct Ticket {
    number: u64,
    user: User,
    used_micros: AtomicU64,
}

impl Ticket {
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
    pub fn ticket(&self, user: User) -> Ticket {
        Ticket {
            number: self.requests.fetch_add(1, Ordering::Relaxed),
            user,
            used_micros: AtomicU64::new(0),
        }
    }

    /// Takes down that a request has computed for a time. To be called before its turn is dropped.
    pub fn used(&self, ticket: &Ticket, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        ticket.used_micros.fetch_add(micros, Ordering::Relaxed);
        self.state().waiting.used(ticket.user, time);
    }

    /// Waits for a turn. When the waiting is given up, the place in the queue is, too.
    pub async fn wait(self: &Arc<Self>, ticket: &Ticket) -> Turn {
        loop {
            let receiver = {
                let mut state = self.state();
                if !state.taken {
                    state.taken = true;
                    state.waiting.serve(ticket.user);
                    return self.turn();
                }
                let (sender, receiver) = oneshot::channel();
                state.waiting.push(ticket.user, ticket.level(), ticket.number, sender);
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
            let Some((_, _, next)) = state.waiting.pop(|_| true) else {
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
        let (old, young) = (turns.ticket(None), turns.ticket(None));
        let running = poll(pin!(turns.wait(&turns.ticket(None)))).unwrap();
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
        let (page, short) = (turns.ticket(None), turns.ticket(None));
        turns.used(&page, Duration::from_secs(2));
        turns.used(&short, Duration::from_secs(1));
        let running = poll(pin!(turns.wait(&turns.ticket(None)))).unwrap();
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
        let tickets = [turns.ticket(None), turns.ticket(None), turns.ticket(None)];
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

    /// The greedy client has sentences spoken, each of which takes seconds; the other has one sign read.
    #[test]
    fn between_two_sentences_of_one_client_the_graphs_of_others_are_computed() {
        let turns = Arc::<Scheduler>::default();
        let client = |last: u8| Some(std::net::IpAddr::from([192, 0, 2, last]).into());
        let sentences: Vec<_> = (0..3).map(|_| turns.ticket(client(1))).collect();
        let sign = turns.ticket(client(2));
        turns.used(&sign, Duration::from_secs(2));
        let running = poll(pin!(turns.wait(&sentences[0]))).unwrap();
        let (mut second, mut third) = (pin!(turns.wait(&sentences[1])), pin!(turns.wait(&sentences[2])));
        let mut read = pin!(turns.wait(&sign));
        assert!(poll(second.as_mut()).is_none() && poll(third.as_mut()).is_none());
        assert!(poll(read.as_mut()).is_none());
        turns.used(&sentences[0], Duration::from_secs(6));
        drop(running);
        assert!(
            poll(second.as_mut()).is_none(),
            "younger sentences of the same client wait"
        );
        assert!(poll(read).is_some());
    }
}
