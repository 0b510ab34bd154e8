//! Costs of a host: the time until it answers, the first request of each kind, memory, and the size of what it serves.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::ask::ask;
use super::known::{Host, Running};

/// The first request for speech to every host.
const SPEECH: &str = r#"{"text": "Good morning. The library opens at nine.", "language": "en"}"#;

/// A question that chat answers without a model.
const SUM: &str = r#"{"message": "What is 17 times 23?", "messages": []}"#;

/// Costs of one host.
pub struct Figures {
    /// Bytes of the components that it serves.
    pub size: u64,
    /// From its start until it answered, with nothing compiled before.
    pub start: Duration,
    /// The first request for a list, for speech, and for a sum in a conversation.
    pub first: [Duration; 3],
    /// Memory of the process after those, and the most that it ever had, in bytes.
    pub memory: Memory,
}

/// Memory of a process, in bytes.
#[derive(Clone, Copy, Default)]
pub struct Memory {
    /// Now.
    pub now: u64,
    /// At most until now.
    pub most: u64,
}

impl Figures {
    /// Asks a host that has just started.
    ///
    /// # Errors
    /// When it does not answer as it should.
    pub fn of(service: &Running, host: &Host) -> Result<Self> {
        let curl = |path| {
            let mut curl = Command::new("curl");
            curl.arg(format!("http://{}/api/v1/{path}", service.address));
            curl
        };
        let post = |path, json| ask(curl(path).args(["-H", "content-type: application/json", "-d", json]));
        let list = ask(&mut curl("tts/voices"))?;
        let speech = post("tts/stream", SPEECH)?;
        let sum = post("chat", SUM)?;
        Ok(Self {
            size: size(&host.served)?,
            start: service.until_answer,
            first: [list, speech, sum],
            memory: memory(service.process()),
        })
    }

    /// The same with the most memory that the host had until now.
    #[must_use]
    pub fn after(mut self, service: &Running) -> Self {
        self.memory.most = memory(service.process()).most;
        self
    }
}

/// Bytes of a file, or of the components in a folder.
fn size(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).with_context(|| format!("reading {}", path.display()))?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    let mut bytes = 0;
    for entry in fs::read_dir(path).with_context(|| format!("reading {}", path.display()))? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "wasm") {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}

/// Memory as Linux tells it; nothing elsewhere.
fn memory(process: u32) -> Memory {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kibibytes * 1024)
    };
    Memory {
        now: field("VmRSS:").unwrap_or_default(),
        most: field("VmHWM:").unwrap_or_default(),
    }
}
