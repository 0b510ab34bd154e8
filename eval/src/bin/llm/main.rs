//! Measures the built-in language model through the whole service, beside llama.cpp by itself with the same weights, the same
//! text and as many threads, in turns. Arguments: the model's name, the number of rounds. It prints
//! tokens a second of prompts and answers, time to the first piece, memory.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use quartet_tests::Service;
use quartet_tests::service::given;
use serde_json::{Value, json};

/// Tokens of a prompt, about.
const PROMPT: usize = 512;
/// Tokens of an answer.
const ANSWER: usize = 64;
/// A text that is long enough and was not written for this.
const TEXT: &str = "LICENSE-APACHE";

/// Tokens a second of prompts and of answers, seconds to the first piece, on average, and until all is done.
#[derive(Debug, Clone, Copy, Default)]
struct Speed {
    prompt: f64,
    answer: f64,
    first: f64,
    whole: f64,
}

fn main() {
    let rounds = std::env::args()
        .nth(2)
        .map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let model = given("QUARTET_MODELS").join(
        std::env::args()
            .nth(1)
            .unwrap_or_else(|| "qwen2.5-coder-0.5b-instruct".to_owned())
            + ".gguf",
    );
    let asking = Folder::new();
    let service = Service::start_with(
        &asking.0,
        &[
            "--language-model",
            model.to_str().expect("UTF-8"),
            "--language-load",
            "start",
            "--respond-seconds",
            "600",
            "--requests-per-minute",
            "100000",
        ],
    );
    let text = std::fs::read_to_string(TEXT).expect("the text");
    // About four characters a token.
    let text: String = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(PROMPT * 9 / 2)
        .collect();
    let file = std::env::temp_dir().join(format!("quartet-prompt-{}", std::process::id()));
    std::fs::write(&file, &text).expect("the prompt's file");
    ask(&service, "Hello", 0);
    let (mut ours, mut theirs) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
    for round in 0..rounds {
        for (index, together) in [1, 4].into_iter().enumerate() {
            theirs[index].push(alone(&model, threads, &file, together));
            ours[index].push(through(&service, &text, round * 100 + index * 10, together));
        }
    }
    let again = again(&service, &text);
    let mut page = String::new();
    let _ = writeln!(
        page,
        "{} threads, {}, medians of {rounds} rounds\n",
        threads,
        model.display()
    );
    page.push_str("| at once | of | llama.cpp alone | through the service | ratio |\n|---|---|---|---|---|\n");
    for (index, together) in [1, 4].into_iter().enumerate() {
        for (what, of) in [
            ("prompt, tokens/s", (|speed: &Speed| speed.prompt) as fn(&Speed) -> f64),
            ("answers, tokens/s", |speed| speed.answer),
            ("first piece, mean, s", |speed| speed.first),
            ("all of it, s", |speed| speed.whole),
        ] {
            // Of several, some are read while others are written: then only times can be compared.
            if together > 1 && what.contains("tokens") {
                continue;
            }
            let (theirs, ours) = (median(&theirs[index], of), median(&ours[index], of));
            let _ = writeln!(
                page,
                "| {together} | {what} | {theirs:.2} | {ours:.2} | {:.2} |",
                ours / theirs
            );
        }
    }
    let _ = writeln!(
        page,
        "\nFirst piece of the next turn of the same conversation: {again:.2} s"
    );
    for (name, pid) in engines(service.pid())
        .into_iter()
        .map(|pid| ("engine", pid))
        .chain([("host", service.pid())])
    {
        let _ = writeln!(
            page,
            "Memory of the {name}: {:.0} MB ({:.0} MB of it files)",
            memory(pid, "VmRSS"),
            memory(pid, "RssFile")
        );
    }
    println!("{page}");
    let _ = std::fs::remove_file(file);
}

fn median(speeds: &[Speed], of: fn(&Speed) -> f64) -> f64 {
    let mut values: Vec<_> = speeds.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// llama.cpp by itself.
fn alone(model: &Path, threads: usize, file: &Path, together: usize) -> Speed {
    let output = Command::new(given("QUARTET_LLAMA"))
        .arg(model)
        .arg(threads.to_string())
        .arg(file)
        .args([PROMPT, ANSWER, together, 1].map(|number| number.to_string()))
        .output()
        .expect("llama.cpp runs");
    let line: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let number = |name: &str| line[name].as_f64().expect("a number");
    Speed {
        prompt: number("prompt"),
        answer: number("answer"),
        first: number("first"),
        whole: number("whole"),
    }
}

/// One answer, as it came.
struct Timed {
    begun: Instant,
    first: Instant,
    last: Instant,
    computed: f64,
    answer: f64,
}

/// The service, asked by several at once. Each prompt begins differently, so that none is known already.
fn through(service: &Service, text: &str, number: usize, together: usize) -> Speed {
    let answers: Vec<Timed> = thread::scope(|scope| {
        let asked: Vec<_> = (0..together)
            .map(|index| scope.spawn(move || ask(service, &format!("{} {text}", number + index), ANSWER)))
            .collect();
        asked
            .into_iter()
            .map(|asked| asked.join().expect("an answer"))
            .collect()
    });
    let begun = answers.iter().map(|answer| answer.begun).min().expect("one");
    let last = answers.iter().map(|answer| answer.last).max().expect("one");
    let first = answers
        .iter()
        .map(|answer| (answer.first - answer.begun).as_secs_f64())
        .sum::<f64>()
        / together as f64;
    let answer = &answers[0];
    Speed {
        prompt: answer.computed / first,
        answer: (answer.answer - 1.0) / (answer.last - answer.first).as_secs_f64(),
        first,
        whole: (last - begun).as_secs_f64(),
    }
}

/// The next turn of a conversation: seconds to its first piece.
fn again(service: &Service, text: &str) -> f64 {
    let turn = |more: &str| format!("again {text} {more}");
    ask(service, &turn(""), 8);
    let answer = ask(service, &turn("What is this about?"), 8);
    (answer.first - answer.begun).as_secs_f64()
}

/// Asks for exactly as many tokens as are to be measured, as far as the model goes on.
fn ask(service: &Service, text: &str, tokens: usize) -> Timed {
    let turns = json!([[
        "user",
        format!("{text}\n\nWrite a long list of all words above, one a line.")
    ]]);
    let body = json!({"turns": turns, "temperature": 0.0, "maxTokens": tokens.max(1)}).to_string();
    let mut socket = TcpStream::connect(service.socket()).expect("a connection");
    let begun = Instant::now();
    write!(
        socket,
        "POST /api/v1/image/chat HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is sent");
    let (mut first, mut last, mut outcome) = (None, begun, Value::Null);
    for line in BufReader::new(socket).lines().map_while(Result::ok) {
        if line.starts_with("{\"piece\"") {
            last = Instant::now();
            first = first.or(Some(last));
        } else if let Ok(mut line) = serde_json::from_str::<Value>(&line)
            && line["outcome"].is_object()
        {
            outcome = line["outcome"].take();
        }
    }
    let count = |name: &str| {
        outcome[name]
            .as_f64()
            .unwrap_or_else(|| panic!("no {name}; {}", service.log()))
    };
    Timed {
        begun,
        first: first.unwrap_or(last),
        last,
        computed: count("promptTokens") - count("cachedTokens"),
        answer: count("answerTokens"),
    }
}

/// The processes of the engine that a host has started.
fn engines(host: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{host}/task")).expect("Linux");
    let children = tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    children
        .flat_map(|children| {
            children
                .split_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}

/// Megabytes, as the system counts them.
fn memory(pid: u32, what: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1000.0
}

/// A folder of components with the asking one in it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("quartet-measure-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let component = given("QUARTET_GUESTS").join("quartet_llm_guest.wasm");
        std::fs::copy(component, folder.join("image.wasm")).expect("the component");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
