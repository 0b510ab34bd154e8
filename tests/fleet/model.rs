//! A language model that answers nobody before it was asked about two things, so that two answers are made at once; or not
//! before the test lets it, so that a job takes as long as the test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::json;

/// The model's server.
pub struct Model {
    /// Its address, up to `/v1`.
    pub address: String,
    heard: Arc<Heard>,
}

struct Heard {
    texts: Vec<&'static str>,
    requests: Mutex<Requests>,
    more: Condvar,
}

#[derive(Default)]
struct Requests {
    bodies: Vec<String>,
    /// True once whoever waits for the test is answered.
    is_open: bool,
}

impl Model {
    /// A server that waits until requests with both texts have come, where one has one of them.
    pub fn start(texts: [&'static str; 2]) -> Self {
        Self::serve(texts.to_vec())
    }

    /// A server that answers nobody until it is opened.
    pub fn closed() -> Self {
        Self::serve(Vec::new())
    }

    fn serve(texts: Vec<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let heard = Arc::new(Heard {
            texts,
            requests: Mutex::default(),
            more: Condvar::new(),
        });
        let shared = Arc::clone(&heard);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = Arc::clone(&shared);
                thread::spawn(move || serve(stream, &heard));
            }
        });
        Self { address, heard }
    }

    /// The bodies of all requests.
    pub fn asked(&self) -> Vec<String> {
        self.heard.requests.lock().unwrap().bodies.clone()
    }

    /// Requests with a text.
    pub fn asked_for(&self, text: &str) -> usize {
        self.asked().iter().filter(|request| request.contains(text)).count()
    }

    /// Answers all who wait, and whoever comes.
    pub fn open(&self) {
        self.heard.requests.lock().unwrap().is_open = true;
        self.heard.more.notify_all();
    }
}

fn serve(stream: TcpStream, heard: &Heard) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        heard.hear(String::from_utf8(body).ok()?);
        let piece = json!({"choices": [{"index": 0, "delta": {"content": "Gladly."}, "finish_reason": null}]});
        let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        let events = format!("data: {piece}\n\ndata: {last}\n\ndata: [DONE]\n\n");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ";
        write!(stream, "{head}{}\r\n\r\n{events}", events.len()).ok()?;
    }
}

impl Heard {
    fn hear(&self, request: String) {
        let mut requests = self.requests.lock().unwrap();
        let is_asked = |requests: &Requests, text: &&str| requests.bodies.iter().any(|body| body.contains(*text));
        let waits = self.texts.is_empty() || self.texts.iter().any(|text| request.contains(text));
        requests.bodies.push(request);
        self.more.notify_all();
        while waits
            && !requests.is_open
            && (self.texts.is_empty() || !self.texts.iter().all(|text| is_asked(&requests, text)))
        {
            requests = self.more.wait(requests).unwrap();
        }
    }
}
