//! The line of questions that wait for the engine, by the requests that ask them.
//!
//! A request asks more than once: what is meant, then for the answer, then whether that holds. Whoever was let in goes before whoever
//! comes anew, so that what is begun is ended; and who comes anew is let in by what whole requests need that begin like his.

use std::collections::HashMap;
use std::time::Duration;

use quartet_llm_engine::protocol::Generate;

use super::forecast::{self, Forecast};
use crate::host_functions::fair_queue::{FairQueue, User};

/// A request that asks the model, by its number; none for the host's own errands.
pub type Asker = Option<u64>;

/// Questions that wait, and the requests that have asked one.
#[derive(Default)]
pub(super) struct Line {
    /// Questions of requests that had an answer.
    further: FairQueue<Waiting>,
    /// Those of requests that had none.
    first: FairQueue<Waiting>,
    requests: HashMap<u64, Request>,
    /// What whole requests need, by the tokens of their first answers.
    pub(super) forecast: Forecast,
}

struct Waiting {
    asker: Asker,
    generate: Generate,
}

/// A request that has asked.
struct Request {
    /// Tokens that its first answer may have.
    tokens: u32,
    /// Time that the engine has computed for all of its answers.
    used: Duration,
    /// True once the engine has its first question.
    begun: bool,
    /// True if an answer ended before it was whole.
    cut_off: bool,
}

/// An answer that is written.
pub(super) struct Written {
    /// The request that it is for.
    pub asker: Asker,
    /// Tokens that it may have.
    pub tokens: u32,
    /// Time that the engine has computed for it.
    pub used: Duration,
}

impl Line {
    /// Returns true if the engine has had a question of a request.
    pub fn is_let_in(&self, asker: Asker) -> bool {
        self.request(asker).is_some_and(|request| request.begun)
    }

    /// Has a question wait.
    pub fn push(&mut self, user: User, asker: Asker, id: u64, generate: Generate) {
        let tokens = generate.options.max_tokens;
        let queue = match self.is_let_in(asker) {
            true => &mut self.further,
            false => &mut self.first,
        };
        queue.push(user, 0, id, Waiting { asker, generate });
        if let Some(number) = asker {
            self.requests.entry(number).or_insert(Request {
                tokens,
                used: Duration::ZERO,
                begun: false,
                cut_off: false,
            });
        }
    }

    /// Takes the question whose turn it is, of users that may. The host's own are first: with them the engine reads what all others
    /// begin with.
    pub fn pop(&mut self, may: impl Fn(&User) -> bool) -> Option<(u64, Generate)> {
        let hosts = self.first.pop(|user| user.is_none() && may(user));
        let next = hosts
            .or_else(|| self.further.pop(&may))
            .or_else(|| self.first.pop(&may));
        let (_, id, Waiting { asker, generate }) = next?;
        if let Some(request) = asker.and_then(|number| self.requests.get_mut(&number))
            && !request.begun
        {
            // One before it may have been given up while it waited.
            request.tokens = generate.options.max_tokens;
            request.begun = true;
        }
        Some((id, generate))
    }

    /// Notes what the engine computed for a request of a user.
    pub fn used(&mut self, user: User, asker: Asker, time: Duration) {
        self.first.used(user, time);
        self.further.used(user, time);
        if let Some(request) = asker.and_then(|number| self.requests.get_mut(&number)) {
            request.used += time;
        }
    }

    /// Notes that an answer for a request ended before it was whole.
    pub fn cut_off(&mut self, asker: Asker) {
        if let Some(request) = asker.and_then(|number| self.requests.get_mut(&number)) {
            request.cut_off = true;
        }
    }

    /// Ends a request, and learns what it needed.
    pub fn leave(&mut self, number: u64) {
        if let Some(request) = self.requests.remove(&number)
            && request.begun
        {
            self.forecast.learn(request.tokens, request.used, request.cut_off);
        }
    }

    /// Takes a question out.
    pub fn remove(&mut self, id: u64) {
        if self.further.remove(id).is_none() {
            self.first.remove(id);
        }
    }

    /// Number of the last question of whoever has most waiting, if that is more than `user` would have with another one.
    pub fn greediest(&self, user: &User) -> Option<u64> {
        self.first.greediest(user)
    }

    /// Takes all questions out.
    pub fn clear(&mut self) {
        self.further.clear();
        self.first.clear();
    }

    /// The time until the engine would begin a first question of this user, where it writes these answers, has another one to write
    /// as soon as they are over, and writes so many at once.
    pub fn wait(&self, user: User, places: usize, written: &[Written], held: Option<&Generate>) -> Duration {
        let left = |request: &Request| self.forecast.left(request.tokens, request.used);
        let writing = written.iter().map(|answer| match self.request(answer.asker) {
            Some(request) => left(request),
            None => self.forecast.left(answer.tokens, answer.used),
        });
        let is_written = |number: u64| written.iter().any(|answer| answer.asker == Some(number));
        let between = self
            .requests
            .iter()
            .filter(|(number, request)| request.begun && !is_written(**number));
        let expect = |generate: &Generate| self.forecast.expect(generate.options.max_tokens);
        let first = self.first.before(user, 0, |waiting| expect(&waiting.generate));
        let waiting = between
            .map(|(_, request)| left(request))
            .chain(held.map(expect))
            .chain(first.into_iter().map(|waiting| expect(&waiting.generate)));
        forecast::wait(places, writing, waiting)
    }

    fn request(&self, asker: Asker) -> Option<&Request> {
        self.requests.get(&asker?)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use quartet_llm_engine::protocol::Options;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const FIRST: u32 = 48;
    const FURTHER: u32 = 512;

    fn client(number: u8) -> User {
        Some(IpAddr::from([192, 0, 2, number]).into())
    }

    fn question(id: u64, max_tokens: u32) -> Generate {
        Generate {
            id,
            client: None,
            turns: Vec::new(),
            options: Options {
                max_tokens,
                max_milliseconds: None,
                temperature: 0.0,
                top_p: 1.0,
                seed: None,
                stop: Vec::new(),
                json_schema: None,
                token_probabilities: false,
            },
        }
    }

    fn next(line: &mut Line) -> Option<u64> {
        line.pop(|_| true).map(|(id, _)| id)
    }

    #[test]
    fn what_was_begun_goes_before_what_was_not() {
        let mut line = Line::default();
        for number in 1..=3 {
            line.push(
                client(number),
                Some(number.into()),
                number.into(),
                question(number.into(), FIRST),
            );
        }
        assert!(!line.is_let_in(Some(1)));
        assert_eq!(next(&mut line), Some(1));
        assert!(line.is_let_in(Some(1)) && !line.is_let_in(Some(2)) && !line.is_let_in(None));
        // Its client has had the model for long, and yet the answer is what everything before was for.
        line.used(client(1), Some(1), 20 * SECOND);
        line.push(client(1), Some(1), 4, question(4, FURTHER));
        assert_eq!(next(&mut line), Some(4));
        // Another request of the client is a new one.
        line.push(client(1), Some(5), 5, question(5, FIRST));
        assert_eq!([next(&mut line), next(&mut line)], [Some(2), Some(3)]);
        assert_eq!([next(&mut line), next(&mut line)], [Some(5), None]);
    }

    #[test]
    fn who_comes_anew_waits_for_whole_requests() {
        let mut line = Line::default();
        let waits = |line: &Line, written: &[Written]| line.wait(client(9), 1, written, None).as_secs();
        for (number, id) in [(1, 1), (2, 2)] {
            line.push(client(1), Some(number), id, question(id, FIRST));
        }
        assert_eq!(waits(&line, &[]), 0, "nothing is known yet");
        // The first of them needs a second for what is meant, and three for the answer.
        assert_eq!(next(&mut line), Some(1));
        line.used(client(1), Some(1), SECOND);
        line.used(client(1), Some(1), 3 * SECOND);
        line.leave(1);
        assert_eq!(waits(&line, &[]), 0, "a client that has had nothing goes before");
        assert_eq!(next(&mut line), Some(2));
        line.used(client(1), Some(2), SECOND);
        let written = Written {
            asker: Some(2),
            tokens: FIRST,
            used: SECOND,
        };
        assert_eq!(waits(&line, &[written]), 3);
        // It has no answer just now, and will ask for one.
        assert_eq!(waits(&line, &[]), 3);
        line.leave(2);
        assert_eq!(waits(&line, &[]), 0);
    }

    #[test]
    fn a_request_that_was_cut_off_shows_that_more_is_needed() {
        let mut line = Line::default();
        for (number, used, is_cut, expected) in [(1, 4, false, 4), (2, 1, true, 4), (3, 9, true, 7)] {
            line.push(client(1), Some(number), number, question(number, FIRST));
            assert_eq!(next(&mut line), Some(number));
            line.used(client(1), Some(number), used * SECOND);
            if is_cut {
                line.cut_off(Some(number));
            }
            line.leave(number);
            assert_eq!(line.forecast.expect(FIRST).as_secs(), expected, "{number}");
        }
        // One that was never begun shows nothing.
        line.push(client(1), Some(4), 4, question(4, FIRST));
        line.remove(4);
        line.leave(4);
        assert_eq!(line.forecast.expect(FIRST).as_secs(), 7);
        // A request shows what it needs after the question that was begun, not after one that was given up before.
        line.push(client(1), Some(5), 5, question(5, FIRST));
        line.remove(5);
        line.push(client(1), Some(5), 6, question(6, FURTHER));
        assert_eq!(next(&mut line), Some(6));
        line.used(client(1), Some(5), 7 * SECOND);
        line.leave(5);
        let expected = [FIRST, FURTHER].map(|tokens| line.forecast.expect(tokens).as_secs());
        assert_eq!(expected, [7, 7]);
    }
}
