//! A component that somebody else wrote, in another language: `examples/morse`, by the commands of
//! `docs/write-a-component.md`. It is built with npm, and so not part of every run:
//! `QUARTET_MORSE=$PWD/examples/morse/tts.wasm cargo test … --test swap own -- --ignored`.

use std::fs;

use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::sound::Sound;
use serde_json::json;

use crate::world::{World, done, version};

/// Samples of a dot: a twentieth of a second.
const DOT: usize = 1_200;

/// What an operator would write down.
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
#[ignore = "needs QUARTET_MORSE, the component of examples/morse, which npm builds"]
fn a_voice_in_javascript_takes_the_place_of_another_and_leaves_it_again() {
    let morse = fs::read(given("QUARTET_MORSE")).unwrap();
    let world = World::new("own", &version("steady 1"), &["--probe-seconds", "60"]);
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
