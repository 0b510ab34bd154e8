//! Nothing is reported to anybody: what a library would leave behind to report later is not there.

use std::path::{Path, PathBuf};
use std::process::Command;

use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use serde_json::json;

/// Paths of all files under a folder.
fn files_under(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] })
        .collect()
}

#[test]
fn onnx_runtime_makes_no_number_of_the_machine_and_keeps_no_events() {
    let test = "onnx_runtime_makes_no_number_of_the_machine_and_keeps_no_events";
    let models = given("QUARTET_MODELS");
    if !["libonnxruntime.so", "speech-samples.onnx"]
        .iter()
        .all(|file| models.join(file).is_file())
    {
        return not_run(test, "ONNX Runtime or a model for it is missing");
    }
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(given("QUARTET_HOST"));
    command
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--language-model",
            "off",
            "--inference-engine",
            "onnxruntime",
        ])
        .arg("--components")
        .arg(given("QUARTET_COMPONENTS"))
        .arg("--models")
        .arg(models)
        .arg("--cache")
        .arg(std::env::temp_dir().join("quartet-tests-compiled"))
        // The environment of a test may switch reports off by itself: by its own variable, or as one of continuous
        // integration.
        .env_clear()
        .env("HOME", home.path());
    let service = Service::launch(&mut command);
    let request = json!({"text": "Good morning.", "language": "en", "engine": "natural"});
    service.client().post("/tts/generate", &request).data();

    let mapped = std::fs::read_to_string(format!("/proc/{}/maps", service.pid())).unwrap();
    assert!(mapped.contains("libonnxruntime.so"), "the library was not loaded");
    assert_eq!(files_under(home.path()), Vec::<PathBuf>::new());
    let opened = std::fs::read_dir(format!("/proc/{}/fd", service.pid())).unwrap();
    let opened = opened.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
    let kept: Vec<_> = opened
        .filter(|path| path.to_string_lossy().contains("onnxruntime"))
        .collect();
    assert_eq!(kept, Vec::<PathBuf>::new());
}
