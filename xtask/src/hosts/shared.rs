//! Two of a host that share a store: what one was sent, the other one knows, and both count a client's requests together.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::ask;
use super::known::{Host, Running, Settings};
use crate::command;

/// Requests that a client may send in a minute to both together.
const PER_MINUTE: u32 = 20;

/// A document, and a question that it answers.
const DOCUMENT: &str = "The mill of Aldebourne was built in 1742 by Thomas Reed. It grinds wheat.";
const QUESTION: &str = r#"{"message": "When was the mill built?"}"#;

/// A Valkey server, for as long as it is held.
struct Store {
    process: Child,
    address: String,
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts two of a host with one store, and asks each about what the other one was sent. `valkey` is the store's program.
///
/// # Errors
/// When one of them does not start, or they do not share what they should.
pub fn check(host: &Host, valkey: &Path, folder: &Path) -> Result<()> {
    let store = start_store(valkey)?;
    let settings = Settings {
        requests_per_minute: PER_MINUTE,
        encyclopedia: "127.0.0.1:9",
        store: Some(&store.address),
    };
    let start = |name: &str| host.start(&folder.join(name), ask::free_port()?, &settings);
    let (one, other) = (start("one")?, start("other")?);
    let sent = send(
        &one,
        "pdf/extract-text",
        &["--form", &format!("pdf={DOCUMENT};type=text/plain;filename=mill.txt")],
    )?;
    let id = &sent["data"]["documentId"];
    ensure!(id.is_string(), "the document was not taken: {sent}");
    let asked = send(&other, "pdf/chat", &["--json", QUESTION])?;
    let answer = asked["data"]["answer"].as_str().unwrap_or_default();
    ensure!(
        answer.contains("1742"),
        "the other one does not know the document: {asked}"
    );
    send(&other, "pdf/forget", &["--json", "{}"])?;
    let asked = send(&one, "pdf/chat", &["--json", QUESTION])?;
    ensure!(
        asked["success"] == false,
        "what the other one was told to forget is still known: {asked}"
    );
    let mut admitted = 0;
    for service in [&one, &other].into_iter().cycle().take(3 * PER_MINUTE as usize) {
        admitted += u32::from(send(service, "tts/voices", &[])?["success"] == true);
    }
    ensure!(
        (1..=PER_MINUTE).contains(&admitted),
        "{admitted} requests were let in, of {PER_MINUTE} a minute that both have together"
    );
    eprintln!(
        "hosts: {}: two share a store: documents, what is forgotten, and rates",
        host.name
    );
    Ok(())
}

fn start_store(program: &Path) -> Result<Store> {
    let port = ask::free_port()?;
    let process = Command::new(program)
        .args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("starting a store")?;
    let address = format!("redis://127.0.0.1:{port}");
    Ok(Store { process, address })
}

/// Sends a request of one session, and returns what comes.
fn send(service: &Running, path: &str, arguments: &[&str]) -> Result<Value> {
    let url = format!("http://{}/api/v1/{path}", service.address);
    let session = "x-session-id: a-session-of-two-that-share-a-store";
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--max-time", "120", "--header", session])
        .args(arguments)
        .arg(url);
    let said = command::output(&mut curl)?;
    serde_json::from_str(&said).with_context(|| format!("{path} answered with what is no JSON: {said}"))
}
