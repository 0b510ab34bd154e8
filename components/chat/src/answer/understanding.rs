//! Time for understanding a question, and for its answer.

use std::time::Duration;

use quartet_llm_client::{Finish, Outcome};

use super::{Answering, MIN_GENERATION_TIME};
use crate::calculate::{self, Understood};
use crate::context::Context;

/// The time that is left for the answer where the model has begun to read how questions are understood, and is not done: after a
/// start, when nothing of that is computed yet.
const ANSWERING_TIME: Duration = Duration::from_millis(3_500);

impl Answering<'_> {
    /// Computes the question: without the model where it is certain what is asked for, else as the model understands it.
    pub(super) fn compute(&mut self) -> Understood {
        let (message, language) = (&self.question.message, self.language);
        let Context { model, now, clock, .. } = self.context;
        let certain = calculate::answer(message, language, *now);
        let left = self.question.until.saturating_sub(clock.elapsed());
        if certain.is_some() || left < MIN_GENERATION_TIME || model.info().is_err() {
            return Understood {
                computed: certain,
                ..Understood::default()
            };
        }
        // Where others are before this question, half of the time is left for its answer.
        let mut understood = self.understand(left / 2);
        let left = self.question.until.saturating_sub(clock.elapsed());
        if understood.is_cut && understood.outcome.is_some_and(is_cold) && left > 2 * ANSWERING_TIME {
            // The model goes on from what it has read.
            understood = self.understand(left.saturating_sub(ANSWERING_TIME));
        }
        understood
    }

    fn understand(&mut self, time: Duration) -> Understood {
        let Context { model, now, .. } = self.context;
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let understood = calculate::understand(&self.question.message, self.language, *now, &**model, milliseconds);
        if let Some(outcome) = understood.outcome {
            self.count(outcome);
        }
        understood
    }
}

/// Returns true if the model ran out of time in what it reads for every question.
fn is_cold(outcome: Outcome) -> bool {
    outcome.finish == Finish::Time && outcome.prompt_tokens > 2 * outcome.cached_tokens
}
