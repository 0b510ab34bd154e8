//! HTTP/1.1 over a bare socket, from any address of this machine, so that a test can be several clients and bad ones.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use quartet_tests::Service;
use quartet_tests::wait::PATIENCE;
use socket2::{Domain, Socket, Type};

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// A connection from `127.0.0.<last>`.
pub fn connect(service: &Service, last: u8) -> TcpStream {
    connect_to(service.socket(), last)
}

/// A connection to an address.
pub fn connect_to(address: &str, last: u8) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, last], 0)).into()).unwrap();
    let target: SocketAddr = address.parse().unwrap();
    socket.connect(&target.into()).unwrap();
    let stream: TcpStream = socket.into();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// The first line that a program prints.
pub fn first_line(output: impl Read) -> String {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).expect("it prints a line");
    line
}

/// A request without a body.
pub fn get(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\n{more}\r\n")
}

/// Sends a request and reads its answer. `None` when the connection ended before there was one.
pub fn ask(stream: &mut TcpStream, request: &str) -> Option<Answer> {
    stream.write_all(request.as_bytes()).ok()?;
    read(stream)
}

/// Reads one answer.
pub fn read(stream: &mut TcpStream) -> Option<Answer> {
    let head = until(stream, b"\r\n\r\n")?.to_ascii_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut body = Vec::new();
    if head.contains("transfer-encoding: chunked") {
        loop {
            let length = usize::from_str_radix(until(stream, b"\r\n")?.trim(), 16).unwrap();
            let mut chunk = vec![0; length + 2];
            stream.read_exact(&mut chunk).ok()?;
            if length == 0 {
                break;
            }
            body.extend(&chunk[..length]);
        }
    } else {
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        body.resize(length.map_or(0, |length| length.parse().unwrap()), 0);
        stream.read_exact(&mut body).ok()?;
    }
    Some(Answer {
        status,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}

/// Reads up to and with `end`.
fn until(stream: &mut TcpStream, end: &[u8]) -> Option<String> {
    let mut all = Vec::new();
    let mut byte = [0];
    while !all.ends_with(end) {
        stream.read_exact(&mut byte).ok()?;
        all.extend(byte);
    }
    String::from_utf8(all).ok()
}

/// Reads to the end of the connection. Fails when it does not end.
pub fn drain(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    match stream.read_to_end(&mut all) {
        Ok(_) => all,
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => all,
        Err(error) => panic!("the connection stays open: {error}"),
    }
}
