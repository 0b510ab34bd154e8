//! An answer while it is written, whoever writes it: what a component waits for, and what is counted of it.

use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout_at;

use super::metrics::{Counted, LlmMetrics};
use super::types::{Error, Finish, Outcome, Token};

/// An event that a provider reports of an answer. Their number is bounded by the answer's tokens.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerEvent {
    /// A piece of it, and the time computed for it since the last event.
    Piece(String, Duration),
    /// The end, the tokens where they were asked for and are known, and the time computed since the last event.
    Ended(Outcome, Vec<Token>, Duration),
    /// A failure; nothing more follows.
    Failed(Error),
}

/// Time that a provider has to end an answer by itself once its time is over.
const ENDING_TIME: Duration = Duration::from_millis(300);

/// The outcome of an answer of which the provider said nothing before its time was over.
const OUT_OF_TIME: Outcome = Outcome {
    prompt_tokens: 0,
    cached_tokens: 0,
    answer_tokens: 0,
    probability: None,
    finish: Finish::Time,
};

/// The work for an answer, which ends when this is dropped.
pub trait Work: Send {
    /// The error where the time is over before the work was begun.
    fn late(&self) -> Option<Error> {
        None
    }
}

/// An answer.
pub struct Answer {
    said: UnboundedReceiver<AnswerEvent>,
    outcome: Option<Outcome>,
    tokens: Vec<Token>,
    counted: Counted,
    asked: Instant,
    deadline: Option<Instant>,
    first: bool,
    over: bool,
    work: Box<dyn Work>,
}

impl Answer {
    /// An answer that a provider writes into the sender; `work` is dropped with the answer.
    pub fn new(metrics: &LlmMetrics, work: Box<dyn Work>) -> (UnboundedSender<AnswerEvent>, Self) {
        let (sender, said) = unbounded_channel();
        let answer = Self {
            said,
            outcome: None,
            tokens: Vec::new(),
            counted: metrics.begin(),
            asked: Instant::now(),
            deadline: None,
            first: true,
            over: false,
            work,
        };
        (sender, answer)
    }

    /// Ends the answer as it is so long after now, also while the model is loaded or nothing can be interrupted.
    #[must_use]
    pub fn within(mut self, time: Option<Duration>) -> Self {
        self.deadline = time.and_then(|time| self.asked.checked_add(time + ENDING_TIME));
        self
    }

    /// Waits for the next piece; nothing at the end. Also returns the time of computation.
    pub async fn next(&mut self) -> (Result<Option<String>, Error>, Duration) {
        if self.over {
            return (Ok(None), Duration::ZERO);
        }
        let said = match self.deadline {
            Some(deadline) => timeout_at(deadline.into(), self.said.recv()).await,
            None => Ok(self.said.recv().await),
        };
        let said = match said {
            Ok(Some(said)) => said,
            Ok(None) => AnswerEvent::Failed(Error::Failed("whoever wrote the answer is gone".to_owned())),
            Err(_) => match self.work.late() {
                Some(error) => AnswerEvent::Failed(error),
                None => AnswerEvent::Ended(OUT_OF_TIME, Vec::new(), Duration::ZERO),
            },
        };
        match said {
            AnswerEvent::Piece(text, busy) => {
                if std::mem::take(&mut self.first) {
                    self.counted.first(self.asked.elapsed());
                }
                (Ok(Some(text)), busy)
            }
            AnswerEvent::Ended(outcome, tokens, busy) => {
                self.over = true;
                self.outcome = Some(outcome);
                self.tokens = tokens;
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

    /// Its tokens, once it is over, where they were asked for and are known.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
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
        Error::Busy(_) => "busy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Work for () {}

    #[tokio::test]
    async fn one_that_a_provider_does_not_end_in_time_ends_as_it_is() {
        let metrics = LlmMetrics::new().unwrap();
        let (sender, answer) = Answer::new(&metrics, Box::new(()));
        let mut answer = answer.within(Some(Duration::from_millis(1)));
        sender
            .send(AnswerEvent::Piece("One".to_owned(), Duration::ZERO))
            .unwrap();
        assert_eq!(answer.next().await.0, Ok(Some("One".to_owned())));
        // The sender is still there: a provider that loads its model says nothing.
        assert_eq!(answer.next().await.0, Ok(None));
        assert_eq!(answer.outcome().map(|outcome| outcome.finish), Some(Finish::Time));
        assert_eq!(answer.next().await.0, Ok(None));
    }
}
