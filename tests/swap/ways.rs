//! The ways on which a version comes to serve: command line, folder, rollback.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::wait::wait_for;
use serde_json::json;

use crate::world::{World, done, refused, version};

#[test]
fn a_version_is_swapped_and_rolled_back_and_everything_says_which_one_answers() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    assert!(done(&world.swap(&version("steady 2"))).contains("serves; before it served"));
    let second = world.answers();
    assert_ne!(first, second);

    let state = world.state();
    assert_eq!(
        format!("tts@{}", &state["current"]["digest"].as_str().unwrap()[..12]),
        second
    );
    assert_eq!(format!("tts@{}", &state["previous"][0].as_str().unwrap()[..12]), first);
    assert_eq!(state["current"]["requests"], 1);
    assert_eq!(state["current"]["errors"], 0);
    assert!(state["current"]["since"].as_str().unwrap().ends_with('Z'));
    let table = done(&world.quartet(&["components"]));
    assert!(table.contains(second.trim_start_matches("tts@")), "{table}");

    assert!(done(&world.quartet(&["rollback", "tts"])).contains("serves; before it served"));
    assert_eq!(world.answers(), first);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), second);
    assert!(done(&world.swap(&version("steady 2"))).contains("as before"));
    assert_eq!(world.answers(), second);
    refused(&world.swap(b"no component"));

    let metrics = String::from_utf8(world.client().get("/metrics").body).unwrap();
    for (outcome, count) in [("published", 1), ("rolled_back", 2), ("refused", 1)] {
        let line = format!("quartet_swaps_total{{capability=\"tts\",outcome=\"{outcome}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line} of {metrics}");
    }
}

#[test]
fn without_an_earlier_version_there_is_no_rollback() {
    let world = World::new(&version("steady 1"), &[]);
    assert!(refused(&world.quartet(&["rollback", "tts"])).contains("no earlier version"));
}

#[test]
fn a_file_that_is_written_or_renamed_is_taken() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    fs::write(world.folder.component(), version("steady 2")).unwrap();
    let second = world.wait_for_other(&first);
    let path = world.folder.write(&version("steady 3"));
    fs::rename(path, world.folder.component()).unwrap();
    let third = world.wait_for_other(&second);
    assert_ne!(third, first);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), second);
}

#[test]
fn a_file_that_is_half_written_is_taken_when_it_is_whole() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    let second = version("steady 2");
    fs::write(world.folder.component(), &second[..second.len() / 2]).unwrap();
    world
        .service
        .wait_for_log(&["the new file is refused", "check: it is no component"]);
    assert_eq!(world.answers(), first);
    fs::write(world.folder.component(), &second).unwrap();
    world.wait_for_other(&first);
}

#[test]
fn a_folder_is_left_alone_when_that_is_wanted() {
    let world = World::new(&version("steady 1"), &["--watch", "false"]);
    let first = world.answers();
    fs::write(world.folder.component(), version("steady 2")).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(world.answers(), first);
}

/// Sets a flag when it is dropped.
struct SetWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_request_in_flight_ends_on_the_version_that_it_began_with() {
    let world = World::new(&version("crawls 1"), &["--workers", "2"]);
    let first = world.answers();
    let (began, swapped) = (AtomicBool::new(false), AtomicBool::new(false));
    // Requests that begin before the swap and end after it: however fast the machine is, there is always one.
    let crossed = std::thread::scope(|scope| {
        let crawl = || {
            let mut crossed = 0;
            while !swapped.load(Ordering::SeqCst) {
                let before = !began.load(Ordering::SeqCst);
                let reply = world.client().get("/tts/languages");
                assert_eq!(reply.data()["total"], 12);
                let is_first = reply.header("x-quartet-component") == Some(first.as_str());
                assert!(is_first || !before, "{reply:?}");
                crossed += usize::from(is_first && swapped.load(Ordering::SeqCst));
            }
            crossed
        };
        // Also when something fails here: the threads would go on for ever.
        let _end = SetWhenDropped(&swapped);
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(crawl)).collect();
        // Of requests that compute for long, as many run at a time as there are workers; a fast machine does not take these
        // for such, and runs all of them.
        world.service.wait_until_running(2);
        began.store(true, Ordering::SeqCst);
        // The candidate's probe waits for its turn on the workers too.
        let swap = world.swap(&version("steady 2"));
        swapped.store(true, Ordering::SeqCst);
        done(&swap);
        assert_ne!(world.answers(), first);
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    assert!(crossed > 0, "no request was in flight when the version changed");
}

#[test]
fn info_says_which_version_serves() {
    let service = Service::start(&[]);
    let reply = service.client().post("/tts/generate", &json!({"text": 5}));
    reply.failed(Code::InvalidField);
    let data = wait_for("the request is counted", || {
        Some(service.client().get("/tts/info").data()).filter(|data| data["component"]["requests"] != 0)
    });
    let component = &data["component"];
    let digest = component["digest"].as_str().unwrap();
    assert_eq!(
        reply.header("x-quartet-component"),
        Some(format!("tts@{}", &digest[..12]).as_str())
    );
    assert_eq!(component["errors"], 0);
    assert!(component["since"].as_str().unwrap().ends_with('Z'), "{component}");
    assert!(
        data["engine"].as_str().unwrap().contains("eSpeak NG"),
        "the contract's fields are still there"
    );
    // What the host answers by itself names no version.
    assert_eq!(service.client().get("/healthz").header("x-quartet-component"), None);
}
