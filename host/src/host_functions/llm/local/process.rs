//! The engine's process and the threads that talk to it. Threads, because tokio's processes would need a feature of
//! tokio that wasmtime has not.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command as Program, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use quartet_llm_engine::protocol::{Command, Event};

use super::prompt_cache::PromptCache;
use crate::config::{self, Accelerator};

/// Number of times a thread of the engine looks for the others before it sleeps. Threads that only look keep those from
/// computing for whom they wait: on a machine with eight times more to do than processors, two threads wrote 0.7 tokens
/// a second with the library's own value (300,000), 1.6 with 10,000, 8 with 500, 11 with 0. Some looking stays for
/// machines that are idle, where whom they wait for is there in a moment.
const SPIN_COUNT: &str = "500";

/// Variables of the environment by which drivers of graphics processors find their libraries and choose devices.
const DRIVER_VARIABLES: [&str; 9] = [
    "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "NVIDIA_VISIBLE_DEVICES",
    "GGML_VK_VISIBLE_DEVICES",
    "VK_DRIVER_FILES",
    "VK_ADD_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "__GLX_VENDOR_LIBRARY_NAME",
];

/// An event of an engine's process.
pub enum EngineEvent {
    /// A message of the engine.
    Event(Event),
    /// The process ended; in words for the operator.
    End(String),
}

/// A process that runs. When it is dropped, its input ends, and with that the process.
pub struct Process {
    commands: Sender<Command>,
    child: Arc<Mutex<Child>>,
}

impl Process {
    /// Starts it with a model and the files of its prompt cache; `on_event` gets every event, its end last.
    ///
    /// # Errors
    /// When the program is not there or cannot be started.
    pub fn start(
        config: &config::Local,
        model: &Path,
        prompt_cache: Option<&PromptCache>,
        on_event: impl Fn(EngineEvent) + Send + 'static,
    ) -> io::Result<Self> {
        let mut child = Program::new(&config.engine)
            .arg(model)
            .arg(config.context.to_string())
            .arg(config.sequences.to_string())
            .arg(config.threads.to_string())
            .arg(config.accelerator.name())
            .args(prompt_cache.into_iter().flat_map(|files| [&files.written, &files.new]))
            // It needs nothing of the host's environment, in which keys may be.
            .env_clear()
            .env("GOMP_SPINCOUNT", SPIN_COUNT)
            .envs(driver_variables(config.accelerator))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (commands, receiver) = channel();
        named("language-in")?.spawn(move || write(stdin, &receiver))?;
        named("language-err")?.spawn(move || log(stderr))?;
        let child = Arc::new(Mutex::new(child));
        let read_child = Arc::clone(&child);
        named("language-out")?.spawn(move || read(&read_child, stdout, on_event))?;
        Ok(Self { commands, child })
    }

    /// Ends it at once, whatever it does. The event of its end follows.
    pub fn kill(&self) {
        kill(&self.child);
    }

    /// Sends a command. If the process has ended, the event of its end comes instead of an answer.
    pub fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }
}

fn driver_variables(accelerator: Accelerator) -> impl Iterator<Item = (&'static str, OsString)> {
    let passed = DRIVER_VARIABLES
        .iter()
        .filter(move |_| accelerator != Accelerator::None);
    passed.filter_map(|name| Some((*name, std::env::var_os(name)?)))
}

fn named(name: &str) -> io::Result<thread::Builder> {
    Ok(thread::Builder::new().name(name.to_owned()))
}

fn write(stdin: Option<ChildStdin>, commands: &Receiver<Command>) {
    let Some(stdin) = stdin else { return };
    let mut stdin = BufWriter::new(stdin);
    for command in commands {
        let Ok(line) = serde_json::to_string(&command) else {
            continue;
        };
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Ends a process that has not been waited for, so that its number can be nobody else's.
fn kill(child: &Mutex<Child>) {
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
}

fn read(child: &Mutex<Child>, stdout: Option<ChildStdout>, on_event: impl Fn(EngineEvent)) {
    for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
        match line.map(|line| serde_json::from_str::<Event>(&line)) {
            Ok(Ok(event)) => on_event(EngineEvent::Event(event)),
            Ok(Err(error)) => tracing::warn!(%error, "what the language model's engine says cannot be read"),
            Err(_) => break,
        }
    }
    // It says nothing any more, so nobody needs it.
    kill(child);
    let ended = child.lock().unwrap_or_else(PoisonError::into_inner).wait();
    let how = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
    on_event(EngineEvent::End(how));
}

fn log(stderr: Option<ChildStderr>) {
    let Some(stderr) = stderr else { return };
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        tracing::warn!(engine = "language", "{line}");
    }
}
