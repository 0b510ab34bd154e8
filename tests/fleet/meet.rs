//! Two answers of one conversation that are made at the same time.

use std::thread;

use serde_json::{Value, json};

use super::model::Model;
use super::store::Store;
use super::{Fleet, Headers, converse, post};

const MINE: Headers<'_> = &[("x-session-id", "a-session-of-the-fleet")];
const TEXTS: [&str; 2] = ["Tell me about herons, please.", "Tell me about otters, please."];
const LAST: &str = "Which animals did I ask about?";

/// Asks two replicas at once within one conversation, and then what the conversation was.
fn both_turns_are_there(fleet: &Fleet, model: &Model) {
    let replicas = fleet.replicas.len();
    let talk = converse(&fleet.client(0), &Value::Null, MINE).data()["conversationId"].clone();
    let say = |client: &quartet_tests::Client, text: &str| {
        post(client, "/chat", &json!({"message": text, "conversationId": talk}), MINE).data()
    };
    thread::scope(|scope| {
        for (number, text) in TEXTS.iter().enumerate() {
            let client = fleet.client(number % replicas);
            let say = &say;
            scope.spawn(move || say(&client, text));
        }
    });
    say(&fleet.client(replicas - 1), LAST);
    let asked = model.asked();
    // The model is told of both, and at the end of both together.
    let last: Vec<_> = asked.iter().filter(|request| request.contains(LAST)).collect();
    let with_both = last
        .iter()
        .any(|request| TEXTS.iter().all(|text| request.contains(text)));
    assert!(with_both, "{last:?}");
    let met = asked.iter().filter(|request| !request.contains(LAST));
    assert!(
        !met.into_iter()
            .any(|request| TEXTS.iter().all(|text| request.contains(text))),
        "one answer was made after the other"
    );
}

fn flags(model: &Model) -> [&str; 4] {
    [
        "--language-remote",
        &model.address,
        "--language-remote-model",
        "some-model",
    ]
}

#[test]
fn both_turns_are_there_on_two_replicas() {
    let Some(store) = Store::start("two answers of one conversation on two replicas", &[]) else {
        return;
    };
    let model = Model::start(TEXTS);
    let fleet = Fleet::start(2, &store, &flags(&model));
    both_turns_are_there(&fleet, &model);
}

#[test]
fn both_turns_are_there_in_one_process() {
    let model = Model::start(TEXTS);
    let mut all = vec!["--requests-per-minute", "100000"];
    all.extend(flags(&model));
    let fleet = Fleet {
        replicas: vec![quartet_tests::Service::start(&all)],
        _folder: tempfile::tempdir().unwrap(),
    };
    both_turns_are_there(&fleet, &model);
}
