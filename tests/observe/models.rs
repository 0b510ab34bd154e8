//! Models by the program itself: listing, fetching from a mirror, comparing; a service that fetches while it serves; and
//! what `quartet doctor` says of all that.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use quartet_tests::wait::wait_for;
use serde_json::{Value, json};

/// A small model, and the file that it is.
const SMALL: (&str, &str) = ("ocr-cyrillic", "ocr-cyrillic.onnx");

fn quartet(arguments: &[&str], folder: &Path) -> Output {
    Command::new(given("QUARTET_HOST"))
        .args(arguments)
        .args(["--models", folder.to_str().unwrap()])
        .arg("--components")
        .arg(given("QUARTET_COMPONENTS"))
        .envs([("QUARTET_OFFLINE", "true"), ("QUARTET_LANGUAGE_MODEL", "off")])
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A mirror with one model, or `None` where this machine does not have it.
fn mirror(test: &str) -> Option<tempfile::TempDir> {
    let file = given("QUARTET_MODELS").join(SMALL.1);
    if !file.is_file() {
        not_run(test, "a model is missing");
        return None;
    }
    let mirror = tempfile::tempdir().unwrap();
    fs::copy(file, mirror.path().join(SMALL.1)).unwrap();
    Some(mirror)
}

#[test]
fn models_are_listed_fetched_and_compared() {
    let Some(mirror) = mirror("models_are_listed_fetched_and_compared") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let listed = quartet(&["models", "--json"], folder.path());
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let model = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .find(|model| model["name"] == SMALL.0)
            .cloned()
            .unwrap()
    };
    assert_eq!(model(&listed)["present"], false);
    assert_eq!(model(&listed)["needed"], true);
    let refused = quartet(&["models", "get", SMALL.0], folder.path());
    assert_eq!(refused.status.code(), Some(1));
    let reason = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(reason.contains("nobody else is asked"), "{reason}");
    let place = mirror.path().to_str().unwrap();
    let got = quartet(&["models", "get", SMALL.0, "--models-mirror", place], folder.path());
    assert_eq!(got.status.code(), Some(0), "{got:?}");
    let files: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(files, [SMALL.1], "nothing unfinished stays");
    let right = quartet(&["models", "verify", SMALL.0], folder.path());
    assert_eq!(right.status.code(), Some(0), "{}", stdout(&right));
    fs::write(folder.path().join(SMALL.1), "damaged").unwrap();
    let wrong = quartet(&["models", "verify"], folder.path());
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stdout(&wrong).contains("has the digest"), "{}", stdout(&wrong));
    assert_eq!(
        quartet(&["models", "get", "no-model"], folder.path()).status.code(),
        Some(2)
    );
}

#[test]
fn a_service_fetches_what_it_lacks_and_says_what_is_still_to_come() {
    let Some(mirror) = mirror("a_service_fetches_what_it_lacks_and_says_what_is_still_to_come") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(&[
        "--models",
        folder.path().to_str().unwrap(),
        "--models-mirror",
        mirror.path().to_str().unwrap(),
    ]);
    let has = |list: &Value, name: &str| {
        let list = list.as_array().into_iter().flatten();
        list.into_iter().any(|model| model == name || model["name"] == name)
    };
    let ready = wait_for("the model that the mirror has", || {
        let ready = service.client().get("/readyz").json();
        let failed = |list: &Value| {
            list.as_array()
                .is_some_and(|list| list.iter().all(|model| model["failed"] == true))
        };
        (!has(&ready["comingModels"], SMALL.0) && failed(&ready["comingModels"])).then_some(ready)
    });
    assert!(folder.path().join(SMALL.1).is_file());
    assert!(!has(&ready["missingModels"], SMALL.0), "{ready}");
    // What the mirror lacks is tried again later.
    assert!(
        has(&ready["comingModels"], "ocr-detection") && has(&ready["missingModels"], "ocr-detection"),
        "{ready}"
    );
    let spoken = service
        .client()
        .post("/api/v1/tts/generate", &json!({"text": "Meanwhile.", "language": "en"}));
    assert_eq!(spoken.status, 200);
    service.wait_for_log(&["a model has come", SMALL.0]);
}

#[test]
fn the_doctor_says_what_is_missing_and_what_to_change() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let shared = std::env::temp_dir().join("quartet-tests-compiled");
    let arguments = [
        "doctor",
        "--json",
        "--quick",
        "--listen",
        &port,
        "--cache",
        shared.to_str().unwrap(),
    ];
    let report = quartet(&arguments, folder.path());
    let said: Value = serde_json::from_slice(&report.stdout).unwrap_or_else(|_| panic!("{report:?}"));
    let about = |name: &str| {
        let findings = said["findings"].as_array().unwrap().iter();
        findings
            .filter(|finding| finding["about"] == name)
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(about("port")[0]["level"], "warning", "{said}");
    assert!(
        about("models").iter().any(|finding| finding["level"] == "warning"),
        "{said}"
    );
    assert_eq!(about("component").len(), 4, "{said}");
    let changes = said["changes"].as_array().unwrap();
    for setting in ["listen", "models_mirror"] {
        assert!(changes.iter().any(|change| change["setting"] == setting), "{said}");
    }
    assert_eq!(report.status.code(), Some(0), "warnings are no failure: {said}");
    let none = [
        "doctor",
        "--quick",
        "--components",
        "/nonexistent",
        "--cache",
        cache.path().to_str().unwrap(),
    ];
    let mut wrong = Command::new(given("QUARTET_HOST"));
    let wrong = wrong.args(none).env("QUARTET_LANGUAGE_MODEL", "off").output().unwrap();
    assert_eq!(wrong.status.code(), Some(1), "{}", stdout(&wrong));
    assert!(
        stdout(&wrong).contains("/nonexistent is no folder"),
        "{}",
        stdout(&wrong)
    );
}
