//! The page in browsers: each part with real files, in Chromium by a program for Playwright's library, with axe, and in Firefox
//! by one for Puppeteer's, through WebDriver BiDi. `cargo xtask test` fetches the libraries from npm; where they or a browser
//! are not there, its test is not run, and says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use quartet_tests::Service;
use quartet_tests::files::pdf;
use quartet_tests::skip::not_run;

/// Names of each browser, as distributions have it.
const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome"];
const FIREFOX: &[&str] = &["firefox-esr", "firefox"];

/// A photograph of two people and a ball, of Debian's package opencv-doc.
const PHOTOGRAPH: &str = "/usr/share/doc/opencv-doc/examples/data/messi5.jpg";

/// A PDF, of Debian's package shared-mime-info, with a question that it answers.
const DOCUMENT: (&str, &str) = (
    "/usr/share/doc/shared-mime-info/shared-mime-info-spec.pdf",
    "When was the specification last updated?",
);

fn installed(names: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&folders).collect();
    let mut files = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    files.find(|file| file.is_file())
}

/// Runs a program that uses the page of a service in one of these browsers.
fn used_by(test: &str, program: &str, browsers: &[&str]) {
    if !crate::whole(test) {
        return;
    }
    let Some(packages) = std::env::var_os("QUARTET_BROWSER_PACKAGES") else {
        return not_run(
            test,
            "QUARTET_BROWSER_PACKAGES does not say where the packages of npm are",
        );
    };
    let Some(browser) = installed(browsers) else {
        return not_run(test, &format!("none of {} is installed", browsers.join(", ")));
    };
    if !Path::new(PHOTOGRAPH).is_file() {
        return not_run(test, "the photographs of Debian's package opencv-doc are not installed");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (document, question) = document(folder.path());
    let service = Service::start(&["--requests-per-minute", "100000"]);
    let output = Command::new("node")
        .arg(program)
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

/// A PDF with a question that it answers: a real one, or one that is made in `folder`.
fn document(folder: &Path) -> (PathBuf, &'static str) {
    if Path::new(DOCUMENT.0).is_file() {
        return (DOCUMENT.0.into(), DOCUMENT.1);
    }
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
    let made = folder.join("made.pdf");
    std::fs::write(&made, pdf(&pages)).expect("the file is written");
    (made, "When was the lamp electrified?")
}

#[test]
fn every_part_does_what_it_is_for() {
    used_by("every_part_does_what_it_is_for", "check.mjs", CHROMIUM);
}

#[test]
fn operations_are_shown_and_tried() {
    used_by("operations_are_shown_and_tried", "docs.mjs", CHROMIUM);
}

#[test]
fn every_part_works_in_firefox() {
    used_by("every_part_works_in_firefox", "firefox.mjs", FIREFOX);
}
