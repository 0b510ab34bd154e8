//! The built-in language model without a service around it: the program `quartet-llm`, asked for one turn after the other.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command as Program, Stdio};
use std::rc::Rc;

use quartet_llm_client::{Finish, Generation, LanguageModel, Model, ModelError, Options, Outcome, Role, Turn};
use quartet_llm_engine::protocol::{self, Command, Event, Generate};

/// Tokens of prompt and answer together.
const CONTEXT: u32 = 4096;

/// A process with a model in it. When it is dropped, its input ends, and with that the process.
pub struct Engine {
    name: String,
    pipes: Rc<RefCell<Pipes>>,
    begun: Cell<u64>,
    _process: Child,
}

struct Pipes {
    commands: ChildStdin,
    events: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts the program with a model's file and waits until it is loaded.
    pub fn start(program: &Path, model: &Path) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut process = Program::new(program)
            .arg(model)
            .args([
                CONTEXT.to_string(),
                "1".to_owned(),
                threads.to_string(),
                "none".to_owned(),
            ])
            // On a busy machine threads that spin keep those from computing for whom they wait.
            .env("GOMP_SPINCOUNT", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine beside the host program");
        let pipes = Pipes {
            commands: process.stdin.take().expect("piped"),
            events: BufReader::new(process.stdout.take().expect("piped")),
        };
        let engine = Self {
            name: model.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            pipes: Rc::new(RefCell::new(pipes)),
            begun: Cell::new(0),
            _process: process,
        };
        match engine.pipes.borrow_mut().next() {
            Ok(Event::Ready { .. }) => {}
            event => panic!("the model cannot be used: {event:?}"),
        }
        engine
    }
}

impl Pipes {
    fn next(&mut self) -> Result<Event, ModelError> {
        let mut line = String::new();
        let failed = |error: &dyn std::fmt::Display| ModelError::Failed(error.to_string());
        self.events.read_line(&mut line).map_err(|error| failed(&error))?;
        serde_json::from_str(&line).map_err(|error| failed(&error))
    }
}

impl LanguageModel for Engine {
    fn info(&self) -> Result<Model, ModelError> {
        Ok(Model {
            name: self.name.clone(),
            context: CONTEXT,
            sees: false,
            remote: false,
            schemas: true,
            tools: true,
            reading_speed: None,
        })
    }

    fn generate(&self, turns: Vec<Turn>, options: &Options) -> Result<Box<dyn Generation>, ModelError> {
        self.begun.set(self.begun.get() + 1);
        let turns = turns.into_iter().map(|turn| protocol::Turn {
            role: match turn.role {
                Role::System => protocol::Role::System,
                Role::User => protocol::Role::User,
                Role::Assistant => protocol::Role::Assistant,
            },
            text: turn.text,
        });
        let command = Command::Generate(Box::new(Generate {
            id: self.begun.get(),
            client: None,
            turns: turns.collect(),
            options: protocol::Options {
                max_tokens: options.max_tokens.unwrap_or(CONTEXT),
                max_milliseconds: options.max_milliseconds,
                temperature: options.temperature.unwrap_or(0.0),
                top_p: options.top_p.unwrap_or(1.0),
                seed: options.seed,
                stop: options.stop.clone(),
                json_schema: options.json_schema.clone(),
                token_probabilities: options.token_probabilities,
            },
        }));
        let line = serde_json::to_string(&command).expect("a command is JSON");
        let pipes = Rc::clone(&self.pipes);
        writeln!(pipes.borrow_mut().commands, "{line}").map_err(|error| ModelError::Failed(error.to_string()))?;
        Ok(Box::new(Answer { pipes, outcome: None }))
    }
}

struct Answer {
    pipes: Rc<RefCell<Pipes>>,
    outcome: Option<Outcome>,
}

impl Generation for Answer {
    fn next(&mut self) -> Result<Option<String>, ModelError> {
        if self.outcome.is_some() {
            return Ok(None);
        }
        match self.pipes.borrow_mut().next()? {
            Event::Piece { text, .. } => Ok(Some(text)),
            Event::Ended { outcome, .. } => {
                self.outcome = Some(Outcome {
                    finish: match outcome.finish {
                        protocol::Finish::Stop => Finish::Stop,
                        protocol::Finish::Length => Finish::Length,
                        protocol::Finish::Time => Finish::Time,
                    },
                    prompt_tokens: outcome.prompt_tokens,
                    cached_tokens: outcome.cached_tokens,
                    answer_tokens: outcome.answer_tokens,
                    probability: outcome.probability,
                });
                Ok(None)
            }
            event => Err(ModelError::Failed(format!("{event:?}"))),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}
