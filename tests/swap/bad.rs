//! Versions that are refused: each with the step and the reason, and the one before serves on.

use std::fs;

use crate::world::{Folder, World, answering, done, refused, version};

fn bad() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| wat::parse_str(text).unwrap();
    let whole = version("steady 2");
    vec![
        ("noise", b"this is no component".to_vec(), "check: it is no component"),
        ("nothing", Vec::new(), "check: it is no component"),
        ("half", whole[..whole.len() / 2].to_vec(), "check: it is no component"),
        (
            "module",
            text("(module)"),
            "check: it is no component but a core module",
        ),
        (
            "network",
            text(r#"(component (import "wasi:sockets/tcp@0.2.0" (instance)))"#),
            "check: it imports wasi:sockets/tcp@0.2.0",
        ),
        (
            "newer than the host",
            text(r#"(component (import "quartet:language-model/chat@9.0.0" (instance)))"#),
            "check: it imports quartet:language-model/chat@9.0.0",
        ),
        ("no export", text("(component)"), "check: it does not export"),
        (
            "broken code",
            text(
                r#"(component (core module (func (result i32))) (instance $i)
                    (export "wasi:http/incoming-handler@0.2.0" (instance $i)))"#,
            ),
            "compile: it is no component that can be compiled",
        ),
        (
            "no handler",
            text(r#"(component (instance $i) (export "wasi:http/incoming-handler@0.2.0" (instance $i)))"#),
            "link: it does not link",
        ),
        ("loops", version("loops"), "probe: "),
        ("silent", version("silent"), "the audio is silent"),
    ]
}

const QUICK: &[&str] = &["--probe-seconds", "5"];

#[test]
fn every_bad_version_is_refused_with_the_reason_and_nothing_changes() {
    let world = World::new(&version("steady 1"), QUICK);
    let first = world.answers();
    let file = fs::read(world.folder.component()).unwrap();
    for (name, component, reason) in bad() {
        let said = refused(&world.swap(&component));
        assert!(said.contains(reason), "{name}: {said}");
        let said = refused(&world.canary(&component, &[]));
        assert!(said.contains(reason), "{name}: {said}");
        assert_eq!(world.answers(), first, "{name}");
        assert_eq!(fs::read(world.folder.component()).unwrap(), file, "{name}");
    }
    assert!(world.state()["previous"].as_array().unwrap().is_empty());
}

#[test]
fn a_bad_file_in_the_folder_is_refused_and_does_not_keep_the_next_start_from_serving() {
    let mut world = World::new(&version("steady 1"), QUICK);
    let first = world.answers();
    for (name, component, reason) in bad().into_iter().filter(|(name, ..)| ["noise", "loops"].contains(name)) {
        fs::write(world.folder.component(), component).unwrap();
        world.service.wait_for_log(&["the new file is refused", reason]);
        assert_eq!(world.answers(), first, "{name}");
        world.restart(QUICK);
        world.service.wait_for_log(&["component not loaded", reason]);
        world
            .service
            .wait_for_log(&["serving the version that passed last instead"]);
        assert_eq!(world.answers(), first, "{name}");
    }
}

#[test]
fn a_bad_file_at_the_first_start_is_not_served() {
    for (_, component, reason) in bad().into_iter().filter(|(name, ..)| ["half", "silent"].contains(name)) {
        let folder = Folder::new();
        fs::write(folder.component(), component).unwrap();
        let service = folder.serve(QUICK);
        service.wait_for_log(&["component not loaded", reason]);
        service
            .client()
            .get("/tts/languages")
            .failed(quartet_api::Code::Unavailable);
        // A good one heals it.
        let path = folder.write(&version("steady 1"));
        let output = folder.quartet(&["swap", "tts", path.to_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
        answering(&service);
    }
}

/// Time in which no version of these tests answers the probe that is late.
const SHORT: &[&str] = &["--probe-seconds", "1"];

#[test]
fn a_version_that_is_late_at_the_start_is_asked_again_with_the_time_of_a_request() {
    let mut world = World::new(&version("late 1"), SHORT);
    world
        .service
        .wait_for_log(&["component not loaded", "it did not answer within the 1 seconds allowed"]);
    world.service.wait_for_log(&["version published"]);
    let late = world.answers();
    // It has passed now, and the next start does not ask it.
    world.restart(SHORT);
    assert_eq!(world.answers(), late);
    // A newer one that is late takes the place of the one that passed, which serves until then.
    done(&world.swap(&version("steady 2")));
    let steady = world.answers();
    fs::write(world.folder.component(), version("late 3")).unwrap();
    world
        .service
        .wait_for_log(&["the new file is refused", "1 seconds allowed"]);
    world.restart(SHORT);
    world
        .service
        .wait_for_log(&["serving the version that passed last instead"]);
    let newer = world.wait_for_other(&steady);
    assert_ne!(newer, late);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), steady);
}

#[test]
fn a_version_that_stands_in_for_a_broken_one_may_be_late_at_the_start_as_well() {
    let mut world = World::new(&version("late 1"), &[]);
    let late = world.answers();
    fs::write(world.folder.component(), "no component").unwrap();
    world.service.wait_for_log(&["the new file is refused"]);
    world.restart(SHORT);
    world
        .service
        .wait_for_log(&["component not loaded", "it did not answer within the 1 seconds allowed"]);
    world
        .service
        .wait_for_log(&["serving the version that passed last instead"]);
    assert_eq!(world.answers(), late);
}

#[test]
fn what_was_swapped_in_is_served_where_it_was_late_at_the_start() {
    let folder = Folder::new();
    let [versions, code] = ["versions", "code"].map(|name| folder.path().join(name));
    let flags = [
        "--component-versions",
        versions.to_str().expect("UTF-8"),
        "--cache",
        code.to_str().expect("UTF-8"),
    ];
    let mut world = World::in_folder(folder, &version("steady packaged"), &flags);
    let packaged = world.answers();
    done(&world.swap(&version("late swapped")));
    let swapped = world.answers();
    world.service.terminate();
    world.service.wait();
    // Without its compiled code, as after an upgrade of the host, it is asked anew.
    fs::remove_dir_all(&code).unwrap();
    let flags: Vec<_> = flags.iter().chain(SHORT).copied().collect();
    world.service = world.folder.serve(&flags);
    world
        .service
        .wait_for_log(&["the version that was swapped in is not loaded", "1 seconds allowed"]);
    assert_eq!(world.wait_for_other(&packaged), swapped);
}
