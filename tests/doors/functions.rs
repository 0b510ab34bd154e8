//! Functions of clients, called by the language model: by each client in its own way, of one service, so that the model is
//! loaded once.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use serde_json::Value;

use crate::packages::{node, run};
use crate::start;

/// The model that functions are tried with: what the smaller one calls says little of the service.
const MODEL: &str = "qwen2.5-coder-1.5b-instruct";

/// Tokens of a prompt that the model reads in a second where it can be tried: below that, the conversation of one client takes
/// minutes.
const MIN_TOKENS_PER_SECOND: f64 = 30.0;

/// After so long no other client begins, on machines where all of them take longer than the rest of the suite together.
const BEGINNINGS: Duration = Duration::from_secs(200);

/// The language of a client, by which its packages and its program are found.
enum Kind {
    Python(&'static str),
    JavaScript(&'static str),
}

/// Clients, with the programs that use them, in the order in which they begin: the one that asks for the most first.
const CLIENTS: [(&str, Kind); 4] = [
    (
        "OpenAI's for Python",
        Kind::Python(include_str!("packages/functions.py")),
    ),
    ("OpenAI's for JavaScript", Kind::JavaScript("functions.mjs")),
    (
        "LangChain",
        Kind::Python(include_str!("packages/langchain_functions.py")),
    ),
    ("Vercel's ai", Kind::JavaScript("ai_functions.mjs")),
];

impl Kind {
    fn variable(&self) -> &'static str {
        match self {
            Kind::Python(_) => "QUARTET_OPENAI_PYTHON",
            Kind::JavaScript(_) => "QUARTET_OPENAI_JAVASCRIPT",
        }
    }

    fn program(&self, packages: &Path) -> Command {
        match self {
            Kind::Python(text) => {
                let mut command = Command::new(packages);
                command.args(["-c", text]);
                command
            }
            Kind::JavaScript(file) => {
                let mut command = node();
                command.current_dir(packages).arg(file);
                command
            }
        }
    }
}

#[test]
fn every_client_has_functions_called() {
    let name = "every_client_has_functions_called";
    let models = given("QUARTET_MODELS");
    if !models.join(format!("{MODEL}.gguf")).is_file() {
        return not_run(name, &format!("the model {MODEL} is not there"));
    }
    // Whatever the machine does besides, an answer may take its time.
    let service = start(&[
        "--models",
        models.to_str().expect("UTF-8"),
        "--language-model",
        MODEL,
        "--respond-seconds",
        "300",
        // Nothing else is asked of it.
        "--language-warm-up",
        "false",
    ]);
    let loaded = service.wait_for_log(&["the language model is loaded"]);
    let loaded: Value = serde_json::from_str(&loaded).expect("a line of the log is JSON");
    let speed = loaded["alone"].as_f64().expect("the log tells the speed of the model");
    if speed < MIN_TOKENS_PER_SECOND {
        return not_run(
            name,
            &format!("the model reads {speed:.0} tokens a second here, which is slow"),
        );
    }
    let (mut problems, begun) = (Vec::new(), Instant::now());
    for (client, kind) in CLIENTS {
        if begun.elapsed() > BEGINNINGS {
            not_run(
                &format!("{name}: {client}"),
                &format!("the model reads {speed:.0} tokens a second here, and others have taken long enough"),
            );
            continue;
        }
        let Some(packages) = std::env::var_os(kind.variable()) else {
            let why = format!("{} does not say where the packages are", kind.variable());
            not_run(&format!("{name}: {client}"), &why);
            continue;
        };
        if let Err(problem) = run(&service, &mut kind.program(Path::new(&packages))) {
            problems.push(format!("{client}: {problem}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
