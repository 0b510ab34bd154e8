//! The next start serves what served last, whatever happened in between.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use quartet_tests::wait::wait_for;

use crate::world::{Folder, World, answering, done, mapped, version};

#[test]
fn a_swap_and_a_rollback_are_there_after_a_restart() {
    let mut world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    done(&world.swap(&version("steady 2")));
    let second = world.answers();
    world.restart(&[]);
    assert_eq!(world.answers(), second);
    // The version before is on disk only by now.
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), first);
    world.restart(&[]);
    assert_eq!(world.answers(), first);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), second);
}

/// Time in which a host has seen a new file, and looked at it.
const SEEN: Duration = Duration::from_secs(3);

#[test]
fn a_packaged_file_stays_and_gives_way_to_what_was_swapped_in_until_an_upgrade() {
    let folder = Folder::new();
    let versions = folder.path().join("versions");
    let flags = ["--component-versions", versions.to_str().unwrap()];
    let packaged = version("steady packaged");
    let mut world = World::in_folder(folder, &packaged, &flags);
    let first = world.answers();
    done(&world.swap(&version("steady swapped")));
    let swapped = world.answers();
    assert_eq!(
        fs::read(world.folder.component()).unwrap(),
        packaged,
        "the file is the package's"
    );
    world.restart(&flags);
    assert_eq!(world.answers(), swapped);
    // The same package once more; the host looks at the file anew, and at what is written behind it.
    let path = world.folder.component();
    fs::remove_file(&path).unwrap();
    fs::write(&path, &packaged).unwrap();
    std::thread::sleep(SEEN);
    assert_eq!(world.answers(), swapped);
    // An upgrade brings another file, which goes before what was swapped in over the old one; a rollback leads back to that.
    fs::write(&path, version("steady upgraded")).unwrap();
    let upgraded = world.wait_for_other(&swapped);
    world.restart(&flags);
    assert_eq!(world.answers(), upgraded);
    assert!(upgraded != first && upgraded != swapped);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), swapped);
    world.restart(&flags);
    assert_eq!(world.answers(), swapped);
    // What cannot be loaded any more does not keep the packaged one from serving.
    for file in fs::read_dir(versions.join("tts")).unwrap() {
        fs::write(file.unwrap().path(), b"damaged").unwrap();
    }
    world.restart(&flags);
    assert_eq!(world.answers(), upgraded);
}

#[test]
fn only_so_many_versions_are_kept_and_the_others_are_freed() {
    let world = World::new(&version("steady 1"), &["--kept-versions", "2"]);
    for number in 2..6 {
        done(&world.swap(&version(&format!("steady {number}"))));
    }
    assert_eq!(world.state()["previous"].as_array().unwrap().len(), 2);
    let kept = fs::read_dir(world.folder.path().join("components/.quartet/tts")).unwrap();
    assert_eq!(kept.count(), 3);
    assert_eq!(
        mapped(world.service.pid()),
        3,
        "the code of the others is gone from memory"
    );
}

#[test]
fn a_host_that_is_killed_during_a_swap_starts_with_a_version_that_passed() {
    let mut world = World::new(&version("steady before"), &[]);
    // How long a swap of a version that nobody has seen takes on this machine: kills are spread over twice that time.
    let start = Instant::now();
    done(&world.swap(&version("steady 0")));
    let step = start.elapsed() / 6;
    let mut passed = vec![world.answers()];
    for round in 1..=12_u32 {
        let path = world.folder.write(&version(&format!("steady {round}")));
        let path = path.to_str().unwrap();
        let pid = world.service.pid().to_string();
        let folder = &world.folder;
        std::thread::scope(|scope| {
            let swapping = scope.spawn(move || folder.quartet(&["swap", "tts", path]));
            std::thread::sleep(step * round);
            assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
            let output = swapping.join().unwrap();
            // When it says that it is done, it is.
            if output.status.success() {
                let said = String::from_utf8(output.stdout).unwrap();
                let (version, _) = said.split_once(" serves").expect("it says which version serves");
                passed.push(version.trim().to_owned());
            }
        });
        // The system takes its time to take a process down.
        world.service.wait();
        world.service = world.folder.serve(&[]);
        let now = answering(&world.service);
        let file = fs::read(world.folder.component()).unwrap();
        assert!(
            file.len() == version("steady").len(),
            "round {round}: the file is not whole"
        );
        // Killed after it was written and before it could say so, the new version is the one that serves.
        let log = wait_for("the component is loaded", || {
            Some(world.service.log()).filter(|log| log.contains("component loaded"))
        });
        let failed = log
            .lines()
            .find(|line| line.contains("component not loaded") && line.contains(r#""component":"tts""#));
        assert_eq!(failed, None, "round {round}");
        if passed.last() != Some(&now) {
            passed.push(now);
        }
    }
    assert!(passed.len() > 1, "no swap came through");
}
