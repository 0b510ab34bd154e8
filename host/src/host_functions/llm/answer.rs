//! An answer while it is written, whoever writes it: what a component waits for, and what is counted of it.

use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::metrics::{Counted, LlmMetrics};
use super::types::{Error, Finish, Outcome};

/// An event that a provider reports of an answer. Their number is bounded by the answer's tokens.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerEvent {
    /// A piece of it, and the time computed for it since the last event.
    Piece(String, Duration),
    /// The end, and the time computed since the last event.
    Ended(Outcome, Duration),
    /// A failure; nothing more follows.
    Failed(Error),
}

/// Ends the work for an answer when it is dropped.
pub type Stop = Box<dyn Send>;

/// An answer.
pub struct Answer {
    said: UnboundedReceiver<AnswerEvent>,
    outcome: Option<Outcome>,
    counted: Counted,
    asked: Instant,
    first: bool,
    over: bool,
    _stop: Stop,
}

impl Answer {
    /// An answer that a provider writes into the sender; `stop` is dropped with the answer.
    pub fn new(metrics: &LlmMetrics, stop: Stop) -> (UnboundedSender<AnswerEvent>, Self) {
        let (sender, said) = unbounded_channel();
        let answer = Self {
            said,
            outcome: None,
            counted: metrics.begin(),
            asked: Instant::now(),
            first: true,
            over: false,
            _stop: stop,
        };
        (sender, answer)
    }

    /// Waits for the next piece; nothing at the end. Also returns the time of computation.
    pub async fn next(&mut self) -> (Result<Option<String>, Error>, Duration) {
        if self.over {
            return (Ok(None), Duration::ZERO);
        }
        let said = self
            .said
            .recv()
            .await
            .unwrap_or_else(|| AnswerEvent::Failed(Error::Failed("whoever wrote the answer is gone".to_owned())));
        match said {
            AnswerEvent::Piece(text, busy) => {
                if std::mem::take(&mut self.first) {
                    self.counted.first(self.asked.elapsed());
                }
                (Ok(Some(text)), busy)
            }
            AnswerEvent::Ended(outcome, busy) => {
                self.over = true;
                self.outcome = Some(outcome);
                self.counted.ended(match outcome.finish {
                    Finish::Stop => "stop",
                    Finish::Length => "length",
                    Finish::Time => "time",
                });
                self.counted.tokens(
                    outcome.prompt_tokens.saturating_sub(outcome.cached_tokens),
                    outcome.cached_tokens,
                    outcome.answer_tokens,
                );
                (Ok(None), busy)
            }
            AnswerEvent::Failed(error) => {
                self.over = true;
                self.counted.ended(word(&error));
                (Err(error), Duration::ZERO)
            }
        }
    }

    /// The outcome, once it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// An error as metrics name it.
pub fn word(error: &Error) -> &'static str {
    match error {
        Error::MissingModel(_) => "missing_model",
        Error::Unavailable(_) => "unavailable",
        Error::InvalidInput(_) => "invalid_input",
        Error::TooLong(_) => "too_long",
        Error::Failed(_) => "failed",
    }
}
