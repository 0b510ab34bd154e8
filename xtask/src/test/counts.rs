//! Counting tests by what the test harness of Rust prints.

use std::fmt;
use std::ops::AddAssign;

/// Starts the line of a test that could not run on this machine; its name and the reason follow. The harness takes such a
/// test for one that passed.
const NOT_RUN: &str = "not run: ";

/// Tests by how they went.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    passed: usize,
    /// Tests that failed.
    pub failed: usize,
    skipped: usize,
    /// Tests that said that they did not run; each is among those that passed.
    not_run: usize,
}

impl Counts {
    /// The tests that a line of output tells of: the result of a program of tests, or one that did not run.
    pub fn of_line(line: &str) -> Self {
        // Where one test runs at a time, its name stands before.
        if line.contains(NOT_RUN) {
            return Self {
                not_run: 1,
                ..Self::default()
            };
        }
        let Some(result) = line.strip_prefix("test result: ") else {
            return Self::default();
        };
        // `ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
        let count = |word: &str| {
            let part = result.split([';', '.']).find_map(|part| part.trim().strip_suffix(word));
            part.and_then(|number| number.trim().parse().ok()).unwrap_or_default()
        };
        Self {
            passed: count("passed"),
            failed: count("failed"),
            skipped: count("ignored"),
            not_run: 0,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.not_run += other.not_run;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passed = self.passed.saturating_sub(self.not_run);
        let skipped = self.skipped + self.not_run;
        write!(f, "{passed} passed, {} failed, {skipped} skipped", self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_programs_are_summed_and_what_did_not_run_is_skipped() {
        let output = "\nrunning 4 tests\ntest a ... ok\ntest b ... FAILED\nnot run: c: there is no libfaketime\ntest c ... ok\n\
                      test d ... ignored\n\ntest result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 5 filtered out; \
                      finished in 0.02s\n\nrunning 3 tests\ntest e ... not run: e: no npm\nok\n\
                      test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s\n";
        let mut counts = Counts::default();
        output.lines().for_each(|line| counts += Counts::of_line(line));
        assert_eq!(counts.to_string(), "3 passed, 1 failed, 3 skipped");
    }

    #[test]
    fn nothing_is_counted_where_nothing_ran() {
        assert_eq!(Counts::of_line("error: could not compile `a`"), Counts::default());
        assert_eq!(Counts::default().to_string(), "0 passed, 0 failed, 0 skipped");
    }
}
