//! A queue for something that is used by one request after another, shared fairly between clients.
//!
//! Start-time fair queueing (Goyal, Vin, Cheng, 1996), with all clients of the same weight: each client has a virtual
//! time, which goes on by what it used; whoever comes anew begins at the least time of those who wait, so that nobody
//! saves up for later. Clients whose times are less than a quantum apart count as served alike; of their
//! requests the one with the lowest level comes first, then the oldest. So a client that used much lets all others go
//! before, and between the others short requests still go before long ones.
//!
//! The crates that were looked at (tower's limits, `governor`) bound a rate or a number, for whoever comes first; none of
//! them knows what a turn cost only after it.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::auth::Client;

/// Use by which clients may differ before it decides: what a light request needs.
const QUANTUM: Duration = Duration::from_millis(1_500);

/// The party that something is used for; none for the host's own errands.
pub type User = Option<Client>;

/// Requests that wait, with what each of them waits with.
#[derive(Debug)]
pub struct FairQueue<T> {
    /// By level, then by number.
    waiting: BTreeMap<(usize, u64), (User, T)>,
    times: HashMap<User, Duration>,
    /// The least virtual time of those that waited when one was served last.
    now: Duration,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self {
            waiting: BTreeMap::new(),
            times: HashMap::new(),
            now: Duration::ZERO,
        }
    }
}

impl<T> FairQueue<T> {
    /// Has a request wait. Among those of clients that are served alike, lower levels come first, then lower numbers.
    pub fn push(&mut self, user: User, level: usize, number: u64, item: T) {
        self.waiting.insert((level, number), (user, item));
    }

    /// Takes the request whose turn it is, of users that may.
    pub fn pop(&mut self, may: impl Fn(&User) -> bool) -> Option<(User, u64, T)> {
        let those = || self.waiting.iter().filter(|(_, (user, _))| may(user));
        let least = those().map(|(_, (user, _))| self.time(user)).min()?;
        let key = *those().find(|(_, (user, _))| self.time(user) <= least + QUANTUM)?.0;
        // Nobody who waits loses what he is owed when another goes before.
        let now = self.waiting.values().map(|(user, _)| self.time(user)).min()?;
        let (user, item) = self.waiting.remove(&key)?;
        self.begin(user, now);
        Some((user, key.1, item))
    }

    /// Notes that a user is served who did not have to wait.
    pub fn serve(&mut self, user: User) {
        self.begin(user, self.time(&user));
    }

    fn begin(&mut self, user: User, now: Duration) {
        let time = self.time(&user);
        self.now = self.now.max(now);
        self.times.retain(|_, time| *time > now);
        self.times.insert(user, time);
    }

    /// Notes what a user used.
    pub fn used(&mut self, user: User, time: Duration) {
        let now = self.now;
        let of_user = self.times.entry(user).or_insert(now);
        *of_user = of_user.saturating_add(time);
    }

    /// Takes a request out.
    pub fn remove(&mut self, number: u64) -> Option<T> {
        let key = *self.waiting.keys().find(|(_, other)| *other == number)?;
        self.waiting.remove(&key).map(|(_, item)| item)
    }

    /// Number of the last request of whoever has most waiting, if that is more than `user` would have with another one.
    pub fn greediest(&self, user: &User) -> Option<u64> {
        let mut counts: HashMap<&User, (usize, u64)> = HashMap::new();
        for ((_, number), (user, _)) in &self.waiting {
            let (count, last) = counts.entry(user).or_default();
            *count += 1;
            *last = (*last).max(*number);
        }
        let own = counts.get(user).map_or(0, |(count, _)| *count);
        let (most, last) = counts.into_values().max()?;
        (most > own + 1).then_some(last)
    }

    /// The requests that would be served before one that this user added now at a level, in their order, if nobody else came
    /// and each used what `cost` says.
    pub fn before(&self, user: User, level: usize, cost: impl Fn(&T) -> Duration) -> Vec<&T> {
        let mut now = self.now;
        let mut times = self.times.clone();
        let mut waiting: Vec<(User, Option<&T>)> = Vec::with_capacity(self.waiting.len() + 1);
        let (same, above): (Vec<_>, Vec<_>) = self.waiting.iter().partition(|((other, _), _)| *other <= level);
        waiting.extend(same.into_iter().map(|(_, (user, item))| (*user, Some(item))));
        waiting.push((user, None));
        waiting.extend(above.into_iter().map(|(_, (user, item))| (*user, Some(item))));
        let mut before = Vec::new();
        loop {
            let time = |user: &User| times.get(user).copied().unwrap_or(now).max(now);
            let least = waiting.iter().map(|(user, _)| time(user)).min().unwrap_or(now);
            let next = waiting.iter().position(|(user, _)| time(user) <= least + QUANTUM);
            let Some((user, Some(item))) = next.map(|next| waiting.remove(next)) else {
                return before;
            };
            let used = time(&user).saturating_add(cost(item));
            times.insert(user, used);
            now = now.max(least);
            before.push(item);
        }
    }

    /// Takes all requests out.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    fn time(&self, user: &User) -> Duration {
        self.times.get(user).copied().unwrap_or(self.now).max(self.now)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn user(last: u8) -> User {
        Some(IpAddr::from([192, 0, 2, last]).into())
    }

    /// Users in the order in which they are served, each for a time.
    fn served(queue: &mut FairQueue<()>, each: impl Fn(&User) -> Duration) -> Vec<User> {
        let mut order = Vec::new();
        while let Some((user, _, ())) = queue.pop(|_| true) {
            queue.used(user, each(&user));
            order.push(user);
        }
        order
    }

    #[test]
    fn clients_get_the_same_however_many_requests_each_has() {
        let mut queue = FairQueue::default();
        for number in 0..8 {
            queue.push(user(1), 0, number, ());
        }
        queue.push(user(2), 0, 8, ());
        queue.push(user(2), 0, 9, ());
        let order = served(&mut queue, |_| 2 * SECOND);
        assert_eq!(order[..4], [user(1), user(2), user(1), user(2)]);
    }

    #[test]
    fn who_uses_more_each_time_comes_less_often() {
        let mut queue = FairQueue::default();
        for number in 0..20 {
            queue.push(user(1), 0, number, ());
            queue.push(user(2), 0, 100 + number, ());
        }
        let long = |user_: &User| if *user_ == user(1) { 8 * SECOND } else { 2 * SECOND };
        let order = served(&mut queue, long);
        let first = order[..15].iter().filter(|served| **served == user(1)).count();
        assert!((2..=4).contains(&first), "{order:?}");
    }

    #[test]
    fn short_requests_go_before_long_ones_of_clients_that_were_served_alike() {
        let mut queue = FairQueue::default();
        queue.push(user(1), 2, 0, 'p');
        queue.push(user(2), 0, 1, 's');
        assert_eq!(queue.pop(|_| true).map(|(_, _, item)| item), Some('s'));
        queue.used(user(2), SECOND);
        queue.push(user(2), 0, 2, 't');
        assert_eq!(queue.pop(|_| true).map(|(_, _, item)| item), Some('t'));
        queue.used(user(2), SECOND);
        queue.push(user(2), 0, 3, 'u');
        // Now it has had enough, however short its requests are.
        assert_eq!(queue.pop(|_| true).map(|(_, _, item)| item), Some('p'));
    }

    #[test]
    fn nobody_saves_up_and_nothing_is_remembered_for_ever() {
        let mut queue = FairQueue::default();
        for number in 0..10 {
            queue.push(user(1), 0, number, ());
        }
        assert_eq!(served(&mut queue, |_| 10 * SECOND).len(), 10);
        // A client that was away meanwhile is not owed those hundred seconds.
        for number in 10..14 {
            queue.push(user(1), 0, number, ());
            queue.push(user(2), 0, 100 + number, ());
        }
        let order = served(&mut queue, |_| 10 * SECOND);
        assert!(order[..4].contains(&user(1)), "{order:?}");
        for last in 3..200 {
            queue.serve(user(last));
        }
        assert!(queue.times.len() < 5, "{}", queue.times.len());
    }

    #[test]
    fn what_would_go_before_another_request_is_known() {
        let mut queue = FairQueue::default();
        for number in 0..4 {
            queue.push(user(1), 0, number, number);
        }
        // Another of the same client is the last; one of somebody else goes after what is served first.
        let before = |queue: &FairQueue<u64>, user, level| {
            let before = queue.before(user, level, |_| 2 * SECOND);
            before.into_iter().copied().collect::<Vec<_>>()
        };
        assert_eq!(before(&queue, user(1), 0), [0, 1, 2, 3]);
        assert_eq!(before(&queue, user(2), 0), [0]);
        queue.push(user(2), 0, 10, 10);
        queue.push(user(2), 1, 11, 11);
        assert_eq!(before(&queue, user(2), 0), [0, 10, 1]);
        assert_eq!(before(&queue, user(2), 1), [0, 10, 1, 11, 2]);
        assert_eq!(before(&FairQueue::default(), user(1), 0), [0; 0]);
        // It is asked only: the queue serves as it would have.
        for (number, expected) in [(20, 0), (21, 10), (22, 1), (23, 11), (24, 2)] {
            let (served, id, _) = queue.pop(|_| true).expect("one waits");
            queue.used(served, 2 * SECOND);
            assert_eq!(id, expected, "{number}");
        }
        // Who has used much waits for who has not.
        queue.used(user(2), 60 * SECOND);
        assert_eq!(before(&queue, user(2), 0), [3]);
    }

    #[test]
    fn who_has_most_waiting_gives_way() {
        let mut queue = FairQueue::default();
        for number in 0..3 {
            queue.push(user(1), 0, number, number);
        }
        assert_eq!(queue.greediest(&user(1)), None);
        assert_eq!(queue.greediest(&user(2)), Some(2));
        assert_eq!(queue.remove(2), Some(2));
        queue.push(user(2), 0, 5, 5);
        assert_eq!(queue.greediest(&user(2)), None);
        assert!(queue.pop(|who| *who == user(3)).is_none(), "only those that may");
    }
}
