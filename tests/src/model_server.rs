//! A server of a language model that speaks OpenAI's protocol, as the test tells it to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// The server's reaction to a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A status, headers and a body.
    Whole(u16, &'static [(&'static str, &'static str)], String),
    /// The head of a stream, these bytes, and then the end, which says that the stream is whole.
    Stream(String),
    /// The head of a stream, these bytes, and then the connection is cut.
    Cut(String),
    /// The head of a stream, these bytes, and then nothing until the client leaves, which is told.
    Silence(String),
}

/// A request that came.
#[derive(Debug)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// The value of `authorization`.
    pub authorization: Option<String>,
    /// The body.
    pub body: Value,
}

/// The server.
pub struct Server {
    /// Its address, up to `/v1`.
    pub address: String,
    /// Requests, as they came.
    pub asked: Receiver<Asked>,
    /// A word for each client that left during a silence.
    pub left: Receiver<()>,
}

impl Server {
    /// A server that answers the first request with the first answer, and so on; the last one for all that follow.
    pub fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let (sender, asked) = channel();
        let (gone, left) = channel();
        let answers = Arc::new(Mutex::new(answers));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, sender, gone) = (Arc::clone(&answers), sender.clone(), gone.clone());
                thread::spawn(move || serve(stream, &answers, &sender, &gone));
            }
        });
        Self { address, asked, left }
    }
}

fn serve(stream: TcpStream, answers: &Mutex<Vec<Answer>>, asked: &Sender<Asked>, gone: &Sender<()>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let request = read(&mut reader)?;
        let answer = {
            let mut answers = answers.lock().ok()?;
            if answers.len() > 1 {
                answers.remove(0)
            } else {
                answers.first()?.clone()
            }
        };
        asked.send(request).ok()?;
        match answer {
            Answer::Whole(status, headers, body) => {
                let headers: String = headers
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}\r\n"))
                    .collect();
                let length = body.len();
                write!(
                    stream,
                    "HTTP/1.1 {status} x\r\n{headers}content-length: {length}\r\n\r\n{body}"
                )
                .ok()?;
            }
            Answer::Stream(text) => {
                begin(&mut stream)?;
                // In pieces that end anywhere, as networks have it.
                for piece in text.as_bytes().chunks(7) {
                    chunk(&mut stream, piece)?;
                }
                chunk(&mut stream, b"")?;
            }
            Answer::Cut(text) => {
                begin(&mut stream)?;
                chunk(&mut stream, text.as_bytes())?;
                return None;
            }
            Answer::Silence(text) => {
                // Who has left already takes nothing.
                let taken = begin(&mut stream).and_then(|()| chunk(&mut stream, text.as_bytes()));
                let mut byte = [0];
                if taken.is_none() || !matches!(reader.read(&mut byte), Ok(1)) {
                    gone.send(()).ok()?;
                }
                return None;
            }
        }
    }
}

fn begin(stream: &mut TcpStream) -> Option<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).ok()
}

fn chunk(stream: &mut TcpStream, bytes: &[u8]) -> Option<()> {
    write!(stream, "{:x}\r\n", bytes.len()).ok()?;
    stream.write_all(bytes).ok()?;
    stream.write_all(b"\r\n").ok()?;
    stream.flush().ok()
}

fn read(reader: &mut impl BufRead) -> Option<Asked> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim_end().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let header = |name: &str| {
        let mut headers = lines.iter().filter_map(|line| line.split_once(": "));
        headers
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    };
    let mut body = vec![0; header("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        line: lines.first()?.clone(),
        authorization: header("authorization"),
        body: serde_json::from_slice(&body).ok()?,
    })
}

/// An event with a piece of an answer.
pub fn piece(text: &str) -> String {
    event(
        &json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}),
    )
}

/// The events that end an answer.
pub fn end(reason: &str) -> String {
    let last = event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}));
    let usage = json!({"prompt_tokens": 21, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}});
    last + &event(&json!({"choices": [], "usage": usage})) + "data: [DONE]\n\n"
}

fn event(document: &Value) -> String {
    format!("data: {document}\n\n")
}
