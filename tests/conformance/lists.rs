//! `/tts/voices`, `/tts/languages`, `/tts/info`.

use serde_json::{Value, json};

use crate::tested;

#[test]
fn languages_are_the_contracts_twelve_in_order() {
    let data = tested().client.get("/tts/languages").data();
    let expected = json!([
        {"code": "en", "name": "English"}, {"code": "hi", "name": "Hindi"}, {"code": "es", "name": "Spanish"},
        {"code": "fr", "name": "French"}, {"code": "de", "name": "German"}, {"code": "it", "name": "Italian"},
        {"code": "pt", "name": "Portuguese"}, {"code": "ru", "name": "Russian"}, {"code": "ja", "name": "Japanese"},
        {"code": "zh", "name": "Chinese"}, {"code": "ko", "name": "Korean"}, {"code": "ar", "name": "Arabic"},
    ]);
    assert_eq!(data, json!({"languages": expected, "total": 12}));
}

#[test]
fn voices_are_the_contracts_five_with_one_default() {
    let data = tested().client.get("/tts/voices").data();
    assert_eq!(data["total"], 5);
    let voices = data["voices"].as_array().unwrap();
    let row = |voice: &Value| {
        ["name", "character", "suitedFor"].map(|field| voice[field].as_str().unwrap_or_default().to_owned())
    };
    let rows: Vec<_> = voices.iter().map(row).collect();
    let expected = [
        ["Kore", "standard", "ordinary everyday use"],
        ["Phoebe", "light", "soft, pleasant delivery"],
        ["Charon", "deep", "serious, professional delivery"],
        ["Fenrir", "strong", "bold, forceful delivery"],
        ["Aoede", "calm", "relaxed, gentle delivery"],
    ];
    assert_eq!(rows, expected.map(|row| row.map(str::to_owned)));
    let defaults: Vec<_> = voices
        .iter()
        .filter(|voice| voice["default"] == true)
        .map(|voice| &voice["name"])
        .collect();
    assert_eq!(defaults, ["Kore"]);
}

#[test]
fn info_says_engine_formats_defaults_limits_and_licences() {
    let data = tested().client.get("/tts/info").data();
    assert!(data["engine"].as_str().unwrap().contains("eSpeak NG"));
    assert!(!data["version"].as_str().unwrap().is_empty());
    let lossless = |name: &str, media_type: &str| json!({"format": name, "mimeType": media_type, "sampleRate": 24000, "bitsPerSample": 16, "channels": 1});
    let lossy = |name: &str, media_type: &str, rate: u32| json!({"format": name, "mimeType": media_type, "sampleRate": 24000, "bitRate": rate, "channels": 1});
    assert_eq!(
        data["formats"],
        json!([
            lossless("WAV", "audio/wav"),
            lossy("MP3", "audio/mpeg", 64_000),
            lossy("Opus", "audio/ogg", 32_000),
            lossless("FLAC", "audio/flac"),
            lossless("PCM", "audio/pcm;rate=24000;channels=1"),
        ])
    );
    assert_eq!(
        data["defaults"],
        json!({"engine": "auto", "language": "detected", "voice": "Kore"})
    );
    assert_eq!(data["limits"]["textCharacters"], Value::Null);
    assert!(data["limits"]["generateAudioSeconds"].as_u64().unwrap() >= 600);
    assert!(
        data["licences"]
            .as_array()
            .unwrap()
            .iter()
            .any(|entry| entry["licence"] == "GPL-3.0-or-later")
    );
    assert_eq!((&data["languages"], &data["voices"]), (&json!(12), &json!(5)));
}

#[test]
fn a_query_changes_nothing() {
    let tested = tested();
    assert_eq!(tested.client.get("/tts/languages?x=1").data()["total"], 12);
}
