//! The language model as a component sees it: HTTP in, the model's words out. `local` asks the engine with the default
//! model, `remote` a server of the suite that speaks OpenAI's protocol, well and badly; `phrasing` has it word what
//! the components of documents and pictures found; `reading_ahead` has it read what somebody may ask about, and `prompt_cache` keep
//! what all ask with; `accelerated` has a graphics processor compute; `tools` has it call functions of clients, and `wyoming` has conversations with it in Home Assistant's protocol.

mod accelerated;
mod local;
mod phrasing;
mod prompt_cache;
mod reading_ahead;
mod remote;
mod summaries;
mod tools;
mod wyoming;

use quartet_tests::Service;
use quartet_tests::service::given;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Whatever the machine does beside the suite, an answer may take its time.
const BOUNDS: &[&str] = &["--respond-seconds", "300", "--requests-per-minute", "100000"];

/// A service with the asking component.
struct Asking {
    service: Service,
    _folder: TempDir,
}

impl Asking {
    fn start(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let component = given("QUARTET_GUESTS").join("quartet_llm_guest.wasm");
        std::fs::copy(component, folder.path().join("image.wasm")).expect("the component");
        let flags: Vec<_> = BOUNDS.iter().chain(flags).copied().collect();
        Self {
            service: Service::start_with(folder.path(), &flags),
            _folder: folder,
        }
    }

    /// Asks, and returns all lines of the answer.
    fn ask(&self, question: &Value) -> Told {
        let reply = self.service.client().post("/image/chat", question);
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        let text = String::from_utf8(reply.body).expect("UTF-8");
        Told::read(&text)
    }

    /// The value of a metric without labels or with those given.
    fn metric(&self, name: &str) -> f64 {
        let page = String::from_utf8(self.service.client().get("/metrics").body).expect("UTF-8");
        let line = page
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
        line.unwrap_or_else(|| panic!("{name} is not in\n{page}"))
    }
}

/// Answer of the component, line by line.
#[derive(Debug)]
struct Told {
    model: Value,
    pieces: Vec<String>,
    outcome: Value,
    /// Bytes and probability of each token.
    tokens: Value,
    prepared: Value,
    error: Option<String>,
    what: Value,
}

impl Told {
    fn read(text: &str) -> Self {
        let mut told = Self {
            model: Value::Null,
            pieces: Vec::new(),
            outcome: Value::Null,
            tokens: Value::Null,
            prepared: Value::Null,
            error: None,
            what: Value::Null,
        };
        for (number, line) in text.lines().enumerate() {
            let mut line: Value = serde_json::from_str(line).expect("JSON");
            if let Some(error) = line["error"].as_str() {
                told.error = Some(error.to_owned());
                told.what = line["what"].take();
            } else if number == 0 {
                told.model = line;
            } else if line["prepared"].is_object() {
                told.prepared = line["prepared"].take();
            } else if let Some(piece) = line["piece"].as_str() {
                told.pieces.push(piece.to_owned());
            } else {
                told.outcome = line["outcome"].take();
                told.tokens = line["tokens"].take();
            }
        }
        told
    }

    fn text(&self) -> String {
        self.pieces.concat()
    }

    fn count(&self, of: &str) -> u64 {
        self.outcome[of]
            .as_u64()
            .unwrap_or_else(|| panic!("no {of} in {self:?}"))
    }
}

/// A question of one turn, answered by the likeliest words.
fn question(text: &str) -> Value {
    json!({"turns": [["user", text]], "temperature": 0.0, "maxTokens": 48})
}

#[test]
fn without_the_model_everything_else_serves_and_the_call_says_so() {
    let empty = tempfile::tempdir().expect("a folder");
    let asking = Asking::start(&[
        "--models",
        empty.path().to_str().expect("UTF-8"),
        "--language-model",
        "auto",
    ]);
    let told = asking.ask(&question("Hello?"));
    assert_eq!(told.error.as_deref(), Some("missing-model"));
    let what = told.what.to_string();
    assert!(what.contains("quartet models get qwen2.5-coder-"), "{what}");
    let log = asking.service.wait_for_log(&["model missing", "qwen2.5-coder-"]);
    assert!(log.contains("ERROR"), "{log}");
    assert_eq!(
        asking.metric("quartet_language_answers_total{outcome=\"missing_model\"}"),
        1.0
    );

    let off = Asking::start(&["--language-model", "off"]);
    assert_eq!(off.ask(&question("Hello?")).error.as_deref(), Some("missing-model"));
}

#[test]
fn a_file_that_is_no_model_and_an_engine_that_is_not_there_fail_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("no-model.gguf");
    std::fs::write(&file, b"GGUF and then nothing of a model").expect("a file");
    let path = file.to_str().expect("UTF-8");
    let asking = Asking::start(&["--language-model", path, "--language-load", "first-use"]);
    assert_eq!(asking.ask(&question("Hello?")).error.as_deref(), Some("failed"));
    asking.service.wait_for_log(&["cannot be loaded"]);
    // It is left alone for a moment instead of being started at every request.
    assert_eq!(asking.ask(&question("Hello?")).error.as_deref(), Some("unavailable"));
    assert_eq!(asking.service.client().get("/healthz").status, 200);

    let asking = Asking::start(&["--language-model", path, "--language-engine", "/nonexistent/engine"]);
    assert_eq!(asking.ask(&question("Hello?")).error.as_deref(), Some("unavailable"));
}
