//! Jobs of other replicas, as a replica tells of them.

use std::thread;

use quartet_api::Code;
use quartet_tests::wait::until;
use quartet_tests::{Client, Reply};
use serde_json::{Value, json};

use super::{
    ASYNC, CONNECTED, Fleet, HERONS, MINE, Model, OTHER, SESSION, SLOW, Store, answer, ask, at_work, begun, fleet, job,
    wait_until,
};
use crate::{document, upload};

#[test]
fn any_replica_tells_of_a_job() {
    let Some(store) = Store::start("any replica tells of a job", &[]) else {
        return;
    };
    let model = Model::closed();
    let fleet = fleet(3, &store, &model, &["--client-jobs", "2"]);
    let [one, two, three] = [0, 1, 2].map(|replica| fleet.client(replica));
    let asked = begun(&ask(&one, HERONS));
    let running = wait_until(&two, &asked, "running");
    assert_eq!(running["restartable"], true, "{running}");
    let at_one = job(&one, &asked);
    for part in ["jobId", "operation", "created", "requestId", "restartable"] {
        assert_eq!(running[part], at_one[part], "{part}");
    }
    for client in [&two, &three] {
        let (result, events) = (format!("{asked}/result"), format!("{asked}/events"));
        client.get_with(&result, MINE).failed(Code::Conflict);
        for path in [&asked, &result, &events] {
            client.get_with(path, OTHER).failed(Code::NotFound);
        }
        client.delete_with(&asked, OTHER).failed(Code::NotFound);
    }
    // A client has so many on all of them together.
    let second = begun(&ask(&two, "Tell me about otters, please."));
    let refused = ask(&three, "Tell me about voles, please.").failed(Code::Busy);
    assert!(refused.contains("2 jobs"), "{refused}");
    two.delete_with(&second, MINE).data();
    let (done, told) = thread::scope(|scope| {
        let events = scope.spawn(|| three.get_with(&format!("{asked}/events"), MINE));
        let wait = scope.spawn(|| two.get_with(&format!("{asked}?wait=25"), MINE));
        model.open();
        (wait.join().unwrap().data(), events.join().unwrap().events())
    });
    assert_eq!(done["state"], "done", "{done}");
    let (last, over) = told.last().unwrap();
    assert_eq!((last.as_str(), &over["state"]), ("done", &json!("done")), "{told:?}");
    let results = [&one, &two, &three].map(|client| answer(client, &asked));
    for result in &results {
        assert_eq!(result.body, results[0].body);
        for header in ["content-type", "x-quartet-component"] {
            assert_eq!(result.header(header), results[0].header(header), "{header}");
        }
    }
    three.delete_with(&asked, MINE).data();
    for client in [&one, &two, &three] {
        client.get_with(&asked, MINE).failed(Code::NotFound);
        client.get_with(&format!("{asked}/result"), MINE).failed(Code::NotFound);
    }
}

#[test]
fn a_job_is_taken_back_at_any_replica() {
    let Some(store) = Store::start("a job is taken back at any replica", &[]) else {
        return;
    };
    let model = Model::closed();
    let fleet = fleet(2, &store, &model, &[]);
    let [one, two] = [0, 1].map(|replica| fleet.client(replica));
    let asked = begun(&ask(&one, HERONS));
    wait_until(&two, &asked, "running");
    assert_eq!(two.delete_with(&asked, MINE).data()["state"], "cancelled");
    two.get_with(&asked, MINE).failed(Code::NotFound);
    until("the replica that works on it has heard", || {
        one.get_with(&asked, MINE).status == 404
    });
    let line = fleet.replicas[0].wait_for_log(&["client left", "/api/v1/chat"]);
    assert!(line.contains("POST"), "its sandbox ended: {line}");
    model.open();
    assert_eq!(at_work(&fleet.replicas[0]), 0);
}

#[test]
fn pages_and_large_answers_are_told_at_any_replica() {
    let Some(store) = Store::start("pages and large answers are told at any replica", &[]) else {
        return;
    };
    let fleet = Fleet::start(2, &store, &SLOW);
    fleet.wait_until(CONNECTED);
    let [one, two] = [0, 1].map(|replica| fleet.client(replica));
    let asked = begun(&document(&one, &[SESSION, ASYNC]));
    assert_eq!(wait_until(&two, &asked, "done")["operation"], "pdf/extract-text");
    let told = two.get_with(&format!("{asked}/events"), MINE).events();
    let [(first, page), (last, over)] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((first.as_str(), last.as_str()), ("page", "done"));
    assert!(page["text"].as_str().unwrap().contains("1742"), "{page}");
    assert_eq!(over["progress"]["done"], 1);
    // In more than one piece.
    let text = "The mill of Aldebourne grinds wheat. ".repeat(100);
    let speech = json!({"text": text, "engine": "fast"}).to_string();
    let json = ("content-type", "application/json");
    let asked = begun(&one.post_with("/tts/stream", &[SESSION, ASYNC, json], speech.as_bytes()));
    let done = wait_until(&two, &asked, "done");
    let direct = one.post_with("/tts/stream", &[SESSION, json], speech.as_bytes());
    assert!(direct.body.len() > 1 << 20, "{}", direct.body.len());
    for client in [&one, &two] {
        let kept = client.get_with(&format!("{asked}/result"), MINE);
        assert_eq!((kept.status, kept.body.len()), (200, direct.body.len()));
        assert!(kept.body == direct.body);
        assert_eq!(kept.header("content-type"), direct.header("content-type"));
    }
    assert_eq!(done["resultBytes"], direct.body.len());
    a_task_is_told(&one, &two);
}

/// Has a document converted as a task at one replica, and asks another.
fn a_task_is_told(one: &Client, two: &Client) {
    let file = quartet_tests::files::pdf(&[&["The mill was built in 1742."]]);
    let task: Reply = upload(
        one,
        "/v1/convert/file/async",
        "files\"; filename=\"mill.pdf",
        &file,
        MINE,
    );
    let id = task.json()["task_id"].as_str().expect("an id").to_owned();
    let mut last = Value::Null;
    until("the task is over", || {
        last = two.get_with(&format!("/v1/status/poll/{id}?wait=1.0"), MINE).json();
        last["task_status"] == "success"
    });
    let result = two.get_with(&format!("/v1/result/{id}"), MINE).json();
    let text = result["document"]["md_content"].as_str().unwrap();
    assert!(text.contains("1742"), "{result}");
}
