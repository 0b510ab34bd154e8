//! Prints the text of a PDF: `pdf_text [--json] [--markdown] [--all] FILE`. With `--all` its running headers and footers,
//! too.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use quartet_pdf_text::{Options, markdown, read};
use quartet_text_analysis::Page;

fn main() -> ExitCode {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let flag = |name: &str| flags.iter().any(|flag| flag == name);
    let [file] = files.as_slice() else {
        eprintln!("usage: pdf_text [--json] [--markdown] [--all] FILE");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let begun = Instant::now();
    let time_left = || begun.elapsed() < Duration::from_secs(60);
    let document = match read(
        bytes,
        &Options {
            time_left: &time_left,
            ..Options::default()
        },
    ) {
        Ok(document) => document,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    if flag("--json") {
        println!("{}", serde_json::to_string_pretty(&document).unwrap_or_default());
        return ExitCode::SUCCESS;
    }
    if flag("--markdown") {
        let pages = markdown::pages(&document, markdown::Tables::Guessed);
        let numbered = document
            .pages
            .iter()
            .zip(&pages)
            .map(|(page, text)| (page.number, text.as_str()));
        println!("{}", markdown::join(numbered));
        return ExitCode::SUCCESS;
    }
    let whole = |page: &Page| {
        page.blocks
            .iter()
            .map(|block| block.text.as_str())
            .collect::<Vec<_>>()
            .join("\n\n")
    };
    let pages: Vec<String> = document
        .pages
        .iter()
        .map(|page| if flag("--all") { whole(page) } else { page.text() })
        .collect();
    println!("{}", pages.join("\n\u{c}\n"));
    ExitCode::SUCCESS
}
