//! The engine on this machine: one process with the model in it, started when it is needed, ended when nobody asked for
//! a while, started again when it dies.
//!
//! The engine gets as many answers as it writes at the same time; the others wait here, so that who comes next is not who
//! came first but who has had the model for less time.

mod choice;
mod process;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use quartet_llm_engine::protocol::{self, Command, Event, Generate, Refusal};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

use self::choice::Choice;
use self::process::{EngineEvent, Process};
use super::answer::{Answer, AnswerEvent};
use super::metrics::LlmMetrics;
use super::types::{Error, Model, Options, Outcome, Turn};
use crate::config::{self, Gguf};
use crate::host_functions::fair_queue::{FairQueue, User};

/// Time between two looks at which models are there.
const PRESENCE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Longest time between two looks at whether the engine may go.
const MAX_IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(15);

/// Pause after an engine died before the next start, doubled each time it dies without an answer.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

/// The longest of these pauses.
const MAX_RESTART_PAUSE: Duration = Duration::from_secs(60);

/// Temperature and share of probability that an answer is drawn with where nothing is asked for: what the publisher of
/// the default model draws with.
const DEFAULT_TEMPERATURE: f32 = 0.7;
const DEFAULT_TOP_P: f32 = 0.8;

/// The engine, or what it takes to start it.
pub struct Local {
    config: config::Local,
    metrics: LlmMetrics,
    state: Mutex<State>,
    /// Number of the last engine that had its model loaded before anybody asked it.
    ready: watch::Sender<u64>,
    this: Weak<Local>,
}

struct State {
    choice: Choice,
    engine: Option<Engine>,
    /// Answers that the engine does not have yet.
    waiting: FairQueue<Generate>,
    /// Number of answers begun so far, which numbers them.
    begun: u64,
    /// Number of engines started so far, which numbers them.
    started: u64,
    /// Engines that died in a row without ending an answer.
    deaths: u32,
    not_before: Option<Instant>,
    last_used: Instant,
    /// Tokens of context that the model's file names, once it was loaded.
    context: Option<u32>,
}

struct Engine {
    number: u64,
    model: Gguf,
    process: Process,
    answers: HashMap<u64, Open>,
}

/// An answer that is written or waits for that.
struct Open {
    sender: UnboundedSender<AnswerEvent>,
    user: User,
    asked: Instant,
    /// True once the engine has it.
    sent: bool,
}

impl Engine {
    /// Answers that the engine has, and those of them that are this user's.
    fn written(&self, user: &User) -> (usize, usize) {
        let all = || self.answers.values().filter(|answer| answer.sent);
        (all().count(), all().filter(|answer| answer.user == *user).count())
    }
}

impl Local {
    /// An engine that is not started yet.
    pub fn new(config: config::Local, metrics: LlmMetrics) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            state: Mutex::new(State {
                choice: Choice::new(config.models.clone()),
                engine: None,
                waiting: FairQueue::default(),
                begun: 0,
                started: 0,
                deaths: 0,
                not_before: None,
                last_used: Instant::now(),
                context: None,
            }),
            ready: watch::Sender::new(0),
            config,
            metrics,
            this: this.clone(),
        })
    }

    /// The model's name, when its file is not there.
    pub fn missing(&self) -> Option<String> {
        let model = self.model();
        (!model.file.is_file()).then_some(model.name)
    }

    /// The chosen model. One that was got since the last look is chosen, too.
    fn model(&self) -> Gguf {
        let mut state = self.state();
        let state = &mut *state;
        // What answers now is what is loaded.
        if state.engine.is_none() {
            state.choice.renew(false, 0);
        }
        state.choice.model().clone()
    }

    /// Describes the model to the operator.
    pub fn describe(&self) -> String {
        let engine = match self.config.engine.is_file() {
            true => String::new(),
            false => format!("; its engine {} is missing", self.config.engine.display()),
        };
        let missing = if self.missing().is_some() { " is missing" } else { "" };
        format!("{}{missing}{engine}", self.model().file.display())
    }

    /// The model.
    pub fn info(&self) -> Result<Model, Error> {
        let model = self.model();
        self.check(&model)?;
        Ok(Model {
            name: model.name,
            context: self.state().context.unwrap_or(self.config.context),
            sees: false,
            remote: false,
            schemas: true,
        })
    }

    fn check(&self, model: &Gguf) -> Result<(), Error> {
        let name = &model.name;
        match (model.file.is_file(), self.config.listed) {
            (true, _) => Ok(()),
            (false, true) => Err(Error::MissingModel(format!(
                "the language model {name} is not there; `quartet models get {name}` gets it"
            ))),
            (false, false) => Err(Error::MissingModel(format!(
                "the file of the language model {name} is not there"
            ))),
        }
    }

    /// Begins an answer for a client.
    pub fn generate(&self, turns: Vec<Turn>, options: Options, user: User) -> Result<Answer, Error> {
        let mut state = self.state();
        let state = &mut *state;
        let open = state.engine.as_ref().map_or(0, |engine| engine.answers.len());
        let most = self.config.sequences.saturating_add(self.config.queue);
        if open >= most as usize {
            let full = || {
                Error::Unavailable(format!(
                    "the language model writes and has waiting {most} answers, as many as it may"
                ))
            };
            let other = state.waiting.greediest(&user).ok_or_else(full)?;
            state.waiting.remove(other);
            if let Some(answer) = state.engine.as_mut().and_then(|engine| engine.answers.remove(&other)) {
                let _ = answer.sender.send(AnswerEvent::Failed(full()));
            }
        }
        self.exchange(state);
        self.start(state)?;
        state.begun += 1;
        let id = state.begun;
        state.last_used = Instant::now();
        let Some(engine) = &mut state.engine else {
            return Err(Error::Unavailable(
                "the language model's engine does not run".to_owned(),
            ));
        };
        let stop = Cancelled {
            local: Weak::clone(&self.this),
            id,
        };
        let time = options.max_milliseconds.map(|time| Duration::from_millis(time.into()));
        let (sender, answer) = Answer::new(&self.metrics, Box::new(stop));
        let open = Open {
            sender,
            user,
            asked: Instant::now(),
            sent: false,
        };
        engine.answers.insert(id, open);
        let turns = turns.into_iter().map(|turn| protocol::Turn {
            role: turn.role.into(),
            text: turn.text,
        });
        let generate = Generate {
            id,
            turns: turns.collect(),
            options: protocol::Options {
                max_tokens: options.max_tokens.unwrap_or(self.config.tokens),
                max_milliseconds: options.max_milliseconds,
                temperature: options.temperature.unwrap_or(DEFAULT_TEMPERATURE),
                top_p: options.top_p.unwrap_or(DEFAULT_TOP_P),
                seed: options.seed,
                stop: options.stop,
                json_schema: options.json_schema,
            },
        };
        state.waiting.push(user, 0, id, generate);
        self.hand_on(state);
        Ok(answer.within(time))
    }

    /// Gives the engine answers to write, as many as it writes at the same time. The last of these places is for a client
    /// that has none: an answer that is begun is not taken back, and whoever comes next must not wait for its end.
    fn hand_on(&self, state: &mut State) {
        let Some(engine) = &mut state.engine else { return };
        let places = self.config.sequences as usize;
        loop {
            let may = |user: &User| {
                let (all, own) = engine.written(user);
                all + 1 < places || (all < places && (own == 0 || places == 1))
            };
            let Some((_, id, mut generate)) = state.waiting.pop(may) else {
                return;
            };
            let Some(answer) = engine.answers.get_mut(&id) else {
                continue;
            };
            answer.sent = true;
            let waited = u32::try_from(answer.asked.elapsed().as_millis()).unwrap_or(u32::MAX);
            let time = &mut generate.options.max_milliseconds;
            *time = time.map(|time| time.saturating_sub(waited).max(1));
            engine.process.send(Command::Generate(Box::new(generate)));
        }
    }

    /// Changes whenever a model was loaded before anybody asked it.
    pub fn loads(&self) -> watch::Receiver<u64> {
        self.ready.subscribe()
    }

    /// Loads the model if the settings ask for it at the start, as soon as it is there, and a better one that comes later;
    /// and unloads it whenever it was idle for long.
    pub async fn look_after(&self) {
        if self.config.at_start {
            tokio::join!(self.load_what_comes(), self.unload_idle());
        } else {
            self.unload_idle().await;
        }
    }

    /// Loads the model, and looks now and then whether a better one was got.
    async fn load_what_comes(&self) {
        let mut ticks = tokio::time::interval(PRESENCE_CHECK_INTERVAL);
        let mut last = None;
        loop {
            ticks.tick().await;
            let mut state = self.state();
            self.exchange(&mut state);
            if state.engine.is_none() {
                state.choice.renew(false, 0);
            }
            let choice = state.choice.model().clone();
            // One that was unloaded, or that failed, waits for who asks for it.
            if last.as_ref() == Some(&choice) || !choice.file.is_file() {
                continue;
            }
            last = Some(choice);
            if let Err(error) = self.start(&mut state) {
                tracing::error!(?error, "the language model is not loaded");
            }
        }
    }

    async fn unload_idle(&self) {
        let Some(idle) = self.config.idle else { return };
        let mut ticks = tokio::time::interval(MAX_IDLE_CHECK_INTERVAL.min(idle / 2).max(Duration::from_millis(100)));
        loop {
            ticks.tick().await;
            let mut state = self.state();
            let unused = state.engine.as_ref().is_some_and(|engine| engine.answers.is_empty());
            if unused && state.last_used.elapsed() >= idle {
                tracing::info!(
                    model = state.choice.model().name,
                    "the language model is unloaded: nobody asked it for a while"
                );
                state.engine = None;
            }
        }
    }

    /// Ends the engine where another model is the one to take, and nobody waits for an answer of this one.
    fn exchange(&self, state: &mut State) {
        let Some(engine) = state.engine.as_ref().filter(|engine| engine.answers.is_empty()) else {
            return;
        };
        state.choice.renew(false, engine.model.memory);
        if engine.model != *state.choice.model() {
            state.engine = None;
        }
    }

    /// Starts the engine unless it runs.
    fn start(&self, state: &mut State) -> Result<(), Error> {
        if state.engine.is_some() {
            return Ok(());
        }
        if state.not_before.is_some_and(|time| Instant::now() < time) {
            return Err(Error::Unavailable(
                "the language model's engine died; it is started again in some seconds".to_owned(),
            ));
        }
        // Whoever starts has nothing loaded, so the memory that is free now decides.
        state.choice.renew(true, 0);
        self.check(state.choice.model())?;
        let model = state.choice.model().clone();
        state.started += 1;
        let number = state.started;
        let this = Weak::clone(&self.this);
        let on_event = move |event| {
            if let Some(local) = this.upgrade() {
                local.on_event(number, event);
            }
        };
        let process = Process::start(&self.config, &model.file, on_event).map_err(|error| {
            tracing::error!(%error, engine = %self.config.engine.display(), "the language model's engine cannot be started");
            Error::Unavailable("the language model's engine cannot be started".to_owned())
        })?;
        tracing::info!(
            model = model.name,
            threads = self.config.threads,
            "loading the language model"
        );
        self.metrics.started();
        state.last_used = Instant::now();
        state.engine = Some(Engine {
            number,
            model,
            process,
            answers: HashMap::new(),
        });
        Ok(())
    }

    /// Handles an event of an engine.
    fn on_event(&self, number: u64, event: EngineEvent) {
        let mut state = self.state();
        let state = &mut *state;
        // One that was sent away says nothing that counts.
        let Some(engine) = state.engine.as_mut().filter(|engine| engine.number == number) else {
            return;
        };
        match event {
            EngineEvent::Event(Event::Ready { name, context, speed }) => {
                let file = engine.model.file.display();
                tracing::info!(%file, name, context, tokens_per_second = speed, "the language model is loaded");
                state.context = Some(context);
                if engine.answers.is_empty() {
                    self.ready.send_replace(number);
                }
                if let Some(smaller) = state.choice.measured(speed) {
                    tracing::warn!(
                        model = engine.model.name,
                        tokens_per_second = speed,
                        next = smaller.name,
                        "the language model is slow on this machine; a smaller one answers from the next question on"
                    );
                }
            }
            EngineEvent::Event(Event::Broken { reason }) => {
                tracing::error!(model = engine.model.name, reason, "the language model cannot be used");
            }
            EngineEvent::Event(Event::Piece { id, text, busy_micros }) => {
                if let Some(answer) = engine.answers.get(&id) {
                    let busy = Duration::from_micros(busy_micros);
                    state.waiting.used(answer.user, busy);
                    // Whoever does not listen any more has said so, or will.
                    let _ = answer.sender.send(AnswerEvent::Piece(text, busy));
                }
            }
            EngineEvent::Event(Event::Ended {
                id,
                outcome,
                busy_micros,
            }) => {
                state.deaths = 0;
                state.last_used = Instant::now();
                if let Some(answer) = engine.answers.remove(&id) {
                    let busy = Duration::from_micros(busy_micros);
                    state.waiting.used(answer.user, busy);
                    let _ = answer.sender.send(AnswerEvent::Ended(outcome.into(), busy));
                }
                self.hand_on(state);
            }
            EngineEvent::Event(Event::Refused { id, refusal }) => {
                state.last_used = Instant::now();
                if let Some(answer) = engine.answers.remove(&id) {
                    let _ = answer.sender.send(AnswerEvent::Failed(refusal.into()));
                }
                self.hand_on(state);
            }
            EngineEvent::End(how) => {
                tracing::error!(model = engine.model.name, how, "the language model's engine ended");
                for (_, answer) in engine.answers.drain() {
                    let _ = answer.sender.send(AnswerEvent::Failed(Error::Failed(
                        "the language model's engine ended".to_owned(),
                    )));
                }
                state.waiting.clear();
                state.engine = None;
                let pause = RESTART_PAUSE
                    .saturating_mul(1 << state.deaths.min(6))
                    .min(MAX_RESTART_PAUSE);
                state.deaths = state.deaths.saturating_add(1);
                state.not_before = Some(Instant::now() + pause);
            }
        }
    }

    fn cancel(&self, id: u64) {
        let mut state = self.state();
        let state = &mut *state;
        if let Some(engine) = &mut state.engine
            && let Some(answer) = engine.answers.remove(&id)
        {
            if answer.sent {
                engine.process.send(Command::Cancel { id });
            } else {
                state.waiting.remove(id);
            }
            state.last_used = Instant::now();
            self.hand_on(state);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work for an answer when it goes.
struct Cancelled {
    local: Weak<Local>,
    id: u64,
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(local) = self.local.upgrade() {
            local.cancel(self.id);
        }
    }
}

impl From<protocol::Outcome> for Outcome {
    fn from(outcome: protocol::Outcome) -> Self {
        Self {
            finish: outcome.finish.into(),
            prompt_tokens: outcome.prompt_tokens,
            cached_tokens: outcome.cached_tokens,
            answer_tokens: outcome.answer_tokens,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLong { tokens, most } => Error::TooLong((tokens, most)),
            Refusal::Schema { reason } => Error::InvalidInput(format!("the JSON Schema cannot be used: {reason}")),
            Refusal::Failed { reason } => {
                tracing::error!(reason, "the language model failed");
                Error::Failed("the language model failed".to_owned())
            }
        }
    }
}
