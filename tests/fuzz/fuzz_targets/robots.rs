//! Fuzz target: any file is read as the rules of a server, and they allow a page or do not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use texting_robots::Robot;

fuzz_target!(|bytes: &[u8]| {
    let Ok(robot) = Robot::new("Quartet", bytes) else { return };
    let page = String::from_utf8_lossy(bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default());
    let _ = robot.allowed(&format!("https://example.org/{page}"));
    let _ = robot.allowed("https://example.org/a/b.html?c=d");
});
