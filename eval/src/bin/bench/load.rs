//! Requests a second and latency of `/tts/languages`: beside a plain hyper handler that sends the same bytes, and beside
//! `wasmtime serve` with the same component. And what a light request waits beside long ones.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use quartet_api::Language;
use quartet_tests::{Service, declaration};
use serde_json::json;

use crate::plain;
use crate::quantile::quantile;
use crate::wasmtime::Wasmtime;

const PATH: &str = "/api/v1/tts/languages";
const ROUNDS: usize = 5;

/// Connections, and requests on each of them in one round.
const LOADS: [(usize, usize); 3] = [(1, 5_000), (16, 1_000), (256, 60)];

/// Long requests beside a light one.
const LONG: usize = 2;

struct Measured {
    per_second: f64,
    p50: f64,
    p99: f64,
}

/// Measures all in turn, several times, and prints the medians.
pub fn print(service: &Service) {
    let ours = address(service);
    let mut servers = vec![("Quartet", ours)];
    servers.push(("plain hyper", plain::start(service.client().get("/tts/languages").body)));
    let wasmtime = Wasmtime::start(PATH);
    if let Some(wasmtime) = &wasmtime {
        servers.push((&wasmtime.version, wasmtime.address));
    }
    println!(
        "## Cost of the sandbox\n\n`GET {PATH}`, medians of {ROUNDS} rounds in turn; times in µs. The client is on the same machine.\n"
    );
    if wasmtime.is_none() {
        println!("`wasmtime serve` was not measured: no program `wasmtime` in PATH or in WASMTIME.\n");
    }
    println!("| connections | | requests/s | p50 | p99 | requests/s of Quartet beside it |\n|---|---|---|---|---|---|");
    for (connections, requests) in LOADS {
        for (_, address) in &servers {
            run(*address, connections, requests.min(200));
        }
        let rounds: Vec<Vec<_>> = (0..ROUNDS)
            .map(|_| {
                servers
                    .iter()
                    .map(|(_, address)| run(*address, connections, requests))
                    .collect()
            })
            .collect();
        for (index, (name, _)) in servers.iter().enumerate() {
            let [per_second, p50, p99, ratio] = [
                median(&rounds, |round| round[index].per_second),
                median(&rounds, |round| round[index].p50),
                median(&rounds, |round| round[index].p99),
                median(&rounds, |round| round[0].per_second / round[index].per_second),
            ];
            println!("| {connections} | {name} | {per_second:.0} | {p50:.0} | {p99:.0} | {ratio:.2} × |");
        }
    }
    println!();
}

/// Measures a light request alone and beside long ones that are read as fast as they come.
pub fn print_beside_long(service: &Service) {
    let address = address(service);
    let (_, requests) = LOADS[0];
    let alone: Vec<_> = (0..ROUNDS).map(|_| run(address, 1, requests)).collect();
    let over = AtomicBool::new(false);
    let beside: Vec<_> = std::thread::scope(|scope| {
        for _ in 0..LONG {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    stream(address, &over);
                }
            });
        }
        let measured = (0..ROUNDS).map(|_| run(address, 1, requests)).collect();
        over.store(true, Ordering::Relaxed);
        measured
    });
    println!(
        "## Light beside long\n\n`GET {PATH}` on one connection, alone and beside {LONG} streams of speech that are read as fast as they come; medians of {ROUNDS}, times in µs.\n"
    );
    println!("| | requests/s | p50 | p99 |\n|---|---|---|---|");
    for (name, rounds) in [("alone", alone), ("beside", beside)] {
        let [per_second, p50, p99] = [
            median(&rounds, |round| round.per_second),
            median(&rounds, |round| round.p50),
            median(&rounds, |round| round.p99),
        ];
        println!("| {name} | {per_second:.0} | {p50:.0} | {p99:.0} |");
    }
    println!();
}

/// Reads one long stream until it ends or the measure is over.
fn stream(address: SocketAddr, over: &AtomicBool) {
    let text = declaration::text(Language::English).repeat(5);
    let body = json!({"text": text, "language": "en"}).to_string();
    let mut socket = TcpStream::connect(address).expect("a connection");
    let head = format!(
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket
        .write_all((head + &body).as_bytes())
        .expect("a request that is taken");
    let mut piece = vec![0; 256 * 1024];
    while !over.load(Ordering::Relaxed) && socket.read(&mut piece).expect("a stream") > 0 {}
}

fn address(service: &Service) -> SocketAddr {
    service.socket().parse().expect("an address")
}

fn median<T>(rounds: &[T], of: impl Fn(&T) -> f64) -> f64 {
    let mut values: Vec<_> = rounds.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
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
