//! The page in a browser: each part with real files, by a program for Playwright's library, with axe. `cargo xtask test`
//! fetches both from npm; where they or the browser are not there, the test is not run, and says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use quartet_tests::Service;
use quartet_tests::files::pdf;
use quartet_tests::skip::not_run;

/// Names of the browser, as distributions have it.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A photograph of two people and a ball, of Debian's package opencv-doc.
const PHOTOGRAPH: &str = "/usr/share/doc/opencv-doc/examples/data/messi5.jpg";

/// A PDF, of Debian's package shared-mime-info, with a question that it answers.
const DOCUMENT: (&str, &str) = (
    "/usr/share/doc/shared-mime-info/shared-mime-info-spec.pdf",
    "When was the specification last updated?",
);

fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let files = std::env::split_paths(&folders).flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

#[test]
fn every_part_does_what_it_is_for() {
    let name = "every_part_does_what_it_is_for";
    if !crate::whole(name) {
        return;
    }
    let Some(packages) = std::env::var_os("QUARTET_BROWSER_PACKAGES") else {
        return not_run(
            name,
            "QUARTET_BROWSER_PACKAGES does not say where the packages of npm are",
        );
    };
    let Some(browser) = browser() else {
        return not_run(name, &format!("none of {} is installed", BROWSERS.join(", ")));
    };
    if !Path::new(PHOTOGRAPH).is_file() {
        return not_run(name, "the photographs of Debian's package opencv-doc are not installed");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("made.pdf");
    let (document, question) = if Path::new(DOCUMENT.0).is_file() {
        (Path::new(DOCUMENT.0), DOCUMENT.1)
    } else {
        let pages: [&[&str]; 2] = [
            &[
                "The lighthouse of Alba was built in 1883.",
                "It is forty metres tall.",
                "Its keeper lived in a house nearby.",
            ],
            &[
                "The lamp was electrified in 1921.",
                "Ships see it from twenty miles away.",
                "It is open in summer.",
            ],
        ];
        std::fs::write(&made, pdf(&pages)).expect("the file is written");
        (&*made, "When was the lamp electrified?")
    };
    let service = Service::start(&["--requests-per-minute", "100000"]);
    let output = Command::new("node")
        .arg("check.mjs")
        .current_dir(packages)
        .env("QUARTET_ADDRESS", &service.address)
        .env("QUARTET_BROWSER", browser)
        .env("QUARTET_PICTURE", PHOTOGRAPH)
        .env("QUARTET_PDF", document)
        .env("QUARTET_QUESTION", question)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{problem}");
    assert!(text.trim_end().ends_with("all is well"), "{text}{problem}");
}
