//! Scores of the readings of written forms and of the language of short texts, on sets that other people made.
//!
//! ```sh
//! cargo run --release --package quartet-eval-readings -- forms FOLDER [open|frozen] [CODE]
//! cargo run --release --package quartet-eval-readings -- languages FOLDER [open|frozen] [CODE]
//! cargo run --release --package quartet-eval-readings -- say CODE TEXT…
//! ```
//!
//! `forms`: a folder with a folder per language code (`en`, `de` …) of files with lines `written~spoken[~spoken…]`, the
//! form of the tests of NeMo text processing. `languages`: a folder with a folder per code of files `sentences.txt`,
//! `word-pairs.txt` and `single-words.txt` with a text a line, the form of the tests of lingua. Every line belongs to one of
//! two halves by its hash. Of the open half each miss is printed, of the frozen one sums only. `say` prints the words that
//! are said of each text.

mod cases;
mod compare;
mod forms;
mod half;
mod languages;

use std::path::Path;
use std::process::ExitCode;

use half::Half;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["say", code, ref texts @ ..] = arguments[..] {
        let Ok(language) = code.parse() else {
            eprintln!("`{code}` is no language's code");
            return ExitCode::FAILURE;
        };
        for text in texts {
            println!("{}", compare::words(text, language));
        }
        return ExitCode::SUCCESS;
    }
    let (kind, folder, rest) = match arguments[..] {
        [kind @ ("forms" | "languages"), folder, ref rest @ ..] => (kind, Path::new(folder), rest),
        _ => {
            eprintln!("usage: forms|languages FOLDER [open|frozen] [CODE], or say CODE TEXT…");
            return ExitCode::FAILURE;
        }
    };
    let half = rest.iter().find_map(|word| Half::named(word)).unwrap_or(Half::Open);
    let code = rest.iter().find(|word| Half::named(word).is_none()).copied();
    match kind {
        "forms" => forms::run(folder, half, code),
        _ => languages::run(folder, half, code),
    }
}
