//! The questions, and what of them is answered right.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use quartet_tests::{Client, Service, web};
use serde_json::{Value, json};
use toml::Table;

/// A question with what a right answer has.
struct Question {
    kind: String,
    language: String,
    search: bool,
    messages: Vec<String>,
    expects: Vec<Vec<String>>,
}

fn questions() -> Vec<Question> {
    let table: Table = include_str!("../../../chat/questions.toml")
        .parse()
        .expect("valid TOML");
    let texts = |value: &toml::Value| -> Vec<String> {
        let values = value.as_array().expect("a list").iter();
        values.map(|text| text.as_str().expect("a text").to_owned()).collect()
    };
    let rows = table["question"].as_array().expect("a list of questions").iter();
    rows.map(|row| Question {
        kind: row["kind"].as_str().expect("a kind").to_owned(),
        language: row["language"].as_str().expect("a language").to_owned(),
        search: row.get("search").and_then(toml::Value::as_bool).unwrap_or(false),
        messages: texts(&row["messages"]),
        expects: row["expects"].as_array().expect("a list").iter().map(texts).collect(),
    })
    .collect()
}

/// Asks all of them, prints a table and what was wrong.
pub fn run() -> ExitCode {
    let encyclopedia = web::wikipedia();
    let template = format!("{}/{{language}}", encyclopedia.address);
    let service = std::env::var_os("QUARTET_BASE_URL").is_none().then(|| {
        Service::start(&[
            "--requests-per-minute",
            "100000",
            "--search-wikipedia",
            &template,
            "--language-model",
            "auto",
        ])
    });
    let client = service.as_ref().map_or_else(
        || Client::new(&std::env::var("QUARTET_BASE_URL").unwrap_or_default()),
        Service::client,
    );
    let info = client.get("/chat/info").data();
    println!("model: {}, search: {}\n", info["model"]["name"], info["search"]);
    let mut scores: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut times = Vec::new();
    let all = questions();
    for (index, question) in all.iter().enumerate() {
        let (answer, time) = ask(&client, question, index);
        let text = answer["data"]["answer"].as_str().unwrap_or_default();
        let right = question
            .expects
            .iter()
            .all(|group| group.iter().any(|part| text.contains(part)));
        for name in [&question.kind, &format!("in {}", question.language), "all"] {
            let score = scores.entry(name.to_string()).or_default();
            score.0 += usize::from(right);
            score.1 += 1;
        }
        if !right {
            let said = if text.is_empty() {
                answer["error"].to_string()
            } else {
                text.replace('\n', " ")
            };
            let said: String = said.chars().take(160).collect();
            println!("wrong ({}): {} → {said}", question.kind, question.messages.join(" / "));
        }
        times.push(time);
    }
    println!();
    for (name, (right, of)) in &scores {
        println!("{name:<14} {right:>3} of {of}");
    }
    times.sort_unstable();
    let (middle, last) = (times[times.len() / 2], times[times.len() - 1]);
    println!("\ntime: median {middle:.2?}, longest {last:.2?}");
    ExitCode::SUCCESS
}

fn ask(client: &Client, question: &Question, index: usize) -> (Value, Duration) {
    let session = format!("question-of-all-{index}-{}", std::process::id());
    let headers = [("content-type", "application/json"), ("x-session-id", session.as_str())];
    let mut last = (Value::Null, Duration::ZERO);
    for message in &question.messages {
        let body = json!({"message": message, "useSearch": question.search, "mode": "concise"});
        let began = Instant::now();
        let reply = client.post_with("/chat", &headers, body.to_string().as_bytes());
        last = (reply.json(), began.elapsed());
    }
    last
}
