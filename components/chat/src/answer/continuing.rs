//! Answers that go on at the end of their beginning: what Open WebUI calls "Continue Response". The client sends the beginning as the
//! assistant's last turn, and appends what comes.

use quartet_api::Language;
use quartet_llm_client::Finish;

use super::error::GenerationError;
use super::{AnswerError, Answering, Emit, messages};

impl Answering<'_> {
    /// Has the model go on with the answer that the history ends with.
    pub(super) fn go_on(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        let begun = self.question.begun().map_or("", str::trim);
        let is_crisis = || {
            Language::ALL
                .into_iter()
                .any(|language| messages::crisis(language) == begun)
        };
        if messages::is_no_answer(begun) || is_crisis() {
            self.note("The answer is a sentence of the service, and is whole.");
            return Ok(());
        }
        let outcome = self.generate(&[], None, &|source| source, emit);
        outcome.map_err(GenerationError::into_answer_error)?;
        if self.result.answer.is_empty() && self.result.finish.as_deref() == Some(Finish::Stop.word()) {
            self.note("The model takes the answer for whole.");
        }
        self.name_unsure(emit)
    }
}
