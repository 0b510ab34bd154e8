//! Clients that came lately with heavy requests. They are expected again.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::auth::Client;

/// Most clients that are remembered. Where there are more, the time is filled by those that are.
const MAX_CLIENTS: usize = 1_024;

/// Clients that came lately, and the work of what each came with last.
#[derive(Debug, Default)]
pub struct Recent(HashMap<Client, Visit>);

#[derive(Debug)]
struct Visit {
    at: Instant,
    work: Duration,
}

impl Recent {
    /// Remembers that a client came with a request of so much work, and forgets whoever came before `window`.
    pub fn note(&mut self, client: Client, work: Duration, now: Instant, window: Duration) {
        if self.0.len() >= MAX_CLIENTS && !self.0.contains_key(&client) {
            self.0.retain(|_, visit| now.duration_since(visit.at) < window);
            if self.0.len() >= MAX_CLIENTS {
                return;
            }
        }
        self.0.insert(client, Visit { at: now, work });
    }

    /// Work of the clients that came within `window` and are not here any more.
    pub fn expected(&self, is_here: impl Fn(&Client) -> bool, now: Instant, window: Duration) -> Duration {
        let gone = self.0.iter().filter(|(client, _)| !is_here(client));
        let lately = gone.filter(|(_, visit)| now.duration_since(visit.at) < window);
        lately.map(|(_, visit)| visit.work).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn client(number: u16) -> Client {
        let [high, low] = number.to_be_bytes();
        IpAddr::from([198, 18, high, low]).into()
    }

    #[test]
    fn who_came_lately_and_is_gone_is_expected_with_its_last_work() {
        let (now, mut recent) = (Instant::now(), Recent::default());
        recent.note(client(1), 3 * SECOND, now, 10 * SECOND);
        recent.note(client(1), SECOND, now, 10 * SECOND);
        recent.note(client(2), 2 * SECOND, now + 5 * SECOND, 10 * SECOND);
        recent.note(client(3), 4 * SECOND, now + 5 * SECOND, 10 * SECOND);
        let expected = |after| recent.expected(|other| *other == client(3), now + after, 10 * SECOND);
        assert_eq!(expected(6 * SECOND), 3 * SECOND);
        assert_eq!(expected(12 * SECOND), 2 * SECOND);
        assert_eq!(expected(20 * SECOND), Duration::ZERO);
    }

    #[test]
    fn as_many_are_remembered_as_there_is_room_for() {
        let (now, mut recent) = (Instant::now(), Recent::default());
        let many = u16::try_from(MAX_CLIENTS).unwrap();
        for number in 0..2 * many {
            recent.note(client(number), SECOND, now, SECOND);
        }
        assert_eq!(recent.0.len(), MAX_CLIENTS);
        recent.note(client(3 * many), SECOND, now + SECOND, SECOND);
        assert_eq!(recent.0.len(), 1, "who came long ago is forgotten");
    }
}
