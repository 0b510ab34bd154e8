//! Requests a second and latency of `/tts/languages`, beside a plain hyper handler that sends the same bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use quartet_tests::Service;

use crate::{plain, quantile};

const PATH: &str = "/api/v1/tts/languages";
const ROUNDS: usize = 5;

struct Measured {
    per_second: f64,
    p50: f64,
    p99: f64,
}

/// Measures both in turn, several times, and prints the medians.
pub fn print(service: &Service) {
    let ours: SocketAddr = service.socket().parse().expect("an address");
    let peer = plain::start(service.client().get("/tts/languages").body);
    println!("## Cost of the sandbox\n\n`GET {PATH}`, medians of {ROUNDS} rounds in turn; times in µs.\n");
    println!("| connections | | requests/s | p50 | p99 |\n|---|---|---|---|---|");
    for (connections, requests) in [(1, 5_000), (16, 1_000)] {
        run(ours, connections, 200);
        run(peer, connections, 200);
        let rounds: Vec<_> = (0..ROUNDS)
            .map(|_| (run(ours, connections, requests), run(peer, connections, requests)))
            .collect();
        let median = |of: &dyn Fn(&(Measured, Measured)) -> f64| {
            let mut values: Vec<_> = rounds.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            quantile(&values, 0.5)
        };
        let rows = [
            (
                "Quartet",
                median(&|r| r.0.per_second),
                median(&|r| r.0.p50),
                median(&|r| r.0.p99),
            ),
            (
                "plain hyper",
                median(&|r| r.1.per_second),
                median(&|r| r.1.p50),
                median(&|r| r.1.p99),
            ),
        ];
        for (name, per_second, p50, p99) in rows {
            println!("| {connections} | {name} | {per_second:.0} | {p50:.0} | {p99:.0} |");
        }
        let cost = median(&|r| r.0.p50 - r.1.p50);
        let ratio = median(&|r| r.0.per_second / r.1.per_second);
        println!("| {connections} | Quartet beside plain hyper | {ratio:.2} × | +{cost:.0} | |");
    }
    println!();
}

/// Sends `requests` on each of several connections, one after the other on each.
fn run(address: SocketAddr, connections: usize, requests: usize) -> Measured {
    let start = Instant::now();
    let threads: Vec<_> = (0..connections)
        .map(|_| std::thread::spawn(move || connection(address, requests)))
        .collect();
    let mut times: Vec<f64> = threads
        .into_iter()
        .flat_map(|thread| thread.join().expect("a connection that holds"))
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    Measured {
        per_second: times.len() as f64 / seconds,
        p50: quantile(&times, 0.5),
        p99: quantile(&times, 0.99),
    }
}

/// Microseconds of each request.
fn connection(address: SocketAddr, requests: usize) -> Vec<f64> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_nodelay(true).expect("a socket");
    let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
    let request = format!("GET {PATH} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    (0..requests)
        .map(|_| {
            let start = Instant::now();
            stream.write_all(request.as_bytes()).expect("a request that is taken");
            read_response(&mut reader);
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect()
}

fn read_response(reader: &mut impl BufRead) {
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a head");
        assert!(!line.starts_with("HTTP/1.1") || line.contains(" 200 "), "{line}");
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    std::io::copy(&mut reader.take(length), &mut std::io::sink()).expect("a body");
}
