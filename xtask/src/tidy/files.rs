//! The look of the files of the tree: sources say what they are for, no file is too long or too large, nothing is left
//! lying about. The lines are judged by [`of_source`], which sees text only.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::command;
use crate::project::Project;

/// No file is larger, in bytes: models and archives are fetched by the set-up.
const MAX_FILE_BYTES: u64 = 1_500_000;

/// No source is longer, in lines: longer ones have more than one question in them.
const MAX_SOURCE_LINES: usize = 700;

/// Sources that may be longer, each with the reason.
const LONG: &[(&str, &str)] = &[];

/// The endings of files that are written by hand.
const WRITTEN: &[&str] = &["rs", "toml", "wit", "md", "yml", "yaml", "sh", "html", "css", "js"];

/// Files that come from elsewhere and stay as they are.
const FOREIGN: &[&str] = &["wit/deps/"];

/// Words that mark something unfinished. Written in two parts, because this file is checked as well.
const UNFINISHED: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("dbg", "!("),
];

/// Checks all files that git has or would add, and returns what is wrong with them.
///
/// # Errors
/// When git cannot be asked or a file cannot be read.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let listed = command::output(
        project
            .command("git")
            .args(["ls-files", "-z", "-c", "-o", "--exclude-standard"]),
    )?;
    let mut found = Vec::new();
    for path in listed.split_terminator('\0') {
        let file = project.root.join(path);
        // Deleted, but not yet for git; or a link, whose target is checked by itself.
        let Ok(facts) = fs::symlink_metadata(&file) else {
            continue;
        };
        if !facts.is_file() {
            continue;
        }
        if facts.len() > MAX_FILE_BYTES {
            found.push(format!("{path}: {} bytes, more than {MAX_FILE_BYTES}", facts.len()));
            continue;
        }
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        let written = ending.is_some_and(|ending| WRITTEN.contains(&ending));
        if written && !FOREIGN.iter().any(|folder| path.starts_with(folder)) {
            let bytes = fs::read(&file).with_context(|| format!("reading {path}"))?;
            match String::from_utf8(bytes) {
                Ok(text) => of_source(path, &text, &mut found),
                Err(_) => found.push(format!("{path}: not UTF-8")),
            }
        }
    }
    found.extend(
        LONG.iter()
            .filter(|(path, _)| !project.root.join(path).is_file())
            .map(|(path, _)| format!("{path}: has leave to be long, but is not there")),
    );
    Ok(found)
}

/// Adds to `found` what is wrong with a file's text.
fn of_source(path: &str, text: &str, found: &mut Vec<String>) {
    let rust = path.ends_with(".rs");
    if rust && !text.starts_with("//!") {
        found.push(format!("{path}:1: does not start with `//!` and what the file is for"));
    }
    let lines = text.lines().count();
    let listed = LONG.iter().any(|(long, _)| *long == path);
    match (rust && lines > MAX_SOURCE_LINES, listed) {
        (true, false) => found.push(format!("{path}: {lines} lines, more than {MAX_SOURCE_LINES}")),
        (false, true) => found.push(format!("{path}: has leave to be long and no longer needs it")),
        _ => {}
    }
    if !text.is_empty() && !text.ends_with('\n') {
        found.push(format!("{path}: the last line is not ended"));
    }
    for (number, line) in text.split('\n').enumerate().map(|(index, line)| (index + 1, line)) {
        if line.ends_with([' ', '\t', '\r']) {
            found.push(format!("{path}:{number}: white space at the end"));
        }
        if line.contains('\t') {
            found.push(format!("{path}:{number}: a tab"));
        }
        if let Some(word) = UNFINISHED.iter().find(|word| line.contains(**word)) {
            found.push(format!("{path}:{number}: {word}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        of_source(path, text, &mut found);
        found
    }

    #[test]
    fn a_tidy_source_has_nothing() {
        assert!(found("a.rs", "//! What it is for.\n\nfn main() {}\n").is_empty());
        assert!(found("a.md", "# Title\n").is_empty());
        assert!(found("a.toml", "").is_empty());
    }

    #[test]
    fn each_rule_is_seen() {
        assert_eq!(found("a.rs", "fn main() {}\n").len(), 1);
        assert_eq!(
            found("a.rs", "//! A.\nlet x = 1; \n"),
            ["a.rs:2: white space at the end"]
        );
        assert_eq!(found("a.rs", "//! A.\n\tlet x = 1;\n"), ["a.rs:2: a tab"]);
        assert_eq!(found("a.rs", "//! A.\r\n"), ["a.rs:1: white space at the end"]);
        assert_eq!(found("a.md", "# Title"), ["a.md: the last line is not ended"]);
        assert_eq!(
            found("a.rs", &format!("//! A.\n// {}: later\n", UNFINISHED[0])).len(),
            1
        );
        assert_eq!(
            found("a.rs", &format!("//! A.\n{}", "//\n".repeat(MAX_SOURCE_LINES))).len(),
            1
        );
        assert!(found("a.rs", &format!("//! A.\n{}", "//\n".repeat(MAX_SOURCE_LINES - 1))).is_empty());
    }
}
