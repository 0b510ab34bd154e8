//! The command line beside `serve`: its effects, and the exit codes that scripts go by.

use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use quartet_tests::Service;
use quartet_tests::files::pdf;
use quartet_tests::service::given;

fn quartet(arguments: &[&str]) -> Output {
    quartet_with(arguments, "")
}

fn quartet_with(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(given("QUARTET_HOST"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(output: &Output, code: i32, part: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(part), "{message}");
}

#[test]
fn call_speaks_prints_and_reads_from_a_pipe() {
    let service = Service::start(&[]);
    let url = service.address.as_str();
    let folder = tempfile::tempdir().unwrap();
    let (generated, streamed) = (folder.path().join("generated.wav"), folder.path().join("streamed.wav"));
    let ask = |operation: &str, text: &str, path: &PathBuf, input: &str| {
        let path = path.to_str().unwrap();
        let arguments = [
            "call",
            operation,
            "--url",
            url,
            "--text",
            text,
            "--language",
            "en",
            "-o",
            path,
        ];
        let output = quartet_with(&arguments, input);
        said(&output, 0, "");
    };
    ask("tts/generate", "Some words.", &generated, "");
    ask("tts/stream", "-", &streamed, "Some words.");
    let sound = std::fs::read(&generated).unwrap();
    assert!(sound.starts_with(b"RIFF") && sound.len() > 10_000);
    assert_eq!(
        sound,
        std::fs::read(&streamed).unwrap(),
        "the same words, the same sound"
    );

    let voices = quartet(&["call", "tts/voices", "--url", url]);
    said(&voices, 0, "");
    assert!(String::from_utf8_lossy(&voices.stdout).contains("Kore"));
    let raw = quartet(&["call", "tts/stream", "--url", url, "--json", r#"{"text": "Words."}"#]);
    assert!(raw.stdout.starts_with(b"RIFF"));
    said(&quartet(&["call", "readyz", "--url", url]), 0, "");
}

#[test]
fn call_asks_questions_and_sends_files() {
    let service = Service::start(&[]);
    let url = service.address.as_str();
    let asked = quartet(&["call", "chat", "--url", url, "--message", "What is 12 times 12?"]);
    said(&asked, 0, "");
    assert!(String::from_utf8_lossy(&asked.stdout).contains("12 × 12 = 144"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mill.pdf");
    std::fs::write(&path, pdf(&[&["The mill was built in 1742."]])).unwrap();
    let file = path.to_str().unwrap();
    let read = quartet(&[
        "call",
        "pdf/extract-text",
        "--url",
        url,
        "--file",
        file,
        "--format",
        "markdown",
    ]);
    said(&read, 0, "");
    let text = String::from_utf8_lossy(&read.stdout);
    assert!(
        text.contains("The mill was built in 1742.") && text.contains("\"markdown\""),
        "{text}"
    );
    let gone = folder.path().join("gone.xyz");
    let spoken = [
        "call",
        "tts/generate",
        "--url",
        url,
        "--text",
        "Hi",
        "-o",
        gone.to_str().unwrap(),
    ];
    said(&quartet(&spoken), 2, ".mp3");
    assert!(!gone.exists());
}

#[test]
fn call_tells_refusals_wrong_uses_and_silence_apart() {
    let service = Service::start(&[]);
    let url = service.address.as_str();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("never.wav");
    let never = path.to_str().unwrap();
    let refused = quartet(&[
        "call",
        "tts/stream",
        "--url",
        url,
        "--text",
        "Hi",
        "--voice",
        "Nobody",
        "-o",
        never,
    ]);
    said(&refused, 1, "(invalid_field, request ");
    said(&quartet(&["call", "tts/stream", "--url", url]), 2, "needs a body");
    said(&quartet(&["call", "tts/sing", "--url", url]), 2, "tts/stream");
    said(
        &quartet(&["call", "tts/voices", "--url", url, "-o", never]),
        2,
        "no sound",
    );
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let silent = quartet(&["call", "tts/voices", "--url", &format!("http://{closed}"), "-o", never]);
    said(&silent, 3, "cannot be reached");
    assert!(!path.exists() && !path.with_extension("wav.part").exists());
}

#[test]
fn an_answer_that_is_cut_off_leaves_no_file() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let half = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        std::io::Read::read(&mut socket, &mut [0; 4096]).unwrap();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: 100\r\n\r\nRIFF";
        socket.write_all(head.as_bytes()).unwrap();
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.wav");
    let output = quartet(&[
        "call",
        "tts/stream",
        "--url",
        &url,
        "--text",
        "Hi",
        "-o",
        path.to_str().unwrap(),
    ]);
    said(&output, 3, "cut off");
    half.join().unwrap();
    assert!(!path.exists() && !path.with_extension("wav.part").exists());
}

#[test]
fn check_loads_what_serve_would_and_listens_nowhere() {
    let (components, cache) = (
        given("QUARTET_COMPONENTS"),
        std::env::temp_dir().join("quartet-tests-compiled"),
    );
    let check = |components: &str, more: &[&str]| {
        let arguments = ["check", "--components", components, "--cache", cache.to_str().unwrap()];
        quartet(&[&arguments, more].concat())
    };
    let good = check(components.to_str().unwrap(), &["--body-bytes", "5"]);
    said(&good, 0, "");
    let printed = String::from_utf8_lossy(&good.stdout);
    assert!(printed.contains("tts") && printed.contains("body_bytes = 5") && printed.ends_with("in order\n"));
    let wrong = tempfile::tempdir().unwrap();
    std::fs::write(wrong.path().join("tts.wasm"), "no component").unwrap();
    said(&check(wrong.path().to_str().unwrap(), &[]), 1, "not loaded: tts");
    said(&check(".", &["--trace-percent", "101"]), 2, "`trace_percent`");
    said(
        &check(".", &["--otlp-endpoint", "collector:4317"]),
        2,
        "`otlp_endpoint`",
    );
}

#[test]
fn bench_load_counts_what_was_answered_and_what_was_not() {
    let service = Service::start(&["--requests-per-minute", "100000"]);
    let load = |more: &[&str]| {
        let arguments = [
            "bench-load",
            "tts/languages",
            "--url",
            &service.address,
            "--seconds",
            "1",
        ];
        quartet(&[&arguments, more].concat())
    };
    let output = load(&["--connections", "1,4"]);
    said(&output, 0, "");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!((rows.len(), rows[2][1], rows[3][1]), (4, "1", "4"), "{table}");
    assert!(rows[2][2].parse::<f64>().unwrap() > 0.0, "{table}");
    // The moments of a second at 50 requests a second, whatever the machine does meanwhile.
    said(&load(&["--connections", "2", "--rate", "50"]), 0, "");
    let page = String::from_utf8(service.client().get("/metrics").body).unwrap();
    assert!(
        page.contains("quartet_requests_total{operation=\"tts/languages\",status=\"200\""),
        "{page}"
    );

    let limited = Service::start(&["--requests-per-minute", "3"]);
    let output = quartet(&[
        "bench-load",
        "tts/languages",
        "--url",
        &limited.address,
        "--seconds",
        "1",
        "--connections",
        "1",
    ]);
    said(&output, 1, "rate_limited");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{closed}");
    said(
        &quartet(&[
            "bench-load",
            "tts/languages",
            "--url",
            &url,
            "--seconds",
            "1",
            "--connections",
            "1",
        ]),
        3,
        "first failure",
    );
}

#[test]
fn every_shell_gets_completions_that_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = quartet(&["completions", shell]);
        said(&output, 0, "");
        let script = String::from_utf8_lossy(&output.stdout);
        assert!(
            script.contains("bench-load") && script.contains("requests-per-minute"),
            "{shell}"
        );
    }
    let mut bash = Command::new("bash").args(["-n"]).stdin(Stdio::piped()).spawn().unwrap();
    bash.stdin
        .take()
        .unwrap()
        .write_all(&quartet(&["completions", "bash"]).stdout)
        .unwrap();
    assert!(bash.wait().unwrap().success(), "bash cannot read its completions");
    said(&quartet(&["completions", "tcsh"]), 2, "bash");
}
