//! `cargo xtask converse`: sixty questions in several languages, scored against the running service; with `--soak N`, so many
//! conversations and what they leave in memory; with `--compute`, `open`, `frozen` or a file, how many and a model, what is computed
//! of questions about numbers, units, dates and times; with `--knowledge open` or `--knowledge frozen`, how much the
//! model knows.
//!
//! `QUARTET_BASE_URL` names a service that runs already; without it the host is started, with a search of its own.

mod computing;
mod engine;
mod half;
mod knowledge;
mod questions;
mod soak;

use std::path::Path;
use std::process::ExitCode;

use half::Half;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => questions::run(),
        ["--soak", count] if count.parse::<usize>().is_ok() => soak::run(count.parse().unwrap_or(1)),
        ["--knowledge", half] if let Some(half) = Half::named(half) => knowledge::run(half),
        ["--compute", set, ref rest @ ..] if rest.len() <= 2 => {
            let most = rest.first().and_then(|most| most.parse().ok()).unwrap_or(usize::MAX);
            let model = rest.get(1).copied().unwrap_or("qwen2.5-coder-1.5b-instruct");
            match Half::named(set) {
                Some(half) => computing::run(half, most, model),
                None => computing::run_file(Path::new(set), most, model),
            }
        }
        _ => {
            eprintln!(
                "converse takes no argument, --soak and a number of conversations, --knowledge and open or frozen, or --compute, open, frozen or a file, how many questions, and a model"
            );
            ExitCode::FAILURE
        }
    }
}
