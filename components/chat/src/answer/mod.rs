//! Answers to questions: computed where possible, from pages of the web where that is asked for, else
//! written by the model.

mod begun;
mod calling;
mod continuing;
mod crisis;
mod error;
mod follow_up;
mod health;
mod history;
mod judging;
mod messages;
mod missing;
mod output_filter;
mod prompt;
mod relevance;
mod remarks;
mod repetition;
mod resuming;
mod searching;
mod standing_by;
mod tools;
mod topical;
mod truncate;
mod unchanged;
mod understanding;
mod unsure;
mod written;

#[cfg(test)]
mod tests;

use std::time::Duration;

use quartet_api::chat::{ChatAnswer, ChatTurn, Mode, Sampling, Usage};
use quartet_api::{Language, limits};
use quartet_component_sdk::{Failure, ResponseTime};
use quartet_grounding::{Attribution, Passage};
use quartet_llm_client::{Finish, Generation, ModelError, Options, Outcome, Turn};

use crate::context::Context;
use begun::Begun;
use error::GenerationError;
use output_filter::{OutputFilter, Start};
use prompt::Prompt;
use unchanged::Held;
use written::Written;

pub use begun::is_in_words;
pub use error::AnswerError;
pub use output_filter::Emit;
pub use remarks::without_remark;
pub use tools::{Call, Tools};
pub use truncate::{shorten, truncate};

/// The time below which the model is not asked.
const MIN_GENERATION_TIME: Duration = Duration::from_millis(1_500);

/// Temperature at which the model writes again what was no other answer than the one before.
const OTHER_TEMPERATURE: f32 = 0.7;

/// The remark where the model cannot read the whole conversation.
const TURNS_LEFT_OUT: &str = "Earlier turns were too long for the model, and were left out.";

/// A question with its conversation.
#[derive(Debug, Clone)]
pub struct Question {
    /// The message as it was sent, or truncated; empty where the history ends with results of functions, or with the beginning of
    /// the answer.
    pub message: String,
    /// The mode.
    pub mode: Mode,
    /// True to search the web.
    pub use_search: bool,
    /// The client's instructions for the model.
    pub instructions: Option<String>,
    /// The JSON Schema that the answer is held to.
    pub schema: Option<String>,
    /// The client's functions that the model may have called.
    pub tools: Option<Tools>,
    /// The client's limit in tokens for the answer.
    pub max_tokens: Option<u32>,
    /// The client's wishes for how the answer is drawn.
    pub sampling: Sampling,
    /// The turns before, oldest first.
    pub history: Vec<ChatTurn>,
    /// The deadline, from the beginning of the request.
    pub until: Duration,
}

impl Question {
    /// The person's words that are answered.
    fn asked(&self) -> &str {
        let before = || self.history.iter().rev().find(|turn| turn.role == "user");
        match self.message.is_empty() {
            true => before().map_or("", |turn| &turn.content),
            false => &self.message,
        }
    }

    /// The beginning of the answer as the client has it, where the model is to go on with one.
    fn begun(&self) -> Option<&str> {
        let last = self.history.last().filter(|_| self.message.is_empty())?;
        is_in_words(last).then_some(&last.content)
    }
}

/// Answers a question; pieces of the answer go out on the way.
///
/// # Errors
/// When the client has disconnected, or nothing can answer.
pub fn answer(question: &Question, context: &Context, emit: Emit<'_>) -> Result<ChatAnswer, AnswerError> {
    let mut answering = Answering::new(question, context);
    if question.begun().is_some() {
        answering.go_on(emit)?;
        return Ok(answering.result);
    }
    if answering.resume(emit)? {
        return Ok(answering.result);
    }
    if let Some(tools) = &question.tools {
        answering.call_or_reply(tools, emit)?;
        return Ok(answering.result);
    }
    if question.schema.is_some() {
        answering.keep_to_schema(emit)?;
        return Ok(answering.result);
    }
    if question.message.is_empty() {
        let outcome = answering.generate(&[], None, &|source| source, emit);
        outcome.map_err(GenerationError::into_answer_error)?;
        return Ok(answering.result);
    }
    if answering.comfort(emit)? {
        return Ok(answering.result);
    }
    let understood = answering.compute();
    if let Some(computed) = understood.computed {
        match (understood.is_loose, question.instructions.is_some()) {
            (true, _) => answering.tell_reading(&computed, emit)?,
            (false, true) => answering.reword(computed, emit)?,
            (false, false) => answering.tell_computed(computed, emit)?,
        }
        if question.use_search {
            answering.note("The question was computed; nothing was searched for.");
        }
        return Ok(answering.result);
    }
    if let Some(what) = understood.missing.filter(|_| !question.use_search) {
        answering.ask_for(&what, emit)?;
        return Ok(answering.result);
    }
    if question.use_search {
        answering.search(emit)?;
    } else if answering.stand_by_result(emit)? {
        // It was said again.
    } else if understood.asks_of_now {
        // A model has no clock, and is wrong about calendars more often than right.
        let text = messages::not_computed(answering.language);
        emit(text)?;
        text.clone_into(&mut answering.result.answer);
        answering.note("The question seems to ask for a date or a time, and could not be computed.");
    } else if !understood.asks_to_compute && answering.asks_of_today() {
        let text = messages::not_looked_up(answering.language);
        emit(text)?;
        text.clone_into(&mut answering.result.answer);
        answering.note("The question seems to ask for something that is only known today, and nothing was looked up.");
    } else {
        answering.leave_time_to_judge();
        let outcome = answering.generate(&[], None, &|source| source, emit);
        outcome.map_err(GenerationError::into_answer_error)?;
        let imitates = follow_up::seems_imitated(&answering.result.answer, &question.history);
        if imitates || understood.asks_to_compute && answering.result.answer.contains(char::is_numeric) {
            answering.doubt_figures(understood.is_cut, emit)?;
        } else {
            answering.name_unsure(emit)?;
        }
        answering.refer_to_doctors(emit)?;
    }
    Ok(answering.result)
}

/// Changes what a client has wishes for of how an answer is drawn.
fn draw_as(wished: Sampling, options: &mut Options) {
    if let Some(temperature) = wished.temperature {
        options.temperature = Some(temperature);
        // Whoever has an answer written once more wants another.
        options.seed = None;
    }
    options.top_p = wished.top_p.or(options.top_p);
    options.seed = wished.seed.or(options.seed);
}

/// A question whose answer is being made.
struct Answering<'a> {
    question: &'a Question,
    context: &'a Context,
    /// The language of messages, which is English where the question is in none of the twelve.
    language: Language,
    /// True if the question is in none of the twelve languages.
    is_in_another: bool,
    /// Result of computing, for a model that says it as the client's instructions ask for.
    computed: Option<String>,
    /// True if the message asks for advice about a body, where that was judged.
    health: Option<bool>,
    /// The time at the end that an answer leaves for what comes behind it.
    reserved: Duration,
    /// The start of an answer's text that goes on with the one before in a turn of its own.
    start: Option<Start>,
    result: ChatAnswer,
}

/// Signs that the end of an answer has; without one it is shown that there was more to say.
const ENDS: [char; 14] = ['.', '!', '?', ':', ')', '"', '”', '`', '。', '！', '？', '…', '।', '؟'];

/// The code of a language that is none of the twelve: "undetermined", as BCP 47 has it.
const ANOTHER: &str = "und";

impl<'a> Answering<'a> {
    fn new(question: &'a Question, context: &'a Context) -> Self {
        let spoken = spoken(question.asked(), &question.history);
        let language = spoken.unwrap_or(Language::English);
        Self {
            question,
            context,
            language,
            is_in_another: spoken.is_none(),
            computed: None,
            health: None,
            reserved: Duration::ZERO,
            start: None,
            result: ChatAnswer {
                answer: String::new(),
                tool_calls: Vec::new(),
                mode: question.mode.name().to_owned(),
                use_search: question.use_search,
                model: None,
                origin: "none".to_owned(),
                unsure: Vec::new(),
                sources: Vec::new(),
                computation: None,
                search: None,
                usage: Usage::default(),
                finish: None,
                language: spoken.map_or(ANOTHER, Language::code).to_owned(),
                conversation_id: None,
                notes: Vec::new(),
            },
        }
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
        let (generation, remarks) = self.begin(passages, None)?;
        let question = self.question;
        let is_text = passages.is_empty() && question.schema.is_none() && !question.message.is_empty();
        let held = match is_text {
            true => Held::after(&question.history, &question.message),
            false => Held::nothing(),
        };
        let filter = self.filter(attribution, number, &mut *emit);
        // An answer that was begun may be whole already.
        let must = passages.is_empty() && question.begun().is_none();
        let received = self.receive(generation, filter, held, &model.name, &remarks, must)?;
        if let Some(used) = received {
            return Ok(used);
        }
        self.note("The model wrote the answer before once more, and was asked again.");
        let (generation, remarks) = self.begin(passages, Some(OTHER_TEMPERATURE))?;
        let filter = self.filter(None, number, emit);
        let received = self.receive(generation, filter, Held::nothing(), &model.name, &remarks, true)?;
        Ok(received.unwrap_or_default())
    }

    /// Has the model write a JSON document that fits a schema.
    fn write(&mut self, turns: &[Turn], schema: &str, tokens: u32) -> Result<Written, GenerationError> {
        let prompt = self.prompt(&self.question.message, &[]);
        let options = Options {
            max_tokens: Some(tokens),
            json_schema: Some(schema.to_owned()),
            ..prompt.options(self.milliseconds()?)
        };
        let mut generation = self.context.model.generate(turns.to_vec(), &options)?;
        let mut text = String::new();
        while let Some(piece) = generation.next()? {
            text.push_str(&piece);
        }
        let outcome = generation.outcome();
        if let Some(outcome) = outcome {
            self.count(outcome);
        }
        Ok(Written {
            text,
            finish: outcome.map_or(Finish::Stop, |outcome| outcome.finish),
            tokens: outcome.map_or(0, |outcome| outcome.answer_tokens),
            probability: outcome.and_then(|outcome| outcome.probability),
        })
    }

    fn prompt<'b>(&'b self, message: &'b str, passages: &'b [(Passage, String)]) -> Prompt<'b> {
        Prompt {
            mode: self.question.mode,
            language: (!self.is_in_another).then_some(self.language),
            now: self.context.now,
            model: self.context.model.info().ok(),
            instructions: self.question.instructions.as_deref(),
            schema: self.question.schema.as_deref(),
            tools: self.question.tools.as_ref(),
            max_tokens: self.question.max_tokens,
            history: &self.question.history,
            computed: self.computed.as_deref(),
            message,
            passages,
        }
    }

    /// The time that is left for the model, in milliseconds.
    fn milliseconds(&self) -> Result<u32, GenerationError> {
        let left = self.question.until.saturating_sub(self.context.clock.elapsed());
        if left < MIN_GENERATION_TIME {
            return Err(GenerationError::Late);
        }
        let left = left.saturating_sub(self.reserved).max(MIN_GENERATION_TIME);
        Ok(u32::try_from(left.as_millis()).unwrap_or(u32::MAX))
    }

    /// Begins an answer, of as many earlier turns and as much of the message as the model can read. Returns remarks on what
    /// was left out, too. The temperature is the prompt's where none is given.
    fn begin(
        &self,
        passages: &[(Passage, String)],
        temperature: Option<f32>,
    ) -> Result<(Box<dyn Generation>, Vec<&'static str>), GenerationError> {
        let mut message = self.question.message.clone();
        let all = self.prompt(&message, passages).earlier();
        let mut history = all;
        let mut remarks = Vec::new();
        loop {
            let prompt = self.prompt(&message, passages);
            let mut options = prompt.options(self.milliseconds()?);
            // What is written from sources has their facts, whatever else is wished for.
            if passages.is_empty() {
                draw_as(self.question.sampling, &mut options);
            }
            options.temperature = temperature.or(options.temperature);
            match self.context.model.generate(prompt.turns(history), &options) {
                Ok(generation) => {
                    if history < all {
                        remarks.push(TURNS_LEFT_OUT);
                    }
                    return Ok((generation, remarks));
                }
                // Earlier turns are dropped first, then the middle of the message.
                Err(ModelError::TooLong { .. }) if history > 0 => history /= 2,
                Err(ModelError::TooLong { has, most }) if message.chars().count() > 200 => {
                    let length = message.chars().count() * most as usize / (has.max(1) as usize + has as usize / 8);
                    message = shorten(&message, length.max(100), self.language).into_owned();
                    remarks = vec!["The message was too long for the model; its middle was not read."];
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The filter between the model and the client. Documents of a schema are data, and pass as they are.
    fn filter<'b>(
        &self,
        attribution: Option<Attribution>,
        number: &'b dyn Fn(usize) -> usize,
        emit: Emit<'b>,
    ) -> OutputFilter<'b>
    where
        'a: 'b,
    {
        match self.question.schema {
            Some(_) => OutputFilter::unchecked(emit, self.language, number),
            None => {
                let start = || self.question.begun().map(|sent| Begun::of(sent).start);
                let start = self.start.or_else(start);
                OutputFilter::new(emit, self.language, attribution, number)
                    .about(self.question.asked())
                    .starting(start.unwrap_or_default())
            }
        }
    }

    /// Adds to the result what the model writes, through a filter, with remarks. Returns the sources that it used; nothing where it
    /// wrote what was `held` back, and there is time to write something else. An answer of nothing is an error where the model `must`
    /// say something.
    fn receive(
        &mut self,
        mut generation: Box<dyn Generation>,
        mut filter: OutputFilter<'_>,
        mut held: Held,
        model: &str,
        remarks: &[&str],
        must: bool,
    ) -> Result<Option<Vec<usize>>, GenerationError> {
        let begun = self.context.clock.elapsed();
        let before = std::mem::take(&mut self.result.answer);
        let mut failed = None;
        let (mut over, mut repeats) = (false, false);
        // A document of a client's form may have whatever is asked for.
        let is_text = self.question.schema.is_none() && self.question.tools.is_none();
        // What is said again may begin in what was there.
        let before_it = self.question.begun().map_or("", |sent| Begun::of(sent).text);
        let mut said = before_it.to_owned();
        loop {
            // A provider may be late with its own limit; the text so far is the answer.
            over = over || self.context.clock.elapsed() >= self.question.until;
            if over {
                break;
            }
            match generation.next() {
                Ok(Some(piece)) => {
                    said.push_str(&piece);
                    filter.push(&held.push(&piece))?;
                    repeats = is_text && repetition::has_begun(&said, self.question.asked());
                    if repeats {
                        break;
                    }
                }
                Ok(None) => break,
                // The text so far may be an answer.
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let now = self.context.clock.elapsed();
        let has_time = now + now.saturating_sub(begun) + MIN_GENERATION_TIME < self.question.until;
        if held.is_unchanged() && failed.is_none() && has_time {
            generation.outcome().into_iter().for_each(|outcome| self.count(outcome));
            self.result.answer = before;
            return Ok(None);
        }
        filter.push(&held.rest())?;
        let is_cut = over
            || generation
                .outcome()
                .is_some_and(|outcome| outcome.finish != Finish::Stop);
        let written = &said[before_it.len()..];
        // An answer of nothing has no end to be shown.
        let written_so_far = written.trim_end();
        let shows_end = is_text && self.question.max_tokens.is_none() && !written_so_far.is_empty();
        if is_cut && shows_end && !written_so_far.ends_with(ENDS) {
            filter.push(begun::CUT)?;
        }
        filter.finish()?;
        let (text, corrected, left_out, used) = (filter.answer, filter.corrected, filter.left_out, filter.used);
        self.result.answer = before + text.trim_end();
        let unsure = unsure::unsure(written, &generation.tokens(), self.question.asked(), self.language);
        // Wrong arithmetic was put right.
        self.result.unsure = unsure.into_iter().filter(|part| text.contains(part)).collect();
        match generation.outcome() {
            Some(outcome) => self.account(outcome),
            None if over => self.ended(Finish::Time),
            None => {}
        }
        if repeats {
            self.ended(Finish::Stop);
            self.note("The model began to repeat itself, and was stopped there.");
        }
        for remark in remarks {
            self.note(*remark);
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
            Some(error) if text.trim().is_empty() => return Err(error.into()),
            Some(_) => self.note("The language model failed before the end of the answer."),
            None if text.trim().is_empty() && must => return Err(GenerationError::Late),
            None => {}
        }
        self.result.model = Some(model.to_owned());
        self.result.origin = "model".to_owned();
        Ok(Some(used))
    }

    /// Adds up the tokens of the model's work for another question.
    fn add_work_of(&mut self, other: &ChatAnswer) {
        let (usage, other) = (&mut self.result.usage, &other.usage);
        usage.prompt_tokens += other.prompt_tokens;
        usage.cached_tokens += other.cached_tokens;
        usage.answer_tokens += other.answer_tokens;
        usage.total_tokens += other.total_tokens;
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
        self.ended(outcome.finish);
    }

    /// The model ended for this reason.
    fn ended(&mut self, finish: Finish) {
        self.result.finish = Some(finish.word().to_owned());
        match finish {
            Finish::Stop => {}
            Finish::Length => self.note("The answer ends where it has as many tokens as it may have."),
            Finish::Time => self.note("The answer ends where its time was over."),
        }
    }
}

/// The language of a message, after the turns before it; nothing where it is in none of the twelve. Short questions in kindred languages
/// are told apart by the marks that only Spanish has.
fn spoken(message: &str, history: &[ChatTurn]) -> Option<Language> {
    // From the first to the last: a short one is in the language of those before it.
    let before = history
        .iter()
        .filter(|turn| turn.role == "user" && turn.content != message)
        .fold(None, |before, turn| {
            quartet_lang_detect::asked_in(&turn.content, before)
        });
    let guess = quartet_lang_detect::asked_in(message, before)?;
    if quartet_lang_detect::is_latin(guess) && message.contains(['¿', '¡']) {
        return Some(Language::Spanish);
    }
    Some(guess)
}

/// The language of a message by itself; English where it is in none of the twelve.
#[must_use]
pub fn language(message: &str) -> Language {
    spoken(message, &[]).unwrap_or(Language::English)
}

/// The time within which an answer must be there.
#[must_use]
pub fn time(streams: bool, response: ResponseTime) -> Duration {
    if streams {
        Duration::from_secs(limits::CHAT_STREAM_SECONDS)
    } else {
        response.end_of_part(limits::CHAT_ANSWER_SECONDS)
    }
}
