//! Forecast of how long a question waits for the model, from what the answers before it took.
//!
//! The engine computes for all answers that it writes at once and shares its time among them, so that what is computed for all of
//! them together takes as long as it would one after another. A request is expected to need, for all of its answers, the moving
//! average of those before it whose first answer might have about as many tokens; what comes before it is then played through.

use std::collections::HashMap;
use std::time::Duration;

/// Weight of the newest answer in the average.
const WEIGHT: f64 = 0.2;

/// Part of its time that an answer needs at least to be worth beginning.
const LEAST_PART: u32 = 4;

/// Time that the engine computes for a request, by the tokens that its first answer may have, in powers of two: a sum is over in a
/// second where a page takes ten. What was not seen yet is expected to take no time, so that nobody is refused for a guess.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    averages: HashMap<u32, Duration>,
}

impl Forecast {
    /// Notes that so much was computed for a request whose first answer had at most so many tokens. One that was cut off would have needed more.
    pub fn learn(&mut self, tokens: u32, used: Duration, cut_off: bool) {
        let average = self.averages.entry(bucket(tokens)).or_insert(used);
        if !cut_off || used > *average {
            *average = average.mul_f64(1.0 - WEIGHT) + used.mul_f64(WEIGHT);
        }
    }

    /// The time to compute a request whose first answer has at most so many tokens.
    pub fn expect(&self, tokens: u32) -> Duration {
        self.averages.get(&bucket(tokens)).copied().unwrap_or_default()
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
        forecast.learn(512, 2 * SECOND, true);
        assert_eq!(forecast.expect(512), 10 * SECOND, "who is cut off shows nothing");
        for _ in 0..50 {
            forecast.learn(512, 2 * SECOND, false);
        }
        assert_eq!(forecast.expect(512).as_secs_f64().round(), 2.0);
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
        assert_eq!(again(21, 100, 28), None);
        assert_eq!(again(22, 100, 28), Some(1));
        assert_eq!(again(26, 2, 28), None);
        assert_eq!(again(40, 2, 28), Some(14));
    }
}
