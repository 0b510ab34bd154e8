//! `cargo xtask converse`: sixty questions in several languages, scored against the running service; with `--soak N`, so many
//! conversations and what they leave in memory; with `--compute open` or `--compute frozen`, how many and a model, what is computed
//! of one half of the questions about numbers, units, dates and times; with `--knowledge open` or `--knowledge frozen`, how much the
//! model knows.
//!
//! `QUARTET_BASE_URL` names a service that runs already; without it the host is started, with a search of its own.

mod computing;
mod engine;
mod half;
mod knowledge;
mod questions;
mod soak;

use std::process::ExitCode;

use half::Half;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => questions::run(),
        ["--soak", count] if count.parse::<usize>().is_ok() => soak::run(count.parse().unwrap_or(1)),
        ["--knowledge", half] if let Some(half) = Half::named(half) => knowledge::run(half),
        ["--compute", half, ref rest @ ..] if let (Some(half), ..=2) = (Half::named(half), rest.len()) => {
            let most = rest.first().and_then(|most| most.parse().ok()).unwrap_or(usize::MAX);
            computing::run(
                half,
                most,
                rest.get(1).copied().unwrap_or("qwen2.5-coder-1.5b-instruct"),
            )
        }
        _ => {
            eprintln!(
                "converse takes no argument, --soak and a number of conversations, --knowledge and open or frozen, or --compute, open or frozen, how many questions, and a model"
            );
            ExitCode::FAILURE
        }
    }
}
