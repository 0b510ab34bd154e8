//! Judgements about a message, by the model.

use quartet_llm_client::{Finish, Judgement};

use super::Answering;

/// Tokens that a machine must read in a second for the person to wait for a judgement.
const MIN_READING_SPEED: f32 = 20.0;

impl Answering<'_> {
    /// Probability that the message has a property, from 0 to 1; 0 where the model cannot tell how sure it is, or a client's
    /// instructions, functions or schema say what becomes of a message.
    pub(super) fn judged(&mut self, judgement: &Judgement) -> f32 {
        self.judged_of(judgement, &self.question.message)
    }

    /// The same of another text than the message.
    pub(super) fn judged_of(&mut self, judgement: &Judgement, text: &str) -> f32 {
        if !self.can_judge() {
            return 0.0;
        }
        // A failure here is no answer to the person: the answer that follows has the same one.
        let turns = judgement.turns(text);
        let Ok(written) = self.write(&turns, &judgement.schema(), Judgement::MAX_TOKENS) else {
            return 0.0;
        };
        let probability = Judgement::probability(&written.text, written.probability);
        probability.filter(|_| written.finish == Finish::Stop).unwrap_or(0.0)
    }

    /// Returns true where the model can judge the message at all.
    pub(super) fn can_judge(&self) -> bool {
        let question = self.question;
        let is_bare = question.instructions.is_none() && question.schema.is_none() && question.tools.is_none();
        let tells = |speed: Option<f32>| speed.is_some_and(|speed| speed >= MIN_READING_SPEED);
        // Servers tell neither how fast they read nor how sure they are.
        is_bare && (self.context.model.info()).is_ok_and(|model| model.schemas && tells(model.reading_speed))
    }
}
