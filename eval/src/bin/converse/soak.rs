//! Many conversations, one after the other, and the memory of the process while they go on.

use std::process::ExitCode;

use quartet_tests::Service;
use serde_json::json;

/// Turns of a conversation: they are computed, so that it is the memory of conversations that is measured and not a model.
const TURNS: [&str; 3] = [
    "What is 12 times 12?",
    "How many feet are in 3 miles?",
    "What day of the week was July 20, 1969?",
];

/// Has `count` conversations and prints the resident memory on the way. Fails when it grows beyond what may be kept.
pub fn run(count: usize) -> ExitCode {
    // So little may be kept that the conversations fill it many times over.
    let service = Service::start(&[
        "--requests-per-minute",
        "1000000",
        "--kept-bytes",
        "262144",
        "--log",
        "warn",
    ]);
    let client = service.client();
    let mut measured = Vec::new();
    for conversation in 0..count {
        let session = format!("soak-of-conversations-{conversation}");
        let headers = [("content-type", "application/json"), ("x-session-id", session.as_str())];
        for message in TURNS {
            let body = json!({"message": message}).to_string();
            client.post_with("/chat", &headers, body.as_bytes()).data();
        }
        if conversation % (count / 10).max(1) == count / 10 - 1 {
            let kilobytes = resident(service.pid());
            println!("{:>6} conversations: {:>7} KiB resident", conversation + 1, kilobytes);
            measured.push(kilobytes);
        }
    }
    // The first tenth warms up.
    let (Some(first), Some(last)) = (measured.get(1), measured.last()) else {
        return ExitCode::SUCCESS;
    };
    let grown = last.saturating_sub(*first);
    println!("grown by {grown} KiB after the second tenth");
    if grown > 8 * 1024 {
        eprintln!("that is more than a service that forgets may grow by");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Resident memory of a process in KiB.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .expect("Linux tells it");
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .expect("a number")
}
