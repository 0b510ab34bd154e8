//! Speech in every format, decoded by decoders that share nothing with the encoders, beside the same speech as the operation
//! gives it.

use std::io::ErrorKind;
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_api::tts::SpeechFormat;
use quartet_tests::skip::not_run;
use quartet_tests::sound::Sound;
use quartet_tests::{Reply, Service};
use serde_json::{Value, json};

use crate::start;

const TEXT: &str = "Good morning. The library opens at nine, and closes at five.";

fn say(service: &Service, more: &Value) -> Reply {
    let mut body = json!({"model": "tts-1", "input": TEXT, "voice": "onyx"});
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    service.client().post("/v1/audio/speech", &body)
}

/// The speech as the operation gives it.
fn original(service: &Service) -> Vec<u8> {
    let reply = service
        .client()
        .post("/tts/stream", &json!({"text": TEXT, "voice": "Charon"}));
    assert_eq!(reply.status, 200);
    reply.body
}

#[test]
fn every_format_is_the_same_speech() {
    let service = start(&[]);
    let wav = original(&service);
    let original = Sound::decode(&wav);
    let of = |format: SpeechFormat| {
        let reply = say(&service, &json!({"response_format": format.name()}));
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        assert_eq!(reply.header("content-type"), Some(format.media_type()));
        assert_eq!(reply.header("content-language"), Some("en"));
        let file = format!("attachment; filename=\"speech.{}\"", format.name());
        assert_eq!(reply.header("content-disposition"), Some(file.as_str()));
        // Of these two it is known when all is made.
        let length = reply.header("content-length").map(str::to_owned);
        match format {
            SpeechFormat::Opus | SpeechFormat::Flac => assert_eq!(length, None),
            _ => assert_eq!(length, Some(reply.body.len().to_string())),
        }
        let sound = Sound::decode_as(format, &reply.body);
        match format {
            SpeechFormat::Mp3 | SpeechFormat::Opus => sound.expect_like(&original, format.name()),
            _ => assert!(sound.samples == original.samples, "{} loses nothing", format.name()),
        }
        reply.body
    };
    let [same, mp3, opus, flac, pcm] = SpeechFormat::ALL.map(of);
    assert!(same == wav && pcm == wav[44..]);
    assert!(mp3.len() * 3 < wav.len() && opus.len() * 6 < wav.len() && flac.len() < wav.len());
}

/// The same speech as files of a format, by our own operations.
fn by_operations(service: &Service, format: SpeechFormat) -> [(&'static str, Vec<u8>); 2] {
    let body = json!({"text": TEXT, "voice": "Charon", "format": format.name()});
    let streamed = service.client().post("/tts/stream", &body);
    let result = service.client().post("/tts/generate", &body).data();
    let generated = result["audioBase64"].as_str().expect("audio");
    [
        ("/tts/stream", streamed.body),
        ("/tts/generate", BASE64_STANDARD.decode(generated).expect("Base64")),
    ]
}

/// Remarks of decoders on sound that is in order: a plain header of WAV names no layout of channels, and one of FLAC has no
/// digest, which would stand before the samples that it is of.
const REMARKS: [&str; 2] = [
    "Guessed Channel Layout for Input Stream",
    "cannot check MD5 signature since it was unset",
];

#[test]
fn programs_that_people_play_it_with_decode_every_format() {
    let test = "programs_that_people_play_it_with_decode_every_format";
    let service = start(&[]);
    let original = Sound::decode(&original(&service));
    let folder = tempfile::tempdir().expect("a folder");
    let raw = folder.path().join("speech.raw");
    let raw = raw.to_str().expect("a path in UTF-8");
    let ffmpeg = "ffmpeg -v warning -xerror -i FILE -f s16le -ar 24000 -ac 1 -y RAW";
    let decoders = [
        (SpeechFormat::Wav, ffmpeg),
        (SpeechFormat::Mp3, ffmpeg),
        (
            SpeechFormat::Mp3,
            "mpg123 --quiet --mono --rate 24000 --encoding s16 --outfile RAW FILE",
        ),
        (SpeechFormat::Opus, ffmpeg),
        (SpeechFormat::Opus, "opusdec --quiet --rate 24000 FILE RAW"),
        (SpeechFormat::Flac, ffmpeg),
        (
            SpeechFormat::Flac,
            "flac --silent --decode --force-raw-format --endian=little --sign=signed --force -o RAW FILE",
        ),
    ];
    for (format, line) in decoders {
        let name = format.name();
        let reply = say(&service, &json!({"response_format": name}));
        for (operation, body) in by_operations(&service, format) {
            assert!(body == reply.body, "{operation} gives another file of {name}");
        }
        let file = folder.path().join(format!("speech.{name}"));
        std::fs::write(&file, &reply.body).expect("a file");
        let words = line.split(' ').map(|word| match word {
            "FILE" => file.to_str().expect("a path in UTF-8"),
            "RAW" => raw,
            word => word,
        });
        let words: Vec<_> = words.collect();
        let output = match Command::new(words[0]).args(&words[1..]).output() {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                not_run(&format!("{test}: {name}"), &format!("{} is not here", words[0]));
                continue;
            }
            Err(error) => panic!("{}: {error}", words[0]),
        };
        let said = String::from_utf8_lossy(&output.stderr);
        let complaints: Vec<_> = said
            .lines()
            .filter(|said| !said.trim().is_empty() && !REMARKS.iter().any(|remark| said.contains(remark)))
            .collect();
        assert!(
            output.status.success() && complaints.is_empty(),
            "{line}: {complaints:?}"
        );
        let decoded = std::fs::read(raw).expect("samples");
        let sound = Sound::decode_as(SpeechFormat::Pcm, &decoded);
        match format {
            SpeechFormat::Mp3 | SpeechFormat::Opus => sound.expect_like(&original, line),
            _ => assert!(sound.samples == original.samples, "{line}"),
        }
    }
}

#[test]
fn clients_that_name_no_format_get_mp3_and_events_have_the_same_bytes() {
    let service = start(&[]);
    let plain = say(&service, &json!({}));
    assert_eq!(plain.header("content-type"), Some("audio/mpeg"));
    let reply = say(&service, &json!({"stream_format": "sse"}));
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let text = String::from_utf8(reply.body).expect("text");
    let events: Vec<_> = text.split("\n\n").collect();
    let [pieces @ .., done, ""] = events.as_slice() else {
        panic!("{text}")
    };
    assert_eq!(
        *done,
        "data: {\"type\":\"speech.audio.done\",\"usage\":{\"input_tokens\":0,\"output_tokens\":0,\"total_tokens\":0}}"
    );
    let mut audio = Vec::new();
    for piece in pieces {
        let encoded = piece
            .strip_prefix("data: {\"type\":\"speech.audio.delta\",\"audio\":\"")
            .and_then(|rest| rest.strip_suffix("\"}"))
            .expect("a piece");
        audio.extend(BASE64_STANDARD.decode(encoded).expect("Base64"));
    }
    assert!(pieces.len() > 1, "it comes in pieces");
    assert!(audio == plain.body, "the same request gives the same bytes");
}

#[test]
fn what_cannot_be_spoken_is_refused_by_name() {
    let service = start(&[]);
    for (more, field, code, part) in [
        (
            json!({"response_format": "aac"}),
            "response_format",
            "invalid_field",
            "mp3, opus, flac, wav, pcm",
        ),
        (json!({"voice": "Puck"}), "voice", "invalid_field", "Kore"),
        (json!({"speed": 4}), "speed", "invalid_field", "from 0.5 to 2"),
        (json!({"engine": "loud"}), "engine", "invalid_field", "fast"),
        (json!({"engine": 1}), "engine", "invalid_field", "an engine's name"),
        (json!({"input": null}), "input", "invalid_field", "a string"),
        (json!({"language": "xx"}), "language", "invalid_field", "en"),
        (json!({"input": "…"}), "input", "nothing_to_speak", "`input`"),
    ] {
        let reply = say(&service, &more);
        assert_eq!(reply.status, 400, "{more}");
        let [message, _, named, word] = reply.openai_failure();
        assert_eq!((named.as_str(), word.as_str()), (field, code), "{more}: {message}");
        assert!(message.contains(part), "{more}: {message}");
    }
    let client = service.client();
    assert_eq!(
        client.post_bytes("/v1/audio/speech", None, b"{").openai_failure()[3],
        "invalid_json"
    );
    let small = start(&["--body-bytes", "100"]);
    let reply = say(&small, &json!({"input": "x".repeat(200)}));
    assert_eq!(reply.status, 413);
    assert_eq!(reply.openai_failure()[3], "payload_too_large");
}

#[test]
fn a_request_is_one_request_in_the_log_and_the_metrics() {
    let service = start(&[]);
    let headers = [("x-request-id", "spoken.1"), ("content-type", "application/json")];
    let body = json!({"input": TEXT}).to_string();
    let reply = service
        .client()
        .post_with("/v1/audio/speech", &headers, body.as_bytes());
    assert_eq!(reply.header("x-request-id"), Some("spoken.1"));
    assert!(
        reply
            .header("x-quartet-component")
            .expect("a version")
            .starts_with("tts@")
    );
    let line = service.wait_for_log(&["spoken.1", "answered"]);
    assert!(
        line.contains("\"/v1/audio/speech\"") && line.contains("\"/api/v1/tts/stream\""),
        "{line}"
    );
    let page = String::from_utf8(service.client().get("/metrics").body).expect("text");
    assert!(page.contains("operation=\"v1/audio/speech\",status=\"200\""), "{page}");
    assert!(
        !page.contains("operation=\"tts/stream\",status=\"200\""),
        "it is not counted twice"
    );
}
