//! The parts of a run: how long each took, and which failed.

use std::io::{self, BufReader, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::counts::Counts;
use super::failures::Failures;
use crate::command;

/// Parts that have been run.
#[derive(Default)]
pub struct Parts {
    times: Vec<(String, Duration)>,
    failed: Vec<String>,
    /// A line for each test that failed.
    failures: Vec<String>,
    /// Tests, and parts that failed otherwise than by a test.
    counts: Counts,
}

impl Parts {
    /// Runs one part; none when it fails, which has been said by then.
    pub fn run<T>(&mut self, name: &str, part: impl FnOnce() -> Result<T>) -> Option<T> {
        eprintln!("test: {name}");
        let start = Instant::now();
        let result = part();
        self.times.push((name.to_owned(), start.elapsed()));
        match result {
            Ok(done) => Some(done),
            Err(error) => {
                eprintln!("error: {name}: {error:#}");
                self.failed.push(name.to_owned());
                self.counts.failed += 1;
                None
            }
        }
    }

    /// Runs a command as a part.
    pub fn command(&mut self, name: &str, part: &mut Command) {
        self.run(name, || command::run(part));
    }

    /// Runs a command of tests as a part, and counts them.
    pub fn tests(&mut self, name: &str, part: &mut Command) {
        let mut counts = Counts::default();
        let mut failures = Failures::default();
        let done = self.run(name, || counted(part, &mut counts, &mut failures));
        let named = failures.into_lines().into_iter().map(|test| format!("{name}: {test}"));
        self.failures.extend(named);
        if done.is_none() && counts.failed > 0 {
            // The failure is that of its tests.
            self.counts.failed -= 1;
        }
        self.counts += counts;
    }

    /// Says how long everything took and what failed; the last line has the counts.
    pub fn verdict(self) -> ExitCode {
        for (name, time) in &self.times {
            eprintln!("{:>6.1} s  {name}", time.as_secs_f64());
        }
        if self.failed.is_empty() {
            eprintln!("test: all parts passed");
        } else {
            for test in &self.failures {
                eprintln!("error: {test}");
            }
            eprintln!("error: failed: {}", self.failed.join(", "));
        }
        println!("{}", self.counts);
        ExitCode::from(u8::from(!self.failed.is_empty()))
    }
}

/// Runs a command, hands its output on as it comes, counts the tests that it tells of, and keeps those that failed.
fn counted(command: &mut Command, counts: &mut Counts, failures: &mut Failures) -> Result<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the tests")?;
    let mut output = BufReader::new(child.stdout.take().context("the output is piped")?);
    let (mut piece, mut line) = (vec![0; 64 * 1024], Vec::new());
    while let length @ 1.. = output.read(&mut piece).context("reading the tests' output")? {
        let mut shown = io::stdout().lock();
        shown.write_all(&piece[..length]).and_then(|()| shown.flush())?;
        for byte in &piece[..length] {
            if *byte == b'\n' {
                let text = String::from_utf8_lossy(&line);
                *counts += Counts::of_line(&text);
                failures.read(&text);
                line.clear();
            } else {
                line.push(*byte);
            }
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("{status}");
    }
    Ok(())
}
