//! Several replicas of the service that share their state in a store: what one was told, all know; what was forgotten at
//! one, none knows; what is swapped at one, all serve; and the store may hang, fill up, go and come back.

mod away;
mod balancer;
mod cluster;
mod encrypted;
mod jobs;
mod many;
mod meet;
mod memory;
mod model;
mod rates;
mod sealed;
mod sentinel;
mod start;
mod streams;
mod versions;
mod way;

use std::path::PathBuf;

use quartet_tests::files::{bitmap_file, pdf};
use quartet_tests::store::{self, Store};
use quartet_tests::{Client, Reply, Service};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The secret of the replicas.
const SECRET: &str = "a secret of the fleet that is long enough to be one";

/// Replicas of one service.
struct Fleet {
    replicas: Vec<Service>,
    _folder: TempDir,
}

/// A folder with a secret's file.
fn secret() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    (folder, file)
}

impl Fleet {
    fn start(number: usize, store: &Store, flags: &[&str]) -> Self {
        let (folder, file) = secret();
        let address = store.address();
        let mut all = vec![
            "--shared-state",
            &address,
            "--shared-secret-file",
            file.to_str().unwrap(),
        ];
        if !flags.contains(&"--requests-per-minute") {
            all.extend(["--requests-per-minute", "100000"]);
        }
        all.extend(flags);
        let replicas = (0..number).map(|_| Service::start(&all)).collect();
        Self {
            replicas,
            _folder: folder,
        }
    }

    fn client(&self, replica: usize) -> Client {
        self.replicas[replica].client()
    }

    fn clients(&self) -> impl Iterator<Item = Client> {
        self.replicas.iter().map(Service::client)
    }

    /// Waits until every replica says so of the store, and all know of each other where it is there.
    fn wait_until(&self, state: &str) {
        for replica in &self.replicas {
            quartet_tests::wait::until(&format!("the store is {state}"), || {
                let ready = replica.client().get("/readyz").json();
                let all = state != CONNECTED || gauge(replica, "quartet_shared_state_replicas") == self.replicas.len();
                ready["sharedState"] == state && all
            });
        }
    }
}

const CONNECTED: &str = "connected";
const UNAVAILABLE: &str = "unavailable";

/// A number of the page of metrics.
fn gauge(service: &Service, name: &str) -> usize {
    let page = String::from_utf8(service.client().get("/metrics").body).unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix(name));
    line.expect("the metric").trim().parse().unwrap()
}

type Headers<'a> = &'a [(&'a str, &'a str)];

fn upload(client: &Client, path: &str, part: &str, content: &[u8], headers: Headers<'_>) -> Reply {
    let mut body = format!("--b\r\ncontent-disposition: form-data; name=\"{part}\"\r\n\r\n").into_bytes();
    body.extend_from_slice(content);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let mut all = vec![("content-type", "multipart/form-data; boundary=b")];
    all.extend_from_slice(headers);
    client.post_with(path, &all, &body)
}

/// Sends a red picture.
fn picture(client: &Client, headers: Headers<'_>) -> Reply {
    let file = bitmap_file(64, 64, &[[220, 20, 20]; 64 * 64]);
    upload(client, "/image/detect-objects", "image", &file, headers)
}

/// Sends a picture to the first replica, and has the others know it.
fn kept_by_all(fleet: &Fleet, headers: Headers<'_>) -> Value {
    let image = picture(&fleet.client(0), headers).data()["imageId"].clone();
    for client in fleet.clients() {
        assert_eq!(ask_picture(&client, &image, headers).data()["answered"], true);
    }
    image
}

/// The port of a store.
fn port(store: &Store) -> String {
    store.socket().rsplit_once(':').unwrap().1.to_owned()
}

/// Sends a document of two sentences.
fn document(client: &Client, headers: Headers<'_>) -> Reply {
    let file = pdf(&[&[
        "The mill of Aldebourne was built in 1742 by Thomas Reed.",
        "It grinds wheat.",
    ]]);
    upload(client, "/pdf/extract-text", "pdf", &file, headers)
}

fn post(client: &Client, path: &str, body: &Value, headers: Headers<'_>) -> Reply {
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    client.post_with(path, &all, body.to_string().as_bytes())
}

fn ask_picture(client: &Client, id: &Value, headers: Headers<'_>) -> Reply {
    post(
        client,
        "/image/chat",
        &json!({"message": "Which colours does it have?", "imageId": id}),
        headers,
    )
}

fn ask_document(client: &Client, id: &Value, headers: Headers<'_>) -> Reply {
    post(
        client,
        "/pdf/chat",
        &json!({"message": "When was the mill built?", "documentId": id}),
        headers,
    )
}

fn converse(client: &Client, id: &Value, headers: Headers<'_>) -> Reply {
    post(
        client,
        "/chat",
        &json!({"message": "What is 2 + 2?", "conversationId": id}),
        headers,
    )
}
