//! All replicas serve what was swapped at one: those that are there, those that come later, and those without a disk.

use std::fs;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use quartet_tests::versions::{answering, done, padded, refused, version};
use quartet_tests::wait::until;

use super::{Replicas, Store, keys};

/// Sets a flag when it is dropped, also when something fails: threads would go on for ever.
struct SetWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_swap_and_a_rollback_at_one_reach_all_and_no_request_is_lost() {
    let Some(store) = Store::start("a swap at one replica reaches all", &[]) else {
        return;
    };
    let replicas = Replicas::start(3, &store, &[]);
    let first = replicas.all_answer();
    let (is_over, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let end = SetWhenDropped(&is_over);
        for replica in &replicas.all {
            let (is_over, answers) = (&is_over, &answers);
            scope.spawn(move || {
                while !is_over.load(Ordering::SeqCst) {
                    answering(&replica.service);
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Of several pieces.
        let second = padded(&version("steady 2"), 1_500_000);
        let said = done(&replicas.swap(0, &second, &["--generation", "0"]));
        assert!(said.contains("serves; before it served"), "{said}");
        assert_eq!(said.lines().count(), 4, "a line for each replica: {said}");
        let second = replicas.all_answer();
        assert_ne!(second, first);
        let table = done(&replicas.quartet(2, &["components"]));
        assert!(table.contains("3/3 #1"), "{table}");
        // The version before is known to those that were never asked, too, and was in the folder of none by that name.
        done(&replicas.quartet(1, &["rollback", "tts"]));
        assert_eq!(replicas.all_answer(), first);
        done(&replicas.quartet(2, &["rollback", "tts"]));
        assert_eq!(replicas.all_answer(), second);
        assert_eq!(replicas.state(1)["fleet"]["generation"], 3);
        drop(end);
    });
    assert!(answers.load(Ordering::Relaxed) > 10);
}

#[test]
fn of_two_swaps_at_once_one_wins_and_the_other_is_told() {
    let Some(store) = Store::start("of two swaps at once one wins", &[]) else {
        return;
    };
    let replicas = Replicas::start(2, &store, &[]);
    let barrier = Barrier::new(2);
    let swap = |replica: usize| {
        barrier.wait();
        replicas.swap(
            replica,
            &version(&format!("steady of {replica}")),
            &["--generation", "0"],
        )
    };
    let outputs = thread::scope(|scope| {
        let other = scope.spawn(|| swap(1));
        [swap(0), other.join().unwrap()]
    });
    let won: Vec<_> = outputs.iter().filter(|output| output.status.success()).collect();
    let lost: Vec<_> = outputs.iter().filter(|output| !output.status.success()).collect();
    assert_eq!((won.len(), lost.len()), (1, 1), "{outputs:?}");
    let said = done(won[0]);
    let winner = said.split(' ').next().unwrap().to_owned();
    let digest = winner.trim_start_matches("tts@");
    let reason = refused(lost[0]);
    assert!(reason.contains(&format!("generation 1 is {digest}")), "{reason}");
    assert_eq!(replicas.all_answer(), winner);
    let answer = replicas.ask(0, "tts/rollback?generation=7");
    assert!(answer.starts_with("HTTP/1.1 409 "), "{answer}");
    assert!(answer.contains("the generation of tts is not 7"), "{answer}");
    assert_eq!(replicas.all_answer(), winner);
}

#[test]
fn a_replica_that_starts_later_serves_what_the_others_do() {
    let Some(store) = Store::start("a replica that starts later serves what the others do", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(1, &store, &[]);
    let first = replicas.answers(0);
    done(&replicas.swap(0, &version("steady 2"), &[]));
    let second = replicas.answers(0);
    // From its first answer on.
    replicas.join(&[]);
    assert_eq!(replicas.all_answer(), second);
    replicas.restart(1, &[]);
    assert_eq!(replicas.all_answer(), second);
    // Unless it is told to go by its own folder.
    done(&replicas.quartet(0, &["unpin", "tts"]));
    assert_eq!(replicas.all_answer(), second);
    replicas.join(&[]);
    assert_eq!(replicas.answers(2), first);
    let reason = refused(&replicas.quartet(0, &["rollback", "tts"]));
    assert!(reason.contains("no earlier version"), "{reason}");
}

#[test]
fn a_folder_that_cannot_be_written_keeps_no_replica_behind() {
    let Some(store) = Store::start("a folder that cannot be written keeps no replica behind", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(1, &store, &[]);
    let folder = Replicas::folder();
    // A root may write whatever the modes say; but nobody makes a folder where a file is.
    fs::write(folder.path().join("components/.quartet"), "in the way").unwrap();
    let cache = folder.path().join("own-cache").display().to_string();
    let flags = ["--cache", &cache];
    replicas.join_with(folder, &flags);
    let first = replicas.all_answer();
    let before = fs::read(replicas.all[1].folder.component()).unwrap();
    let local = refused(&replicas.swap(1, &version("steady 0"), &["--this-replica"]));
    assert!(local.contains("keep: "), "{local}");
    // It may be asked, too.
    done(&replicas.swap(1, &version("steady 2"), &[]));
    let second = replicas.all_answer();
    assert_ne!(second, first);
    replicas.restart(1, &flags);
    assert_eq!(replicas.all_answer(), second);
    // The file in its folder is still the first version, and the one who watches the folder leaves it at that.
    assert_eq!(fs::read(replicas.all[1].folder.component()).unwrap(), before);
    thread::sleep(Duration::from_secs(3));
    assert_eq!(replicas.all_answer(), second);
    done(&replicas.swap(0, &version("steady 3"), &[]));
    done(&replicas.quartet(1, &["rollback", "tts"]));
    assert_eq!(replicas.all_answer(), second);
    // What it may need again, and nothing else, is in its cache.
    let kept = fs::read_dir(replicas.all[1].folder.path().join("own-cache/fleet/tts")).unwrap();
    assert!((1..=2).contains(&kept.count()));
}

#[test]
fn a_swap_of_one_replica_is_its_own() {
    let Some(store) = Store::start("a swap of one replica is its own", &[]) else {
        return;
    };
    let replicas = Replicas::start(2, &store, &[]);
    let first = replicas.all_answer();
    done(&replicas.swap(0, &version("steady 2"), &["--this-replica"]));
    assert_ne!(replicas.answers(0), first);
    assert_eq!(replicas.answers(1), first);
    assert!(replicas.state(0)["fleet"].is_null());
    done(&replicas.swap(0, &version("steady 3"), &[]));
    let third = replicas.all_answer();
    done(&replicas.swap(1, &version("steady 4"), &["--this-replica"]));
    until("the other replica hears of it", || {
        replicas.state(0)["fleet"]["replicas"]
            .as_array()
            .is_some_and(|all| all.iter().any(|replica| replica["state"] == "apart"))
    });
    assert_eq!(replicas.answers(0), third);
    assert_ne!(replicas.answers(1), third);
    done(&replicas.quartet(1, &["rollback", "tts", "--this-replica"]));
    assert_eq!(replicas.all_answer(), third);
}

#[test]
fn the_store_keeps_what_is_named_and_all_of_it_ends() {
    let Some(store) = Store::start("the store keeps what is named", &[]) else {
        return;
    };
    let replicas = Replicas::start(1, &store, &[]);
    for number in 2..6 {
        done(&replicas.swap(0, &version(&format!("steady {number}")), &[]));
    }
    let mut connection = store.connection();
    assert_eq!(
        keys(&mut connection, "*:c:*").len(),
        2,
        "the one that serves, and the one before"
    );
    for key in keys(&mut connection, "*") {
        let left: i64 = redis::cmd("PTTL").arg(&key).query(&mut connection).unwrap();
        // One may have ended since it was listed.
        let has_ended = left == -2;
        assert!(
            has_ended || (1..=7 * 24 * 3_600_000).contains(&left),
            "{key} stays {left}"
        );
    }
    done(&replicas.quartet(0, &["unpin", "tts"]));
    assert_eq!(keys(&mut connection, "*:c:*").len(), 0);
}
