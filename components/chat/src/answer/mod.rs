//! Answers to questions: computed where possible, from pages of the web where that is asked for, else
//! written by the model.

mod error;
mod messages;
mod output_filter;
mod prompt;
mod truncate;

#[cfg(test)]
mod tests;

use std::time::Duration;

use quartet_api::chat::{ChatAnswer, ChatTurn, Mode, Usage};
use quartet_api::{Language, limits};
use quartet_component_sdk::Failure;
use quartet_grounding::{Attribution, Passage};
use quartet_llm_client::{Finish, ModelError, Outcome};

use crate::calculate::{self, Understood};
use crate::context::Context;
use crate::evidence::{Evidence, Extract};
use crate::search::{self, Source};
use error::GenerationError;
use output_filter::OutputFilter;
use prompt::Prompt;

pub use error::AnswerError;
pub use output_filter::Emit;
pub use truncate::truncate;

/// The time below which the model is not asked.
const MIN_GENERATION_TIME: Duration = Duration::from_millis(1_500);
/// Limit for the time in which the model may write an expression. The first one after a start takes longest, because
/// nothing of its prompt is computed yet.
const MAX_UNDERSTANDING_TIME: Duration = Duration::from_secs(24);
/// The time that is left for the answer where there is nothing to compute.
const ANSWERING_TIME: Duration = Duration::from_secs(5);

/// A question with its conversation.
#[derive(Debug, Clone)]
pub struct Question {
    /// The message as it was sent, or truncated.
    pub message: String,
    /// The mode.
    pub mode: Mode,
    /// True to search the web.
    pub use_search: bool,
    /// The client's instructions for the model.
    pub instructions: Option<String>,
    /// The JSON Schema that the answer is held to.
    pub schema: Option<String>,
    /// The client's limit in tokens for the answer.
    pub max_tokens: Option<u32>,
    /// The turns before, oldest first.
    pub history: Vec<ChatTurn>,
    /// The deadline, from the beginning of the request.
    pub until: Duration,
}

/// Answers a question; pieces of the answer go out on the way.
///
/// # Errors
/// When the client has disconnected, or nothing can answer.
pub fn answer(question: &Question, context: &Context, emit: Emit<'_>) -> Result<ChatAnswer, AnswerError> {
    let mut answering = Answering::new(question, context);
    if question.schema.is_some() {
        answering.keep_to_schema(emit)?;
        return Ok(answering.result);
    }
    let understood = answering.compute();
    if let Some(computed) = understood.computed {
        emit(&computed.answer)?;
        answering.result.answer = computed.answer;
        answering.result.computation = computed.computation;
        answering.result.origin = "computation".to_owned();
        if question.use_search {
            answering.note("The question was computed; nothing was searched for.");
        }
        return Ok(answering.result);
    }
    if question.use_search {
        answering.search(emit)?;
    } else if understood.asks_of_now {
        // A model has no clock, and is wrong about calendars more often than right.
        let text = messages::not_computed(answering.language);
        emit(text)?;
        text.clone_into(&mut answering.result.answer);
        answering.note("The question seems to ask for a date or a time, and could not be computed.");
    } else {
        let outcome = answering.generate(&[], None, &|source| source, emit);
        outcome.map_err(GenerationError::into_answer_error)?;
        if understood.asks_to_compute && answering.result.answer.contains(char::is_numeric) {
            answering.doubt_figures(emit)?;
        }
    }
    Ok(answering.result)
}

/// The part of an answer that a conversation goes on from: a model would repeat a remark of the service.
#[must_use]
pub fn without_remark(answer: &ChatAnswer) -> &str {
    let remark = answer.language.parse().map(messages::unchecked_figures);
    let text = remark.ok().and_then(|remark| answer.answer.strip_suffix(remark));
    text.map_or(&answer.answer, str::trim_end)
}

/// A question whose answer is being made.
struct Answering<'a> {
    question: &'a Question,
    context: &'a Context,
    language: Language,
    result: ChatAnswer,
}

impl<'a> Answering<'a> {
    fn new(question: &'a Question, context: &'a Context) -> Self {
        let language = language(&question.message);
        Self {
            question,
            context,
            language,
            result: ChatAnswer {
                answer: String::new(),
                mode: question.mode.name().to_owned(),
                use_search: question.use_search,
                model: None,
                origin: "none".to_owned(),
                sources: Vec::new(),
                computation: None,
                search: None,
                usage: Usage::default(),
                finish: None,
                language: language.code().to_owned(),
                conversation_id: None,
                notes: Vec::new(),
            },
        }
    }

    /// Computes the question: without the model where it is certain what is asked for, else as the model understands it.
    fn compute(&mut self) -> Understood {
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
        let time = MAX_UNDERSTANDING_TIME.min(left.saturating_sub(ANSWERING_TIME).max(left / 2));
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let understood = calculate::understand(message, language, *now, &**model, milliseconds);
        if let Some(outcome) = understood.outcome {
            self.count(outcome);
        }
        understood
    }

    /// Says behind an answer that its figures are the model's, and were not computed.
    fn doubt_figures(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        let remark = format!("\n\n{}", messages::unchecked_figures(self.language));
        emit(&remark)?;
        self.result.answer.push_str(&remark);
        self.note("The question seems to ask for a calculation, which was not certain enough to be computed.");
        Ok(())
    }

    /// Has the model write an answer that fits the question's schema.
    fn keep_to_schema(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        let refused = |problem: String| AnswerError::Failed(Failure::field("responseSchema", problem));
        match self.context.model.info() {
            Ok(model) if !model.schemas => {
                return Err(refused(
                    "cannot be kept to by the language model that is set up here".to_owned(),
                ));
            }
            // What is wrong is said when it is asked.
            _ => {}
        }
        match self.generate(&[], None, &|source| source, emit) {
            Ok(_) => Ok(()),
            Err(GenerationError::Model(ModelError::InvalidInput(problem))) => {
                Err(refused(format!("cannot be kept to: {problem}")))
            }
            Err(error) => Err(error.into_answer_error()),
        }
    }

    fn note(&mut self, note: impl Into<String>) {
        self.result.notes.push(note.into());
    }

    /// Generates an answer with the model, from passages where there are any, and adds it to the result. Returns the
    /// sources that it used.
    fn generate(
        &mut self,
        passages: &[(Passage, String)],
        attribution: Option<Attribution>,
        number: &dyn Fn(usize) -> usize,
        emit: Emit<'_>,
    ) -> Result<Vec<usize>, GenerationError> {
        let model = self.context.model.info()?;
        let before = std::mem::take(&mut self.result.answer);
        let mut filter = if self.question.schema.is_some() {
            OutputFilter::unchecked(emit, self.language, number)
        } else {
            OutputFilter::new(emit, self.language, attribution, number)
        };
        let mut message = self.question.message.clone();
        let mut history = self.question.history.len();
        let mut shortened = false;
        let mut generation = loop {
            let left = self.question.until.saturating_sub(self.context.clock.elapsed());
            if left < MIN_GENERATION_TIME {
                return Err(GenerationError::Late);
            }
            let prompt = Prompt {
                mode: self.question.mode,
                language: self.language,
                now: self.context.now,
                instructions: self.question.instructions.as_deref(),
                schema: self.question.schema.as_deref(),
                max_tokens: self.question.max_tokens,
                history: &self.question.history,
                message: &message,
                passages,
            };
            let options = prompt.options(u32::try_from(left.as_millis()).unwrap_or(u32::MAX));
            match self.context.model.generate(prompt.turns(history), &options) {
                Ok(generation) => break generation,
                // Earlier turns are dropped first, then the end of the message.
                Err(ModelError::TooLong { .. }) if history > 0 => history /= 2,
                Err(ModelError::TooLong { has, most }) if message.chars().count() > 200 => {
                    let length = message.chars().count() * most as usize / (has.max(1) as usize + has as usize / 8);
                    message = truncate(&message, length.max(100), self.language).to_owned();
                    shortened = true;
                }
                Err(error) => return Err(error.into()),
            }
        };
        let mut failed = None;
        let mut over = false;
        loop {
            // A provider may be late with its own limit; the text so far is the answer.
            over = over || self.context.clock.elapsed() >= self.question.until;
            if over {
                break;
            }
            match generation.next() {
                Ok(Some(piece)) => filter.push(&piece)?,
                Ok(None) => break,
                // The text so far may be an answer.
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        filter.finish()?;
        let (text, corrected, left_out, used) = (filter.answer, filter.corrected, filter.left_out, filter.used);
        self.result.answer = before + text.trim_end();
        match generation.outcome() {
            Some(outcome) => self.account(outcome),
            None if over => {
                self.result.finish = Some(Finish::Time.word().to_owned());
                self.note("The answer ends where its time was over.");
            }
            None => {}
        }
        if shortened {
            self.note("The message was too long for the model; only its beginning was read.");
        }
        if history < self.question.history.len() {
            self.note("Earlier turns were too long for the model, and were left out.");
        }
        if corrected > 0 {
            self.note(format!("{corrected} wrong calculations of the model were put right."));
        }
        if left_out > 0 {
            self.note(format!(
                "{left_out} sentences of the model were left out, because the sources do not bear them out."
            ));
        }
        match failed {
            Some(error) if text.trim().is_empty() => Err(error.into()),
            Some(_) => {
                self.result.model = Some(model.name);
                self.result.origin = "model".to_owned();
                self.note("The language model failed before the end of the answer.");
                Ok(used)
            }
            None if text.trim().is_empty() && passages.is_empty() => Err(GenerationError::Late),
            None => {
                self.result.model = Some(model.name);
                self.result.origin = "model".to_owned();
                Ok(used)
            }
        }
    }

    /// Adds up the tokens of the model's work.
    fn count(&mut self, outcome: Outcome) {
        let usage = &mut self.result.usage;
        usage.prompt_tokens += outcome.prompt_tokens;
        usage.cached_tokens += outcome.cached_tokens;
        usage.answer_tokens += outcome.answer_tokens;
        usage.total_tokens += outcome.prompt_tokens + outcome.answer_tokens;
    }

    fn account(&mut self, outcome: Outcome) {
        self.count(outcome);
        self.result.finish = Some(outcome.finish.word().to_owned());
        match outcome.finish {
            Finish::Stop => {}
            Finish::Length => self.note("The answer ends where it has as many tokens as it may have."),
            Finish::Time => self.note("The answer ends where its time was over."),
        }
    }

    /// Answers from pages of the web.
    fn search(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        let message = &self.question.message;
        let before = self.question.history.iter().rev().find(|turn| turn.role == "user");
        let before = before.map(|turn| turn.content.as_str());
        let context = self.context;
        let found = search::search(
            &context.search,
            &*context.web,
            &*context.clock,
            message,
            before,
            self.language,
        );
        let status = found.report.status.clone();
        let problem = found.report.problem.clone();
        self.result.search = Some(found.report);
        if found.sources.is_empty() {
            if let Some(problem) = problem {
                self.note(format!("Search: {problem}."));
            }
            return self.without_sources(&status, emit);
        }
        let evidence = Evidence::new(&found.sources);
        if evidence.left_out > 0 {
            self.note(format!(
                "{} sentences of the pages that speak to machines were left out.",
                evidence.left_out
            ));
        }
        let extract = evidence.extract(message, before);
        // Where sentences answer by themselves, the model only rephrases them; it must not find others that do not.
        let passages = match &extract {
            Some(extract) if extract.answers => extract.passages.clone(),
            _ => evidence.passages(message, prompt::MAX_PASSAGE_TOKENS),
        };
        let listed = listed(&passages);
        let number = |source| {
            listed
                .iter()
                .position(|other| *other == source)
                .map_or(0, |place| place + 1)
        };
        let attribution = Attribution::new(&passages, message, self.language);
        let titled: Vec<_> = passages
            .iter()
            .map(|passage| (passage.clone(), found.sources[passage.source].title.clone()))
            .collect();
        if !titled.is_empty() {
            match self.generate(&titled, Some(attribution), &number, emit) {
                Ok(_) if !self.result.answer.is_empty() => {
                    self.result.sources = sources(&found.sources, &passages, &listed);
                    return Ok(());
                }
                Ok(_) => {
                    self.result.model = None;
                    self.note(
                        "Nothing that the model wrote is borne out by the sources; the answer is in their own words.",
                    );
                }
                Err(GenerationError::Disconnected(error)) => return Err(AnswerError::Disconnected(error)),
                Err(error) => {
                    let reason = error.reason();
                    self.note(format!("{reason} The answer is in the words of the sources."));
                }
            }
        }
        self.extract(extract, &found.sources, &status, emit)
    }

    /// Answers with sentences of the sources.
    fn extract(
        &mut self,
        extract: Option<Extract>,
        found: &[Source],
        status: &str,
        emit: Emit<'_>,
    ) -> Result<(), AnswerError> {
        let Some(extract) = extract else {
            return self.without_sources(if status == "answered" { "nothing_found" } else { status }, emit);
        };
        let listed = listed(&extract.passages);
        let mut text = if extract.answers {
            String::new()
        } else {
            format!("{} ", messages::not_answered(self.language))
        };
        for (index, passage) in extract.passages.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            let number = listed.iter().position(|other| *other == passage.source).unwrap_or(0) + 1;
            text.push_str(&format!("{gap}{} [{number}]", passage.text.trim()));
        }
        emit(&text)?;
        self.result.answer.push_str(&text);
        self.result.origin = "sources".to_owned();
        self.result.sources = sources(found, &extract.passages, &listed);
        Ok(())
    }

    /// Reports that the web gave nothing, and answers as far as possible without.
    fn without_sources(&mut self, status: &str, emit: Emit<'_>) -> Result<(), AnswerError> {
        let mut said = messages::no_search(status, self.language).to_owned();
        let model = self.context.model.info().is_ok();
        if model {
            said.push_str("\n\n");
        }
        emit(&said)?;
        self.result.answer = said;
        if !model {
            self.note("There is no language model that could answer without the web.");
            return Ok(());
        }
        match self.generate(&[], None, &|source| source, emit) {
            Ok(_) => Ok(()),
            Err(GenerationError::Disconnected(error)) => Err(AnswerError::Disconnected(error)),
            Err(error) => {
                self.result.answer = messages::no_search(status, self.language).to_owned();
                self.note(error.reason());
                Ok(())
            }
        }
    }
}

/// The sources of passages, each once, in order.
fn listed(passages: &[Passage]) -> Vec<usize> {
    let mut listed = Vec::new();
    for passage in passages {
        if !listed.contains(&passage.source) {
            listed.push(passage.source);
        }
    }
    listed
}

fn sources(found: &[Source], passages: &[Passage], listed: &[usize]) -> Vec<quartet_api::chat::Source> {
    let sources = listed.iter().enumerate().map(|(place, source)| {
        let Source { title, url, date, .. } = &found[*source];
        let quote = passages.iter().find(|passage| passage.source == *source);
        quartet_api::chat::Source {
            number: place + 1,
            title: title.clone(),
            url: url.clone(),
            date: date.clone(),
            quote: quote.map_or_else(String::new, |passage| passage.text.clone()),
        }
    });
    sources.collect()
}

/// The language of a message. Short questions in kindred languages are told apart by the marks that only Spanish has.
#[must_use]
pub fn language(message: &str) -> Language {
    let guess = quartet_lang_detect::detect(message);
    if quartet_lang_detect::is_latin(guess) && message.contains(['¿', '¡']) {
        return Language::Spanish;
    }
    guess
}

/// The time within which an answer must be there.
#[must_use]
pub fn time(streams: bool) -> Duration {
    Duration::from_secs(if streams {
        limits::CHAT_STREAM_SECONDS
    } else {
        limits::CHAT_ANSWER_SECONDS
    })
}
