//! One client cannot keep another from being served.

use std::sync::atomic::{AtomicUsize, Ordering};

use quartet_tests::wait::until;

use crate::raw::{self, ask, get};
use crate::{Folder, sleepy};

const GREEDY: usize = 200;

/// The greedy client's requests sleep to the end of their time. The other client asks one light request after the
/// other, and all of them are answered before a single greedy one is.
#[test]
fn light_requests_get_in_beside_a_greedy_client() {
    let folder = Folder::new();
    let service = sleepy(&folder, &["--respond-seconds", "15"]);
    let (sent, answered, refused) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..GREEDY {
            scope.spawn(|| {
                let mut stream = raw::connect(&service, 1);
                sent.fetch_add(1, Ordering::SeqCst);
                let answer = ask(&mut stream, &get("/api/v1/tts/voices", "x-misbehave: sleep\r\n")).expect("an answer");
                match answer.status {
                    429 => refused.fetch_add(1, Ordering::SeqCst),
                    504 => answered.fetch_add(1, Ordering::SeqCst),
                    other => panic!("{other}"),
                };
            });
        }
        until("all greedy requests are under way", || {
            sent.load(Ordering::SeqCst) == GREEDY
        });
        let mut light = raw::connect(&service, 2);
        for _ in 0..50 {
            let answer = ask(&mut light, &get("/api/v1/tts/voices", "")).expect("an answer");
            assert_eq!((answer.status, answer.body.as_str()), (200, "well behaved"));
        }
        assert_eq!(answered.load(Ordering::SeqCst), 0, "a greedy request was over first");
        // It has no more than its half of the 64 places: what waited longest gave up.
        until("the greedy client is told to wait", || {
            refused.load(Ordering::SeqCst) >= GREEDY - 32 - 10
        });
    });
    let (answered, refused) = (answered.into_inner(), refused.into_inner());
    assert!((1..=42).contains(&answered), "{answered} greedy requests ran");
    assert_eq!(answered + refused, GREEDY);
}

/// Three clients that all want more than there is: each is served.
#[test]
fn places_are_shared_between_all_who_wait() {
    let folder = Folder::new();
    let service = sleepy(
        &folder,
        &[
            "--concurrent-requests",
            "2",
            "--respond-seconds",
            "1",
            "--queue-milliseconds",
            "60000",
        ],
    );
    let order = std::sync::Mutex::new(Vec::new());
    let waiting = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let send = |client: u8, count: usize| {
            for _ in 0..count {
                let (service, order, waiting) = (&service, &order, &waiting);
                scope.spawn(move || {
                    let mut stream = raw::connect(service, client);
                    waiting.fetch_add(1, Ordering::SeqCst);
                    let answer = ask(&mut stream, &get("/api/v1/tts/voices", "x-misbehave: sleep\r\n"));
                    assert_eq!(answer.expect("an answer").status, 504);
                    order.lock().unwrap().push(client);
                });
            }
        };
        send(1, 12);
        send(2, 12);
        until("two clients wait", || waiting.load(Ordering::SeqCst) == 24);
        send(3, 2);
    });
    let order = order.into_inner().unwrap();
    let last = order.iter().rposition(|client| *client == 3).unwrap();
    assert!(
        last < 16,
        "whoever asked for two waited for nearly all of the others: {order:?}"
    );
}
