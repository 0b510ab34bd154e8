//! Remarks of the service behind an answer of the model: what is not certain in it, and why.

use quartet_api::chat::ChatAnswer;
use quartet_llm_client::Finish;
use quartet_text_analysis::is_question;

use super::{AnswerError, Answering, Emit, messages};
use crate::calculate::Computed;

impl Answering<'_> {
    /// Answers a word problem with the sum that the model made of it, and says that this is the model's.
    pub(super) fn tell_reading(&mut self, computed: &Computed, emit: Emit<'_>) -> Result<(), AnswerError> {
        let text = format!("{}\n\n{}", computed.answer, messages::unchecked_reading(self.language));
        emit(&text)?;
        self.result.answer = text;
        self.result.model = self.context.model.info().ok().map(|model| model.name);
        self.result.origin = "model".to_owned();
        self.result.finish = Some(Finish::Stop.word().to_owned());
        self.note("The language model made one sum of several sentences, which was computed.");
        Ok(())
    }

    /// Says behind an answer that its figures are the model's, and were not computed: for want of time, or because what is asked
    /// for is not certain.
    pub(super) fn doubt_figures(&mut self, is_cut: bool, emit: Emit<'_>) -> Result<(), AnswerError> {
        let (remark, note) = match is_cut {
            true => (
                messages::figures_without_time(self.language),
                "The language model had no time to say whether the question asks for a calculation.",
            ),
            false => (
                messages::unchecked_figures(self.language),
                "The question seems to ask for a calculation, which was not certain enough to be computed.",
            ),
        };
        let remark = format!("\n\n{remark}");
        emit(&remark)?;
        self.result.answer.push_str(&remark);
        self.note(note);
        Ok(())
    }

    /// Says behind the answer to a question which of its names and numbers the model was not sure of. A story has names that are as
    /// free to choose: what is no question gets no such remark.
    pub(super) fn name_unsure(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        if self.result.unsure.is_empty() || !is_question(self.question.asked()) {
            return Ok(());
        }
        let remark = format!("\n\n{}", messages::unsure(&self.result.unsure, self.language));
        emit(&remark)?;
        self.result.answer.push_str(&remark);
        Ok(())
    }
}

/// The part of an answer that a conversation goes on from: a model would repeat a remark of the service.
#[must_use]
pub fn without_remark(answer: &ChatAnswer) -> &str {
    let Ok(language) = answer.language.parse() else {
        return &answer.answer;
    };
    let unsure = messages::unsure(&answer.unsure, language);
    let remarks = [
        messages::unchecked_figures(language),
        messages::figures_without_time(language),
        messages::unchecked_reading(language),
        &unsure,
    ];
    let text = remarks
        .into_iter()
        .find_map(|remark| answer.answer.strip_suffix(remark));
    text.map_or(&answer.answer, str::trim_end)
}
