//! The file with what the language model has read for everybody, from which the next engine goes on.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::versions::padded;
use quartet_tests::wait::until;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::BOUNDS;
use super::local::MODEL;

/// A sign, which the image component reads in its warm-up, too.
const SIGN: &[u8] = include_bytes!("../../components/image/probe/open.png");

/// A folder of components with the image component, whose prompts are the soonest read, and a cache of its own.
struct Place {
    components: TempDir,
    cache: TempDir,
}

impl Place {
    fn with_image() -> Self {
        let components = tempfile::tempdir().expect("a folder");
        let component = given("QUARTET_COMPONENTS").join("image.wasm");
        std::fs::copy(component, components.path().join("image.wasm")).expect("the component");
        Self {
            components,
            cache: tempfile::tempdir().expect("a folder"),
        }
    }

    fn start(&self, flags: &[&str]) -> Service {
        let mut command = Command::new(given("QUARTET_HOST"));
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .arg("--components")
            .arg(self.components.path())
            .arg("--cache")
            .arg(self.cache.path())
            .arg("--models")
            .arg(given("QUARTET_MODELS"))
            .args(["--language-model", MODEL])
            .args(BOUNDS)
            .args(flags);
        Service::launch(&mut command)
    }

    fn files(&self, extensions: &[&str]) -> Vec<PathBuf> {
        files(self.cache.path(), extensions)
    }
}

/// What a first start kept, and what was answered then. Made once, because reading all prompts takes a while.
struct Begun {
    folder: PathBuf,
    /// Tokens of its file.
    kept: u64,
    answer: Value,
}

static BEGUN: LazyLock<Begun> = LazyLock::new(|| {
    let place = Place::with_image();
    let first = place.start(&[]);
    assert_eq!(loaded(&first), 0);
    let kept = kept(&first);
    let answer = ask(&first);
    drop(first);
    // Nothing drops what is static: one folder for every run.
    let folder = std::env::temp_dir().join("quartet-tests-prompts");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("a folder");
    copy(&place.files(&["prompts"]), &folder);
    Begun { folder, kept, answer }
});

impl Begun {
    /// A place that has what was kept.
    fn place(&self) -> Place {
        let place = Place::with_image();
        copy(&files(&self.folder, &["prompts"]), place.cache.path());
        place
    }
}

fn copy(files: &[PathBuf], folder: &Path) {
    for file in files {
        let name = file.file_name().expect("a name");
        std::fs::copy(file, folder.join(name)).expect("the file");
    }
}

/// Files of a folder with one of these extensions.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| {
            extensions
                .iter()
                .any(|wanted| path.extension().is_some_and(|extension| extension == *wanted))
        })
        .collect()
}

/// Tokens that an engine knows when its model is loaded.
fn loaded(service: &Service) -> u64 {
    number_in_log(service, "the language model is loaded", "cached_tokens")
}

/// Tokens that are kept for the next start.
fn kept(service: &Service) -> u64 {
    number_in_log(service, "is kept for the next start", "tokens")
}

fn number_in_log(service: &Service, message: &str, field: &str) -> u64 {
    let line = service.wait_for_log(&[message]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    line[field].as_u64().expect("a number")
}

/// Has the sign read and the model asked about it.
fn ask(service: &Service) -> Value {
    let client = service.client();
    let mut form = b"--b\r\ncontent-disposition: form-data; name=\"image\"\r\n\r\n".to_vec();
    form.extend_from_slice(SIGN);
    form.extend_from_slice(b"\r\n--b--\r\n");
    let form_type = [("content-type", "multipart/form-data; boundary=b")];
    let picture = client.post_with("/image/extract-text", &form_type, &form).data();
    let question = json!({"message": "What does the sign say?", "imageId": picture["imageId"]});
    client.post("/image/chat", &question).data()
}

#[test]
fn what_was_read_for_everybody_is_known_after_a_restart_unless_its_file_is_damaged() {
    let place = BEGUN.place();
    let files = place.files(&["prompts", "part"]);
    assert_eq!(files.len(), 1, "{files:?}");
    let facts = files[0].metadata().expect("the file");
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o777,
        0o600
    );

    let second = place.start(&[]);
    assert_eq!(loaded(&second), BEGUN.kept);
    assert!(BEGUN.kept > 400, "{}", BEGUN.kept);
    second.wait_for_log(&["has read the beginning of its prompts"]);
    let after = ask(&second);
    assert_eq!(BEGUN.answer["answer"], after["answer"]);
    drop(second);
    // There was nothing new to write.
    let same = files[0].metadata().expect("the file");
    assert_eq!(same.modified().expect("a time"), facts.modified().expect("a time"));
    assert_eq!(place.files(&["prompts", "part"]), files);

    let mut bytes = std::fs::read(&files[0]).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&files[0], bytes).expect("the file");
    let third = place.start(&[]);
    assert_eq!(loaded(&third), 0);
    third.wait_for_log(&["the prompt cache is not used", "damaged"]);
    let kept = kept(&third);
    drop(third);
    assert_eq!((kept, loaded(&place.start(&[]))), (BEGUN.kept, BEGUN.kept));
}

#[test]
fn a_version_that_takes_over_has_its_prompts_read_before_anybody_asks() {
    const READ: &str = "has read the beginning of its prompts";
    let place = BEGUN.place();
    let component = place.components.path().join("image.wasm");
    let service = place.start(&[]);
    service.wait_for_log(&[READ]);
    let bytes = std::fs::read(&component).expect("the component");
    let next = padded(&bytes, 10);
    let unfinished = place.components.path().join("next");
    std::fs::write(&unfinished, next).expect("a file");
    std::fs::rename(unfinished, place.components.path().join("image.wasm")).expect("the next version");
    let read = || {
        let lines = service.log();
        let lines = lines.lines().filter(|line| line.contains(READ));
        let versions = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON")["version"].to_string());
        versions.collect::<HashSet<_>>()
    };
    until("the prompts of the second version are read", || read().len() == 2);
}

/// Whoever took the engine over by what he says to it could write to a file that it still has open.
#[test]
fn nothing_is_kept_from_an_engine_that_has_heard_a_client_before() {
    let place = Place::with_image();
    let service = place.start(&["--language-load", "first-use"]);
    assert!(ask(&service)["answer"].is_string());
    service.wait_for_log(&["has read the beginning of its prompts"]);
    until("the new file is gone", || place.files(&["part"]).is_empty());
    assert_eq!(place.files(&["prompts"]), Vec::<PathBuf>::new());
    assert!(!service.log().contains("is kept for the next start"));
}
