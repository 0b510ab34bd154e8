//! Speech: whole and streamed, in all languages and voices, by both engines, read fast and slowly.

use std::time::Duration;

use fastrand::Rng;
use quartet_api::Language;
use quartet_eval::client::Manner;
use quartet_eval::requests::Request;
use quartet_eval::speech;
use serde_json::{Value, json};

use crate::ledger::Group;
use crate::visitor::Visitor;

/// A sentence that the natural engine speaks in a second or two.
const SHORT: &str = "Good morning. The library opens at nine.";

/// Bytes a second of those who read slowly: twice what a player takes of WAV, so that nobody has cause to cut them off.
const SLOWLY: usize = 96_000;

/// A paragraph, or now and then a short sentence by the natural engine.
pub fn whole_request(rng: &mut Rng) -> Request {
    let body: Value = if rng.usize(..8) == 0 {
        json!({"text": SHORT, "language": "en", "voice": speech::voice(rng), "engine": "natural"})
    } else {
        let language = speech::language(rng);
        let mut body = json!({
            "text": speech::paragraph(language, rng),
            "voice": speech::voice(rng),
            "engine": "fast",
            "timings": rng.bool(),
            "speed": 0.75 + 0.5 * rng.f64(),
        });
        // Half of them leave it to the service to find out.
        if rng.bool() {
            body["language"] = language.code().into();
        }
        body
    };
    Request::json("/tts/generate", &body)
}

/// Some paragraphs, up to all of a text.
pub fn streamed_request(rng: &mut Rng) -> Request {
    let language = speech::language(rng);
    let count = *rng.choice(&[2, 5, 10, 40, 200]).unwrap_or(&2);
    Request::json(
        "/tts/stream",
        &json!({
            "text": speech::paragraphs(language, count),
            "language": language.code(),
            "voice": speech::voice(rng),
            "engine": "fast",
        }),
    )
}

/// Has a text spoken whole.
pub async fn whole(visitor: &mut Visitor) {
    let request = whole_request(&mut visitor.rng);
    visitor.ask(Group::Speech, "tts/generate", &request).await;
}

/// Has a text streamed.
pub async fn streamed(visitor: &mut Visitor) {
    let request = streamed_request(&mut visitor.rng);
    visitor.ask(Group::Speech, "tts/stream", &request).await;
}

/// Has a long text streamed, reads it as slowly as somebody who listens, and leaves after a while.
pub async fn read_slowly(visitor: &mut Visitor) {
    let request = Request::json(
        "/tts/stream",
        &json!({"text": speech::paragraphs(Language::English, 200), "language": "en", "engine": "fast"}),
    );
    let most = Duration::from_secs(visitor.rng.u64(5..25));
    let manner = Manner::Slowly { rate: SLOWLY, most };
    visitor
        .ask_in_manner(Group::Speech, "tts/stream, read slowly", &request, manner)
        .await;
}
