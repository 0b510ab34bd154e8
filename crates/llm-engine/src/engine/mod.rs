//! The engine: llama.cpp with one model, several answers at a time.
//!
//! All sequences share one context. A step computes one token of each answer that is being written, or several that have to come
//! by its schema or may come (`draft`), and beside them a piece of the prompts that wait, so that nobody stands still while a
//! long prompt is read (`prompt_scheduler`). What a sequence has computed stays when its answer is over, and the next prompt that
//! begins the same way goes on from there (`cache`); one that begins the same way meanwhile waits for it (`joint`).

pub mod accelerator;
mod ahead;
mod batch;
mod cache;
pub mod confine;
mod context;
mod draft;
mod joint;
mod owner;
pub mod process;
mod prompt;
pub mod prompt_cache;
mod prompt_scheduler;
mod sampling;
mod schema;
mod sequence;
mod speed;
mod template;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use llama_cpp_2::LogOptions;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::kv_cache::KvCacheConversionError;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use self::ahead::{Ahead, Beginning};
use self::batch::{Room, Share};
use self::cache::{KeptPrefix, Owned};
use self::owner::Owner;
use self::prompt::Prompts;
use self::prompt_cache::{Held, PromptCache};
use self::sampling::Sampler;
use self::schema::Schemas;
use self::sequence::{Running, Sequence};
use crate::protocol::{Accelerator, Command, Confinement, Event, Finish, Generate, Outcome, Prepare, Refusal, Token};

/// Tokens that are computed in one step at most. Between two steps commands are heard, so this is also how long a command
/// waits: some seconds on a slow machine. Larger steps are hardly faster.
const MAX_STEP_TOKENS: usize = 256;

/// Tokens of a step that shows how fast prompts are read, and the weight of the newest one in the average.
const MIN_PACE_TOKENS: usize = 32;
const PACE_WEIGHT: f64 = 0.2;

/// Settings of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The GGUF file.
    pub model: PathBuf,
    /// Tokens that prompt and answer may have together.
    pub context: u32,
    /// Answers that are written at the same time.
    pub sequences: u32,
    /// Threads that compute.
    pub threads: u32,
    /// Graphics processors that may compute.
    pub accelerator: Accelerator,
}

/// Loads the model and answers commands until there are no more senders. `confine` is called between the two, when all
/// files are read or open and all threads are there, with true if a graphics processor computes; what is in the prompt cache is
/// read after that.
///
/// # Errors
/// When the model cannot be used; why, for the operator.
pub fn run(
    settings: &Settings,
    mut prompt_cache: PromptCache,
    commands: &Receiver<Command>,
    confine: impl FnOnce(bool) -> Confinement,
    say: &mut dyn FnMut(Event),
) -> Result<(), String> {
    // Before anything is said: backends name their devices as they start.
    llama_cpp_2::send_logs_to_tracing(LogOptions::default().with_logs_enabled(false));
    let mut backend = LlamaBackend::init().map_err(|error| format!("llama.cpp does not start: {error}"))?;
    backend.void_logs();
    if !settings.model.is_file() {
        return Err(format!("{} is not there", settings.model.display()));
    }
    let parameters = |context: u32| {
        // Beginnings that are kept apart: what the host asks with, some 12,000 tokens, and clients' documents.
        let room = context * 7 / 2;
        let cells = context.saturating_mul(settings.sequences).saturating_add(room);
        let sequences = settings.sequences + kept_prefixes();
        let parameters = context::parameters(cells, sequences, MAX_STEP_TOKENS, settings.threads);
        (room, cells, parameters)
    };
    let (.., largest) = parameters(settings.context);
    let placed = accelerator::place(settings.accelerator, &settings.model, &largest)?;
    // Placing a model sets where they go, too.
    backend.void_logs();
    let model = LlamaModel::load_from_file(&backend, &settings.model, &placed.parameters)
        .map_err(|error| format!("{} cannot be loaded: {error}", settings.model.display()))?;
    let prompts = Prompts::new(&model)?;
    let context = settings.context.min(model.n_ctx_train());
    let (room, cells, parameters) = parameters(context);
    let mut llama = model
        .new_context(&backend, parameters)
        .map_err(|error| format!("there is no room for {cells} tokens: {error}"))?;
    let name = model
        .meta_val_str("general.name")
        .unwrap_or_else(|_| "unnamed".to_owned());
    let is_accelerated = placed.accelerator.is_some();
    let speed = speed::measure(&mut llama, model.vocab().bos(), settings.threads, is_accelerated)?;
    let confinement = confine(is_accelerated);
    let mut kept: Vec<_> = (settings.sequences..settings.sequences + kept_prefixes())
        .map(KeptPrefix::new)
        .collect();
    let restored = prompt_cache.restore(&mut llama, &mut kept, room as usize);
    say(Event::Ready {
        name,
        context,
        speed: speed.measured,
        speed_alone: speed.alone,
        confinement,
        cached_tokens: u32::try_from(restored).unwrap_or(u32::MAX),
        accelerator: placed.accelerator,
    });
    let mut engine = Engine {
        model: &model,
        llama,
        prompts,
        schemas: Schemas::new(&model),
        batch: LlamaBatch::new(MAX_STEP_TOKENS, 1),
        sequences: (0..settings.sequences).map(Sequence::new).collect(),
        kept,
        prompt_cache,
        waiting: VecDeque::new(),
        ahead: Ahead::default(),
        context: context as usize,
        room: room as usize,
        drafts: !model.is_recurrent() && !model.is_hybrid(),
        begun: 0,
        speed: f64::from(speed.alone),
        pace: f64::from(speed.alone),
        say,
    };
    engine.serve(commands);
    Ok(())
}

/// Beginnings that are kept apart at most.
fn kept_prefixes() -> u32 {
    u32::try_from(cache::MAX_KEPT_PREFIXES).unwrap_or(0)
}

struct Engine<'a> {
    model: &'a LlamaModel,
    llama: LlamaContext<'a>,
    prompts: Prompts<'a>,
    schemas: Schemas<'a>,
    batch: LlamaBatch<'static>,
    sequences: Vec<Sequence>,
    kept: Vec<KeptPrefix>,
    prompt_cache: PromptCache,
    waiting: VecDeque<Waiting>,
    /// Beginnings that are read when nobody waits.
    ahead: Ahead,
    /// Tokens that an answer may have with its prompt.
    context: usize,
    /// Tokens that all beginnings may have together that are kept apart.
    room: usize,
    /// True if what was computed can be cut anywhere: not where the model sums up what it has read, as recurrent ones do.
    drafts: bool,
    /// Answers begun so far; also the clock by which sequences grow old.
    begun: u64,
    /// Tokens of prompts that are computed in a second: at best so far, and lately.
    speed: f64,
    pace: f64,
    say: &'a mut dyn FnMut(Event),
}

/// An answer that waits for a sequence.
struct Waiting {
    generate: Box<Generate>,
    deadline: Option<Instant>,
}

impl Engine<'_> {
    fn serve(&mut self, commands: &Receiver<Command>) {
        loop {
            let unasked = self.waiting.is_empty() && self.sequences.iter().all(Sequence::is_idle);
            if unasked {
                // What else the machine does may be over when somebody asks again.
                self.pace = self.speed;
            }
            let command = if unasked && self.ahead.is_empty() {
                commands
                    .recv_timeout(Duration::from_secs(3600))
                    .map_err(|error| match error {
                        RecvTimeoutError::Timeout => TryRecvError::Empty,
                        RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
                    })
            } else {
                commands.try_recv()
            };
            match command {
                Ok(Command::Generate(generate)) => {
                    let time = generate.options.max_milliseconds;
                    let deadline = time.map(|time| Instant::now() + Duration::from_millis(time.into()));
                    self.waiting.push_back(Waiting { generate, deadline });
                }
                Ok(Command::Prepare(prepare)) => self.prepare(*prepare),
                Ok(Command::Cancel { id }) => self.cancel(id),
                Ok(Command::Forget { client }) => {
                    self.stop_preparing(client);
                    self.forget(|owner| owner.forget(client));
                }
                Ok(Command::ForgetUnused { seconds }) => {
                    self.forget(|owner| owner.forget_unused(Duration::from_secs(seconds)));
                }
                Ok(Command::WritePromptCache) => self.write_prompt_cache(),
                Ok(Command::Ping { number }) => (self.say)(Event::Alive { number }),
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) if unasked => self.read_ahead(),
                Err(TryRecvError::Empty) => {
                    self.begin_waiting();
                    self.end_late();
                    self.step();
                }
            }
        }
    }

    fn cancel(&mut self, id: u64) {
        self.waiting.retain(|waiting| waiting.generate.id != id);
        for sequence in &mut self.sequences {
            if sequence.id() == Some(id) {
                sequence.end();
            }
        }
        self.hold_what_may_be();
    }

    /// Has all owners forget, and holds on to what is left.
    fn forget(&mut self, forget: impl Fn(&mut Owner)) {
        let sequences = self.sequences.iter_mut().map(|sequence| &mut sequence.owner);
        let kept = self.kept.iter_mut().map(KeptPrefix::owner_mut);
        sequences.chain(kept).for_each(forget);
        self.hold_what_may_be();
    }

    /// Writes what the host has had read for everybody, and nothing of a client's.
    fn write_prompt_cache(&mut self) {
        let sequences = self
            .sequences
            .iter()
            .map(|sequence| (&sequence.owner, sequence.number, sequence.held()));
        let kept = self
            .kept
            .iter()
            .map(|prefix| (prefix.owner(), prefix.number(), prefix.tokens()));
        let held: Vec<_> = sequences
            .chain(kept)
            .filter(|(owner, ..)| !owner.is_client())
            .map(|(_, number, tokens)| Held { number, tokens })
            .collect();
        let written = self.prompt_cache.write(&self.llama, &held, self.room);
        let tokens = written.unwrap_or_else(|error| {
            eprintln!("the prompt cache cannot be written: {error}");
            0
        });
        (self.say)(Event::PromptCacheWritten {
            tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
        });
    }

    fn hold_what_may_be(&mut self) {
        if cache::forget(&mut self.llama, &mut self.sequences, &mut self.kept).is_none() {
            self.fail("what a client has forgotten cannot be cut");
        }
    }

    /// Ends what has no time left, and what will have none when its prompt is read: who waits for it can do without sooner, and
    /// the others go on faster.
    fn end_late(&mut self) {
        let now = Instant::now();
        let late = |deadline: Option<Instant>| deadline.is_some_and(|deadline| now >= deadline);
        for index in 0..self.sequences.len() {
            if self.sequences[index].is_late(now, self.pace) {
                self.finish(index, Finish::Time);
            }
        }
        let mut given_up = Vec::new();
        self.waiting.retain(|waiting| {
            if late(waiting.deadline) {
                given_up.push(waiting.generate.id);
            }
            !late(waiting.deadline)
        });
        for id in given_up {
            let outcome = Outcome {
                finish: Finish::Time,
                prompt_tokens: 0,
                cached_tokens: 0,
                answer_tokens: 0,
                probability: None,
            };
            (self.say)(Event::Ended {
                id,
                outcome,
                tokens: Vec::new(),
                busy_micros: 0,
            });
        }
    }

    /// Notes what is to be read ahead, and says how much of it is known.
    fn prepare(&mut self, prepare: Prepare) {
        let Prepare { id, client, turns } = prepare;
        let mut tokens = match self.prompts.tokens(&turns) {
            Ok(tokens) => tokens,
            Err(reason) => {
                let refusal = Refusal::Failed { reason };
                return (self.say)(Event::Refused { id, refusal });
            }
        };
        let count = |tokens| u32::try_from(tokens).unwrap_or(u32::MAX);
        let prompt = Owned {
            tokens: &tokens,
            client,
        };
        let known = cache::known(&self.sequences, &self.kept, prompt);
        (self.say)(Event::Known {
            id,
            tokens: count(tokens.len()),
            cached_tokens: count(known),
        });
        tokens.truncate(self.context / ahead::CONTEXT_PART);
        let beginning = Beginning {
            id,
            client,
            tokens,
            computed: 0,
        };
        if beginning.tokens.len() < known + ahead::MIN_TOKENS {
            return self.tell_prepared([beginning]);
        }
        let given_up = self.ahead.push(beginning);
        self.tell_prepared(given_up);
    }

    /// Reads nothing ahead any more for a client.
    fn stop_preparing(&mut self, client: u64) {
        let removed = self.ahead.remove(Some(client));
        self.tell_prepared(removed);
    }

    /// Reads no beginning ahead any more.
    fn stop_all_preparing(&mut self) {
        let all = self.ahead.take();
        self.tell_prepared(all);
    }

    /// Computes some tokens of the beginning that came first.
    fn read_ahead(&mut self) {
        let Some(mut beginning) = self.ahead.pop() else {
            return;
        };
        match self.read_more_of(&mut beginning) {
            Ok(true) => self.ahead.put_back(beginning),
            Ok(false) => self.tell_prepared([beginning]),
            Err(reason) => {
                self.tell_prepared([beginning]);
                self.fail(&reason);
            }
        }
    }

    /// Computes some tokens of a beginning; returns true if there are more.
    fn read_more_of(&mut self, beginning: &mut Beginning) -> Result<bool, String> {
        self.begun += 1;
        let prompt = Owned {
            tokens: &beginning.tokens,
            client: beginning.client,
        };
        let place = cache::open(
            &mut self.llama,
            &self.sequences,
            &mut self.kept,
            prompt,
            self.room,
            self.begun,
        )?;
        // None where others that are in use have all the room.
        let Some(place) = place else { return Ok(false) };
        let prefix = &mut self.kept[place];
        let from = prefix.tokens().len();
        let to = beginning.tokens.len().min(from + ahead::STEP_TOKENS);
        self.batch.clear();
        for (position, token) in beginning.tokens.iter().enumerate().take(to).skip(from) {
            let number = i32::try_from(position).map_err(|error| error.to_string())?;
            self.batch
                .add(*token, number, &[prefix.number()], false)
                .map_err(|error| error.to_string())?;
        }
        self.llama.decode(&mut self.batch).map_err(|error| error.to_string())?;
        prefix.extend(&beginning.tokens[from..to]);
        beginning.computed += to - from;
        Ok(to < beginning.tokens.len())
    }

    fn tell_prepared(&mut self, beginnings: impl IntoIterator<Item = Beginning>) {
        for Beginning { id, computed, .. } in beginnings {
            let tokens = u32::try_from(computed).unwrap_or(u32::MAX);
            (self.say)(Event::Prepared { id, tokens });
        }
    }

    /// Gives sequences that are idle to those who wait, first come, first served.
    fn begin_waiting(&mut self) {
        while self.sequences.iter().any(Sequence::is_idle) {
            let Some(waiting) = self.waiting.pop_front() else {
                return;
            };
            let id = waiting.generate.id;
            if let Err(refusal) = self.begin(waiting) {
                (self.say)(Event::Refused { id, refusal });
            }
        }
    }

    fn begin(&mut self, waiting: Waiting) -> Result<(), Refusal> {
        let Generate {
            id,
            client,
            turns,
            options,
        } = *waiting.generate;
        let prompt = self
            .prompts
            .tokens(&turns)
            .map_err(|reason| Refusal::Failed { reason })?;
        // Up to a quarter of the context is the answer's.
        let room = (options.max_tokens as usize).clamp(1, self.context / 4);
        let most = self.context - room;
        if prompt.len() > most {
            return Err(Refusal::TooLong {
                tokens: u32::try_from(prompt.len()).unwrap_or(u32::MAX),
                most: u32::try_from(most).unwrap_or(u32::MAX),
            });
        }
        let schema = options.json_schema.as_deref();
        let schema = schema
            .map(|schema| self.schemas.constraint(schema))
            .transpose()
            .map_err(|reason| Refusal::Schema { reason })?;
        let sampler = Sampler::new(&options, schema);
        self.begun += 1;
        let prepared = cache::prepare(
            &mut self.llama,
            &mut self.sequences,
            &mut self.kept,
            Owned {
                tokens: &prompt,
                client,
            },
            self.room,
            self.begun,
        );
        let Some(place) = prepared else {
            return Err(Refusal::Failed {
                reason: "no sequence is idle, or what it holds cannot be cut".to_owned(),
            });
        };
        let cached = place.cached;
        let running = Running::new(id, prompt.len(), cached, self.begun, waiting.deadline, sampler, options);
        self.sequences[place.sequence].begin(prompt, cached, place.owner, running);
        self.add_forced(place.sequence);
        Ok(())
    }

    /// Computes one step and says what comes of it.
    fn step(&mut self) {
        let taken = joint::take(
            &mut self.llama,
            &mut self.sequences,
            &mut self.kept,
            self.room,
            self.begun,
        );
        if taken.is_none() {
            return self.fail("what one prompt has of another cannot be taken");
        }
        let room = Room {
            tokens: MAX_STEP_TOKENS,
            context: self.context,
            drafts: self.drafts,
        };
        let shares = match batch::fill(&mut self.batch, &self.sequences, room) {
            Ok(shares) if shares.is_empty() => return,
            Ok(shares) => shares,
            Err(reason) => return self.fail(&reason),
        };
        let started = Instant::now();
        if let Err(error) = self.llama.decode(&mut self.batch) {
            return self.fail(&error.to_string());
        }
        for share in &shares {
            self.sequences[share.sequence].fed += share.tokens;
        }
        for share in &shares {
            if let Some(row) = share.row {
                self.draw(share.sequence, row);
                if !share.draft.is_empty() && self.draw_draft(share, row).is_err() {
                    return self.fail("what was not drawn of a draft cannot be cut");
                }
            }
        }
        // Drawing, which waits for what is computed, is part of the step.
        let took = started.elapsed();
        let tokens: usize = shares.iter().map(|share| share.tokens).sum();
        // Single tokens of answers take longer each.
        if tokens >= MIN_PACE_TOKENS && !took.is_zero() {
            self.pace += PACE_WEIGHT * (tokens as f64 / took.as_secs_f64() - self.pace);
            self.speed = self.speed.max(self.pace);
        }
        for share in &shares {
            let part = took.mul_f64(share.tokens as f64 / tokens.max(1) as f64);
            if let Some(running) = &mut self.sequences[share.sequence].running {
                running.busy += part;
            }
        }
        for share in &shares {
            self.tell(share.sequence);
        }
    }

    /// Draws the next token of a sequence, whose probabilities are in `row` of what was computed.
    fn draw(&mut self, index: usize, row: i32) {
        let running = self.sequences[index].running.as_mut();
        let Some(running) = running.filter(|running| running.over.is_none()) else {
            return;
        };
        let (token, probability) = running.sampler.draw(&self.llama, row);
        let vocabulary = self.model.vocab();
        // A control token that ends no turn has no place in one either.
        if vocabulary.is_eog(token) || vocabulary.is_control(token) {
            running.over = Some(Finish::Stop);
            return;
        }
        self.add(index, token, probability);
        self.add_forced(index);
    }

    /// Draws on as long as what is drawn is what a draft has, whose first token was computed in the row after `row`. The context then
    /// holds nothing of the rest.
    fn draw_draft(&mut self, share: &Share, row: i32) -> Result<(), KvCacheConversionError> {
        let mut drawn = 0;
        for (token, row) in share.draft.iter().zip(row + 1..) {
            let sequence = &mut self.sequences[share.sequence];
            if sequence.tokens.get(sequence.fed) != Some(token) {
                break;
            }
            sequence.fed += 1;
            drawn += 1;
            // What a schema says comes next is not drawn.
            if sequence.fed == sequence.tokens.len() {
                self.draw(share.sequence, row);
            }
        }
        let sequence = &mut self.sequences[share.sequence];
        if let Some(running) = &mut sequence.running {
            running.draft.learn(drawn, share.draft.len());
        }
        let fed = u32::try_from(sequence.fed).ok();
        self.llama.kv_cache_seq_rm(sequence.number, fed, None)
    }

    /// Adds the tokens to an answer that have to come next by its schema. They are computed together, like a prompt.
    fn add_forced(&mut self, index: usize) {
        let Some(running) = &mut self.sequences[index].running else {
            return;
        };
        for (token, probability) in running.sampler.take_forced(&self.model.vocab()) {
            self.add(index, token, probability);
        }
        let running = self.sequences[index].running.as_mut();
        if let Some(running) = running.filter(|running| running.over.is_none() && running.sampler.is_complete()) {
            running.over = Some(Finish::Stop);
        }
    }

    /// Adds a token to an answer that is not over.
    fn add(&mut self, index: usize, token: LlamaToken, probability: Option<f32>) {
        let sequence = &mut self.sequences[index];
        let running = sequence.running.as_mut();
        let Some(running) = running.filter(|running| running.over.is_none()) else {
            return;
        };
        running.answer += 1;
        let bytes = self.model.vocab().token_to_piece(token, false, None);
        running.sampler.said(token, &bytes);
        running.tokens.extend(probability.map(|probability| Token {
            bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            probability,
        }));
        let text = running.pieces.push(&bytes);
        running.unsaid.push_str(&text);
        sequence.tokens.push(token);
        running.over = if running.pieces.stopped() {
            Some(Finish::Stop)
        } else if running.answer >= running.most || sequence.tokens.len() >= self.context {
            Some(Finish::Length)
        } else {
            None
        };
    }

    /// Says what a sequence has to say after a step.
    fn tell(&mut self, index: usize) {
        let Some(running) = &mut self.sequences[index].running else {
            return;
        };
        if let Some(finish) = running.over {
            return self.finish(index, finish);
        }
        if !running.unsaid.is_empty() {
            let text = std::mem::take(&mut running.unsaid);
            let busy_micros = running.take_busy();
            let id = running.id;
            (self.say)(Event::Piece { id, text, busy_micros });
        }
    }

    /// Ends an answer: what is held back of it is said, then what came of it.
    fn finish(&mut self, index: usize, finish: Finish) {
        let Some(mut running) = self.sequences[index].end() else {
            return;
        };
        let Sequence { number, owner, .. } = self.sequences[index];
        let held = self.sequences[index].held();
        // What the host asks is what all others begin with.
        if !owner.is_client() && held.len() >= cache::MIN_KEPT_PREFIX_TOKENS {
            let kept = cache::keep(
                &mut self.llama,
                &mut self.kept,
                number,
                (held, owner),
                self.room,
                self.begun,
            );
            if kept.is_none() {
                self.fail("what the host has asked cannot be kept");
            }
        }
        let id = running.id;
        let text = std::mem::take(&mut running.unsaid) + &std::mem::take(&mut running.pieces).finish();
        if !text.is_empty() {
            let busy_micros = running.take_busy();
            (self.say)(Event::Piece { id, text, busy_micros });
        }
        (self.say)(Event::Ended {
            id,
            outcome: running.outcome(finish),
            tokens: std::mem::take(&mut running.tokens),
            busy_micros: running.take_busy(),
        });
        self.hold_what_may_be();
    }

    /// A step failed: nobody knows what the context holds now, so all begin anew.
    fn fail(&mut self, reason: &str) {
        eprintln!("a step failed: {reason}");
        self.llama.clear_kv_cache();
        self.kept.iter_mut().for_each(KeptPrefix::forget);
        self.stop_all_preparing();
        for sequence in &mut self.sequences {
            if let Some(running) = sequence.end() {
                let refusal = Refusal::Failed {
                    reason: reason.to_owned(),
                };
                (self.say)(Event::Refused {
                    id: running.id,
                    refusal,
                });
            }
            sequence.forget();
        }
    }
}
