//! Faults of the disk, a sudden end and a wrong clock: the service starts and answers all the same, and compiled
//! code that is damaged is never run.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use quartet_tests::{Service, clock};
use tempfile::TempDir;

/// A folder with one small component in it, and an empty one for its compiled code. Gone when dropped.
struct Folders {
    root: TempDir,
}

impl Folders {
    fn new() -> Self {
        let folders = Self {
            root: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir(folders.components()).unwrap();
        folders.serve(&component());
        folders
    }

    fn components(&self) -> PathBuf {
        self.root.path().join("components")
    }

    fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    /// Puts a component in the folder.
    fn serve(&self, component: &[u8]) {
        std::fs::write(self.components().join("tts.wasm"), component).unwrap();
    }

    fn start(&self) -> Service {
        Service::start_with(&self.components(), &["--cache", self.cache().to_str().unwrap()])
    }

    /// Starts and stops the host, and returns the file of compiled code that it left.
    fn compiled(&self) -> PathBuf {
        let before = self.files();
        drop(self.start());
        let mut new = self.files();
        // The admin interface keeps its socket and its token here, too.
        new.retain(|file| !before.contains(file) && file.extension().is_some_and(|extension| extension == "cwasm"));
        assert_eq!(new.len(), 1, "{new:?}");
        new.remove(0)
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.cache()).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

/// A component that answers "well behaved" when it is not asked for anything else.
fn component() -> Vec<u8> {
    std::fs::read(given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm")).unwrap()
}

fn answers(service: &Service) {
    let reply = service.client().get("/tts/voices");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.body, b"well behaved");
}

/// Starts the host in a mount namespace of its own in which the folder `on` is a small or read-only disk, or says that
/// this machine does not allow that.
fn start_on_disk(test: &str, folders: &Folders, on: &Path, options: &str) -> Option<Service> {
    std::fs::create_dir_all(on).unwrap();
    let possible = Command::new("unshare")
        .args([
            "--map-root-user",
            "--mount",
            "mount",
            "-t",
            "tmpfs",
            "-o",
            options,
            "tmpfs",
        ])
        .arg(on)
        .status()
        .is_ok_and(|status| status.success());
    if !possible {
        not_run(
            test,
            "this machine does not allow a mount namespace (`unshare --map-root-user --mount`)",
        );
        return None;
    }
    let mut command = Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "sh", "-c"])
        .arg("mount -t tmpfs -o \"$1\" tmpfs \"$2\" && shift 2 && exec \"$@\"")
        .args(["sh", options])
        .arg(on)
        .arg(given("QUARTET_HOST"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
            "--components",
        ])
        .arg(folders.components())
        .arg("--cache")
        .arg(on);
    Some(Service::launch(&mut command))
}

#[test]
fn serves_without_keeping_code_on_a_full_disk() {
    let folders = Folders::new();
    let Some(service) = start_on_disk(
        "serves_without_keeping_code_on_a_full_disk",
        &folders,
        &folders.cache(),
        "size=64k",
    ) else {
        return;
    };
    service.wait_for_log(&["compiled code cannot be kept", "No space left"]);
    answers(&service);
}

#[test]
fn serves_without_keeping_code_on_a_read_only_disk() {
    let folders = Folders::new();
    let Some(service) = start_on_disk(
        "serves_without_keeping_code_on_a_read_only_disk",
        &folders,
        &folders.cache(),
        "ro",
    ) else {
        return;
    };
    service.wait_for_log(&["compiled code cannot be kept", "Read-only"]);
    answers(&service);
}

#[test]
fn serves_without_keeping_code_where_the_folder_cannot_be() {
    let folders = Folders::new();
    std::fs::write(folders.cache(), "a file where the folder should be").unwrap();
    let service = folders.start();
    service.wait_for_log(&["compiled code cannot be kept"]);
    answers(&service);
}

#[test]
fn damaged_code_is_never_run() {
    let folders = Folders::new();
    let file = folders.compiled();
    let whole = std::fs::read(&file).unwrap();
    answers_from_cache(&folders);
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let end = whole.len() - 1;
    let damages = [
        ("empty", vec![]),
        ("shorter than a digest", whole[..20].to_vec()),
        ("cut in half", whole[..end / 2].to_vec()),
        ("without its last byte", whole[..end].to_vec()),
        ("longer", [whole.as_slice(), b"x"].concat()),
        ("all zeros", vec![0; whole.len()]),
        ("a bit in its head", flipped(8)),
        ("a bit in its first quarter", flipped(end / 4)),
        ("a bit in its middle", flipped(end / 2)),
        ("a bit in its last quarter", flipped(end / 4 * 3)),
        ("a bit in its digest", flipped(end - 5)),
    ];
    for (damage, bytes) in damages {
        std::fs::write(&file, bytes).unwrap();
        let service = folders.start();
        let line = service.wait_for_log(&["component loaded"]);
        assert!(line.contains("Compiled"), "{damage}: {line}");
        answers(&service);
        assert!(std::fs::read(&file).unwrap() == whole, "{damage}: it was not made anew");
    }
    answers_from_cache(&folders);
}

fn answers_from_cache(folders: &Folders) {
    let service = folders.start();
    service.wait_for_log(&["component loaded", "Cached"]);
    answers(&service);
}

#[test]
fn code_of_another_component_is_never_run() {
    let folders = Folders::new();
    let first = folders.compiled();
    // Another file with the same code: a section for people at the end.
    let mut other = component();
    other.extend([0, 5, 4, b'n', b'o', b't', b'e']);
    folders.serve(&other);
    let second = folders.compiled();
    let (one, two) = (std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap());
    std::fs::write(&second, &one).unwrap();
    std::fs::write(&first, &two).unwrap();
    let service = folders.start();
    service.wait_for_log(&["compiled code is damaged"]);
    answers(&service);
    assert!(std::fs::read(&second).unwrap() == two, "it was not made anew");
}

#[test]
fn starts_again_after_being_killed() {
    let folders = Folders::new();
    let mut service = folders.start();
    answers(&service);
    let killed = Command::new("kill")
        .args(["-KILL", &service.pid().to_string()])
        .status();
    assert!(killed.unwrap().success());
    service.wait();
    // What it would have left in the middle of a write, and what a host that lives is writing.
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let left = folders.cache().join(format!("0123-4567.{}.part", gone.id()));
    let live = folders.cache().join(format!("0123-4567.{}.part", std::process::id()));
    std::fs::write(&left, "half a file").unwrap();
    std::fs::write(&live, "half a file").unwrap();
    answers_from_cache(&folders);
    assert!(!left.exists(), "an unfinished file of a dead process is still there");
    assert!(live.exists(), "an unfinished file of a living process is gone");
}

#[test]
fn limits_do_not_follow_the_date() {
    let Some(library) = clock::library() else {
        return not_run("limits_do_not_follow_the_date", "libfaketime is not installed");
    };
    let folders = Folders::new();
    let date = folders.root.path().join("date");
    let jump = |offset: &str| std::fs::write(&date, offset).unwrap();
    jump("+0");
    let mut command = Command::new(given("QUARTET_HOST"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
        .args(["--requests-per-minute", "4", "--respond-seconds", "2"])
        // So that only the clock ends a loop.
        .args(["--respond-fuel", "900000000000000", "--components"])
        .arg(folders.components())
        .arg("--cache")
        .arg(folders.cache());
    clock::follow(&mut command, &library, &date);
    let service = Service::launch(&mut command);
    let ask = |how: &str| service.client().get_with("/tts/voices", &[("x-misbehave", how)]);
    assert_eq!(ask("not").status, 200);
    jump("+400d");
    ask("loop").failed(Code::DeadlineExceeded);
    jump("-400d");
    ask("sleep").failed(Code::DeadlineExceeded);
    assert_eq!(ask("not").status, 200);
    // The date did jump, and the window of the rate limit did not.
    ask("not").failed(Code::RateLimited);
    let log = service.log();
    let year = |line: Option<&str>| {
        line.and_then(|line| line.split_once("\"timestamp\":\""))
            .map(|(_, rest)| rest[..4].to_owned())
    };
    assert_ne!(year(log.lines().next()), year(log.lines().last()), "{log}");
}

#[test]
fn only_the_owner_reaches_compiled_code() {
    let folders = Folders::new();
    folders.compiled();
    let mode = std::fs::metadata(folders.cache()).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}
