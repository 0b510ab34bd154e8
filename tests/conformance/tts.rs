//! `/tts/generate` and `/tts/stream`: fields, formats, languages, voices.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quartet_api::{Language, Voice};
use quartet_tests::declaration;
use quartet_tests::sound::Sound;
use serde_json::{Value, json};

use crate::tested;

/// Decodes the audio of a result and checks it against the result's own fields.
pub fn audio(data: &Value) -> Sound {
    let file = STANDARD.decode(data["audioBase64"].as_str().unwrap()).unwrap();
    assert_eq!(data["audioSize"].as_u64().unwrap(), file.len() as u64);
    assert_eq!(data["audioFormat"], "WAV");
    Sound::decode(&file)
}

fn is_good_speech(sound: &Sound, about: &str) {
    let level = sound.level();
    assert!((0.01..0.5).contains(&level), "{about}: level {level}");
    assert!(!sound.clips(), "{about} clips");
    let (before, after) = sound.silence();
    assert!(
        before < 0.3 && after < 0.3,
        "{about}: {before} s of silence before, {after} s after"
    );
}

#[test]
fn generate_answers_with_all_its_fields() {
    let text = "Good morning. How are you today?";
    let data = tested()
        .client
        .post(
            "/tts/generate",
            &json!({"text": text, "language": "en", "voice": "Charon", "engine": "fast"}),
        )
        .data();
    let mut fields: Vec<_> = data.as_object().unwrap().keys().cloned().collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "audioBase64",
            "audioFormat",
            "audioSize",
            "engine",
            "language",
            "message",
            "text",
            "voice"
        ]
    );
    assert_eq!(
        (&data["text"], &data["language"], &data["voice"]),
        (&json!(text), &json!("English"), &json!("Charon"))
    );
    assert!(!data["message"].as_str().unwrap().is_empty());
    let sound = audio(&data);
    assert!((1.0..6.0).contains(&sound.seconds()), "{} s", sound.seconds());
    is_good_speech(&sound, "generate");
}

#[test]
fn stream_answers_with_the_same_audio_as_a_file_to_save() {
    let tested = tested();
    let text = declaration::paragraph(Language::French, 0);
    let request = json!({"text": text, "language": "fr", "voice": "Aoede", "engine": "fast"});
    let reply = tested.client.post("/tts/stream", &request);
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("audio/wav"));
    assert_eq!(
        reply.header("content-disposition"),
        Some("attachment; filename=\"speech.wav\"")
    );
    assert_eq!(reply.header("content-language"), Some("fr"));
    assert_eq!(
        reply.header("content-length"),
        Some(reply.body.len().to_string().as_str())
    );
    let streamed = Sound::decode(&reply.body);
    let generated = audio(&tested.client.post("/tts/generate", &request).data());
    assert!(
        streamed.samples == generated.samples,
        "the two operations made different audio"
    );
}

#[test]
fn every_language_speaks_real_text_and_is_detected() {
    let tested = tested();
    for language in Language::ALL {
        let text = declaration::paragraph(language, 0);
        let named = tested
            .client
            .post(
                "/tts/generate",
                &json!({"text": text, "language": language.code(), "engine": "fast"}),
            )
            .data();
        assert_eq!(
            (&named["language"], &named["voice"]),
            (&json!(language.name()), &json!("Kore"))
        );
        let sound = audio(&named);
        // A preamble paragraph takes a person ten to thirty seconds.
        assert!(
            (6.0..40.0).contains(&sound.seconds()),
            "{language}: {} s",
            sound.seconds()
        );
        is_good_speech(&sound, language.name());
        let detected = tested
            .client
            .post("/tts/generate", &json!({"text": text, "engine": "fast"}))
            .data();
        assert_eq!(detected["language"], language.name());
        assert!(
            detected["audioBase64"] == named["audioBase64"],
            "{language}: not the same every time"
        );
    }
}

#[test]
fn every_voice_sounds_different() {
    let tested = tested();
    let text = declaration::paragraph(Language::English, 0);
    let sounds: Vec<_> = Voice::ALL
        .iter()
        .map(|voice| {
            let data = tested
                .client
                .post(
                    "/tts/generate",
                    &json!({"text": text, "voice": voice.name(), "engine": "fast"}),
                )
                .data();
            assert_eq!(data["voice"], voice.name());
            let sound = audio(&data);
            is_good_speech(&sound, voice.name());
            sound.samples
        })
        .collect();
    for (index, sound) in sounds.iter().enumerate() {
        assert!(
            !sounds[..index].contains(sound),
            "{} sounds like another voice",
            Voice::ALL[index].name()
        );
    }
}

#[test]
fn codes_and_names_are_taken_in_any_letter_case() {
    let data = tested()
        .client
        .post(
            "/tts/generate",
            &json!({"text": "Hallo", "language": "DE", "voice": "fenrir"}),
        )
        .data();
    assert_eq!(
        (&data["language"], &data["voice"]),
        (&json!("German"), &json!("Fenrir"))
    );
}

#[test]
fn null_is_as_good_as_absent_and_unknown_fields_are_ignored() {
    let request =
        json!({"text": "Hello there", "language": null, "voice": null, "engine": null, "speed": null, "pitch": 2});
    assert_eq!(tested().client.post("/tts/generate", &request).data()["voice"], "Kore");
}

#[test]
fn a_content_type_may_have_parameters() {
    let reply = tested().client.post_bytes(
        "/tts/generate",
        Some("application/json; charset=utf-8"),
        br#"{"text":"Yes"}"#,
    );
    assert_eq!(reply.status, 200);
}
