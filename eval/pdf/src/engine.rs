//! The built-in engine as a language model of its own, without a host around it.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command as Program, Stdio};
use std::rc::Rc;

use quartet_llm_client::{Finish, Generation, LanguageModel, Model, ModelError, Options, Outcome, Turn};
use quartet_llm_engine::protocol::{self, Command, Event, Generate};

/// Context of the engine, in tokens: the default of the service.
const CONTEXT: u32 = 4_096;

/// Running engine.
pub struct Process {
    child: Child,
    pipes: Rc<RefCell<Pipes>>,
    next: Cell<u64>,
    name: String,
    counts: Rc<Cell<Counts>>,
}

struct Pipes {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    turns: u64,
    read: u64,
    cached: u64,
    written: u64,
}

impl Process {
    /// Starts the program and waits for the model.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub fn start(program: &Path, model: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let threads = std::env::var("QUARTET_ENGINE_THREADS").unwrap_or_else(|_| "2".to_owned());
        let mut child = Program::new(program)
            .arg(model)
            .args([CONTEXT.to_string(), "1".to_owned(), threads, "none".to_owned()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err("the engine has no pipes".into());
        };
        let mut pipes = Pipes {
            input,
            output: BufReader::new(output),
        };
        let name = match pipes.event()? {
            Event::Ready { name, .. } => name,
            other => return Err(format!("the engine does not begin: {other:?}").into()),
        };
        Ok(Self {
            child,
            pipes: Rc::new(RefCell::new(pipes)),
            next: Cell::new(1),
            name,
            counts: Rc::default(),
        })
    }

    /// Tokens that were read and written so far.
    #[must_use]
    pub fn report(&self) -> String {
        let Counts {
            turns,
            read,
            cached,
            written,
        } = self.counts.get();
        format!("{turns} turns: {read} tokens read, {cached} of them known before, {written} written")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pipes {
    fn event(&mut self) -> Result<Event, ModelError> {
        let failed = |reason: &dyn fmt::Display| ModelError::Failed(reason.to_string());
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| failed(&error))?;
        serde_json::from_str(&line).map_err(|error| failed(&error))
    }
}

impl LanguageModel for Process {
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
        let id = self.next.replace(self.next.get() + 1);
        let role = |role| match role {
            quartet_llm_client::Role::System => protocol::Role::System,
            quartet_llm_client::Role::User => protocol::Role::User,
            quartet_llm_client::Role::Assistant => protocol::Role::Assistant,
        };
        let command = Command::Generate(Box::new(Generate {
            id,
            client: None,
            turns: turns
                .into_iter()
                .map(|turn| protocol::Turn {
                    role: role(turn.role),
                    text: turn.text,
                })
                .collect(),
            options: protocol::Options {
                max_tokens: options.max_tokens.unwrap_or(512),
                max_milliseconds: None,
                temperature: options.temperature.unwrap_or(0.0),
                top_p: options.top_p.unwrap_or(1.0),
                seed: options.seed,
                stop: options.stop.clone(),
                json_schema: options.json_schema.clone(),
                token_probabilities: options.token_probabilities,
            },
        }));
        let line = serde_json::to_string(&command).map_err(|error| ModelError::Failed(error.to_string()))?;
        let input = &mut self.pipes.borrow_mut().input;
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .map_err(|error| ModelError::Unavailable(error.to_string()))?;
        Ok(Box::new(Words {
            pipes: Rc::clone(&self.pipes),
            id,
            outcome: None,
            counts: Rc::clone(&self.counts),
        }))
    }
}

struct Words {
    pipes: Rc<RefCell<Pipes>>,
    id: u64,
    outcome: Option<Outcome>,
    counts: Rc<Cell<Counts>>,
}

impl Generation for Words {
    fn next(&mut self) -> Result<Option<String>, ModelError> {
        if self.outcome.is_some() {
            return Ok(None);
        }
        loop {
            match self.pipes.borrow_mut().event()? {
                Event::Piece { id, text, .. } if id == self.id => return Ok(Some(text)),
                Event::Ended { id, outcome, .. } if id == self.id => {
                    let mut counts = self.counts.get();
                    counts.turns += 1;
                    counts.read += u64::from(outcome.prompt_tokens);
                    counts.cached += u64::from(outcome.cached_tokens);
                    counts.written += u64::from(outcome.answer_tokens);
                    self.counts.set(counts);
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
                    return Ok(None);
                }
                Event::Refused { id, refusal } if id == self.id => {
                    return Err(ModelError::Failed(format!("{refusal:?}")));
                }
                Event::Broken { reason } => return Err(ModelError::Failed(reason)),
                _ => {}
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}
