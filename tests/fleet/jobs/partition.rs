//! One replica that no longer reaches the store, while the others do.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::wait::until;

use super::{
    CONNECTED, HERONS, MINE, Model, Store, answer, ask, at_work, begun, chat_flags, fleet, job, taken, wait_until,
};
use crate::{UNAVAILABLE, secret};

/// The way from a replica to the store.
struct Way {
    address: String,
    is_cut: Arc<AtomicBool>,
}

impl Way {
    fn to(store: &Store) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let way = Self {
            address: format!("redis://{}", listener.local_addr().unwrap()),
            is_cut: Arc::default(),
        };
        let (target, is_cut) = (store.socket(), Arc::clone(&way.is_cut));
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(&target) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let is_cut = Arc::clone(&is_cut);
                    thread::spawn(move || carry(from, to, &is_cut));
                }
            }
        });
        way
    }

    /// Has nothing arrive any more, without a word to either side, or all of it again.
    fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }
}

/// Carries bytes until one side ends. What was lost on the way once is not made good: that connection carries nothing more.
fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let (mut piece, mut is_lost) = ([0; 16 * 1024], false);
    while let Ok(length @ 1..) = from.read(&mut piece) {
        is_lost |= is_cut.load(Ordering::Relaxed);
        if !is_lost && to.write_all(&piece[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

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
