//! Enough of the speech contract to pass the host's probe: a tone for a voice. How well it does is said by a mark in the
//! file, which the suites write over: so they have as many versions as they want, good and bad, without a compiler.

use std::hint::black_box;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quartet_api::operations::{TTS_GENERATE, TTS_LANGUAGES, TTS_STREAM};
use quartet_api::tts::{LanguageList, SAMPLE_RATE, SpeechRequest, SpeechResult, WAV};
use quartet_api::{Code, Language, Voice};
use quartet_component_sdk::{Failure, Request, Response, Route, json};

/// After its first part comes a word for what this version does, and then anything.
static MARK: [u8; 64] = *b"quartet-guest-mark:steady                                       ";

/// Samples of the tone: a tenth of a second.
const SAMPLES: u32 = SAMPLE_RATE / 10;

/// Steps that a slow version takes for an answer. On a fast machine they are about 35 ms, several times what a canary
/// takes for noise.
const SLOW: u64 = 200_000_000;

/// Steps that one takes that crawls: most of a second, longer than a swap.
const CRAWL: u64 = 20 * SLOW;

/// Time by which a version is late that is late to answer the probe.
const LATE: Duration = Duration::from_secs(2);

/// The operations that the probe asks for.
pub const ROUTES: &[Route] = &[
    Route {
        operation: &TTS_LANGUAGES,
        handler: languages,
    },
    Route {
        operation: &TTS_GENERATE,
        handler: generate,
    },
    Route {
        operation: &TTS_STREAM,
        handler: stream,
    },
];

/// Bytes that a version writes that fills its memory: as many as stay with an instance for the next one.
const FILLED_BYTES: usize = 12 * 1024 * 1024;

/// The word of the mark.
fn behaviour() -> String {
    // Read as it is in the file, not as the compiler knows it.
    let mark = black_box(&MARK);
    let text = String::from_utf8_lossy(mark);
    let word = text.trim_start_matches("quartet-guest-mark:");
    word.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns true for one request in three, which a version treats badly that passes the probe.
fn is_unlucky(request: &Request) -> bool {
    let id = request.id().unwrap_or_default();
    id != "probe" && id.bytes().map(u32::from).sum::<u32>().is_multiple_of(3)
}

fn behave(request: &Request) -> Result<String, Failure> {
    let behaviour = behaviour();
    match behaviour.as_str() {
        "loops" => loop {
            black_box(());
        },
        "fails" if is_unlucky(request) => panic!("one in three"),
        "refuses" if is_unlucky(request) => return Err(Failure::new(Code::InvalidField, "one in three is refused")),
        "slow" if request.id() != Some("probe") => work(SLOW),
        "fills" => drop(black_box(vec![1_u8; FILLED_BYTES])),
        "crawls" if request.id() != Some("probe") => work(CRAWL),
        // As if others had the processors for so long.
        "late" if request.id() == Some("probe") => std::thread::sleep(LATE),
        _ => {}
    }
    Ok(behaviour)
}

/// Computes for so many steps. A clock would say better when it is enough, but speech may not have one.
fn work(steps: u64) {
    for step in 0..steps {
        black_box(step);
    }
}

fn languages(request: &mut Request) -> Result<Response, Failure> {
    behave(request)?;
    Ok(Response::success(&LanguageList::all()))
}

fn generate(request: &mut Request) -> Result<Response, Failure> {
    let behaviour = behave(request)?;
    let spoken: SpeechRequest = json::read(request)?;
    let file = tone(&behaviour);
    Ok(Response::success(&SpeechResult {
        message: "a tone".to_owned(),
        text: spoken.text,
        language: Language::English.name().to_owned(),
        voice: Voice::default().name().to_owned(),
        engine: None,
        audio_format: WAV.to_owned(),
        mime_type: None,
        audio_size: file.len() as u64,
        timings: None,
        warnings: Vec::new(),
        audio_base64: STANDARD.encode(file),
    }))
}

fn stream(request: &mut Request) -> Result<Response, Failure> {
    let behaviour = behave(request)?;
    let file = tone(&behaviour);
    let length = file.len() as u64;
    Ok(Response::attachment(
        "audio/wav",
        "tone.wav",
        Some(length),
        std::iter::once(file),
    ))
}

/// A WAV file with a tone in it.
fn tone(behaviour: &str) -> Vec<u8> {
    let period = match behaviour {
        "silent" => 1,
        "other" => 50,
        _ => 100,
    };
    let data = SAMPLES * 2;
    let mut file = Vec::new();
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&(36 + data).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    for (value, size) in [
        (16, 4),
        (1, 2),
        (1, 2),
        (SAMPLE_RATE, 4),
        (SAMPLE_RATE * 2, 4),
        (2, 2),
        (16, 2),
    ] {
        file.extend_from_slice(&u32::to_le_bytes(value)[..size]);
    }
    file.extend_from_slice(b"data");
    file.extend_from_slice(&data.to_le_bytes());
    for sample in 0..SAMPLES {
        let height = i16::try_from(sample % period * 100).unwrap_or_default();
        file.extend_from_slice(&height.to_le_bytes());
    }
    file
}
