//! Questions to be computed, and others that must not be: what is right, what is missed and what is wrong, by the tables alone
//! and with the built-in model.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use jiff::civil::{DateTime, date};
use quartet_api::Language;
use quartet_chat::calculate::{self, Computed, Understood};
use quartet_tests::service::given;

use crate::engine::Engine;
use crate::half::Half;

const OPEN: &str = include_str!("../../../chat/computing.open.tsv");
const FROZEN: &str = include_str!("../../../chat/computing.frozen.tsv");

/// Longest time for one expression. Nothing is scored by time; the machine may be busy.
const MILLISECONDS: u32 = 120_000;

/// Scores of a group of questions.
#[derive(Debug, Default)]
struct Score {
    right: usize,
    /// Left to the model though there is something to compute.
    missed: usize,
    /// Computed, but not what was asked for.
    wrong: usize,
}

/// Tokens and time of the model.
#[derive(Debug, Default)]
struct Cost {
    asked: usize,
    prompt: u32,
    cached: u32,
    answer: u32,
    time: Duration,
}

/// Asks the first questions of a half, which are in no order, and prints the scores, with the name of a model; of the open half
/// also what was not right.
pub fn run(half: Half, most: usize, model: &str) -> ExitCode {
    score(half.of(OPEN, FROZEN), half == Half::Open, most, model)
}

/// Asks the questions of a file with the same five fields, and prints what was not right, and the scores.
pub fn run_file(file: &Path, most: usize, model: &str) -> ExitCode {
    match std::fs::read_to_string(file) {
        Ok(table) => score(&table, true, most, model),
        Err(error) => {
            eprintln!("reading {}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}

fn score(table: &str, tells: bool, most: usize, model: &str) -> ExitCode {
    let engine = given("QUARTET_HOST").with_file_name("quartet-llm");
    let engine = Engine::start(&engine, &given("QUARTET_MODELS").join(format!("{model}.gguf")));
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let (mut by_tables, mut costs) = (0, BTreeMap::<&str, Cost>::new());
    for line in table.lines().filter(|line| !line.starts_with('#')).take(most) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, code, now, expected, question] = fields[..] else {
            panic!("not five fields: {line}")
        };
        let now: DateTime = if now.is_empty() {
            date(2026, 11, 21).at(13, 45, 0, 0)
        } else {
            now.parse().expect("a date with a time")
        };
        // A person names no language.
        let detected = quartet_chat::answer::language(question);
        let began = Instant::now();
        let certain = calculate::answer(question, detected, Some(now));
        by_tables += usize::from(certain.is_some());
        let understood = match certain {
            Some(computed) => Understood {
                computed: Some(computed),
                ..Understood::default()
            },
            None => calculate::understand(question, detected, Some(now), &engine, MILLISECONDS),
        };
        let Understood {
            computed,
            asks_of_now,
            written,
            outcome: asked,
            ..
        } = understood;
        let kind = if expected == "none" { "not computed" } else { "computed" };
        if let Some(outcome) = asked {
            let cost = costs.entry(kind).or_default();
            cost.asked += 1;
            cost.prompt += outcome.prompt_tokens;
            cost.cached += outcome.cached_tokens;
            cost.answer += outcome.answer_tokens;
            cost.time += began.elapsed();
        }
        let right = expected
            .split('|')
            .any(|expected| is_right(computed.as_ref(), expected));
        let source = id.split('-').next().unwrap_or_default();
        let tongue = if code == Language::English.code() {
            "English"
        } else {
            "other languages"
        };
        for group in ["all", &format!("{kind}, {tongue}"), &format!("source {source}, {kind}")] {
            let score = scores.entry(group.to_owned()).or_default();
            match (&computed, right) {
                (_, true) => score.right += 1,
                (None, false) => score.missed += 1,
                (Some(_), false) => score.wrong += 1,
            }
        }
        if tells && !right {
            let said = match computed {
                Some(computed) => computed.answer,
                None if asks_of_now => "said to be uncertain".to_owned(),
                None => "left to the model".to_owned(),
            };
            println!(
                "{id} ({code}, {}): {question} → {said}, not {expected} [{written}]",
                detected.code()
            );
        }
    }
    println!("\n{model}: right, missed, wrong");
    for (name, Score { right, missed, wrong }) in &scores {
        println!("{name:<40} {right:>4} {missed:>4} {wrong:>4}");
    }
    println!("\nwithout the model: {by_tables}");
    for (kind, cost) in &costs {
        let each = |tokens: u32| f64::from(tokens) / cost.asked as f64;
        println!(
            "{kind}: model asked {} times; tokens of its prompt {:.1}, of these computed anew {:.1}, of its answer {:.1}; {:.1?} each",
            cost.asked,
            each(cost.prompt),
            each(cost.prompt - cost.cached),
            each(cost.answer),
            cost.time / u32::try_from(cost.asked).unwrap_or(1),
        );
    }
    ExitCode::SUCCESS
}

fn is_right(computed: Option<&Computed>, expected: &str) -> bool {
    let Some(computed) = computed else {
        return expected == "none";
    };
    match (computed.value.parse::<f64>(), expected.parse::<f64>()) {
        // Rounded to some five digits.
        (Ok(is), Ok(expected)) => (is - expected).abs() <= 2e-5 * expected.abs(),
        _ => computed.value == expected,
    }
}
