//! Doc comments of public items open with a noun phrase or a verb, so that they make sense in a list: a question word opens a
//! riddle.

use std::fs;

use anyhow::{Context, Result};

use crate::command;
use crate::project::Project;

/// Words that a doc comment does not open with.
const QUESTION_WORDS: [&str; 5] = ["What", "Whether", "How", "Where", "Who"];

/// Checks all sources that git has or would add.
///
/// # Errors
/// When git cannot be asked or a file cannot be read.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let listed =
        command::output(
            project
                .command("git")
                .args(["ls-files", "-z", "-c", "-o", "--exclude-standard", "*.rs"]),
        )?;
    let mut found = Vec::new();
    for path in listed.split_terminator('\0') {
        let file = project.root.join(path);
        if file.is_file() {
            let text = fs::read_to_string(&file).with_context(|| format!("reading {path}"))?;
            found.extend(of_source(path, &text));
        }
    }
    Ok(found)
}

fn of_source(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The opening line of the comment that is being read, with its number.
    let mut opening: Option<(usize, &str)> = None;
    let mut in_attribute = false;
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if in_attribute || line.starts_with("#[") {
            in_attribute = !line.ends_with(']');
        } else if let Some(comment) = line.strip_prefix("/// ") {
            opening = opening.or(Some((number + 1, comment)));
        } else if line != "///" {
            if let Some((number, comment)) = opening.filter(|_| line.starts_with("pub "))
                && let Some(word) = comment.split(|letter: char| !letter.is_alphanumeric()).next()
                && QUESTION_WORDS.contains(&word)
            {
                found.push(format!("{path}:{number}: a doc comment opens with \"{word}\""));
            }
            opening = None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_words_that_open_a_public_items_comment_are_found() {
        let text = "/// What it is.\npub struct A {\n    /// Whether it is.\n    /// More.\n    #[serde(\n        default\n    )]\n    \
                    pub b: bool,\n    /// Who knows.\n    c: u8,\n}\n";
        assert_eq!(
            of_source("a.rs", text),
            [
                "a.rs:1: a doc comment opens with \"What\"",
                "a.rs:3: a doc comment opens with \"Whether\""
            ]
        );
    }

    #[test]
    fn other_comments_are_left_alone() {
        for text in [
            "/// Somewhere. How it works is another question.\npub fn f() {}\n",
            "/// Returns true if it is.\n///\n/// How: by looking.\npub fn f() {}\n",
            "/// Whoever asks.\npub fn f() {}\n",
            "// How it is done.\npub fn f() {}\n",
            "/// What a private function does.\nfn f() {}\n\npub fn g() {}\n",
        ] {
            assert!(of_source("a.rs", text).is_empty(), "{text}");
        }
    }
}
