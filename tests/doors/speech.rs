//! Speech in every format, decoded by decoders that share nothing with the encoders, beside the same speech as it comes
//! from the component.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
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

/// The speech as the component makes it.
fn original(service: &Service) -> Vec<u8> {
    let reply = service
        .client()
        .post("/tts/stream", &json!({"text": TEXT, "voice": "Charon"}));
    assert_eq!(reply.status, 200);
    reply.body
}

fn sound(samples: &[f32]) -> Sound {
    Sound {
        samples: samples.iter().map(|sample| (sample * 32_767.0) as i16).collect(),
    }
}

/// Checks that a sound is as long and as loud as another, but for the codec's delay and padding.
fn same(name: &str, sound: &Sound, original: &Sound) {
    let longer = sound.seconds() - original.seconds();
    assert!((0.0..0.12).contains(&longer), "{name} is {longer} s longer");
    let louder = 20.0 * (sound.level() / original.level()).log10();
    assert!(louder.abs() < 1.0, "{name} is {louder} dB louder");
}

#[test]
fn every_format_is_the_same_speech() {
    let service = start(&[]);
    let wav = original(&service);
    let original = Sound::decode(&wav);
    let of = |format: &str, media_type: &str| {
        let reply = say(&service, &json!({"response_format": format}));
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        assert_eq!(reply.header("content-type"), Some(media_type));
        assert_eq!(reply.header("content-language"), Some("en"));
        let file = format!("attachment; filename=\"speech.{format}\"");
        assert_eq!(reply.header("content-disposition"), Some(file.as_str()));
        reply.body
    };
    assert!(of("wav", "audio/wav") == wav);
    assert!(of("pcm", "audio/pcm;rate=24000;channels=1") == wav[44..]);

    let flac = of("flac", "audio/flac");
    let mut reader = claxon::FlacReader::new(flac.as_slice()).expect("FLAC");
    assert_eq!(reader.streaminfo().samples, Some(original.samples.len() as u64));
    let samples: Vec<i16> = reader
        .samples()
        .map(|sample| sample.expect("a sample") as i16)
        .collect();
    assert!(samples == original.samples, "FLAC loses nothing");

    let mp3 = of("mp3", "audio/mpeg");
    let decoded = nanomp3::decode_all::<f32>(&mp3);
    assert_eq!((decoded.sample_rate, decoded.layer), (24_000, 3));
    same("MP3", &sound(&decoded.samples), &original);

    let opus = of("opus", "audio/ogg");
    let mut reader = ogg::PacketReader::new(std::io::Cursor::new(&opus));
    let mut decoder = opus_rs::OpusDecoder::new(24_000, 1).expect("a decoder");
    let mut samples = Vec::new();
    let mut end = 0;
    while let Some(packet) = reader.read_packet().expect("Ogg") {
        if packet.data.starts_with(b"Opus") {
            continue;
        }
        let mut frame = [0.0; 480];
        let length = decoder.decode(&packet.data, 480, &mut frame).expect("Opus");
        samples.extend_from_slice(&frame[..length]);
        end = packet.absgp_page();
    }
    assert!(
        end as usize >= original.samples.len() * 2,
        "positions are counted at 48 kHz"
    );
    same("Opus", &sound(&samples), &original);

    assert!(mp3.len() * 3 < wav.len() && opus.len() * 6 < wav.len() && flac.len() < wav.len());
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
        (json!({"voice": "af_heart"}), "voice", "invalid_field", "Kore"),
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
