//! A log that nobody reads.

use std::process::{Command, Stdio};

use quartet_tests::service::given;

use crate::raw;

/// Lines that wait to be written, and as many again: the pipe holds some hundreds.
const REQUESTS: usize = 12_000;

/// Whoever started the host has its standard error and reads none of it. The host goes on, and counts what it drops.
#[test]
fn a_reader_that_stalls_stops_nobody() {
    let mut command = Command::new(given("QUARTET_HOST"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--requests-per-minute", "1000000"])
        .args(["--log", "info", "--log-format", "json"])
        .arg("--components")
        .arg(given("QUARTET_COMPONENTS"))
        .arg("--cache")
        .arg(std::env::temp_dir().join("quartet-tests-compiled"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut host = command.spawn().expect("the host starts");
    let address = raw::first_line(host.stdout.take().expect("stdout is piped"));
    let address = address.trim().rsplit("//").next().expect("an address").to_owned();
    let mut socket = raw::connect_to(&address, 1);
    for _ in 0..REQUESTS {
        let answer = raw::ask(&mut socket, &raw::get("/nowhere", ""));
        assert_eq!(answer.expect("the host goes on").status, 404);
    }
    let page = raw::ask(&mut socket, &raw::get("/metrics", "")).expect("the host goes on");
    let dropped = page
        .body
        .lines()
        .find_map(|line| line.strip_prefix("quartet_log_lines_dropped_total "))
        .and_then(|count| count.parse::<f64>().ok());
    let _ = host.kill();
    let _ = host.wait();
    assert!(dropped.expect("it is counted") > 0.0);
}
