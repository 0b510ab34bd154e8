//! Versions that cannot be served: by the replica that is asked, by another, or for want of room.

use quartet_tests::versions::{done, padded, refused, version};

use super::{Replicas, Store, gauge, keys};

#[test]
fn a_version_that_fails_its_probe_is_refused_before_any_other_replica_hears_of_it() {
    let Some(store) = Store::start("a version that fails its probe reaches no replica", &[]) else {
        return;
    };
    let replicas = Replicas::start(3, &store, &["--probe-seconds", "5"]);
    let first = replicas.all_answer();
    for (bad, reason) in [
        (version("silent"), "probe: "),
        (version("loops"), "probe: "),
        (b"no component".to_vec(), "check: "),
    ] {
        let said = refused(&replicas.swap(1, &bad, &[]));
        assert!(said.contains(&format!("refused at the step {reason}")), "{said}");
        assert_eq!(replicas.all_answer(), first);
    }
    assert!(replicas.state(0)["fleet"].is_null());
    assert!(keys(&mut store.connection(), "*:c:*").is_empty());
}

#[test]
fn a_replica_that_cannot_serve_it_stays_with_the_version_before_and_says_why() {
    let Some(store) = Store::start("a replica that cannot serve a version says why", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(2, &store, &[]);
    // What its folder has is just small enough.
    let most = version("steady 1").len().to_string();
    replicas.join(&["--component-bytes", &most]);
    let first = replicas.all_answer();
    let output = replicas.swap(0, &padded(&version("steady 2"), 1000), &[]);
    let reason = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{reason}");
    assert_eq!(reason.lines().count(), 1, "{reason}");
    assert!(
        reason.contains("has refused it") && reason.contains("read: it is larger than"),
        "{reason}"
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.lines().count(), 3, "{said}");
    let second = replicas.answers(0);
    assert_ne!(second, first);
    assert_eq!((replicas.answers(1), replicas.answers(2)), (second, first.clone()));
    replicas.all[2].service.wait_for_log(&[
        "this replica cannot serve the version that all are to serve",
        "larger than",
    ]);
    let in_step = |replica: usize| {
        gauge(
            &replicas.all[replica].service,
            "quartet_fleet_in_step{capability=\"tts\"}",
        )
    };
    assert_eq!([in_step(0), in_step(1), in_step(2)], [1, 1, 0]);
    let table = done(&replicas.quartet(1, &["components"]));
    assert!(table.contains("2/3 #1") && table.contains("has refused it"), "{table}");
    // Two of three are enough where that is asked for; who has it not is named all the same.
    let larger = padded(&version("steady 4"), 1000);
    let enough = replicas.swap(0, &larger, &["--quorum", "2"]);
    let told = String::from_utf8_lossy(&enough.stderr);
    assert_eq!(enough.status.code(), Some(0), "{told}");
    assert_eq!(replicas.answers(0), replicas.answers(1));
    assert_eq!(replicas.answers(2), first);
    let all = replicas.swap(0, &larger, &["--quorum", "3"]);
    assert_eq!(all.status.code(), Some(1), "{}", String::from_utf8_lossy(&all.stderr));
    // One that it can serve brings it back.
    done(&replicas.swap(2, &version("steady 3"), &[]));
    replicas.all_answer();
}

#[test]
fn components_have_so_much_room_and_no_more() {
    let Some(store) = Store::start("components have so much room and no more", &[]) else {
        return;
    };
    let room = (version("steady").len() * 3 / 2).to_string();
    let replicas = Replicas::start(2, &store, &["--shared-component-bytes", &room]);
    // There is room for one, and so none for the one before.
    done(&replicas.swap(0, &version("steady 2"), &[]));
    let second = replicas.all_answer();
    let reason = refused(&replicas.quartet(0, &["rollback", "tts"]));
    assert!(reason.contains("no earlier version"), "{reason}");
    let reason = refused(&replicas.swap(1, &version("steady 3"), &[]));
    assert!(reason.contains("`shared_component_bytes`"), "{reason}");
    assert_eq!(replicas.all_answer(), second);
}
