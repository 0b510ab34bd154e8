//! Time for understanding a question, and for its answer.

use std::time::Duration;

use quartet_llm_client::{Finish, Outcome};

use super::{Answering, MIN_GENERATION_TIME, Question, follow_up};
use crate::calculate::{self, Computed, Understood};
use crate::context::Context;

/// The time that is left for the answer where the model has begun to read how questions are understood, and is not done: after a
/// start, when nothing of that is computed yet.
const ANSWERING_TIME: Duration = Duration::from_millis(3_500);

/// The part of the time that is left that reading one question again may take.
const VARYING_PART: u32 = 6;

impl Answering<'_> {
    /// Computes the question, or that which a message makes of the one before: without the model where it is certain what is asked
    /// for, else as the model understands it.
    pub(super) fn compute(&mut self) -> Understood {
        if let Some(computed) = self.varied() {
            return Understood {
                computed: Some(computed),
                ..Understood::default()
            };
        }
        let left = self.question.until.saturating_sub(self.context.clock.elapsed());
        let Some(written) = self.written_out(left / 4) else {
            return self.compute_message(&self.question.message);
        };
        let mut understood = self.compute_message(&written);
        if let Some(computed) = &understood.computed {
            // Of 7 sums that a model made of what it had written out, in questions that nobody had looked at, 2 were what was asked for; of
            // what was no sum, days, times and units, 12 of 13.
            let is_sum = (computed.computation.as_ref()).is_some_and(|computation| computation.kind == "arithmetic");
            let is_certain = calculate::answer(&written, self.language, self.context.now).is_some();
            understood.is_loose |= is_sum && !is_certain;
            self.note(format!("The message was read as \u{201c}{written}\u{201d}."));
        }
        understood
    }

    /// The result of a message that changes one thing of a question that was computed.
    fn varied(&mut self) -> Option<Computed> {
        let Question { message, history, .. } = self.question;
        let Context { model, now, clock, .. } = self.context;
        let before = follow_up::computed_before(message, history);
        if before.is_empty() || calculate::answer(message, self.language, *now).is_some() {
            return None;
        }
        let left = self.question.until.saturating_sub(clock.elapsed()) / VARYING_PART;
        let milliseconds = u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
        let varied = calculate::vary(message, &before, self.language, *now, &**model, milliseconds);
        for outcome in varied.work {
            self.count(outcome);
        }
        let computed = varied.computed?;
        self.note("The message was read as a change to the question before it.");
        Some(computed)
    }

    fn compute_message(&mut self, message: &str) -> Understood {
        let Context { model, now, clock, .. } = self.context;
        let certain = calculate::answer(message, self.language, *now);
        let left = self.question.until.saturating_sub(clock.elapsed());
        if certain.is_some() || left < MIN_GENERATION_TIME || model.info().is_err() {
            return Understood {
                computed: certain,
                ..Understood::default()
            };
        }
        // Where others are before this question, half of the time is left for its answer.
        let mut understood = self.understand(message, left / 2);
        let left = self.question.until.saturating_sub(clock.elapsed());
        if understood.is_cut && understood.outcome.is_some_and(is_cold) && left > 2 * ANSWERING_TIME {
            // The model goes on from what it has read.
            understood = self.understand(message, left.saturating_sub(ANSWERING_TIME));
        }
        understood
    }

    /// A message that goes on from something that was computed, as a question of its own.
    fn written_out(&mut self, time: Duration) -> Option<String> {
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let Question { message, history, .. } = self.question;
        let (written, work) = follow_up::written_out(message, history, &*self.context.model, milliseconds)?;
        for outcome in work {
            self.count(outcome);
        }
        Some(written)
    }

    fn understand(&mut self, message: &str, time: Duration) -> Understood {
        let Context { model, now, .. } = self.context;
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let understood = calculate::understand(message, self.language, *now, &**model, milliseconds);
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
