//! Observing a running service from outside: metrics, the access log, what a client is told of its own
//! request, traces, and the command line beside `serve`.

mod command;
mod dashboards;
mod deploy;
mod log;
mod metrics;
mod models;
mod server_timing;
mod traces;

use std::io::{Read, Write};
use std::net::TcpStream;

use quartet_tests::Service;
use serde_json::json;

/// Begins a stream that would go on for long, reads its beginning, and leaves.
fn leave_a_stream(service: &Service) {
    let body = json!({"text": "It goes on and on. ".repeat(1_500), "language": "en"}).to_string();
    let mut socket = TcpStream::connect(service.socket()).unwrap();
    write!(
        socket,
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    socket.read_exact(&mut [0; 10_000]).unwrap();
}
