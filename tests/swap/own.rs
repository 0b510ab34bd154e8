//! Components that somebody else wrote, by the commands of `docs/write-a-component.md`: a capability of one's own
//! (`examples/words`), and a voice in another language (`examples/morse`), which npm builds.

use std::fs;

use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use quartet_tests::sound::Sound;
use serde_json::json;

use crate::world::{Folder, World, done, refused, version};

/// Samples of a dot: a twentieth of a second.
const DOT: usize = 1_200;

/// The dots and dashes that an operator would write down.
fn heard(sound: &Sound) -> String {
    let mut signs = String::new();
    let mut runs: Vec<(bool, usize)> = Vec::new();
    for piece in sound.samples.chunks(DOT / 10) {
        let tone = piece.iter().any(|sample| sample.unsigned_abs() > 2_000);
        match runs.last_mut() {
            Some((last, length)) if *last == tone => *length += 1,
            _ => runs.push((tone, 1)),
        }
    }
    for (tone, length) in runs {
        match (tone, length > 20) {
            (true, true) => signs.push('-'),
            (true, false) => signs.push('.'),
            (false, true) => signs.push(' '),
            (false, false) => {}
        }
    }
    signs.trim_end().to_owned()
}

#[test]
fn a_capability_of_ones_own_comes_to_serve_and_has_what_its_settings_grant() {
    let folder = Folder::new();
    fs::write(folder.component(), version("steady 1")).unwrap();
    let words = given("QUARTET_WORDS").display().to_string();
    let asking = given("QUARTET_GUESTS")
        .join("quartet_llm_guest.wasm")
        .display()
        .to_string();
    let settings = folder.path().join("capabilities.toml");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/words/capabilities.toml");
    fs::copy(example, &settings).unwrap();
    let flags = ["--capabilities", settings.to_str().unwrap()];
    let mut service = folder.serve(&flags);
    let client = service.client();
    client.get("/words/info").failed(Code::Unavailable);
    assert!(done(&folder.quartet(&["swap", "words", &words])).contains("serves"));

    let reply = client.post("/words/count", &json!({"text": "Jack and Jill"}));
    assert_eq!(
        reply.json(),
        json!({"success": true, "data": {"words": 3, "characters": 13}})
    );
    let component = reply.headers["x-quartet-component"].to_str().unwrap();
    assert!(component.starts_with("words@"), "{component}");
    assert!(
        client
            .post("/words/count", &json!({}))
            .failed(Code::MissingField)
            .contains("text")
    );
    client.get("/words/count").failed(Code::MethodNotAllowed);
    client.get("/api/v1/words").failed(Code::NotFound);
    client.get("/api/v1/wordsmith/info").failed(Code::NotFound);
    assert!(done(&folder.quartet(&["components"])).contains("words"));
    // It was granted no language model.
    let reason = refused(&folder.quartet(&["swap", "words", &asking]));
    assert!(reason.contains("quartet:language-model/chat"), "{reason}");

    // The next start finds it, with what it was given meanwhile: now another may take its place, but fails the probe.
    service.terminate();
    service.wait();
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text + "may = [\"language-model\"]\n").unwrap();
    let service = folder.serve(&flags);
    let client = service.client();
    assert_eq!(client.get("/words/info").status, 200);
    let reason = refused(&folder.quartet(&["swap", "words", &asking]));
    assert!(
        reason.contains("/api/v1/words/info") && reason.contains("404"),
        "{reason}"
    );
    assert_eq!(client.get("/words/info").status, 200);
    let metrics = client.get("/metrics");
    let metrics = String::from_utf8(metrics.body).unwrap();
    assert!(metrics.contains("operation=\"words\""), "{metrics}");
}

#[test]
fn a_folder_and_a_file_are_a_capability_once_its_probe_is_answered() {
    let folder = Folder::new();
    fs::write(folder.component(), version("steady 1")).unwrap();
    let components = folder.path().join("components");
    fs::copy(given("QUARTET_WORDS"), components.join("words.wasm")).unwrap();
    fs::create_dir(components.join("words")).unwrap();
    let definition = components.join("words/capability.toml");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/words/capability.toml");
    let example = fs::read_to_string(example).unwrap();
    let wrong = example.replace("\"/data/words\", is = 3", "\"/data/words\", is = 4");
    assert_ne!(wrong, example);
    fs::write(&definition, wrong).unwrap();
    let mut service = folder.serve(&[]);
    service.wait_for_log(&[
        "component not loaded",
        "/api/v1/words/count: `/data/words` is 3 and not 4",
    ]);
    service.client().get("/words/info").failed(Code::Unavailable);
    service.terminate();
    service.wait();

    fs::write(&definition, example).unwrap();
    let service = folder.serve(&[]);
    let client = service.client();
    let reply = client.post("/words/count", &json!({"text": "Jack and Jill"}));
    assert_eq!(reply.json()["data"]["words"], 3);
    // It was granted no language model.
    let asking = given("QUARTET_GUESTS").join("quartet_llm_guest.wasm");
    let reason = refused(&folder.quartet(&["swap", "words", asking.to_str().unwrap()]));
    assert!(reason.contains("quartet:language-model/chat"), "{reason}");
}

#[test]
fn a_voice_in_javascript_takes_the_place_of_another_and_leaves_it_again() {
    let Some(morse) = std::env::var_os("QUARTET_MORSE") else {
        let name = "own::a_voice_in_javascript_takes_the_place_of_another_and_leaves_it_again";
        return not_run(
            name,
            "QUARTET_MORSE names no component of examples/morse, which npm builds",
        );
    };
    let morse = fs::read(morse).unwrap();
    let world = World::new(&version("steady 1"), &["--probe-seconds", "60"]);
    let first = world.answers();
    assert!(done(&world.swap(&morse)).contains("serves; before it served"));
    assert_ne!(world.answers(), first);
    let client = world.client();
    let reply = client.post("/tts/stream", &json!({"text": "SOS now"}));
    assert_eq!(reply.status, 200);
    assert_eq!(heard(&Sound::decode(&reply.body)), "... --- ... -. --- .--");
    client
        .post("/tts/stream", &json!({"text": "…"}))
        .failed(Code::NothingToSpeak);
    client
        .post_bytes("/tts/stream", Some("application/json"), b"{")
        .failed(Code::InvalidJson);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), first);
}

#[test]
fn a_voice_that_speaks_wav_only_is_not_taken_for_one_that_encodes() {
    let folder = Folder::new();
    fs::write(folder.component(), version("steady 1")).unwrap();
    let service = folder.serve(&[]);
    let client = service.client();
    let ask = |format: &str| {
        client.post(
            "/v1/audio/speech",
            &json!({"input": "Good morning.", "response_format": format}),
        )
    };
    let wav = ask("wav");
    assert_eq!(
        (wav.status, wav.header("content-type")),
        (200, Some("audio/wav")),
        "{}",
        String::from_utf8_lossy(&wav.body)
    );
    Sound::decode(&wav.body);
    for format in ["mp3", "opus", "flac", "pcm"] {
        let reply = ask(format);
        assert_eq!(reply.status, 503, "{format}");
        let [message, _, field, word] = reply.openai_failure();
        assert_eq!((field.as_str(), word.as_str()), ("response_format", "unavailable"));
        assert!(message.contains(format) && message.contains("audio/wav"), "{message}");
    }
}
