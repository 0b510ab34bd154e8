//! Jobs of several replicas: any of them tells of one and takes it back, and another goes on with it when the one that
//! works on it is gone.

mod away;
mod gone;
mod partition;
mod told;

use quartet_tests::wait::until;
use quartet_tests::{Client, Reply, Service};
use serde_json::{Value, json};

use super::model::Model;
use super::store::Store;
use super::{CONNECTED, Fleet, Headers, gauge, post};

const SESSION: (&str, &str) = ("x-session-id", "a-session-of-the-fleet");
const ASYNC: (&str, &str) = ("prefer", "respond-async");
const MINE: Headers<'_> = &[SESSION];
const OTHER: Headers<'_> = &[("x-session-id", "another-session-of-the-fleet")];

/// Jobs that replicas went on with, as each of them counts them.
const TAKEN: &str = "quartet_jobs_taken_total";

/// A store that is slow because the machine has other things to do is not away.
const SLOW: [&str; 2] = ["--shared-milliseconds", "1500"];

/// A text that the model is asked about.
const HERONS: &str = "Tell me about herons, please.";

/// Flags of a replica whose chat waits for a model, for as long as the test has it wait.
fn chat_flags(model: &Model) -> [&str; 10] {
    [
        SLOW[0],
        SLOW[1],
        "--language-remote",
        &model.address,
        "--language-remote-model",
        "some-model",
        "--language-remote-seconds",
        "600",
        "--respond-seconds",
        "600",
    ]
}

/// Replicas of that kind that know of each other.
fn fleet(number: usize, store: &Store, model: &Model, flags: &[&str]) -> Fleet {
    let fleet = Fleet::start(number, store, &[&chat_flags(model), flags].concat());
    fleet.wait_until(CONNECTED);
    fleet
}

/// Asks the model as a job.
fn ask(client: &Client, text: &str) -> Reply {
    post(client, "/chat", &json!({ "message": text }), &[SESSION, ASYNC])
}

/// The address of the job that was begun.
fn begun(reply: &Reply) -> String {
    assert_eq!(reply.status, 202, "{}", String::from_utf8_lossy(&reply.body));
    reply.header("location").expect("an address").to_owned()
}

fn job(client: &Client, job: &str) -> Value {
    client.get_with(job, MINE).data()
}

/// Waits until a replica says so of a job.
fn wait_until(client: &Client, address: &str, state: &str) -> Value {
    let mut last = Value::Null;
    until(&format!("the job is {state}"), || {
        let reply = client.get_with(&format!("{address}?wait=1"), MINE);
        last = if reply.status == 200 { reply.data() } else { Value::Null };
        last["state"] == state
    });
    last
}

/// The answer of a job, as a replica has it.
fn answer(client: &Client, address: &str) -> Reply {
    let reply = client.get_with(&format!("{address}/result"), MINE);
    assert!(
        reply.data()["answer"]
            .as_str()
            .is_some_and(|answer| answer == "Gladly.")
    );
    reply
}

/// Jobs that a replica works on.
fn at_work(service: &Service) -> usize {
    gauge(service, "quartet_jobs{of=\"at_work\"}")
}

fn taken(service: &Service) -> usize {
    gauge(service, TAKEN)
}

/// Waits until a replica has looked a few times for jobs that nobody works on.
fn wait_for_looks(service: &Service) {
    let calls = || gauge(service, "quartet_shared_state_calls_total{call=\"job\",outcome=\"ok\"}");
    let before = calls();
    until("the replica has looked", || calls() >= before + 3);
}
