//! One client with its draws, and the way of every request of it into the record.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use quartet_eval::client::{Answer, Client, Ending, Manner};
use quartet_eval::files::{File, Files};
use quartet_eval::requests::Request;

use crate::ledger::{Group, Ledger, Unexpected};

/// What is said where there is no room: always allowed.
const REFUSED: u16 = 429;

/// A client.
pub struct Visitor {
    /// Its draws.
    pub rng: Rng,
    /// What it has to send.
    pub files: Arc<Files>,
    /// Its session.
    pub session: String,
    client: Client,
    ledger: Arc<Ledger>,
    start: Instant,
}

impl Visitor {
    /// A client by number.
    pub fn new(
        address: SocketAddr,
        number: u16,
        seed: u64,
        files: Arc<Files>,
        ledger: Arc<Ledger>,
        start: Instant,
    ) -> Self {
        Self {
            rng: Rng::with_seed(seed.wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(number))),
            files,
            session: format!("session-of-the-soak-{seed}-{number}"),
            client: Client::new(address, number),
            ledger,
            start,
        }
    }

    /// One draw of a list.
    pub fn draw<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.rng.usize(..list.len())]
    }

    /// One draw of a kind of files.
    pub fn file(&mut self, kind: impl Fn(&Files) -> &[File]) -> File {
        let files = Arc::clone(&self.files);
        self.draw(kind(&files)).clone()
    }

    /// Sends a request that is right. The answer, unless the service had no room or the answer was not expected.
    pub async fn ask(&mut self, group: Group, operation: &'static str, request: &Request) -> Option<Answer> {
        self.expect(group, operation, &[200], request).await
    }

    /// Sends a request that is answered with one of these statuses.
    pub async fn expect(
        &mut self,
        group: Group,
        operation: &'static str,
        expected: &[u16],
        request: &Request,
    ) -> Option<Answer> {
        let ending = self.client.send(request, Manner::Whole).await;
        self.book(group, operation, expected, request, ending)
    }

    /// Sends a request that is right and reads its answer in some manner.
    pub async fn ask_in_manner(&mut self, group: Group, operation: &'static str, request: &Request, manner: Manner) {
        let ending = self.client.send(request, manner).await;
        if matches!(ending, Ending::Left) {
            self.ledger.left(operation);
        } else {
            self.book(group, operation, &[200], request, ending);
        }
    }

    /// Sends a request that the service may refuse before it has taken all of it: then the connection may be cut, too.
    pub async fn expect_or_cut(&mut self, operation: &'static str, expected: &[u16], request: &Request) {
        match self.client.send(request, Manner::Whole).await {
            Ending::Broken(_) => self.ledger.cut(operation),
            ending => {
                self.book(Group::Bad, operation, expected, request, ending);
            }
        }
    }

    /// Sends bytes that are no request. The service answers with one of these statuses or closes.
    pub async fn send_raw(&mut self, operation: &'static str, expected: &[u16], bytes: &[u8]) {
        let start = Instant::now();
        match self.client.send_raw(bytes).await {
            Ok(None) => self.ledger.cut(operation),
            Ok(Some(status)) => {
                self.ledger.answered(Group::Bad, operation, status, start.elapsed());
                if !expected.contains(&status) {
                    self.unexpected(operation, format!("status {status}"));
                }
            }
            Err(reason) => self.unexpected(operation, reason),
        }
    }

    /// Sends a part of a request's body and leaves.
    pub async fn leave_in_upload(&mut self, operation: &'static str, request: &Request, bytes: usize) {
        match self.client.send(request, Manner::LeaveInUpload(bytes)).await {
            Ending::Broken(reason) => self.unexpected(operation, reason),
            _ => self.ledger.left(operation),
        }
    }

    fn book(
        &self,
        group: Group,
        operation: &'static str,
        expected: &[u16],
        request: &Request,
        ending: Ending,
    ) -> Option<Answer> {
        let answer = match ending {
            Ending::Answered(answer) => answer,
            Ending::Left => {
                self.ledger.left(operation);
                return None;
            }
            Ending::Broken(reason) => {
                self.unexpected(operation, format!("{reason} ({})", shown(request)));
                return None;
            }
        };
        let status = match refused_later(&answer) {
            true => REFUSED,
            false => answer.status,
        };
        self.ledger.answered(group, operation, status, answer.total);
        if status == REFUSED {
            return None;
        }
        if !expected.contains(&status) {
            let body = String::from_utf8_lossy(&answer.body[..answer.body.len().min(300)]);
            self.unexpected(
                operation,
                format!(
                    "status {status} after {:.1} s, request {} ({}): {body}",
                    answer.total.as_secs_f64(),
                    answer.request_id,
                    shown(request)
                ),
            );
            return None;
        }
        if let Err(fault) = whole(&answer) {
            self.unexpected(
                operation,
                format!("{fault}, request {} ({})", answer.request_id, shown(request)),
            );
            return None;
        }
        Some(answer)
    }

    /// Adds something to the record that was not expected.
    pub fn unexpected(&self, operation: &'static str, what: String) {
        self.ledger.unexpected(Unexpected {
            operation,
            seconds: self.start.elapsed().as_secs_f64(),
            what,
        });
    }

    /// Waits a moment, as somebody who reads what came.
    pub async fn think(&mut self) {
        let milliseconds = self.rng.u64(..400);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }
}

/// The request in a few words, so that it can be sent again.
fn shown(request: &Request) -> String {
    let body = &request.body;
    let name = String::from_utf8_lossy(&body[..body.len().min(4096)])
        .split_once("filename=\"")
        .and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_owned()));
    let what = match name {
        Some(name) => name,
        None => match std::str::from_utf8(body) {
            Ok(text) => text.chars().take(120).collect(),
            Err(_) => format!("{} bytes", body.len()),
        },
    };
    format!("{} {} {what}", request.method, request.path)
}

/// Returns true where an answer that had begun ended for want of room.
fn refused_later(answer: &Answer) -> bool {
    let says = |text: &[u8]| answer.body.windows(text.len()).any(|window| window == text);
    match answer.content_type.as_str() {
        "text/event-stream" => says(b"event: error") && says(b"\"code\":\"busy\""),
        _ => false,
    }
}

/// Checks that an answer is what it says it is, to its end.
fn whole(answer: &Answer) -> Result<(), String> {
    let body = &answer.body;
    match answer.content_type.as_str() {
        "application/json" => match serde_json::from_slice::<serde::de::IgnoredAny>(body) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("the answer is no JSON: {error}")),
        },
        "audio/wav" => {
            let stated = body.get(4..8).and_then(|bytes| bytes.try_into().ok());
            let stated = stated.map_or(0, u32::from_le_bytes) as usize + 8;
            match stated == body.len() && body.starts_with(b"RIFF") {
                true => Ok(()),
                false => Err(format!("a WAV file of {} bytes says {stated}", body.len())),
            }
        }
        "text/event-stream" => {
            let text = String::from_utf8_lossy(body);
            if let Some((_, failure)) = text.split_once("event: error") {
                return Err(format!("the stream failed: {}", failure.trim()));
            }
            match text.ends_with("\n\n") {
                true => Ok(()),
                false => Err("the stream has no end".to_owned()),
            }
        }
        // A picture without text is no text.
        kind if body.is_empty() && answer.status == 200 && !kind.starts_with("text/plain") => {
            Err("the answer is empty".to_owned())
        }
        _ => Ok(()),
    }
}
