//! Forecast of how long a question waits for the model, from what the answers before it took.
//!
//! The engine computes for all answers that it writes at once and shares its time among them, so that what is computed for all of
//! them together takes as long as it would one after another. A request is expected to need, for all of its answers, what those
//! before it did whose first answer might have about as many tokens; what comes before it is then played through.
//!
//! Under load many requests run out of time before they have all that they need, and those that do not are the short ones: an
//! average of these alone would let in ever more that run out. So the time of all is divided by the number of those that were
//! whole, the estimate of a mean from times of which some were cut off (censored, in the words of survival analysis; Epstein
//! and Sobel, "Life Testing", 1953).

use std::collections::HashMap;
use std::time::Duration;

/// Weight of the newest request.
const WEIGHT: f64 = 0.2;

/// Least share of requests that count as whole: one in twenty.
const LEAST_WHOLE: f64 = 0.05;

/// Part of its time that an answer needs at least to be worth beginning.
const LEAST_PART: u32 = 2;

/// Most time for which an answer may have to wait before it is begun, however much it has: a stream has minutes, and whoever hears nothing
/// for so long takes it for dead.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Time that the engine computes for a request, by the tokens that its first answer may have, in powers of two: a sum is over in a
/// second where a page takes ten. What was not seen yet is expected to take no time, so that nobody is refused for a guess.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    kinds: HashMap<u32, Seen>,
}

/// Requests so far, the newest with the most weight.
#[derive(Debug)]
struct Seen {
    /// Seconds that were computed for one of them, whole or not.
    used: f64,
    /// Share of those that were whole.
    whole: f64,
}

impl Forecast {
    /// Notes that so much was computed for a request whose first answer had at most so many tokens, and whether it was cut off
    /// before it was whole.
    pub fn learn(&mut self, tokens: u32, used: Duration, cut_off: bool) {
        let used = used.as_secs_f64();
        let seen = self.kinds.entry(bucket(tokens)).or_insert(Seen { used, whole: 1.0 });
        let whole = if cut_off { 0.0 } else { 1.0 };
        seen.used += (used - seen.used) * WEIGHT;
        seen.whole += (whole - seen.whole) * WEIGHT;
    }

    /// The time to compute a request whose first answer has at most so many tokens.
    pub fn expect(&self, tokens: u32) -> Duration {
        let seen = self.kinds.get(&bucket(tokens));
        seen.map_or(Duration::ZERO, |seen| {
            Duration::from_secs_f64(seen.used / seen.whole.max(LEAST_WHOLE))
        })
    }

    /// The time to compute the rest of such a request. One that has taken longer than expected takes half as long again.
    pub fn left(&self, tokens: u32, used: Duration) -> Duration {
        self.expect(tokens).checked_sub(used).unwrap_or(used / 2)
    }
}

/// The time until the engine begins an answer, where it writes those that have the times in `written` left, and those in `waiting`
/// go first. It writes as many at once as there are `places`.
pub(super) fn wait(
    places: usize,
    written: impl IntoIterator<Item = Duration>,
    waiting: impl IntoIterator<Item = Duration>,
) -> Duration {
    let places = places.max(1);
    let mut written: Vec<_> = written.into_iter().collect();
    let mut waiting = waiting.into_iter().peekable();
    let mut wait = Duration::ZERO;
    loop {
        while written.len() < places
            && let Some(next) = waiting.next()
        {
            written.push(next);
        }
        if written.len() < places {
            return wait;
        }
        // Until the shortest of them is over, each gets as much as that one.
        let Some(shortest) = written.iter().copied().min() else {
            return wait;
        };
        wait += shortest * u32::try_from(written.len()).unwrap_or(u32::MAX);
        for left in &mut written {
            *left -= shortest;
        }
        if let Some(over) = written.iter().position(Duration::is_zero) {
            written.swap_remove(over);
        }
    }
}

/// Seconds after which it is worth asking again for an answer that would wait, need and may take these times; none where it is
/// worth waiting for.
pub(super) fn worth_asking_again(wait: Duration, needed: Duration, allowed: Duration) -> Option<u32> {
    let late = (wait + needed.min(allowed / LEAST_PART)).saturating_sub(allowed);
    let late = late.max(wait.saturating_sub(MAX_WAIT));
    let seconds = u32::try_from(late.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX);
    (seconds > 0).then_some(seconds)
}

fn bucket(tokens: u32) -> u32 {
    tokens.checked_ilog2().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn answers_of_about_the_same_length_are_expected_to_take_the_same() {
        let mut forecast = Forecast::default();
        assert_eq!(forecast.expect(512), Duration::ZERO);
        forecast.learn(512, 10 * SECOND, false);
        forecast.learn(48, SECOND, false);
        assert_eq!(forecast.expect(600), 10 * SECOND);
        assert_eq!(forecast.expect(40), SECOND);
        assert_eq!(forecast.expect(0), Duration::ZERO);
        assert_eq!(forecast.left(512, 4 * SECOND), 6 * SECOND);
        assert_eq!(forecast.left(512, 20 * SECOND), 10 * SECOND);
        for _ in 0..50 {
            forecast.learn(512, 2 * SECOND, false);
        }
        assert_eq!(forecast.expect(512).as_secs_f64().round(), 2.0);
    }

    #[test]
    fn who_runs_out_of_time_needs_more_than_it_had() {
        let mut forecast = Forecast::default();
        for _ in 0..50 {
            forecast.learn(512, 2 * SECOND, false);
            forecast.learn(512, 4 * SECOND, true);
        }
        // Six seconds were computed for each one that was whole.
        let expected = forecast.expect(512).as_secs_f64();
        assert!((5.0..8.0).contains(&expected), "{expected}");
        for _ in 0..100 {
            forecast.learn(512, 4 * SECOND, true);
        }
        assert_eq!(forecast.expect(512).as_secs_f64().round(), 80.0);
        for _ in 0..20 {
            forecast.learn(512, 2 * SECOND, false);
        }
        assert!(forecast.expect(512) < 3 * SECOND);
    }

    #[test]
    fn an_answer_begins_when_those_before_it_are_written() {
        let wait = |places, written: &[u32], waiting: &[u32]| {
            let time = |seconds: &u32| SECOND * *seconds;
            wait(places, written.iter().map(time), waiting.iter().map(time)).as_secs()
        };
        assert_eq!(wait(4, &[], &[]), 0);
        assert_eq!(wait(4, &[9, 8, 7], &[]), 0);
        assert_eq!(wait(1, &[3], &[2]), 5);
        // Three are written at once, the first of which is over after three times its own time.
        assert_eq!(wait(3, &[9, 8, 2], &[]), 6);
        assert_eq!(wait(3, &[9, 8, 2], &[1]), 9);
        // What is computed before the last of many is all that there is.
        assert_eq!(wait(2, &[4, 4], &[4, 4, 4, 4]), 24);
    }

    #[test]
    fn what_would_come_too_late_is_worth_asking_again_when_it_would_not() {
        let again = |wait, needed, allowed| worth_asking_again(SECOND * wait, SECOND * needed, SECOND * allowed);
        assert_eq!(again(0, 100, 28), None);
        assert_eq!(again(14, 100, 28), None);
        assert_eq!(again(15, 100, 28), Some(1));
        assert_eq!(again(26, 2, 28), None);
        assert_eq!(again(40, 2, 28), Some(14));
        // A stream has time enough, and nothing to say for too long.
        assert_eq!(again(29, 100, 180), None);
        assert_eq!(again(40, 2, 180), Some(10));
    }
}
