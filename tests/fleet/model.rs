//! A language model that answers nobody before it was asked about two things, so that two answers are made at once.

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
    texts: [&'static str; 2],
    requests: Mutex<Vec<String>>,
    more: Condvar,
}

impl Model {
    /// A server that waits until requests with both texts have come, where one has one of them.
    pub fn start(texts: [&'static str; 2]) -> Self {
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
        self.heard.requests.lock().unwrap().clone()
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
        let waits = self.texts.iter().any(|text| request.contains(text));
        requests.push(request);
        self.more.notify_all();
        while waits
            && !self
                .texts
                .iter()
                .all(|text| requests.iter().any(|request| request.contains(text)))
        {
            requests = self.more.wait(requests).unwrap();
        }
    }
}
