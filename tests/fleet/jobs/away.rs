//! A store that goes in the middle of a job.

use quartet_api::Code;
use quartet_tests::wait::until;

use super::{CONNECTED, HERONS, MINE, Model, Store, answer, ask, begun, fleet, job, taken, wait_for_looks, wait_until};
use crate::UNAVAILABLE;

#[test]
fn a_job_outlives_a_store_that_comes_back_empty() {
    let Some(mut store) = Store::start("a job outlives a store that comes back empty", &[]) else {
        return;
    };
    let model = Model::closed();
    let fleet = fleet(2, &store, &model, &[]);
    let [one, two] = [0, 1].map(|replica| fleet.client(replica));
    let before = begun(&ask(&one, HERONS));
    let through = begun(&ask(&one, "Tell me about voles, please."));
    wait_until(&two, &before, "running");
    store.kill();
    fleet.wait_until(UNAVAILABLE);
    // It goes on where it is, and jobs begin as if there were no other replica.
    assert_eq!(job(&one, &before)["state"], "running");
    two.get_with(&before, MINE).failed(Code::NotFound);
    let during = begun(&ask(&two, "Tell me about otters, please."));
    assert_eq!(job(&two, &during)["restartable"], false);
    // What it is to forget it would have to forget there, too.
    one.delete_with(&before, MINE).failed(Code::Unavailable);
    store.restart();
    fleet.wait_until(CONNECTED);
    // The store hears again of what goes on, and that no other replica could begin it again.
    assert_eq!(wait_until(&two, &through, "running")["restartable"], false);
    store.kill();
    fleet.wait_until(UNAVAILABLE);
    model.open();
    for (client, address) in [(&one, &before), (&one, &through), (&two, &during)] {
        wait_until(client, address, "done");
        answer(client, address);
    }
    store.restart();
    fleet.wait_until(CONNECTED);
    for (client, address) in [(&two, &before), (&two, &through), (&one, &during)] {
        until("the answer is there for all", || {
            client.get_with(&format!("{address}/result"), MINE).status == 200
        });
        answer(client, address);
    }
    for text in ["herons", "voles", "otters"] {
        assert_eq!(model.asked_for(text), 1, "{text}");
    }
}

#[test]
fn a_job_is_not_taken_from_a_replica_that_lives_when_the_store_hung() {
    let Some(store) = Store::start("a job is not taken from a replica that lives", &[]) else {
        return;
    };
    let model = Model::closed();
    let fleet = fleet(2, &store, &model, &["--shared-unavailable", "refuse"]);
    let [one, two] = [0, 1].map(|replica| fleet.client(replica));
    let asked = begun(&ask(&one, HERONS));
    wait_until(&two, &asked, "running");
    store.signal("STOP");
    fleet.wait_until(UNAVAILABLE);
    assert_eq!(job(&one, &asked)["state"], "running");
    two.get_with(&asked, MINE).failed(Code::Unavailable);
    ask(&two, "Tell me about otters, please.").failed(Code::Unavailable);
    assert_eq!(model.asked_for("otters"), 0);
    // Longer than it was held for.
    std::thread::sleep(std::time::Duration::from_secs(11));
    store.signal("CONT");
    fleet.wait_until(CONNECTED);
    wait_for_looks(&fleet.replicas[1]);
    assert_eq!((taken(&fleet.replicas[1]), model.asked_for("herons")), (0, 1));
    model.open();
    wait_until(&two, &asked, "done");
    assert_eq!(answer(&one, &asked).body, answer(&two, &asked).body);
}
