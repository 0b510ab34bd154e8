//! The formats of speech: the same speech in each of them, by both operations, and what is said of other formats.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quartet_api::Code;
use quartet_api::tts::SpeechFormat;
use quartet_tests::sound::Sound;
use serde_json::{Value, json};

use crate::tested;

const TEXT: &str = "Good morning. The library opens at nine, and closes at five.";
const PATHS: [&str; 2] = ["/tts/generate", "/tts/stream"];

/// A request that is spoken the same way every time.
fn request(more: &Value) -> Value {
    let mut request = json!({"text": TEXT, "language": "en", "engine": "fast"});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

/// The data of events of a name.
fn named<'a>(events: &'a [(String, Value)], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    events
        .iter()
        .filter(move |(name, _)| name == kind)
        .map(|(_, data)| data)
}

/// The file in a result.
fn file(data: &Value) -> Vec<u8> {
    let file = STANDARD.decode(data["audioBase64"].as_str().unwrap()).unwrap();
    assert_eq!(data["audioSize"], file.len());
    file
}

#[test]
fn every_format_is_the_same_speech_and_both_operations_give_the_same_bytes() {
    let client = &tested().client;
    let plain = client.post("/tts/stream", &request(&json!({}))).body;
    let original = Sound::decode(&plain);
    for format in SpeechFormat::ALL {
        let name = format.name();
        let asked = request(&json!({"format": name}));
        let streamed = client.post("/tts/stream", &asked);
        assert_eq!(streamed.status, 200, "{}", String::from_utf8_lossy(&streamed.body));
        assert_eq!(streamed.header("content-type"), Some(format.media_type()));
        let disposition = format!("attachment; filename=\"speech.{name}\"");
        assert_eq!(streamed.header("content-disposition"), Some(disposition.as_str()));
        assert_eq!(streamed.header("content-language"), Some("en"));
        assert_eq!(streamed.header("x-speech-engine"), Some("fast"));
        // How long these two are is known when all is made.
        let length = match format {
            SpeechFormat::Opus | SpeechFormat::Flac => None,
            _ => Some(streamed.body.len().to_string()),
        };
        assert_eq!(streamed.header("content-length"), length.as_deref(), "{name}");
        let sound = Sound::decode_as(format, &streamed.body);
        match format {
            SpeechFormat::Mp3 | SpeechFormat::Opus => sound.expect_like(&original, name),
            _ => assert!(sound.samples == original.samples, "{name} loses something"),
        }
        let generated = client.post("/tts/generate", &asked).data();
        assert_eq!(generated["audioFormat"], format.title());
        assert_eq!(generated["mimeType"], format.media_type());
        assert!(file(&generated) == streamed.body, "{name}: two files");
        assert_eq!(
            client.post("/tts/stream", &asked).body,
            streamed.body,
            "{name}: not the same every time"
        );
    }
    let wav = client.post("/tts/stream", &request(&json!({"format": "wav"}))).body;
    assert!(wav == plain, "it is the default");
}

#[test]
fn events_bring_the_audio_as_it_is_made_and_the_rest_at_the_end() {
    let client = &tested().client;
    let text = format!("{TEXT} ").repeat(4);
    for format in SpeechFormat::ALL {
        let name = format.name();
        let asked = request(&json!({"text": text, "format": name, "timings": true}));
        let mut whole = client.post("/tts/generate", &asked).data();
        let body = asked.to_string();
        let headers = [("accept", "text/event-stream"), ("content-type", "application/json")];
        let events = client.post_with("/tts/generate", &headers, body.as_bytes()).events();
        let (end, before) = events.split_last().unwrap();
        let pieces: Vec<&str> = named(before, "audio")
            .map(|data| data["audioBase64"].as_str().unwrap())
            .collect();
        assert!(pieces.len() > 1, "{name}: {}", pieces.len());
        assert_eq!(whole["audioBase64"].take(), pieces.concat(), "{name}");
        let seconds: Vec<u64> = named(before, "progress")
            .map(|data| data["done"].as_u64().unwrap())
            .collect();
        assert!(seconds.len() > 1 && seconds.is_sorted(), "{name}: {seconds:?}");
        for progress in named(before, "progress") {
            assert_eq!(
                (&progress["stage"], &progress["total"]),
                (&json!("speaking"), &json!(seconds.last()))
            );
        }
        assert_eq!(before.len(), pieces.len() + seconds.len(), "{name}: other events");
        whole["audioBase64"] = json!("");
        assert_eq!(
            end,
            &("done".to_owned(), json!({"success": true, "data": whole})),
            "{name}"
        );
    }
    let headers = [("accept", "text/event-stream"), ("content-type", "application/json")];
    let reply = client.post_with("/tts/generate", &headers, br#"{"text": "Yes.", "format": "aac"}"#);
    reply.failed(Code::InvalidField);
    assert_eq!(reply.header("content-type"), Some("application/json"));
}

#[test]
fn whoever_names_no_format_gets_the_result_as_it_was() {
    let reply = tested().client.post("/tts/generate", &request(&json!({})));
    let text = String::from_utf8(reply.body.clone()).unwrap();
    let data = reply.data();
    assert_eq!(data.get("mimeType"), None);
    let head = format!(
        "{{\"success\":true,\"data\":{{\"message\":{},\"text\":{},\"language\":\"English\",\"voice\":\"Kore\",\
         \"engine\":\"fast\",\"audioFormat\":\"WAV\",\"audioSize\":{},\"audioBase64\":\"UklGR",
        data["message"],
        json!(TEXT),
        file(&data).len()
    );
    assert!(text.starts_with(&head), "{}", &text[..head.len()]);
    assert!(text.ends_with("\"}}"));
}

#[test]
fn names_are_taken_in_any_letter_case_and_as_results_have_them() {
    let client = &tested().client;
    for (name, media_type) in [("MP3", "audio/mpeg"), ("Opus", "audio/ogg"), ("fLaC", "audio/flac")] {
        let reply = client.post("/tts/stream", &request(&json!({"format": name})));
        assert_eq!(reply.header("content-type"), Some(media_type), "{name}");
    }
    let reply = client.post("/tts/stream", &request(&json!({"format": null})));
    assert_eq!(reply.header("content-type"), Some("audio/wav"));
}

#[test]
fn other_formats_are_refused_by_name() {
    let client = &tested().client;
    for path in PATHS {
        for (format, part) in [
            (json!("aac"), "wav, mp3, opus, flac, pcm"),
            (json!("audio/mpeg"), "wav, mp3, opus, flac, pcm"),
            (json!(""), "wav, mp3, opus, flac, pcm"),
            (json!(3), "must be a string, not 3"),
            (json!(["mp3"]), "must be a string, not a list"),
            (json!(true), "must be a string, not true"),
        ] {
            let reply = client.post(path, &request(&json!({"format": format})));
            let sentence = reply.failed(Code::InvalidField);
            assert!(
                sentence.contains("`format`") && sentence.contains(part),
                "{path} {format}: {sentence}"
            );
        }
    }
}

#[test]
fn a_result_has_as_much_speech_as_there_is_time_to_encode() {
    let client = &tested().client;
    // About twenty-five minutes.
    let text = format!("{TEXT} ").repeat(360);
    for (format, most) in [
        ("mp3", "with 20 at most"),
        ("flac", "with 20 at most"),
        ("opus", "with 10 at most"),
    ] {
        let reply = client.post("/tts/generate", &request(&json!({"text": text, "format": format})));
        let sentence = reply.failed(Code::TextTooLong);
        assert!(
            sentence.contains(most) && sentence.contains("/tts/stream"),
            "{format}: {sentence}"
        );
    }
}

#[test]
fn times_of_words_come_with_every_result_and_in_streams_of_wav_only() {
    let client = &tested().client;
    let timed = |format: &str| request(&json!({"format": format, "timings": true}));
    let times = client.post("/tts/generate", &timed("wav")).data()["timings"].take();
    assert_eq!(times.as_array().unwrap().len(), 11);
    for format in SpeechFormat::ALL {
        let name = format.name();
        let data = client.post("/tts/generate", &timed(name)).data();
        assert_eq!(data["timings"], times, "{name}");
        Sound::decode_as(format, &file(&data));
        let streamed = client.post("/tts/stream", &timed(name));
        if format == SpeechFormat::Wav {
            assert_eq!(&streamed.body[36..40], b"cue ");
            continue;
        }
        let sentence = streamed.failed(Code::InvalidField);
        assert!(
            sentence.contains("`timings`") && sentence.contains("/tts/generate"),
            "{sentence}"
        );
        let untimed = request(&json!({"format": name, "timings": false}));
        assert_eq!(client.post("/tts/stream", &untimed).status, 200);
    }
}

#[test]
fn every_format_that_is_listed_can_be_asked_for() {
    let client = &tested().client;
    let formats = client.get("/tts/info").data()["formats"].take();
    let formats = formats.as_array().unwrap();
    assert_eq!(formats.len(), SpeechFormat::ALL.len());
    for listed in formats {
        let reply = client.post("/tts/stream", &request(&json!({"format": listed["format"]})));
        assert_eq!(reply.header("content-type"), listed["mimeType"].as_str());
    }
}
