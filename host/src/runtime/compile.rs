//! Compiles components to machine code.
//!
//! A host has a process of its own compile: while requests are served it runs at a low priority, so that they come
//! first whatever the compiler does with its threads; its memory, several hundred megabytes for a large component, is
//! the system's again when it ends; and a component that the compiler cannot digest takes down that process and nothing
//! else.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use wasmtime::Engine;

use crate::config::Limits;
use crate::priority;

/// The subcommand that compiles.
pub const SUBCOMMAND: &str = "compile-component";

/// The flag of the subcommand for its niceness.
pub const NICENESS_FLAG: &str = "niceness";

/// Niceness of a compiler that gives way: it gets a tenth of a processor that is wanted by others. At the lowest
/// priority it would get a seventieth, and a busy host would wait for its next version for minutes.
const GIVING_WAY_NICENESS: &str = "10";

/// The share of the machine that a compiler may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The whole machine: nothing is served yet.
    Full,
    /// The share that requests leave.
    GivingWay,
}

/// The compiler of components.
#[derive(Debug, Clone)]
pub enum Compiler {
    /// This thread, and wasmtime's own pool of threads.
    Here,
    /// Another process of this program.
    Apart {
        /// The program.
        program: PathBuf,
        /// Arguments that make its code fit this process's engine.
        arguments: Vec<String>,
    },
}

impl Compiler {
    /// A compiler in another process, with the same limits. Compiles here where the program cannot be found.
    pub fn apart(limits: &Limits) -> Self {
        // The system's name for the file that runs, which stays right when another one takes its path.
        let linux = PathBuf::from("/proc/self/exe");
        let program = if linux.exists() {
            Ok(linux)
        } else {
            std::env::current_exe()
        };
        let Ok(program) = program else {
            return Compiler::Here;
        };
        // What `engine` and `serve` look at.
        let arguments = vec![
            format!("--memory-bytes={}", limits.memory_bytes),
            format!("--concurrent-requests={}", limits.concurrent_requests),
            format!("--concurrent-streams={}", limits.concurrent_streams),
            format!("--compile-seconds={}", limits.compile_seconds.as_secs()),
        ];
        Compiler::Apart { program, arguments }
    }

    /// The machine code of a component.
    pub fn compile(&self, engine: &Engine, bytes: &[u8], pace: Pace) -> wasmtime::Result<Vec<u8>> {
        match self {
            Compiler::Here => engine.precompile_component(bytes),
            Compiler::Apart { program, arguments } => match start(program, arguments, pace) {
                Ok(child) => converse(child, bytes).map_err(wasmtime::Error::msg),
                Err(error) => {
                    tracing::warn!(%error, "no process can be started to compile in; compiling here");
                    engine.precompile_component(bytes)
                }
            },
        }
    }
}

fn start(program: &PathBuf, arguments: &[String], pace: Pace) -> std::io::Result<Child> {
    let niceness = match pace {
        Pace::Full => "0",
        Pace::GivingWay => GIVING_WAY_NICENESS,
    };
    Command::new(program)
        .arg(SUBCOMMAND)
        .args(arguments)
        .arg(format!("--{NICENESS_FLAG}={niceness}"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Sends the component to the process and reads the code, or the reason why there is none.
fn converse(mut child: Child, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A process that ended early says why on its standard error.
            let _ = stdin.map(|mut stdin| stdin.write_all(bytes));
        });
        let reason = scope.spawn(move || {
            let mut reason = String::new();
            let _ = stderr.map(|stderr| stderr.take(10_000).read_to_string(&mut reason));
            reason
        });
        let output = child.wait_with_output();
        (output, reason.join().unwrap_or_default())
    });
    match output {
        (Ok(output), _) if output.status.success() => Ok(output.stdout),
        (Ok(output), reason) if reason.is_empty() => Err(format!("the compiler ended with {}", output.status)),
        (Ok(_), reason) => Err(reason.trim().to_owned()),
        (Err(error), _) => Err(format!("the compiler cannot be waited for: {error}")),
    }
}

/// The main function of the process that compiles: a component from standard input, its code to standard output. It
/// ends with the host. The error is a reason for the operator.
pub fn serve(limits: &Limits, niceness: i32) -> Result<(), String> {
    // Where it may not be nicer, it compiles all the same; so it does where the host's end is not told.
    let _ = priority::lower_process_priority(niceness);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    let most = limits.compile_seconds;
    std::thread::spawn(move || {
        std::thread::sleep(most);
        eprintln!("it was not compiled within the {} seconds allowed", most.as_secs());
        std::process::exit(1);
    });
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| format!("the component cannot be read: {error}"))?;
    let code = super::engine(limits)
        .and_then(|engine| engine.precompile_component(&bytes))
        .map_err(|error| format!("{error:#}"))?;
    std::io::stdout()
        .write_all(&code)
        .map_err(|error| format!("nobody takes the code: {error}"))
}
