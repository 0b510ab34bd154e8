//! The engine on this machine: one process with the model in it, started when it is needed, ended when nobody asked for
//! a while, started again when it dies.
//!
//! The engine gets as many answers as it writes at the same time; the others wait here, so that who comes next is not who
//! came first but who has had the model for less time.

mod ahead;
mod choice;
mod engine;
mod forecast;
mod heartbeat;
mod lifecycle;
mod line;
mod process;
mod prompt_cache;
mod suspects;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use quartet_llm_engine::protocol::{self, Command, Confinement, Event, Generate, Prepare};
use tokio::sync::{oneshot, watch};

use self::choice::Choice;
use self::engine::{Engine, Open};
use self::line::{Asker, Line, Written};
use self::process::EngineEvent;
use self::prompt_cache::PromptCache;
use self::suspects::Suspects;
use super::answer::{Answer, AnswerEvent, Work};
use super::metrics::LlmMetrics;
use super::types::{Error, Model, Options, PromptSize, Turn};
use crate::auth::Client;
use crate::config::{self, Gguf};
use crate::host_functions::fair_queue::User;

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
    /// Time after which the engine holds nothing of a conversation that was not used.
    kept: Duration,
    /// Numbers clients for the engine, which must not learn who they are.
    numbers: RandomState,
    /// Number of the last engine that had its model loaded.
    ready: watch::Sender<u64>,
    this: Weak<Local>,
}

struct State {
    choice: Choice,
    engine: Option<Engine>,
    /// Answers that the engine does not have yet.
    line: Line,
    /// The next of them, where it must be written alone and others are still written.
    held: Option<(u64, Generate)>,
    suspects: Suspects,
    /// Number of answers begun so far, which numbers them.
    begun: u64,
    /// Number of requests that have asked so far, which numbers them.
    askers: u64,
    /// Number of engines started so far, which numbers them.
    started: u64,
    /// Engines that died in a row without ending an answer.
    deaths: u32,
    not_before: Option<Instant>,
    last_used: Instant,
    /// Tokens of context that the model's file names, once it was loaded.
    context: Option<u32>,
    /// Tokens of a prompt in a second, as the engine that runs measured it for itself alone.
    reading_speed: Option<f32>,
    /// True once the log has what the kernel does not keep the engine from.
    confinement_told: bool,
}

impl Local {
    /// An engine that is not started yet. What it was told is held for as long as values are `kept`.
    pub fn new(config: config::Local, kept: Duration, metrics: LlmMetrics) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            state: Mutex::new(State {
                choice: Choice::new(config.models.clone()),
                engine: None,
                line: Line::default(),
                held: None,
                suspects: Suspects::default(),
                begun: 0,
                askers: 0,
                started: 0,
                deaths: 0,
                not_before: None,
                last_used: Instant::now(),
                context: None,
                reading_speed: None,
                confinement_told: false,
            }),
            kept,
            numbers: RandomState::new(),
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
        let state = self.state();
        Ok(Model {
            name: model.name,
            context: state.context.unwrap_or(self.config.context),
            sees: false,
            remote: false,
            schemas: true,
            tools: model.tools,
            reading_speed: state.reading_speed,
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

    /// The number of a request that asks.
    pub fn number_request(&self) -> u64 {
        let mut state = self.state();
        state.askers += 1;
        state.askers
    }

    /// Ends a request that asked.
    pub fn leave(&self, number: u64) {
        let mut state = self.state();
        let state = &mut *state;
        let asker = Some(number);
        let mut answers = state.engine.iter().flat_map(|engine| engine.answers.values());
        if answers.any(|answer| answer.asker == asker) {
            state.line.cut_off(asker);
        }
        state.line.leave(number);
    }

    /// Begins an answer for a client, to a question of a request.
    pub fn generate(&self, turns: Vec<Turn>, options: Options, user: User, asker: Asker) -> Result<Answer, Error> {
        let turns: Vec<_> = turns.into_iter().map(protocol::Turn::from).collect();
        let digest = suspects::digest(&turns, options.json_schema.as_deref());
        let mut state = self.state();
        let state = &mut *state;
        let suspect = match state.suspects.deaths(&digest) {
            0 => false,
            deaths if deaths < suspects::MAX_DEATHS => true,
            _ => {
                return Err(Error::Failed(
                    "the language model's engine died of this conversation, twice; it is not tried again".to_owned(),
                ));
            }
        };
        let open = state.engine.as_ref().map_or(0, |engine| engine.answers.len());
        let most = self.config.sequences.saturating_add(self.config.queue);
        let tokens = options.max_tokens.unwrap_or(self.config.tokens);
        let time = options.max_milliseconds.map(|time| Duration::from_millis(time.into()));
        // Whoever was let in is not sent away half way, and what the host asks is for everybody.
        let is_let_in = user.is_none() || state.line.is_let_in(asker);
        if let Some(time) = time.filter(|_| !is_let_in) {
            let wait = self.expected_wait(state, user);
            let needed = state.line.forecast.expect(tokens) * self.config.sequences.max(1);
            if let Some(seconds) = forecast::worth_asking_again(wait, needed, time) {
                return Err(Error::Busy(seconds));
            }
        }
        if open >= most as usize && !is_let_in {
            let wait = self.expected_wait(state, user).as_secs();
            let full = || Error::Busy(u32::try_from(wait).unwrap_or(u32::MAX).max(1));
            let other = state.line.greediest(&user).ok_or_else(full)?;
            state.line.remove(other);
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
        let (sender, answer) = Answer::new(&self.metrics, Box::new(stop));
        let open = Open {
            sender,
            user,
            asker,
            asked: Instant::now(),
            sent: false,
            used: Duration::ZERO,
            tokens,
            digest,
            suspect,
        };
        engine.answers.insert(id, open);
        let generate = Generate {
            id,
            client: user.map(|client| self.number(client)),
            turns,
            options: protocol::Options {
                max_tokens: tokens,
                max_milliseconds: options.max_milliseconds,
                temperature: options.temperature.unwrap_or(DEFAULT_TEMPERATURE),
                top_p: options.top_p.unwrap_or(DEFAULT_TOP_P),
                seed: options.seed,
                stop: options.stop,
                json_schema: options.json_schema,
                token_probabilities: options.token_probabilities,
            },
        };
        state.line.push(user, asker, id, generate);
        self.hand_on(state);
        Ok(answer.within(time))
    }

    /// Has the engine read turns ahead, and tells the size of the prompt; none where no engine has its model loaded, or it has no
    /// time to tell. What the host itself asks is read by all and needs no reading ahead.
    pub async fn prepare(&self, turns: Vec<Turn>, user: User) -> Option<PromptSize> {
        let size = self.read_ahead(turns, self.number(user?))?;
        ahead::in_time(size).await
    }

    fn read_ahead(&self, turns: Vec<Turn>, client: u64) -> Option<oneshot::Receiver<PromptSize>> {
        let turns: Vec<_> = turns.into_iter().map(protocol::Turn::from).collect();
        let digest = suspects::digest(&turns, None);
        let mut state = self.state();
        let state = &mut *state;
        let engine = state.engine.as_mut().filter(|engine| engine.heartbeat.is_loaded())?;
        // Nobody waits for it, so nothing is lost where it is not tried again.
        if state.suspects.deaths(&digest) > 0 {
            return None;
        }
        state.begun += 1;
        engine.write_prompt_cache();
        engine.process.send(Command::Prepare(Box::new(Prepare {
            id: state.begun,
            client: Some(client),
            turns,
        })));
        let size = ahead::begin(&mut engine.ahead, state.begun, digest);
        // While it writes for others it tells after its step, and an upload must not wait for that.
        engine.answers.is_empty().then_some(size)
    }

    /// The time until the engine would begin an answer for this client.
    fn expected_wait(&self, state: &State, user: User) -> Duration {
        let Some(engine) = &state.engine else {
            return Duration::ZERO;
        };
        let places = self.config.sequences as usize;
        let sent = engine.answers.values().filter(|answer| answer.sent);
        let written: Vec<_> = sent
            .map(|answer| Written {
                asker: answer.asker,
                tokens: answer.tokens,
                used: answer.used,
            })
            .collect();
        // The last place is for a client that has none.
        let kept = usize::from(engine.written(&user).1 > 0 && places > 1) + engine.kept(places);
        let held = state.held.as_ref().map(|(_, generate)| generate);
        state
            .line
            .wait(user, places.saturating_sub(kept).max(1), &written, held)
    }

    /// Gives the engine answers to write, as many as it writes at the same time. One of which an engine died is written alone, so
    /// that no other is blamed should it happen again.
    fn hand_on(&self, state: &mut State) {
        let Some(engine) = &mut state.engine else { return };
        let places = self.config.sequences as usize;
        loop {
            let may = |user: &User| engine.may(user, places);
            if engine.answers.values().any(|answer| answer.sent && answer.suspect) {
                return;
            }
            let next = state.held.take();
            let next = next.or_else(|| state.line.pop(may));
            let Some((id, mut generate)) = next else { return };
            let others = engine.answers.values().any(|answer| answer.sent);
            let Some(answer) = engine.answers.get_mut(&id) else {
                continue;
            };
            if answer.suspect && others {
                state.held = Some((id, generate));
                return;
            }
            answer.sent = true;
            let is_clients = answer.user.is_some();
            let waited = u32::try_from(answer.asked.elapsed().as_millis()).unwrap_or(u32::MAX);
            let time = &mut generate.options.max_milliseconds;
            *time = time.map(|time| time.saturating_sub(waited).max(1));
            if is_clients {
                engine.write_prompt_cache();
            }
            engine.process.send(Command::Generate(Box::new(generate)));
        }
    }

    /// The client as the engine knows it.
    fn number(&self, client: Client) -> u64 {
        self.numbers.hash_one(client)
    }

    /// Holds nothing any more of what a client has asked.
    pub fn forget(&self, client: Client) {
        let client = self.number(client);
        if let Some(engine) = &self.state().engine {
            engine.process.send(Command::Forget { client });
        }
    }

    /// Changes whenever a model was loaded, to the number of its engine; none where the settings say that it reads nothing then.
    pub fn loads(&self) -> Option<watch::Receiver<u64>> {
        self.config.warm_up.then(|| self.ready.subscribe())
    }

    /// Returns true if an engine runs that has its model loaded.
    pub fn is_loaded(&self) -> bool {
        let state = self.state();
        state.engine.as_ref().is_some_and(|engine| engine.heartbeat.is_loaded())
    }

    /// Notes that an engine was asked all that the host asks for everybody.
    pub fn warmed_up(&self, number: u64) {
        let mut state = self.state();
        let state = &mut *state;
        if let Some(engine) = state.engine.as_mut().filter(|engine| engine.number == number) {
            engine.warming = false;
            engine.write_prompt_cache();
            self.hand_on(state);
        }
    }

    /// Handles an event of an engine.
    fn on_event(&self, number: u64, event: EngineEvent) {
        let mut state = self.state();
        let state = &mut *state;
        // One that was sent away says nothing that counts.
        let Some(engine) = state.engine.as_mut().filter(|engine| engine.number == number) else {
            return;
        };
        engine.heartbeat.heard();
        match event {
            EngineEvent::Event(Event::Ready {
                name,
                context,
                speed,
                speed_alone,
                confinement,
                cached_tokens,
                accelerator,
            }) => {
                engine.heartbeat.loaded(speed);
                self.metrics.confined(&confinement);
                if !std::mem::replace(&mut state.confinement_told, true) {
                    warn_of(&confinement);
                }
                let file = engine.model.file.display();
                let accelerator = accelerator.as_deref().unwrap_or("none");
                self.metrics.accelerated(accelerator);
                tracing::info!(%file, name, context, tokens_per_second = speed, alone = speed_alone, cached_tokens, accelerator, "the language model is loaded");
                state.context = Some(context);
                state.reading_speed = Some(speed_alone);
                self.ready.send_replace(number);
                // What else this machine does just now is over some time, and then the larger one answers better.
                if let Some(smaller) = state.choice.measured(speed_alone) {
                    tracing::warn!(
                        model = engine.model.name,
                        tokens_per_second = speed_alone,
                        next = smaller.name,
                        "the language model is slow on this machine; a smaller one answers from the next question on"
                    );
                }
            }
            EngineEvent::Event(Event::PromptCacheWritten { tokens }) => {
                let files = engine.prompt_cache.take().filter(|_| tokens > 0);
                match files.map(PromptCache::accept) {
                    Some(Ok(())) => {
                        tracing::info!(
                            tokens,
                            "what the language model reads for everybody is kept for the next start"
                        );
                    }
                    Some(Err(error)) => {
                        tracing::warn!(%error, "what the language model reads for everybody is not kept for the next start");
                    }
                    None => {}
                }
            }
            EngineEvent::Event(Event::Alive { number }) => engine.leaving.retain(|(ping, _)| *ping > number),
            EngineEvent::Event(Event::Broken { reason }) => {
                tracing::error!(model = engine.model.name, reason, "the language model cannot be used");
            }
            EngineEvent::Event(Event::Known {
                id,
                tokens,
                cached_tokens,
            }) => ahead::told(&mut engine.ahead, id, tokens, cached_tokens),
            EngineEvent::Event(Event::Prepared { id, tokens }) => {
                self.metrics.read_ahead(tokens);
                engine.ahead.remove(&id);
            }
            EngineEvent::Event(Event::Piece { id, text, busy_micros }) => {
                if let Some(answer) = engine.answers.get_mut(&id) {
                    let busy = Duration::from_micros(busy_micros);
                    answer.used += busy;
                    state.line.used(answer.user, answer.asker, busy);
                    // Whoever does not listen any more has said so, or will.
                    let _ = answer.sender.send(AnswerEvent::Piece(text, busy));
                }
            }
            EngineEvent::Event(Event::Ended {
                id,
                outcome,
                tokens,
                busy_micros,
            }) => {
                state.deaths = 0;
                state.last_used = Instant::now();
                if let Some(answer) = engine.answers.remove(&id) {
                    let busy = Duration::from_micros(busy_micros);
                    state.line.used(answer.user, answer.asker, busy);
                    if outcome.finish == protocol::Finish::Time {
                        state.line.cut_off(answer.asker);
                    }
                    state.suspects.clear(&answer.digest);
                    let tokens = tokens.into_iter().map(Into::into).collect();
                    let _ = answer.sender.send(AnswerEvent::Ended(outcome.into(), tokens, busy));
                }
                self.hand_on(state);
            }
            EngineEvent::Event(Event::Refused { id, refusal }) => {
                state.last_used = Instant::now();
                engine.ahead.remove(&id);
                if let Some(answer) = engine.answers.remove(&id) {
                    let _ = answer.sender.send(AnswerEvent::Failed(refusal.into()));
                }
                self.hand_on(state);
            }
            EngineEvent::End(how) => {
                tracing::error!(model = engine.model.name, how, "the language model's engine ended");
                // One that died before it had its model has read nothing.
                if engine.heartbeat.is_loaded() {
                    let sent = engine.answers.values().filter(|answer| answer.sent);
                    let sent = sent.map(|answer| answer.digest);
                    let leaving = engine.leaving.iter().map(|(_, digest)| *digest);
                    for digest in sent.chain(leaving).chain(ahead::digests(&engine.ahead)) {
                        state.suspects.blame(digest);
                    }
                }
                for (_, answer) in engine.answers.drain() {
                    let _ = answer.sender.send(AnswerEvent::Failed(Error::Failed(
                        "the language model's engine ended".to_owned(),
                    )));
                }
                state.line.clear();
                state.held = None;
                state.engine = None;
                let pause = RESTART_PAUSE
                    .saturating_mul(1 << state.deaths.min(6))
                    .min(MAX_RESTART_PAUSE);
                state.deaths = state.deaths.saturating_add(1);
                state.not_before = Some(Instant::now() + pause);
            }
        }
    }

    /// The error of an answer whose time is over: it had no place so far. None where the engine has it.
    fn late(&self, id: u64) -> Option<Error> {
        let state = self.state();
        let engine = state.engine.as_ref().filter(|engine| engine.heartbeat.is_loaded())?;
        let answer = engine.answers.get(&id).filter(|answer| !answer.sent)?;
        let wait = self.expected_wait(&state, answer.user).as_secs();
        Some(Error::Busy(u32::try_from(wait).unwrap_or(u32::MAX).max(1)))
    }

    fn cancel(&self, id: u64) {
        let mut state = self.state();
        let state = &mut *state;
        if let Some(engine) = &mut state.engine
            && let Some(answer) = engine.answers.remove(&id)
        {
            if answer.sent {
                engine.process.send(Command::Cancel { id });
                let ping = engine.ping();
                engine.leaving.push((ping, answer.digest));
                state.line.cut_off(answer.asker);
            } else {
                state.line.remove(id);
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

/// Tells the operator what the kernel does not keep the engine from.
fn warn_of(confinement: &Confinement) {
    let missing = [&confinement.landlock, &confinement.seccomp];
    for reason in missing.into_iter().flatten() {
        tracing::warn!(
            reason,
            "the language model's engine is not confined as it should be; it has rights of the host that it does not need"
        );
    }
}

/// Ends the work for an answer when it goes.
struct Cancelled {
    local: Weak<Local>,
    id: u64,
}

impl Work for Cancelled {
    fn late(&self) -> Option<Error> {
        self.local.upgrade()?.late(self.id)
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(local) = self.local.upgrade() {
            local.cancel(self.id);
        }
    }
}
