//! A client of the Wyoming protocol that sends what a test says, to the byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::{Value, json};

use crate::service::Service;
use crate::wait::PATIENCE;

/// A connection.
#[derive(Debug)]
pub struct Wyoming {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its type.
    pub kind: String,
    /// Its data.
    pub data: Value,
    /// Its payload.
    pub payload: Vec<u8>,
}

impl Wyoming {
    /// The address on which a service speaks the protocol, from its log.
    pub fn address(service: &Service) -> String {
        let line = service.wait_for_log(&["the Wyoming listener listens"]);
        let line: Value = serde_json::from_str(&line).expect("a line of JSON");
        line["wyoming"].as_str().expect("an address").to_owned()
    }

    /// Connects to a service.
    pub fn connect(service: &Service) -> Self {
        Self::to(&Self::address(service))
    }

    /// Connects to an address.
    pub fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        Self { stream, reader }
    }

    /// Sends bytes; false where the service takes no more.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Sends an event with its data behind the line.
    pub fn send(&mut self, kind: &str, data: &Value) {
        let data = data.to_string();
        let line = json!({"type": kind, "version": "1.10.2", "data_length": data.len()});
        assert!(self.send_bytes(format!("{line}\n{data}").as_bytes()), "{kind} is taken");
    }

    /// Says that nothing more comes.
    pub fn finish(&mut self) {
        self.stream.shutdown(Shutdown::Write).expect("an end");
    }

    /// The next event; none where the service has closed.
    pub fn receive(&mut self) -> Option<Event> {
        let mut line = String::new();
        // A connection that was cut is one that is closed.
        if self.reader.read_line(&mut line).unwrap_or(0) == 0 {
            return None;
        }
        let line: Value = serde_json::from_str(&line).expect("a line of JSON");
        let mut read = |name: &str| {
            let length = line[name].as_u64().unwrap_or(0);
            let mut bytes = vec![0; usize::try_from(length).expect("a length")];
            self.reader.read_exact(&mut bytes).map(|()| bytes)
        };
        let data = read("data_length").expect("all of the data");
        let payload = read("payload_length").ok()?;
        Some(Event {
            kind: line["type"].as_str().expect("a type").to_owned(),
            data: match data.is_empty() {
                true => json!({}),
                false => serde_json::from_slice(&data).expect("JSON"),
            },
            payload,
        })
    }

    /// The next event, which has this type.
    ///
    /// # Panics
    /// When it has another one.
    pub fn expect(&mut self, kind: &str) -> Event {
        let event = self.receive().unwrap_or_else(|| panic!("{kind} and not the end"));
        assert_eq!(event.kind, kind, "{:?}", event.data);
        event
    }

    /// The samples up to `audio-stop`, as bytes.
    pub fn speech(&mut self) -> Vec<u8> {
        let signal = self.expect("audio-start").data;
        assert_eq!(signal, json!({"rate": 24000, "width": 2, "channels": 1}));
        let mut samples = Vec::new();
        loop {
            let event = self.receive().expect("more of the speech");
            match event.kind.as_str() {
                "audio-chunk" => {
                    assert_eq!(event.data, signal);
                    assert!(!event.payload.is_empty() && event.payload.len().is_multiple_of(2));
                    samples.extend(event.payload);
                }
                "audio-stop" => return samples,
                other => panic!("{other} in the middle of a speech: {:?}", event.data),
            }
        }
    }
}
