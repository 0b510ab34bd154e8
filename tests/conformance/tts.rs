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

/// Checks that the words of `text` have times, in its order and within the sound, and that hardly any is left out.
fn words_are_timed(timings: &Value, text: &str, sound: &Sound) {
    let timings = timings.as_array().unwrap();
    let (mut place, mut letters, mut last) = (0, 0, 0.0);
    for timing in timings {
        let word = timing["word"].as_str().unwrap();
        let at = text[place..]
            .find(word)
            .unwrap_or_else(|| panic!("{word:?} is not in what is left of the text"));
        place += at + word.len();
        letters += word.chars().filter(|character| character.is_alphanumeric()).count();
        let (start, end) = (timing["start"].as_f64().unwrap(), timing["end"].as_f64().unwrap());
        assert!(last <= start && start < end, "{word:?}: {start} to {end}, after {last}");
        last = start;
    }
    let all = text.chars().filter(|character| character.is_alphanumeric()).count();
    assert!(
        letters * 100 >= all * 97,
        "{letters} of {all} letters have times: {text}"
    );
    let (before, after) = sound.silence();
    let first = timings[0]["start"].as_f64().unwrap();
    let end = timings[timings.len() - 1]["end"].as_f64().unwrap();
    assert!(
        (first - before).abs() < 0.15,
        "first word at {first}, sound at {before}"
    );
    assert!(
        (sound.seconds() - after - end).abs() < 0.25,
        "last word until {end}, sound until {after} s before the end"
    );
}

#[test]
fn a_stream_has_the_times_of_words_before_its_samples() {
    let text = "It costs $5.20 today.";
    let request = |timings: bool| json!({"text": text, "engine": "fast", "timings": timings});
    let tested = tested();
    let plain = tested.client.post("/tts/stream", &request(false));
    let timed = tested.client.post("/tts/stream", &request(true));
    assert_eq!(
        timed.header("content-length"),
        Some(timed.body.len().to_string().as_str())
    );
    assert!(Sound::decode(&timed.body).samples == Sound::decode(&plain.body).samples);
    let added = timed.body.len() - plain.body.len();
    let chunks = &timed.body[36..36 + added];
    assert_eq!(&chunks[..4], b"cue ");
    assert_eq!(u32::from_le_bytes(chunks[8..12].try_into().unwrap()), 4);
    for word in ["It", "costs", "$5.20", "today"] {
        let label = [word.as_bytes(), &[0]].concat();
        assert!(chunks.windows(label.len()).any(|part| part == label), "{word}");
    }
    assert_eq!(&timed.body[36 + added..40 + added], b"data");
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
                &json!({"text": text, "language": language.code(), "engine": "fast", "timings": true}),
            )
            .data();
        assert_eq!(
            (&named["language"], &named["voice"]),
            (&json!(language.name()), &json!("Kore"))
        );
        let sound = audio(&named);
        words_are_timed(&named["timings"], text, &sound);
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
fn names_of_other_services_are_taken() {
    let client = &tested().client;
    for (language, voice, expected) in [
        ("pt_BR", "nova", ("Portuguese", "Phoebe")),
        ("spanish", "am_adam", ("Spanish", "Charon")),
    ] {
        let request = json!({"text": "Ola", "language": language, "voice": voice, "format": "ogg", "engine": "fast"});
        let data = client.post("/tts/generate", &request).data();
        let told = (&data["language"], &data["voice"]);
        assert_eq!(told, (&json!(expected.0), &json!(expected.1)));
        assert_eq!(data["audioFormat"], "Opus");
    }
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
