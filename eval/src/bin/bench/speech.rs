//! Speed of speech by language, beside the C program `espeak-ng` on the same text where it is installed, and the time
//! to the first byte of a stream.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Instant;

use quartet_api::Language;
use quartet_tests::sound::Sound;
use quartet_tests::{Service, declaration};
use serde_json::json;

use crate::quantile::quantile;

const ROUNDS: usize = 5;

/// Prints both tables.
pub fn print(service: &Service) {
    println!(
        "## Speech\n\nThe Universal Declaration of Human Rights, first 20 paragraphs; real-time factor = time / length of the audio, medians of {ROUNDS}.\n"
    );
    println!(
        "| language | seconds of audio | real-time factor | C espeak-ng | ratio | first byte of the whole text, ms | characters |\n|---|---|---|---|---|---|---|"
    );
    for language in Language::ALL {
        let whole = declaration::text(language);
        let text: String = whole.split_inclusive("\n\n").take(20).collect();
        let mut audio = 0.0;
        let ours = median(|| {
            let start = Instant::now();
            let reply = service
                .client()
                .post("/tts/stream", &json!({"text": text, "language": language.code()}));
            let time = start.elapsed().as_secs_f64();
            audio = Sound::decode(&reply.body).seconds();
            time / audio
        });
        let peer = espeak(language, &text);
        let first = median(|| first_byte(service, language, whole)) * 1e3;
        let (peer, ratio) = match peer {
            Some(peer) => (format!("{peer:.5}"), format!("{:.2}", ours / peer)),
            None => ("not installed".to_owned(), "–".to_owned()),
        };
        println!(
            "| {} | {audio:.0} | {ours:.5} | {peer} | {ratio} | {first:.0} | {} |",
            language.name(),
            whole.chars().count()
        );
    }
}

fn median(mut measure: impl FnMut() -> f64) -> f64 {
    let mut values: Vec<_> = (0..ROUNDS).map(|_| measure()).collect();
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}

/// Real-time factor of the C program, its start included.
fn espeak(language: Language, text: &str) -> Option<f64> {
    let voice = if language == Language::Chinese {
        "cmn"
    } else {
        language.code()
    };
    let mut seconds = 0.0;
    let mut run = || -> Option<f64> {
        let start = Instant::now();
        let mut process = Command::new("espeak-ng")
            .args(["-v", voice, "--stdin", "--stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        process.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = process.wait_with_output().ok()?;
        let time = start.elapsed().as_secs_f64();
        // 22,050 samples a second of two bytes.
        seconds = output.stdout.len() as f64 / 44_100.0;
        Some(time)
    };
    run()?;
    let time = median(|| run().unwrap_or(f64::NAN));
    (seconds > 1.0).then_some(time / seconds)
}

/// Seconds from the request to the first byte of audio.
fn first_byte(service: &Service, language: Language, text: &str) -> f64 {
    let body = json!({"text": text, "language": language.code()}).to_string();
    let mut socket = TcpStream::connect(service.socket()).expect("a connection");
    let head = format!(
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let start = Instant::now();
    socket
        .write_all((head + &body).as_bytes())
        .expect("a request that is taken");
    let mut received = Vec::new();
    let mut piece = [0; 4096];
    while !received.windows(4).any(|window| window == b"RIFF") {
        let length = socket.read(&mut piece).expect("an answer");
        assert!(length > 0, "the answer ended before its audio");
        received.extend_from_slice(&piece[..length]);
    }
    start.elapsed().as_secs_f64()
}
