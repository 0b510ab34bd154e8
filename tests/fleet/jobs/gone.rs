//! Replicas that are killed, stop or hang in the middle of a job.

use std::process::Command;
use std::thread;

use quartet_api::Code;
use quartet_tests::service::given;
use quartet_tests::skip::not_run;
use quartet_tests::wait::until;
use quartet_tests::{Service, clock};

use super::{
    CONNECTED, HERONS, MINE, Model, Store, answer, ask, at_work, begun, chat_flags, fleet, job, taken, wait_for_looks,
    wait_until,
};
use crate::secret;

#[test]
fn one_of_the_others_goes_on_when_a_replica_is_killed() {
    let Some(store) = Store::start("one of the others goes on with a job", &[]) else {
        return;
    };
    let model = Model::closed();
    let mut fleet = fleet(3, &store, &model, &["--shared-job-request-bytes", "300"]);
    let [one, two, three] = [0, 1, 2].map(|replica| fleet.client(replica));
    let asked = begun(&ask(&one, HERONS));
    let large = begun(&ask(&one, &"Tell me about otters, please. ".repeat(20)));
    assert_eq!(wait_until(&two, &asked, "running")["restartable"], true);
    assert_eq!(wait_until(&two, &large, "running")["restartable"], false);
    until("the model is asked", || model.asked_for("herons") == 1);
    let told = thread::scope(|scope| {
        let events = scope.spawn(|| three.get_with(&format!("{asked}/events"), MINE));
        fleet.replicas[0].signal("KILL");
        fleet.replicas[0].wait();
        until("the model is asked by another", || model.asked_for("herons") == 2);
        let failed = wait_until(&three, &large, "failed");
        assert_eq!(failed["failure"]["code"], Code::Unavailable.word(), "{failed}");
        let why = failed["failure"]["error"].as_str().unwrap();
        assert!(why.contains("too large"), "{why}");
        model.open();
        events.join().unwrap().events()
    });
    let (last, over) = told.last().unwrap();
    assert_eq!((last.as_str(), &over["state"]), ("done", &"done".into()), "{told:?}");
    wait_until(&two, &asked, "done");
    assert_eq!(answer(&two, &asked).body, answer(&three, &asked).body);
    // Both looked for it, and one had it.
    assert_eq!(taken(&fleet.replicas[1]) + taken(&fleet.replicas[2]), 1);
    assert_eq!(model.asked_for("herons"), 2);
    assert_eq!(model.asked_for("otters"), 1);
    // It is no longer held against the client, and kept as any other.
    three.delete_with(&asked, MINE).data();
    two.get_with(&asked, MINE).failed(Code::NotFound);
}

#[test]
fn a_replica_that_stops_hands_its_jobs_on_and_one_that_hung_lets_them_go() {
    let Some(store) = Store::start("a replica that stops hands its jobs on", &[]) else {
        return;
    };
    let model = Model::closed();
    let mut fleet = fleet(3, &store, &model, &["--drain-seconds", "1"]);
    let [one, two, three] = [0, 1, 2].map(|replica| fleet.client(replica));
    let asked = begun(&ask(&one, HERONS));
    wait_until(&two, &asked, "running");
    fleet.replicas[0].terminate();
    fleet.replicas[0].wait();
    until("another has it", || model.asked_for("herons") == 2);
    let at = usize::from(taken(&fleet.replicas[1]) == 0) + 1;
    let (worker, other) = if at == 1 { (&two, &three) } else { (&three, &two) };
    wait_until(other, &asked, "running");
    fleet.replicas[at].signal("STOP");
    until("the last one has it", || model.asked_for("herons") == 3);
    fleet.replicas[at].signal("CONT");
    // What it did meanwhile counts for nothing: it hears that the job is another's.
    until("it works on nothing", || at_work(&fleet.replicas[at]) == 0);
    wait_until(worker, &asked, "running");
    model.open();
    wait_until(worker, &asked, "done");
    assert_eq!(answer(worker, &asked).body, answer(other, &asked).body);
    assert_eq!(model.asked_for("herons"), 3);
    assert_eq!(taken(&fleet.replicas[3 - at]), 1);
}

#[test]
fn a_replica_whose_clock_is_an_hour_off_holds_jobs_as_others_do() {
    let name = "a replica whose clock is an hour off holds jobs as others do";
    let Some(store) = Store::start(name, &[]) else {
        return;
    };
    let Some(library) = clock::library() else {
        return not_run(name, "libfaketime is not installed");
    };
    let model = Model::closed();
    let mut fleet = fleet(1, &store, &model, &[]);
    let (folder, secret) = secret();
    let date = folder.path().join("date");
    std::fs::write(&date, "+1h").unwrap();
    let mut command = Command::new(given("QUARTET_HOST"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
        .args(chat_flags(&model))
        .args(["--requests-per-minute", "100000", "--shared-state", &store.address()])
        .arg("--shared-secret-file")
        .arg(&secret)
        .arg("--components")
        .arg(given("QUARTET_COMPONENTS"))
        .arg("--cache")
        .arg(std::env::temp_dir().join("quartet-tests-compiled"));
    clock::follow(&mut command, &library, &date);
    fleet.replicas.push(Service::launch(&mut command));
    fleet.wait_until(CONNECTED);
    let [right, ahead] = [0, 1].map(|replica| fleet.client(replica));
    // Nothing that another works on is over for it.
    let first = begun(&ask(&right, HERONS));
    wait_until(&ahead, &first, "running");
    wait_for_looks(&fleet.replicas[1]);
    assert_eq!((taken(&fleet.replicas[1]), model.asked_for("herons")), (0, 1));
    // What it works on is not held for an hour.
    let second = begun(&ask(&ahead, "Tell me about otters, please."));
    let created = [job(&right, &first), job(&right, &second)].map(|job| job["created"].as_str().unwrap().to_owned());
    assert_ne!(created[0][..13], created[1][..13], "the clock is off: {created:?}");
    wait_until(&right, &second, "running");
    fleet.replicas[1].signal("KILL");
    fleet.replicas[1].wait();
    until("the other has it", || model.asked_for("otters") == 2);
    assert_eq!(taken(&fleet.replicas[0]), 1);
    model.open();
    for address in [&first, &second] {
        wait_until(&right, address, "done");
        answer(&right, address);
    }
    assert_eq!(model.asked_for("herons"), 1);
}
