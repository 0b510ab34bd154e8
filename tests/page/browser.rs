//! The page in browsers: each part with real files, in Chromium by a program for Playwright's library, with axe, and in Firefox
//! by one for Puppeteer's, through WebDriver BiDi. `cargo xtask test` fetches the libraries from npm; where they or a browser
//! are not there, its test is not run, and says so.

use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use quartet_tests::Service;
use quartet_tests::files::pdf;
use quartet_tests::model_server::{Answer, Server, end, piece};
use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use quartet_tests::web;

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
    if let Some(run) = Run::of(test, program, browsers) {
        let service = Service::start(&["--requests-per-minute", "100000"]);
        run.against(&service, &service.address, &[]);
    }
}

/// A program that is about to use a browser.
struct Run {
    test: String,
    program: String,
    packages: PathBuf,
    browser: PathBuf,
}

impl Run {
    /// The program of a test; `None`, and said so, where this machine has not what it needs.
    fn of(test: &str, program: &str, browsers: &[&str]) -> Option<Self> {
        if !crate::whole(test) {
            return None;
        }
        let why = match (std::env::var_os("QUARTET_BROWSER_PACKAGES"), installed(browsers)) {
            (None, _) => "QUARTET_BROWSER_PACKAGES does not say where the packages of npm are".to_owned(),
            (_, None) => format!("none of {} is installed", browsers.join(", ")),
            _ if !Path::new(PHOTOGRAPH).is_file() => {
                "the photographs of Debian's package opencv-doc are not installed".to_owned()
            }
            (Some(packages), Some(browser)) => {
                return Some(Self {
                    test: test.to_owned(),
                    program: program.to_owned(),
                    packages: packages.into(),
                    browser,
                });
            }
        };
        not_run(test, &why);
        None
    }

    /// Runs it with the address of a page of a service, and with more that it is to know.
    fn against(&self, service: &Service, address: &str, more: &[(&str, &Path)]) {
        let folder = tempfile::tempdir().expect("a folder");
        let (document, question) = document(folder.path());
        let output = Command::new("node")
            .arg(&self.program)
            .current_dir(&self.packages)
            .env("QUARTET_ADDRESS", address)
            .env("QUARTET_BROWSER", &self.browser)
            .env("QUARTET_PICTURE", PHOTOGRAPH)
            .env("QUARTET_PDF", document)
            .env("QUARTET_QUESTION", question)
            .envs(more.iter().copied())
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let problem = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().last().unwrap_or_default();
        if let Some(why) = last.strip_prefix("not run: ") {
            not_run(&self.test, why);
            return;
        }
        let well = output.status.success() && last == "all is well";
        // A connection that was refused is the service's end or the browser's: only this tells which.
        assert!(well, "{text}{problem}{}", told(service, address));
    }
}

/// Number of lines of a service's log that a failure shows.
const LINES: usize = 20;

/// The end of a service's log, and if somebody still listens at an address.
fn told(service: &Service, address: &str) -> String {
    let host = address.trim_start_matches("http://");
    let listens = match TcpStream::connect(host) {
        Ok(_) => "is still listened at".to_owned(),
        Err(error) => format!("cannot be reached: {error}"),
    };
    let log = service.log();
    let lines: Vec<_> = log.lines().collect();
    let end = lines[lines.len().saturating_sub(LINES)..].join("\n");
    format!("\n{address} {listens}; the log of the service ends with\n{end}")
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
fn every_look_is_without_fault() {
    let Some(run) = Run::of("every_look_is_without_fault", "looks.mjs", CHROMIUM) else {
        return;
    };
    let looks = looks();
    let service = Service::start(&["--requests-per-minute", "100000"]);
    run.against(&service, &service.address, &[("QUARTET_LOOKS", &looks)]);
    // Past the test harness, which keeps what tests print to itself when they pass.
    let said = format!("pictures of the page: {}\n", looks.display());
    std::io::stdout()
        .lock()
        .write_all(said.as_bytes())
        .expect("the standard output");
}

/// The folder for pictures of the page.
fn looks() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-looks");
    std::fs::create_dir_all(&folder).expect("a folder for the pictures");
    folder
}

#[test]
fn the_page_looks_as_in_its_pictures() {
    let Some(run) = Run::of("the_page_looks_as_in_its_pictures", "same.mjs", CHROMIUM) else {
        return;
    };
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screenshots");
    // The page tells if there is a language model. Nothing of what is shown asks it.
    let model = Server::start(Vec::new());
    let service = Service::start(&[
        "--language-remote",
        &model.address,
        "--language-remote-model",
        "some-model",
    ]);
    run.against(
        &service,
        &service.address,
        &[("QUARTET_LOOKS", &looks()), ("QUARTET_PICTURES", &pictures)],
    );
}

#[test]
fn a_long_scan_is_read_as_a_job() {
    used_by("a_long_scan_is_read_as_a_job", "jobs.mjs", CHROMIUM);
}

#[test]
fn the_page_is_installed_and_opens_without_its_service() {
    let test = "the_page_is_installed_and_opens_without_its_service";
    let Some(run) = Run::of(test, "offline.mjs", CHROMIUM) else {
        return;
    };
    let service = Service::start(&[]);
    let without = Service::start(&["--page", "off"]);
    run.against(
        &service,
        &service.address,
        &[("QUARTET_WITHOUT_PAGE", Path::new(&without.address))],
    );
}

#[test]
fn versions_are_changed_in_the_browser() {
    let Some(run) = Run::of("versions_are_changed_in_the_browser", "admin.mjs", CHROMIUM) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let components = folder.path().join("components");
    std::fs::create_dir(&components).expect("a folder");
    let guest = std::fs::read(given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm")).expect("the guest");
    std::fs::write(components.join("tts.wasm"), &guest).expect("the file is written");
    let [newer, newest] = ["newer", "newest"].map(|name| {
        let file = folder.path().join(format!("{name}.wasm"));
        std::fs::write(&file, marked(&guest, name)).expect("the file is written");
        file
    });
    let token = folder.path().join("token");
    let (cache, token_file) = (folder.path().join("cache"), token.to_str().expect("a path"));
    let flags = [
        "--cache",
        cache.to_str().expect("a path"),
        "--admin-listen",
        "127.0.0.1:0",
        "--admin-token-file",
        token_file,
    ];
    let service = Service::start_with(&components, &flags);
    let line = service.wait_for_log(&["the admin interface listens"]);
    let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    let address = format!("http://{}", line["admin"].as_str().expect("its address"));
    run.against(
        &service,
        &address,
        &[
            ("QUARTET_TOKEN_FILE", &token),
            ("QUARTET_NEWER", &newer),
            ("QUARTET_NEWEST", &newest),
        ],
    );
}

/// Another version of a component that does the same: with a custom section at its end.
fn marked(component: &[u8], mark: &str) -> Vec<u8> {
    let name = u8::try_from(mark.len()).expect("a short name");
    let mut marked = component.to_vec();
    marked.extend([0, name + 1, name]);
    marked.extend(mark.as_bytes());
    marked
}

#[test]
fn answers_are_stopped_and_sources_have_numbers() {
    let Some(run) = Run::of("answers_are_stopped_and_sources_have_numbers", "chat.mjs", CHROMIUM) else {
        return;
    };
    let model = Server::start(vec![
        Answer::Silence(piece("A lighthouse is")),
        Answer::Stream(piece(" a tower with a light.") + &end("stop")),
        Answer::Stream(piece("A buoy floats.") + &end("stop")),
    ]);
    let remote = [
        "--language-remote",
        &model.address,
        "--language-remote-model",
        "some-model",
    ];
    let talking = Service::start(&[&remote[..], &["--respond-seconds", "300"]].concat());
    let pages = web::page_server();
    let searxng = web::searxng(&pages);
    let searching = Service::start(&["--search-searxng", &searxng.address, "--search-hosts", &pages.address]);
    run.against(
        &talking,
        &talking.address,
        &[("QUARTET_SEARCHING", Path::new(&searching.address))],
    );
    assert!(
        model.left.try_recv().is_ok(),
        "the model was not told that nobody listens"
    );
}

#[test]
fn operations_are_shown_and_tried() {
    used_by("operations_are_shown_and_tried", "docs.mjs", CHROMIUM);
}

#[test]
fn every_part_works_in_firefox() {
    used_by("every_part_works_in_firefox", "firefox.mjs", FIREFOX);
}
