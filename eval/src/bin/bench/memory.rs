//! Memory of the host after ten thousand requests.

use quartet_tests::Service;
use serde_json::json;

const REQUESTS: usize = 10_000;

/// Prints the host's private memory before and after.
pub fn print(service: &Service) {
    let client = service.client();
    let send = |count: usize| {
        for index in 0..count {
            // One in ten makes speech, so that sandboxes of every size come and go.
            if index % 10 == 0 {
                client
                    .post(
                        "/tts/generate",
                        &json!({"text": "The library opens at nine.", "language": "en"}),
                    )
                    .data();
            } else {
                client.get("/tts/languages").data();
            }
        }
    };
    send(REQUESTS / 10);
    let before = private_kilobytes(service.pid());
    send(REQUESTS);
    let after = private_kilobytes(service.pid());
    println!(
        "## Memory\n\nPrivate memory of the host: {before} kB after {} requests, {after} kB after {REQUESTS} more.\n",
        REQUESTS / 10
    );
}

fn private_kilobytes(pid: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).expect("Linux with /proc");
    let line = rollup
        .lines()
        .find(|line| line.starts_with("Private_Dirty:"))
        .expect("a line for private memory");
    line.split_whitespace()
        .nth(1)
        .and_then(|value| value.parse().ok())
        .expect("kilobytes")
}
