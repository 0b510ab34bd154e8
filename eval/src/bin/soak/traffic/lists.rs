//! Lists, health and the page: light requests, several on one connection.

use quartet_eval::requests::Request;

use crate::ledger::Group;
use crate::visitor::Visitor;

const PATHS: [&str; 11] = [
    "/tts/voices",
    "/tts/languages",
    "/tts/info",
    "/chat/info",
    "/healthz",
    "/readyz",
    "/v1/models",
    "/v1/audio/voices",
    "/v1/audio/models",
    "/openapi.json",
    "/",
];

/// Asks for some of them.
pub async fn ask(visitor: &mut Visitor) {
    for _ in 0..visitor.rng.usize(1..5) {
        let path = *visitor.draw(&PATHS);
        let name = match path {
            "/" => "the page",
            path => path.trim_start_matches('/'),
        };
        visitor.ask(Group::Light, name, &Request::get(path)).await;
    }
}
