//! A store that goes, and one that comes back empty.

use quartet_tests::versions::{done, refused, version};
use quartet_tests::wait::until;

use super::{Replicas, Store, gauge, keys};

#[test]
fn while_the_store_is_away_what_serves_goes_on_and_only_one_replica_can_be_swapped() {
    let Some(mut store) = Store::start("while the store is away no swap reaches all", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(2, &store, &[]);
    done(&replicas.swap(0, &version("steady 2"), &[]));
    let second = replicas.all_answer();
    store.kill();
    replicas.wait_until_away();
    assert_eq!(replicas.all_answer(), second);
    for output in [
        replicas.swap(0, &version("steady 3"), &[]),
        replicas.quartet(1, &["rollback", "tts"]),
    ] {
        let reason = refused(&output);
        assert!(reason.contains("the store of shared state is away"), "{reason}");
        assert!(reason.contains("`--this-replica`"), "{reason}");
    }
    assert!(replicas.ask(0, "tts/rollback").starts_with("HTTP/1.1 503 "));
    assert_eq!(replicas.all_answer(), second);
    done(&replicas.swap(1, &version("steady 1"), &["--this-replica"]));
    assert_ne!(replicas.answers(1), second);
    done(&replicas.quartet(1, &["rollback", "tts", "--this-replica"]));
    // It comes back empty, and is told by those that know, with all that a rollback needs.
    store.restart();
    replicas.wait_until_connected();
    until("the store has it again", || {
        keys(&mut store.connection(), "*:c:*").len() == 2
    });
    until("and which is the one to serve", || {
        !keys(&mut store.connection(), "*:d").is_empty()
    });
    replicas.join(&[]);
    assert_eq!(replicas.all_answer(), second);
    let generation = |replica: usize| {
        gauge(
            &replicas.all[replica].service,
            "quartet_fleet_generation{capability=\"tts\"}",
        )
    };
    assert_eq!([generation(0), generation(1), generation(2)], [1, 1, 1]);
    done(&replicas.quartet(2, &["rollback", "tts"]));
    assert_ne!(replicas.all_answer(), second);
}
