//! A registry for tests that says what it is told to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

use super::reference::Reference;

/// A registry on this machine. Each connection gets the next answer.
pub struct Registry {
    pub socket: SocketAddr,
    thread: Option<JoinHandle<Vec<String>>>,
}

impl Registry {
    /// Starts one with these answers, which may name it.
    pub fn start(answers: impl FnOnce(&Self) -> Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut registry = Self {
            socket: listener.local_addr().unwrap(),
            thread: None,
        };
        let answers = answers(&registry);
        registry.thread = Some(thread::spawn(move || {
            let serve = |answer: Vec<u8>| {
                let (mut stream, _) = listener.accept().unwrap();
                let asked = read(&mut stream);
                // Who has read enough hangs up.
                let _ = stream.write_all(&answer);
                asked
            };
            answers.into_iter().map(serve).collect()
        }));
        registry
    }

    pub fn port(&self) -> u16 {
        self.socket.port()
    }

    /// A reference to something in it.
    pub fn reference(&self, rest: &str) -> Reference {
        format!("oci://{}/{rest}", self.socket).parse().unwrap()
    }

    /// Everything that it was asked, when it has given all answers.
    pub fn asked(mut self) -> Vec<String> {
        self.thread.take().unwrap().join().unwrap()
    }
}

/// A request with its content.
fn read(stream: &mut impl Read) -> String {
    let mut all = Vec::new();
    let mut piece = [0; 1024];
    loop {
        let text = String::from_utf8_lossy(&all).into_owned();
        if let Some((head, content)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length = length.map_or(0, |length| length.parse().unwrap());
            if content.len() >= length {
                return text;
            }
        }
        let read = stream.read(&mut piece).unwrap();
        assert!(read > 0, "the request breaks off: {text}");
        all.extend(&piece[..read]);
    }
}

/// An answer with a status, headers and content.
pub fn answer(status: &str, headers: &[&str], content: &[u8]) -> Vec<u8> {
    let mut head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n",
        content.len()
    );
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    [head.as_bytes(), content].concat()
}
