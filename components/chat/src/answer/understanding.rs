//! Time for understanding a question, and for its answer.

use std::time::Duration;

use quartet_llm_client::{Finish, Outcome};

use super::{Answering, MIN_GENERATION_TIME, Question, follow_up};
use crate::calculate::{self, Asked, Computed, ConversationSum, Understood};
use crate::context::Context;

/// The time that is left for the answer where the model has begun to read how questions are understood, and is not done: after a
/// start, when nothing of that is computed yet.
const ANSWERING_TIME: Duration = Duration::from_millis(3_500);

/// Tokens that a question has behind what stands before all of them, at most: with more, that is not known yet, or only its beginning.
const MAX_UNREAD: u32 = 200;

/// The part of the time that is left that reading one question again may take.
const VARYING_PART: u32 = 6;

impl Answering<'_> {
    /// Computes the question, or that which a message makes of the ones before: without the model where it is certain what is asked
    /// for, else as the model understands it.
    pub(super) fn compute(&mut self) -> Understood {
        let Question { message, history, .. } = self.question;
        if calculate::answer(message, self.language, self.context.now).is_some() {
            return self.compute_message(message);
        }
        if let Some(whole) = follow_up::with_missing(message, history) {
            self.note(format!("The message was read as \u{201c}{whole}\u{201d}."));
            let understood = self.compute_message(&whole);
            return self.agreed(&whole, understood, None);
        }
        let computed = follow_up::computed_before(message, history);
        if let Some(computed) = calculate::vary_rate(message, &computed, self.language) {
            return self.changed(computed);
        }
        // What goes on from a date or another unit is a change to that, if it is one.
        let is_after_sum = match computed.last() {
            Some((_, answer)) => calculate::shows_sum(answer, self.language),
            None => false,
        };
        if !is_after_sum && let Some(computed) = self.varied(&computed) {
            return self.changed(computed);
        }
        let before = follow_up::with_numbers(message, history);
        let (read, is_alone) = match before.is_empty() {
            true => (None, false),
            false => {
                let (asked, is_alone) = self.asked_for(message, &before);
                (Some(asked), is_alone)
            }
        };
        match read {
            // What changes a reading of the model's is one.
            Some(Asked::Changed(computed)) if follow_up::is_behind_reading(history) => return self.gone_on(computed),
            Some(Asked::Changed(computed)) => return self.changed(computed),
            Some(Asked::Missing(what)) => return lacking(what),
            Some(Asked::Nothing) if !calculate::may_ask(message, self.language) => return Understood::default(),
            _ => {}
        }
        // Where the message says all that is to be computed, it need not be compared with what was asked before.
        let alone = is_alone.then(|| self.compute_message(message));
        if let (Some(Asked::Sum(sum) | Asked::Unsure(Some(sum))), Some(alone)) = (&read, &alone)
            && alone.computed.as_ref().is_some_and(|computed| is_same(computed, sum))
        {
            return Understood {
                is_loose: !matches!(read, Some(Asked::Sum(_))),
                ..alone.clone()
            };
        }
        // "e 5 kg?" may be another quantity to the one, and five times the result to the other: a change is certain.
        if is_after_sum && let Some(computed) = self.varied(&computed) {
            return self.changed(computed);
        }
        if let Some(Asked::Sum(computed)) = read {
            return self.gone_on(computed);
        }
        let left = self.question.until.saturating_sub(self.context.clock.elapsed());
        let Some(written) = self.written_out(left / 4) else {
            let understood = alone.unwrap_or_else(|| self.compute_message(message));
            return self.agreed(message, understood, read);
        };
        let mut understood = self.compute_message(&written);
        if let Some(computed) = &understood.computed {
            self.note(format!("The message was read as \u{201c}{written}\u{201d}."));
            // Of 7 sums that a model made of what it had written out, in questions that nobody had looked at, 2 were what was asked for; of
            // what was no sum, days, times and units, 12 of 13.
            let is_certain = calculate::answer(&written, self.language, self.context.now).is_some();
            if is_sum(computed) && !is_certain {
                understood.is_loose = true;
                let is_meant = |read| matches!(read, Asked::Unsure(Some(other)) if is_same(computed, &other));
                if self.can_judge() && !read.is_some_and(is_meant) {
                    understood.computed = None;
                }
            }
        }
        understood
    }

    /// A sum that a message asks for with the numbers before it, which is the model's reading.
    fn gone_on(&mut self, sum: Computed) -> Understood {
        self.note("The message was read with the numbers before it.");
        Understood {
            computed: Some(sum),
            is_loose: true,
            ..Understood::default()
        }
    }

    /// A question by itself, with the sum that the model made of it, as far as it makes the same of it when it is asked in another way, as
    /// it may have been already. Where no sum was certain enough, what the model is sure of then.
    fn agreed(&mut self, message: &str, mut understood: Understood, read: Option<Asked>) -> Understood {
        let wants = match &understood.computed {
            Some(computed) => is_sum(computed) && !understood.is_certain,
            None => understood.asks_to_compute && !understood.asks_of_now && !understood.is_cut,
        };
        if !wants || !self.can_judge() {
            return understood;
        }
        let read = read.unwrap_or_else(|| self.asked_for(message, &[]).0);
        understood.is_loose = match (&understood.computed, read) {
            (Some(computed), Asked::Sum(other) | Asked::Unsure(Some(other))) if is_same(computed, &other) => false,
            (_, Asked::Sum(other) | Asked::Changed(other)) => {
                understood.computed = Some(other);
                true
            }
            (_, Asked::Missing(what)) => return lacking(what),
            (Some(_), Asked::Nothing) => {
                understood.computed = None;
                understood.asks_to_compute = false;
                false
            }
            (computed, _) => computed.is_some(),
        };
        understood
    }

    /// The sum that the message asks for behind others, as the model writes it, and true if it has no number but the message's.
    fn asked_for(&mut self, message: &str, before: &[(&str, &str)]) -> (Asked, bool) {
        let left = self.question.until.saturating_sub(self.context.clock.elapsed());
        if left < MIN_GENERATION_TIME || !self.can_judge() {
            return (Asked::Unsure(None), false);
        }
        let mut sum = self.conversation_sum(message, before, left / VARYING_PART);
        let left = self.question.until.saturating_sub(self.context.clock.elapsed());
        // What cannot be read in so little time is refused at once.
        if sum.work.is_none_or(is_cold) && left > 2 * ANSWERING_TIME {
            // The model goes on from what it has read.
            sum = self.conversation_sum(message, before, left.saturating_sub(ANSWERING_TIME));
        }
        (sum.asked, sum.is_alone)
    }

    fn conversation_sum(&mut self, message: &str, before: &[(&str, &str)], time: Duration) -> ConversationSum {
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let model = &*self.context.model;
        let sum = calculate::conversation_sum(message, before, self.language, model, milliseconds);
        sum.work.into_iter().for_each(|outcome| self.count(outcome));
        sum
    }

    /// The result of a message that changes one thing of a question that was computed.
    fn varied(&mut self, before: &[(&str, &str)]) -> Option<Computed> {
        if before.is_empty() {
            return None;
        }
        let message = &self.question.message;
        let Context { model, now, clock, .. } = self.context;
        let left = self.question.until.saturating_sub(clock.elapsed()) / VARYING_PART;
        let milliseconds = u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
        let varied = calculate::vary(message, before, self.language, *now, &**model, milliseconds);
        for outcome in varied.work {
            self.count(outcome);
        }
        varied.computed
    }

    /// The question before with something else in it.
    fn changed(&mut self, computed: Computed) -> Understood {
        self.note("The message was read as a change to the question before it.");
        Understood {
            computed: Some(computed),
            ..Understood::default()
        }
    }

    fn compute_message(&mut self, message: &str) -> Understood {
        let Context { model, now, clock, .. } = self.context;
        let certain = calculate::answer(message, self.language, *now);
        let left = self.question.until.saturating_sub(clock.elapsed());
        if certain.is_some() || left < MIN_GENERATION_TIME || model.info().is_err() {
            return Understood {
                is_certain: certain.is_some(),
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

/// What is known of a message that lacks a number.
fn lacking(what: String) -> Understood {
    Understood {
        missing: Some(what),
        asks_to_compute: true,
        ..Understood::default()
    }
}

/// Returns true if the model ran out of time in what it reads for every question.
fn is_cold(outcome: Outcome) -> bool {
    let unread = outcome.prompt_tokens.saturating_sub(outcome.cached_tokens);
    outcome.finish == Finish::Time && outcome.answer_tokens == 0 && unread > MAX_UNREAD
}

/// Returns true for the result of a sum, which is neither a date nor another unit.
fn is_sum(computed: &Computed) -> bool {
    (computed.computation.as_ref()).is_some_and(|computation| computation.kind == "arithmetic")
}

/// Returns true if two sums come to the same, but for rounding.
fn is_same(one: &Computed, other: &Computed) -> bool {
    match (one.value.parse::<f64>(), other.value.parse::<f64>()) {
        (Ok(one), Ok(other)) => (one - other).abs() <= 1e-9 * one.abs().max(other.abs()),
        _ => one.value == other.value,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use quartet_api::Language;
    use quartet_api::chat::{ChatAnswer, ChatTurn};
    use quartet_llm_client::scripted::Scripted;

    use super::*;
    use crate::answer::tests::{context, question};
    use crate::answer::{answer, messages};
    use crate::web::tests::FakeWeb;

    /// The answer to a message, of a model that writes these with this probability.
    fn answered(message: &str, history: &[(&str, &str)], written: &[&str], probability: f32) -> ChatAnswer {
        let mut model = Scripted::new(written.iter().copied());
        model.probability = Some(probability);
        model.judged = vec![("health", 0.0), ("current", 0.0), ("disputes", 0.0)];
        model.reading_speed = Some(100.0);
        let context = context(Rc::new(model), FakeWeb::default());
        let mut question = question(message, false);
        for (asked, answer) in history {
            question.history.push(ChatTurn::new("user", *asked));
            question.history.push(ChatTurn::new("assistant", *answer));
        }
        answer(&question, &context, &mut |_| Ok(())).unwrap()
    }

    const TICKETS: &str = "4 tickets to the match are 12.50, and one alone";

    #[test]
    fn a_sum_is_certain_where_it_is_the_same_when_it_is_read_again() {
        let computed = answered(TICKETS, &[], &["\"calc 12.50 / 4\"", "\"12.50 / 4\""], 0.9);
        assert_eq!(
            (computed.origin.as_str(), computed.answer.as_str()),
            ("computation", "12.50 ÷ 4 = 3.125")
        );
        // However sure it is of it.
        let computed = answered(TICKETS, &[], &["\"calc 12.50 / 4\"", "\"12.50 / 4\""], 0.4);
        assert_eq!(computed.origin, "computation");
    }

    #[test]
    fn a_sum_that_is_read_in_two_ways_is_the_models() {
        let read = answered(TICKETS, &[], &["\"calc 12.50 / 4\"", "\"12.50 * 4\""], 0.9);
        assert_eq!(read.origin, "model");
        assert!(
            read.answer.starts_with("12.50 × 4 = 50\n\nA language model read"),
            "{}",
            read.answer
        );
        let unsure = answered(TICKETS, &[], &["\"calc 12.50 / 4\"", "\"12.50 * 4\""], 0.4);
        assert!(
            unsure.answer.starts_with("12.50 ÷ 4 = 3.125\n\nA language model read"),
            "{}",
            unsure.answer
        );
    }

    #[test]
    fn a_number_that_is_missing_is_asked_for() {
        let rent = "the rent of 3 flats is going up 4.5%, and one alone";
        let written = ["\"calc 3 + 4.5%\"", "\"missing rent_now\""];
        let asked = answered(rent, &[], &written, 0.9);
        assert_eq!(
            (asked.origin.as_str(), asked.answer.as_str()),
            (
                "model",
                "To compute this, I need a number that was not said: rent now. What is it?"
            )
        );
        assert_eq!(asked.computation, None);
        // What is said then belongs to the question.
        let before = [("my rent is going up 4.5%, what will it be", asked.answer.as_str())];
        let written = ["\"calc 1150 + 4.5%\"", "\"1150 + 4.5%\""];
        let told = answered("oh its 1150 now", &before, &written, 0.9);
        assert_eq!(
            (told.origin.as_str(), told.answer.as_str()),
            ("computation", "1150 + 4.5 % = 1201.75")
        );
    }

    #[test]
    fn a_change_to_a_reading_is_a_reading() {
        let gym = "34.50 × 12 = 414";
        let remark = messages::unchecked_reading(Language::English);
        for (answer, origin) in [(gym.to_owned(), "computation"), (format!("{gym}\n\n{remark}"), "model")] {
            let before = [("my gym is 34.50 a month, whats that a year", answer.as_str())];
            let changed = answered("and if it was 29.90?", &before, &["\"29.90 * 12\""], 0.9);
            assert_eq!(changed.origin, origin);
            assert!(changed.answer.starts_with("29.90 × 12 = 358.8"), "{}", changed.answer);
        }
    }

    #[test]
    fn a_change_goes_before_a_step_further() {
        let apples = [("3 kilos of apples at 2.40 a kilo, please", "3 × 2.4 = 7.2")];
        let written = ["\"7.2 * 5\"", "\"calc 5 * 2.40\""];
        let changed = answered("e 5?", &apples, &written, 0.9);
        assert_eq!(
            (changed.origin.as_str(), changed.answer.as_str()),
            ("computation", "5 × 2.40 = 12")
        );
    }

    #[test]
    fn the_sum_before_with_another_number_needs_less_certainty() {
        let tip = [("whats 15% of 64.80, please", "15 % × 64.80 = 9.72")];
        let changed = answered("make it 20", &tip, &["\"20% * 64.80\""], 0.35);
        assert_eq!(
            (changed.origin.as_str(), changed.answer.as_str()),
            ("computation", "20 % × 64.80 = 12.96")
        );
        let written = ["\"9.72 * 20\"", "\"none\"", "What is 20?", "\"none\"", "Twenty."];
        assert_eq!(answered("make it 20", &tip, &written, 0.35).origin, "model");
    }

    #[test]
    fn what_was_not_read_to_its_end_is_read_on() {
        let outcome = |finish, prompt_tokens, cached_tokens, answer_tokens| Outcome {
            finish,
            prompt_tokens,
            cached_tokens,
            answer_tokens,
            probability: None,
        };
        for (outcome, expected) in [
            (outcome(Finish::Time, 1250, 0, 0), true),
            (outcome(Finish::Time, 1250, 768, 0), true),
            (outcome(Finish::Time, 1250, 1230, 0), false),
            (outcome(Finish::Time, 1250, 0, 3), false),
            (outcome(Finish::Stop, 1250, 0, 8), false),
        ] {
            assert_eq!(is_cold(outcome), expected, "{outcome:?}");
        }
    }

    #[test]
    fn what_is_no_sum_the_second_time_is_not_computed() {
        let said = answered(TICKETS, &[], &["\"calc 12.50 / 4\"", "\"none\"", "Enjoy it!"], 0.9);
        assert_eq!((said.origin.as_str(), said.answer.as_str()), ("model", "Enjoy it!"));
    }

    #[test]
    fn a_message_is_computed_with_the_numbers_before_it() {
        let bill = [("the bill was 96 for 4 of us", "96 ÷ 4 = 24")];
        let read = answered("nina pays nothing", &bill, &["\"96 / 3\""], 0.9);
        assert_eq!(read.origin, "model");
        assert!(
            read.answer.starts_with("96 ÷ 3 = 32\n\nA language model read"),
            "{}",
            read.answer
        );
        // What a message asks for by itself is certain, whatever was before it.
        let age = [(
            "I am 43",
            "That is a good age, with much to do for everybody who likes to do something.",
        )];
        let alone = answered(TICKETS, &age, &["\"12.50 / 4\"", "\"calc 12.50 / 4\""], 0.9);
        assert_eq!(alone.origin, "computation");
        // One of which it is not sure is its reading, without a look at what was before.
        let alone = answered(TICKETS, &bill, &["\"12.50 / 4\"", "\"calc 12.50 / 4\""], 0.4);
        assert_eq!(alone.origin, "model");
        assert!(
            alone.answer.starts_with("12.50 ÷ 4 = 3.125\n\nA language model read"),
            "{}",
            alone.answer
        );
        // A sum of which it is not sure, and another one of the question that it writes out.
        let written = ["\"96 / 3\"", "What is 96 / 4 for nina?", "\"calc 96 / 4\"", "It is 24."];
        let unsure = answered("nina pays nothing", &bill, &written, 0.2);
        assert!(
            unsure.answer.starts_with("It is 24.\n\nI could not compute"),
            "{}",
            unsure.answer
        );
        // Thanks are none.
        let thanks = answered("cheers nina", &bill, &["\"none\"", "Any time!"], 0.9);
        assert_eq!(thanks.answer, "Any time!");
    }
}
