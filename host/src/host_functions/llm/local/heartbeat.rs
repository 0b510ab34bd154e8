//! Signs of life of an engine: it is asked for one now and then, and any word of it is one.

use std::time::{Duration, Instant};

/// Time between two looks.
pub const INTERVAL: Duration = Duration::from_secs(5);

/// Time that an engine may say nothing while it loads a model, which may come from a slow disk.
const LOADING: Duration = Duration::from_secs(600);

/// Time that a loaded one may say nothing, beside its longest step.
const SILENCE: Duration = Duration::from_secs(60);

/// Tokens of the longest step, between two of which commands are heard; and how much slower than measured it may be on a
/// machine with much else to do.
const STEP_TOKENS: f32 = 256.0;
const SLOWER: f32 = 10.0;

/// The longest time that counts as no hang, also on the slowest machine.
const MAX_SILENCE: Duration = LOADING;

/// Pings of an engine, and how long it has not answered.
#[derive(Debug, Default)]
pub struct Heartbeat {
    last: u64,
    /// When the oldest ping was sent that nothing followed.
    asked: Option<Instant>,
    /// Time that it may say nothing, once its model is loaded.
    patience: Option<Duration>,
}

impl Heartbeat {
    /// Numbers a ping that is sent now.
    pub fn ping(&mut self, now: Instant) -> u64 {
        self.last += 1;
        self.asked.get_or_insert(now);
        self.last
    }

    /// Notes a word of the engine.
    pub fn heard(&mut self) {
        self.asked = None;
    }

    /// Notes that the model is loaded, and reads so many tokens a second.
    pub fn loaded(&mut self, speed: f32) {
        let step = Duration::try_from_secs_f32(SLOWER * STEP_TOKENS / speed).unwrap_or(MAX_SILENCE);
        self.patience = Some((SILENCE + step).min(MAX_SILENCE));
    }

    /// True once the model is loaded.
    pub fn is_loaded(&self) -> bool {
        self.patience.is_some()
    }

    /// True while a ping is not answered.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Time for which the engine has said nothing, where that is too long.
    pub fn hangs(&self, now: Instant) -> Option<Duration> {
        let silent = now.saturating_duration_since(self.asked?);
        (silent > self.patience.unwrap_or(LOADING)).then_some(silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_may_be_slow_and_not_silent() {
        let (mut heartbeat, start) = (Heartbeat::default(), Instant::now());
        assert_eq!(heartbeat.hangs(start + LOADING * 2), None, "nobody asked");
        assert_eq!(heartbeat.ping(start), 1);
        assert_eq!(heartbeat.hangs(start + LOADING), None);
        assert!(heartbeat.hangs(start + LOADING + SILENCE).is_some());
        heartbeat.heard();
        heartbeat.loaded(25.6);
        assert_eq!(heartbeat.ping(start), 2);
        // A later ping does not make an earlier one answered.
        assert_eq!(heartbeat.ping(start + SILENCE), 3);
        assert_eq!(heartbeat.hangs(start + SILENCE + Duration::from_secs(100)), None);
        assert!(heartbeat.hangs(start + SILENCE + Duration::from_secs(101)).is_some());
        heartbeat.loaded(0.0);
        assert_eq!(heartbeat.hangs(start + MAX_SILENCE), None);
        assert!(heartbeat.hangs(start + MAX_SILENCE + SILENCE).is_some());
    }
}
