//! Jobs: requests that nobody waits for.

use quartet_tests::files::pdf;
use quartet_tests::wait::wait_for;
use quartet_tests::{Client, Reply, Service};
use serde_json::{Value, json};

use crate::{Folder, sleepy};

const ASYNC: (&str, &str) = ("prefer", "respond-async");
const SLEEP: (&str, &str) = ("x-misbehave", "sleep");

/// The address of the job that a request began.
fn begun(reply: &Reply) -> String {
    assert_eq!(reply.status, 202, "{}", String::from_utf8_lossy(&reply.body));
    assert_eq!(reply.header("preference-applied"), Some("respond-async"));
    let location = reply.header("location").expect("an address").to_owned();
    let job = reply.json();
    assert_eq!(
        location,
        format!("/api/v1/jobs/{}", job["data"]["jobId"].as_str().expect("an id"))
    );
    location
}

fn state(client: &Client, job: &str) -> String {
    client.get(job).data()["state"].as_str().expect("a state").to_owned()
}

fn speak(client: &Client, path: &str, body: &Value) -> Reply {
    let headers = [ASYNC, ("content-type", "application/json")];
    client.post_with(path, &headers, body.to_string().as_bytes())
}

/// The names and the data of events.
fn events(reply: &Reply) -> Vec<(String, Value)> {
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let text = String::from_utf8_lossy(&reply.body).into_owned();
    let events = text.split("\n\n").filter_map(|event| event.strip_prefix("event: "));
    let read = |event: &str| {
        let (name, data) = event.split_once("\ndata: ").expect("data");
        (name.to_owned(), serde_json::from_str(data).expect("JSON"))
    };
    events.map(read).collect()
}

#[test]
fn the_answer_is_kept_as_it_would_have_been() {
    let service = Service::start(&["--requests-per-minute", "100000"]);
    let client = service.client();
    let body = json!({"text": "Good morning.", "engine": "fast"});
    for path in ["/tts/generate", "/tts/stream"] {
        let job = begun(&speak(&client, path, &body));
        let over = client.get(&format!("{job}?wait=25")).data();
        assert_eq!(over["state"], "done", "{over}");
        let (kept, direct) = (client.get(&format!("{job}/result")), client.post(path, &body));
        assert_eq!((kept.status, &kept.body), (200, &direct.body));
        for name in [
            "content-type",
            "content-language",
            "x-speech-engine",
            "content-disposition",
            "x-quartet-component",
        ] {
            assert_eq!(kept.header(name), direct.header(name), "{name}");
        }
        assert_eq!(over["resultBytes"], direct.body.len());
        let told = events(&client.get(&format!("{job}/events")));
        assert_eq!((told.len(), told[0].0.as_str()), (1, "done"), "{told:?}");
        if path == "/tts/stream" {
            assert_eq!(
                over["progress"],
                json!({"done": direct.body.len(), "total": direct.body.len(), "unit": "bytes"})
            );
        } else {
            let seconds = over["progress"]["total"].as_u64().expect("a number");
            assert_eq!(
                over["progress"],
                json!({"done": seconds, "total": seconds, "unit": "seconds", "stage": "speaking"})
            );
        }
    }
    let job = begun(&speak(&client, "/tts/generate", &json!({"text": "a", "voice": "Puck"})));
    let over = client.get(&format!("{job}?wait=25")).data();
    assert_eq!(
        (&over["state"], &over["failure"]["code"]),
        (&json!("failed"), &json!("invalid_field"))
    );
    assert_eq!(client.get(&format!("{job}/result")).status, 400);
    let chat = begun(&speak(&client, "/chat", &json!({"message": "What is 12 times 12?"})));
    client.get(&format!("{chat}?wait=25"));
    let answer = client.get(&format!("{chat}/result")).data();
    assert!(
        answer["answer"].as_str().expect("an answer").contains("144"),
        "{answer}"
    );
}

#[test]
fn a_job_tells_of_the_pages_of_a_document() {
    let service = Service::start(&[]);
    let client = service.client();
    let mut form = b"--b\r\ncontent-disposition: form-data; name=\"pdf\"\r\n\r\n".to_vec();
    form.extend_from_slice(&pdf(&[
        &["The mill was built in 1742."],
        &["The river is called the Lenn."],
    ]));
    form.extend_from_slice(b"\r\n--b--\r\n");
    let headers = [ASYNC, ("content-type", "multipart/form-data; boundary=b")];
    let job = begun(&client.post_with("/pdf/extract-text", &headers, &form));
    // Whoever comes late hears of all of them.
    client.get(&format!("{job}?wait=25"));
    let told = events(&client.get(&format!("{job}/events")));
    let [(first, one), (second, two), (last, over)] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!([first, second, last], ["page", "page", "done"]);
    assert_eq!(
        one,
        &json!({"page": 1, "text": "The mill was built in 1742.", "source": "text"})
    );
    assert_eq!(two["text"], "The river is called the Lenn.");
    assert_eq!(
        over["progress"],
        json!({"done": 2, "total": 2, "unit": "pages", "stage": "reading"})
    );
}

#[test]
fn a_job_is_its_owners_and_can_be_taken_back() {
    let folder = Folder::new();
    let service = sleepy(&folder, &[]);
    let client = service.client();
    let mine = ("x-session-id", "0f6d3c1e-mine-and-no-others");
    let other = ("x-session-id", "77b0a4d2-other-and-not-mine");
    let job = begun(&client.get_with("/tts/voices", &[ASYNC, SLEEP, mine]));
    wait_for("the job to run", || (state(&client, &job) == "running").then_some(()));
    let (result, events) = (format!("{job}/result"), format!("{job}/events"));
    assert_eq!(client.get(&result).status, 409);
    for path in [&job, &result, &events] {
        assert_eq!(client.get_with(path, &[other]).status, 404);
    }
    assert_eq!(client.delete_with(&job, &[other]).status, 404);
    let taken_back = client.delete_with(&job, &[mine]).data();
    assert_eq!(taken_back["state"], "cancelled");
    for path in [&job, &result, &events] {
        assert_eq!(client.get_with(path, &[mine]).status, 404);
    }
    let line = service.wait_for_log(&["tts/voices", "client left"]);
    assert!(line.contains("\"method\":\"GET\""), "its sandbox ended: {line}");
    // Said of every job, and so of one that is not there.
    for (path, allowed) in [(&job, "GET, DELETE"), (&result, "GET"), (&events, "GET")] {
        let put = client.put_with(path, &[], b"");
        assert_eq!((put.status, put.header("allow")), (405, Some(allowed)));
    }
    assert_eq!(client.get("/api/v1/jobs").status, 404);
}

#[test]
fn jobs_are_few_and_those_that_wait_end_with_the_service() {
    let folder = Folder::new();
    let flags = [
        "--client-jobs",
        "2",
        "--concurrent-requests",
        "1",
        "--queue-milliseconds",
        "200",
        "--drain-seconds",
        "3",
    ];
    let mut service = sleepy(&folder, &flags);
    let client = service.client();
    let first = begun(&client.get_with("/tts/voices", &[ASYNC, SLEEP]));
    wait_for("the job to run", || (state(&client, &first) == "running").then_some(()));
    let second = begun(&client.get_with("/tts/voices", &[ASYNC]));
    let refused = client.get_with("/tts/voices", &[ASYNC]);
    assert!(refused.failed(quartet_api::Code::Busy).contains("2 jobs"));
    assert_eq!(client.get(&format!("{first}?wait=26")).status, 400);
    let page = String::from_utf8(client.get("/metrics").body).expect("text");
    assert!(page.contains("quartet_jobs{of=\"at_work\"} 2"), "{page}");
    assert!(page.contains("operation=\"jobs/{id}\""), "{page}");
    let told = std::thread::scope(|scope| {
        let watching = scope.spawn(|| events(&client.get(&format!("{second}/events"))));
        // It is not over by itself.
        assert_eq!(client.get(&format!("{second}?wait=1")).data()["state"], "queued");
        service.terminate();
        watching.join().expect("events")
    });
    let (name, job) = told.last().expect("an event");
    assert_eq!(
        (name.as_str(), &job["state"], &job["failure"]["code"]),
        ("done", &json!("failed"), &json!("unavailable"))
    );
    assert!(told.len() >= 2 && told[0].1["state"] == "queued", "{told:?}");
    assert!(service.wait().success());
}
