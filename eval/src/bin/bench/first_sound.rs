//! Time to the first byte and to the first sound of a stream in every format, beside WAV's in the same run. The first bytes
//! of most formats are a header, which nobody hears: sound is there when what has come decodes to something that is not
//! silence.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use quartet_api::tts::SpeechFormat;
use quartet_tests::sound::{AUDIBLE, Sound};
use quartet_tests::{Service, declaration};
use serde_json::json;

use crate::quantile::quantile;

const ROUNDS: usize = 21;

const SENTENCE: &str = "Good morning. The library opens at nine, and closes at five.";

/// Bytes of an answer that are read: more than a second of the largest format.
const READ: usize = 64 * 1024;

/// Prints the table.
pub fn print(service: &Service) {
    println!(
        "\n## First sound of each format\n\nThe fast voice; medians of {ROUNDS}, the formats in turn; × is the part of WAV's time in this run.\n"
    );
    println!(
        "| text | format | first byte, ms | × | first sound, ms | × | bytes to the first sound |\n|---|---|---|---|---|---|---|"
    );
    let whole = declaration::text(quartet_api::Language::English);
    for (name, text) in [("a sentence", SENTENCE), ("the Declaration", whole)] {
        let mut times = SpeechFormat::ALL.map(|format| (format, Vec::new(), Vec::new(), 0));
        for _ in 0..ROUNDS {
            for (format, bytes, sounds, length) in &mut times {
                let first = ask(service, *format, text);
                bytes.push(first.byte);
                sounds.push(first.sound);
                *length = first.length;
            }
        }
        let mut wav = None;
        for (format, bytes, sounds, length) in times {
            let here = (median(bytes), median(sounds));
            let (byte, sound) = *wav.get_or_insert(here);
            println!(
                "| {name} | {} | {:.1} | {:.2} | {:.1} | {:.2} | {length} |",
                format.name(),
                here.0 * 1e3,
                here.0 / byte,
                here.1 * 1e3,
                here.1 / sound,
            );
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}

/// Seconds from the request.
struct First {
    byte: f64,
    sound: f64,
    /// Bytes that had come when there was sound.
    length: usize,
}

fn ask(service: &Service, format: SpeechFormat, text: &str) -> First {
    let body = json!({"text": text, "language": "en", "engine": "fast", "format": format.name()}).to_string();
    let mut socket = TcpStream::connect(service.socket()).expect("a connection");
    // HTTP/1.0 has no chunks: what comes behind the head is the file.
    let head = format!(
        "POST /api/v1/tts/stream HTTP/1.0\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let start = Instant::now();
    socket
        .write_all((head + &body).as_bytes())
        .expect("a request that is taken");
    let mut received = Vec::new();
    let mut came = Vec::new();
    let mut piece = [0; 16 * 1024];
    while received.len() < READ {
        let length = socket.read(&mut piece).expect("an answer");
        if length == 0 {
            break;
        }
        received.extend_from_slice(&piece[..length]);
        came.push((start.elapsed().as_secs_f64(), received.len()));
    }
    let blank = b"\r\n\r\n";
    let head = received.windows(blank.len()).position(|bytes| bytes == blank);
    let file = head.expect("a head") + blank.len();
    came.retain(|(_, end)| *end > file);
    let audible = |end: usize| {
        let samples = Sound::begun(format, &received[file..end]);
        samples.iter().any(|sample| sample.unsigned_abs() > AUDIBLE)
    };
    let sound = came.iter().find(|(_, end)| audible(*end)).expect("a sound");
    First {
        byte: came[0].0,
        sound: sound.0,
        length: sound.1 - file,
    }
}
