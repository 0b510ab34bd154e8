//! A replica that is killed in the middle of a swap: the one that was asked for it, while another has not come to it yet.

use std::thread;

use quartet_tests::versions::{done, version};
use quartet_tests::wait::until;

use super::{Replicas, Store};

#[test]
fn a_swap_goes_on_when_the_replica_that_was_asked_is_killed() {
    let Some(store) = Store::start("a swap goes on when its replica is killed", &[]) else {
        return;
    };
    let mut replicas = Replicas::start(3, &store, &[]);
    let first = replicas.all_answer();
    replicas.all[2].service.signal("STOP");
    thread::scope(|scope| {
        let swap = scope.spawn(|| replicas.swap(0, &version("steady 2"), &[]));
        until("one that was not asked serves it", || replicas.answers(1) != first);
        // Whoever swaps waits for the last one.
        assert!(!swap.is_finished());
        replicas.all[0].service.signal("KILL");
        assert!(!swap.join().unwrap().status.success());
    });
    let second = replicas.answers(1);
    replicas.all[2].service.signal("CONT");
    until("the last one serves it", || replicas.answers(2) == second);
    // From its first answer on.
    replicas.restart(0, &[]);
    assert_eq!(replicas.all_answer(), second);
    replicas.wait_until_connected();
    done(&replicas.quartet(0, &["rollback", "tts"]));
    assert_eq!(replicas.all_answer(), first);
}
