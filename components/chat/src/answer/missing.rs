//! Questions back: a sum lacks a number, which the person is asked for.

use quartet_llm_client::Finish;

use super::{AnswerError, Answering, Emit, messages};

impl Answering<'_> {
    /// Asks for a number that a sum lacks, by the name that the model gave it in English: a small model that is to ask in the language of
    /// the person asks the question back.
    pub(super) fn ask_for(&mut self, what: &str, emit: Emit<'_>) -> Result<(), AnswerError> {
        self.result.answer = messages::missing(what, self.language);
        emit(&self.result.answer)?;
        self.result.model = self.context.model.info().ok().map(|model| model.name);
        self.result.origin = "model".to_owned();
        self.result.finish = Some(Finish::Stop.word().to_owned());
        self.note("To compute what is asked for, a number is needed that was not said.");
        Ok(())
    }
}
