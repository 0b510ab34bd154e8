//! General knowledge: questions of quizzes and of a search competition, answered by the running service, and how many of the answers
//! name something that the model was not sure of.

use std::collections::BTreeMap;
use std::process::ExitCode;

use quartet_tests::{Client, Service};
use regex::RegexBuilder;
use serde_json::json;

use crate::half::Half;

const OPEN: &str = include_str!("../../../chat/knowledge.open.tsv");
const FROZEN: &str = include_str!("../../../chat/knowledge.frozen.tsv");

/// Asks all questions of a half and prints how many are right, by their source; of the open half also what was not right.
pub fn run(half: Half) -> ExitCode {
    let service = std::env::var_os("QUARTET_BASE_URL").is_none().then(|| {
        Service::start(&[
            "--requests-per-minute",
            "100000",
            "--search-wikipedia",
            "off",
            "--language-model",
            "auto",
        ])
    });
    let client = service.as_ref().map_or_else(
        || Client::new(&std::env::var("QUARTET_BASE_URL").unwrap_or_default()),
        Service::client,
    );
    println!("model: {}\n", client.get("/chat/info").data()["model"]["name"]);
    let mut scores: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    // By whether the answer is right: those that name something, and all.
    let mut named = [(0, 0); 2];
    for line in half.of(OPEN, FROZEN).lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, pattern, question] = fields[..] else {
            panic!("not three fields: {line}")
        };
        let pattern = RegexBuilder::new(pattern).case_insensitive(true).build();
        let pattern = pattern.unwrap_or_else(|error| panic!("{id}: {error}"));
        // A conversation of one's own is not kept.
        let answer = client
            .post("/chat", &json!({"message": question, "messages": []}))
            .json();
        let text = answer["data"]["answer"].as_str().unwrap_or_default();
        let right = pattern.is_match(text);
        let source = id.rsplit_once('-').map_or(id, |(source, _)| source);
        let unsure = answer["data"]["unsure"].as_array().is_some_and(|list| !list.is_empty());
        let of = &mut named[usize::from(right)];
        *of = (of.0 + usize::from(unsure), of.1 + 1);
        for group in ["all", source] {
            let score = scores.entry(group).or_default();
            score.0 += usize::from(right);
            score.1 += 1;
        }
        if half == Half::Open && !right {
            println!("{id}: {question} → {}", text.replace('\n', " "));
        }
    }
    println!("\n{half:?} half");
    for (group, (right, of)) in scores {
        println!("{group:<20} {right:>3} of {of}");
    }
    let [wrong, right] = named;
    println!(
        "unsure of something: {} of {} wrong answers, {} of {} right ones",
        wrong.0, wrong.1, right.0, right.1
    );
    ExitCode::SUCCESS
}
