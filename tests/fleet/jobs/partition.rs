//! One replica that no longer reaches the store, while the others do.

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::wait::until;

use super::{
    CONNECTED, HERONS, MINE, Model, Store, answer, ask, at_work, begun, chat_flags, fleet, job, taken, wait_until,
};
use crate::way::Way;
use crate::{UNAVAILABLE, secret};

#[test]
fn a_replica_behind_a_partition_lets_its_jobs_go() {
    let Some(store) = Store::start("a replica behind a partition lets its jobs go", &[]) else {
        return;
    };
    let model = Model::closed();
    let mut fleet = fleet(1, &store, &model, &[]);
    let (way, (_folder, secret)) = (Way::to(&store), secret());
    let mut flags = vec!["--requests-per-minute", "100000", "--shared-state", &way.address];
    flags.extend(["--shared-secret-file", secret.to_str().unwrap()]);
    flags.extend(chat_flags(&model));
    fleet.replicas.push(Service::start(&flags));
    fleet.wait_until(CONNECTED);
    let [there, cut_off] = [0, 1].map(|replica| fleet.client(replica));
    let asked = begun(&ask(&cut_off, HERONS));
    let unwanted = begun(&ask(&cut_off, "Tell me about voles, please."));
    for address in [&asked, &unwanted] {
        wait_until(&there, address, "running");
    }
    until("the model is asked", || model.asked().len() == 2);
    way.cut(true);
    until("the store is away", || {
        cut_off.get("/readyz").json()["sharedState"] == UNAVAILABLE
    });
    there.delete_with(&unwanted, MINE).data();
    until("the other has it", || model.asked_for("herons") == 2);
    // Nobody has told it.
    for address in [&asked, &unwanted] {
        assert_eq!(job(&cut_off, address)["state"], "running");
    }
    way.cut(false);
    fleet.wait_until(CONNECTED);
    until("it works on nothing", || at_work(&fleet.replicas[1]) == 0);
    for client in [&there, &cut_off] {
        client.get_with(&unwanted, MINE).failed(Code::NotFound);
    }
    model.open();
    wait_until(&cut_off, &asked, "done");
    assert_eq!(answer(&cut_off, &asked).body, answer(&there, &asked).body);
    assert_eq!((model.asked_for("herons"), model.asked_for("voles")), (2, 1));
    assert_eq!((taken(&fleet.replicas[0]), taken(&fleet.replicas[1])), (1, 0));
}
