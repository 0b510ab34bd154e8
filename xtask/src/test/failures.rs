//! The tests that failed, each with the place and the sentence of its panic, from what the test harness of Rust prints.
//!
//! What a service logs stands between, in thousands of lines: at the end of a run a reader needs the few that say why.

/// Characters of a panic's message that are kept.
const MAX_MESSAGE: usize = 300;

/// Failed tests of one program's output, read line by line.
#[derive(Debug, Default)]
pub struct Failures {
    found: Vec<String>,
    next: Next,
}

/// The line that is looked for.
#[derive(Debug, Default, PartialEq, Eq)]
enum Next {
    /// The head of what a failed test printed.
    #[default]
    Head,
    /// The place of its panic.
    Place,
    /// The message of its panic.
    Message,
}

impl Failures {
    /// Reads the next line.
    pub fn read(&mut self, line: &str) {
        let head = line
            .strip_prefix("---- ")
            .and_then(|head| head.strip_suffix(" stdout ----"));
        if let Some(name) = head {
            self.found.push(name.to_owned());
            self.next = Next::Place;
            return;
        }
        let Some(last) = self.found.last_mut() else { return };
        if self.next == Next::Message {
            last.push(' ');
            last.extend(line.chars().take(MAX_MESSAGE));
            self.next = Next::Head;
        } else if self.next == Next::Place
            && let Some((_, place)) = line.split_once(" panicked at ")
        {
            last.push_str(", ");
            last.push_str(place);
            self.next = Next::Message;
        }
    }

    /// A line for each failed test: its name, and the place and the message of its panic where it had one.
    pub fn into_lines(self) -> Vec<String> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_are_named_with_the_place_and_the_message_of_their_panic() {
        let output = "running 3 tests\ntest a::b ... FAILED\ntest c ... FAILED\ntest d ... ok\n\nfailures:\n\n\
                      ---- a::b stdout ----\n{\"level\":\"INFO\"}\n\nthread 'a::b' (17) panicked at tests/src/wait.rs:21:9:\n\
                      not within 360 s: an answer\nnote: run with `RUST_BACKTRACE=1`\n\n\
                      thread '<unnamed>' (18) panicked at tests/x.rs:1:1:\nlater\n\n\
                      ---- c stdout ----\nError: \"no file\"\n\nfailures:\n    a::b\n    c\n";
        let mut failures = Failures::default();
        output.lines().for_each(|line| failures.read(line));
        assert_eq!(
            failures.into_lines(),
            ["a::b, tests/src/wait.rs:21:9: not within 360 s: an answer", "c"]
        );
    }
}
