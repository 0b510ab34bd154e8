//! What is checked when a replica starts.

use std::process::{Command, Output};

use quartet_tests::Service;
use quartet_tests::service::given;

use super::store::Store;
use super::{CONNECTED, Fleet, UNAVAILABLE, picture, secret};

/// The words of a replica that does not start with these flags.
pub fn refused(flags: &[&str]) -> String {
    let Output { status, stderr, .. } = Command::new(given("QUARTET_HOST"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--language-model",
            "off",
            "--components",
        ])
        .arg(given("QUARTET_COMPONENTS"))
        .arg("--cache")
        .arg(std::env::temp_dir().join("quartet-tests-compiled"))
        .args(flags)
        .output()
        .unwrap();
    assert!(!status.success());
    String::from_utf8(stderr).unwrap()
}

#[test]
fn what_cannot_work_is_refused_with_the_settings_name() {
    let (folder, file) = secret();
    let file = file.to_str().unwrap();
    let state = ["--shared-state", "redis://127.0.0.1:1"];
    assert!(refused(&state).contains("`shared_secret_file`"));
    let short = folder.path().join("short");
    std::fs::write(&short, "too short").unwrap();
    let said = refused(&[state[0], state[1], "--shared-secret-file", short.to_str().unwrap()]);
    assert!(said.contains("has 9 characters; it takes at least 32"), "{said}");
    let said = refused(&[state[0], state[1], "--shared-secret-file", "/nowhere/secret"]);
    assert!(
        said.contains("`shared_secret_file`, /nowhere/secret, cannot be read"),
        "{said}"
    );
    let Some(store) = Store::start("a wrong password is refused", &["--requirepass", "the-password"]) else {
        return;
    };
    let address = store.address();
    let state = ["--shared-state", &address, "--shared-secret-file", file];
    for password in [None, Some("wrong")] {
        let mut flags = state.to_vec();
        let path = folder.path().join("password");
        if let Some(password) = password {
            std::fs::write(&path, password).unwrap();
            flags.extend(["--shared-password-file", path.to_str().unwrap()]);
        }
        let said = refused(&flags);
        assert!(said.contains("does not let this service in"), "{said}");
    }
    let right = folder.path().join("right");
    std::fs::write(&right, "the-password\n").unwrap();
    let fleet = Fleet::start(1, &store, &["--shared-password-file", right.to_str().unwrap()]);
    fleet.wait_until(CONNECTED);
}

#[test]
fn one_that_is_not_there_yet_may_come_later() {
    let Some(mut store) = Store::start("a store that is not there yet may come later", &[]) else {
        return;
    };
    store.kill();
    let fleet = Fleet::start(1, &store, &[]);
    assert_eq!(fleet.client(0).get("/readyz").json()["sharedState"], UNAVAILABLE);
    picture(&fleet.client(0), &[]).data();
    store.restart();
    fleet.wait_until(CONNECTED);
}

#[test]
fn one_that_stops_is_gone_for_the_others_at_once() {
    let Some(store) = Store::start("a replica that stops is gone at once", &[]) else {
        return;
    };
    let mut fleet = Fleet::start(2, &store, &[]);
    fleet.wait_until(CONNECTED);
    let mut connection = store.connection();
    let names: Vec<String> = redis::cmd("KEYS").arg("*:n").query(&mut connection).unwrap();
    let mut replicas = || -> u64 { redis::cmd("ZCARD").arg(&names[0]).query(&mut connection).unwrap() };
    assert_eq!(replicas(), 2);
    fleet.replicas[1].terminate();
    fleet.replicas[1].wait();
    assert_eq!(replicas(), 1);
}

#[test]
fn alone_a_service_says_nothing_of_shared_state() {
    let service = Service::start(&[]);
    assert!(service.client().get("/readyz").json().get("sharedState").is_none());
}
