//! Remarks of the service behind an answer of the model: what is not certain in it, and why.

use quartet_api::chat::ChatAnswer;
use quartet_llm_client::Finish;
use quartet_text_analysis::is_question;

use super::{AnswerError, Answering, Emit, messages};
use crate::calculate::Computed;

impl Answering<'_> {
    /// Answers with what was computed.
    pub(super) fn tell_computed(&mut self, computed: Computed, emit: Emit<'_>) -> Result<(), AnswerError> {
        emit(&computed.answer)?;
        self.result.answer = computed.answer;
        self.result.computation = computed.computation;
        self.result.origin = "computation".to_owned();
        Ok(())
    }

    /// Has the model say what was computed as the client's instructions ask for: in another language, as a word, as a title. An answer
    /// with other figures than the question's and the result's is not taken.
    pub(super) fn reword(&mut self, computed: Computed, emit: Emit<'_>) -> Result<(), AnswerError> {
        self.computed = Some(computed.answer.clone());
        let outcome = self.generate(&[], None, &|source| source, &mut |_| Ok(()));
        let sources = [self.question.message.as_str(), &computed.answer, &computed.value];
        let instructions = self.question.instructions.as_deref().unwrap_or_default();
        let is_kept = outcome.is_ok()
            && !self.result.answer.trim().is_empty()
            && has_no_other_figure(&self.result.answer, sources.into_iter().chain([instructions]));
        if !is_kept {
            self.result.unsure.clear();
            self.result.finish = None;
            self.result.model = None;
            return self.tell_computed(computed, emit);
        }
        emit(&self.result.answer)?;
        self.result.unsure.clear();
        self.result.computation = computed.computation;
        Ok(())
    }

    /// Answers with the sum that the model made of a question, and says that this is the model's.
    pub(super) fn tell_reading(&mut self, computed: &Computed, emit: Emit<'_>) -> Result<(), AnswerError> {
        let text = format!("{}\n\n{}", computed.answer, messages::unchecked_reading(self.language));
        emit(&text)?;
        self.result.answer = text;
        self.result.model = self.context.model.info().ok().map(|model| model.name);
        self.result.origin = "model".to_owned();
        self.result.finish = Some(Finish::Stop.word().to_owned());
        self.note("The sum is how the language model read the question; it was computed.");
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

/// Returns true if every run of digits of a text stands in one of some others.
fn has_no_other_figure<'t>(text: &str, others: impl Iterator<Item = &'t str>) -> bool {
    let figures = |text: &'t str| text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let known: Vec<&str> = others.flat_map(figures).collect();
    let mut own = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    own.all(|figure| known.contains(&figure))
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
        messages::computed_again(language),
        messages::no_doctor(language),
        &unsure,
    ];
    let mut text = answer.answer.as_str();
    // An answer may have two.
    while let Some(shorter) = remarks.into_iter().find_map(|remark| text.strip_suffix(remark)) {
        text = shorter.trim_end();
    }
    text
}
