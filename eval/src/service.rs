//! The service as the programs ask it: with its models, as an operator runs it, and without the limits that would stop one
//! machine from loading it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use quartet_tests::Service;
use quartet_tests::service::given;
use serde_json::Value;

/// For how long the language model may be loaded.
const LOADING: Duration = Duration::from_secs(180);

/// Starts the service on a folder of components. `flags` are added to its own, and are stronger.
///
/// # Errors
/// When the language model does not come.
pub fn start(components: &Path, flags: &[String]) -> Result<Service> {
    let models = given("QUARTET_MODELS").display().to_string();
    let mut all = vec![
        "--models",
        &models,
        "--language-model",
        "auto",
        "--inference-engine",
        "auto",
        "--requests-per-minute",
        "1000000000",
        "--log",
        "warn",
    ];
    all.extend(flags.iter().map(String::as_str));
    let service = Service::start_with(components, &all);
    wait_for_the_language_model(&service)?;
    Ok(service)
}

/// The name of the language model, or what is said instead of one.
pub fn language_model(service: &Service) -> String {
    let info = service.client().get("/chat/info").data();
    let name = info["model"]["name"].as_str();
    name.map_or_else(
        || {
            format!(
                "none ({})",
                info["modelProblem"].as_str().unwrap_or("no reason is given")
            )
        },
        str::to_owned,
    )
}

/// Asks for a word, so that nothing is measured while the model is still being read.
fn wait_for_the_language_model(service: &Service) -> Result<()> {
    let client = service.client();
    if client.get("/chat/info").data()["model"].is_null() {
        return Ok(());
    }
    let question = serde_json::json!({"message": "Name a colour.", "maxTokens": 4});
    let start = std::time::Instant::now();
    let mut last = Value::Null;
    while start.elapsed() < LOADING {
        let reply = client.post("/chat", &question);
        if reply.status == 200 {
            return Ok(());
        }
        last = reply.json();
        std::thread::sleep(Duration::from_secs(1));
    }
    bail!("the language model does not answer: {last}")
}
