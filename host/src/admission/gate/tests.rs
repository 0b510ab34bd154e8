//! The rules of the gate.

use std::net::IpAddr;

use tokio::sync::mpsc;

use super::*;

const LONG: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

fn client(last: u8) -> Client {
    IpAddr::from([192, 0, 2, last]).into()
}

fn gate_of(places: usize, client_percent: usize, queue: usize, patience: Duration) -> Gate {
    let bounds = Bounds {
        light: places,
        heavy: 1,
        streams: 1,
        client_percent,
        queue,
        patience,
        respond: 10 * SECOND,
    };
    Gate::with(bounds, MemoryBudget::new(1 << 40), 1 << 28)
}

fn kind(operation: &str, size: u64) -> Kind {
    Kind {
        operation: operation.into(),
        size,
    }
}

async fn enter(gate: &Gate, who: u8) -> Result<Permit, Failure> {
    gate.enter(client(who), kind("tts/voices", 0), false).await
}

async fn refused(gate: &Gate, who: u8) -> bool {
    enter(gate, who).await.is_err()
}

/// Sends a request that waits, and reports with its permit when it is let in.
fn queue(gate: &Gate, who: u8, served: &mpsc::UnboundedSender<(u8, Result<Permit, Failure>)>) {
    queue_kind(gate, who, kind("tts/voices", 0), served);
}

fn queue_kind(gate: &Gate, who: u8, kind: Kind, served: &mpsc::UnboundedSender<(u8, Result<Permit, Failure>)>) {
    let (gate, served) = (gate.clone(), served.clone());
    tokio::spawn(async move {
        let entered = gate.enter(client(who), kind, false).await;
        let _ = served.send((who, entered));
    });
}

/// Lets every spawned task come to where it waits.
async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn one_client_never_has_more_than_its_share() {
    let gate = gate_of(4, 50, 0, LONG);
    let _held = [enter(&gate, 1).await, enter(&gate, 1).await];
    assert!(refused(&gate, 1).await);
    let other = enter(&gate, 2).await;
    assert!(other.is_ok());
    drop(other);
    assert!(enter(&gate, 2).await.is_ok());
}

#[tokio::test]
async fn two_clients_do_not_take_all_places() {
    let gate = gate_of(64, 50, 0, LONG);
    let mut held = Vec::new();
    let mut shares = Vec::new();
    for who in 1..=8 {
        let before = held.len();
        while let Ok(permit) = enter(&gate, who).await {
            held.push(permit);
        }
        shares.push(held.len() - before);
    }
    assert_eq!(shares, [32, 16, 8, 4, 2, 1, 1, 0]);
    held.clear();
    let gate = gate_of(4, 100, 0, LONG);
    while let Ok(permit) = enter(&gate, 1).await {
        held.push(permit);
    }
    assert_eq!(held.len(), 4, "where the settings let one client have all");
}

#[tokio::test]
async fn places_go_round_the_clients_that_wait() {
    let gate = gate_of(1, 50, 100, LONG);
    let mut running = Some(enter(&gate, 9).await.map_err(|_| ()).unwrap());
    let (sender, mut served) = mpsc::unbounded_channel();
    for who in [1, 1, 1, 1, 1, 2, 2, 3] {
        queue(&gate, who, &sender);
        settle().await;
    }
    let mut order = Vec::new();
    for _ in 0..8 {
        drop(running.take());
        let (who, permit) = served.recv().await.unwrap();
        order.push(who);
        running = permit.ok();
    }
    assert_eq!(order, [1, 2, 3, 1, 2, 1, 1, 1]);
    drop(running);
    assert!(gate.0.lock().is_empty());
}

#[tokio::test]
async fn a_client_with_a_full_share_is_passed_over() {
    let gate = gate_of(2, 50, 100, LONG);
    let first = enter(&gate, 1).await;
    let second = enter(&gate, 2).await;
    let (sender, mut served) = mpsc::unbounded_channel();
    queue(&gate, 1, &sender);
    settle().await;
    queue(&gate, 2, &sender);
    settle().await;
    // The first in the queue has its share; the place goes to the one behind.
    drop(second);
    let (who, _permit) = served.recv().await.unwrap();
    assert_eq!(who, 2);
    drop(first);
    assert_eq!(served.recv().await.unwrap().0, 1);
}

#[tokio::test]
async fn a_full_queue_takes_from_who_has_most_waiting() {
    let gate = gate_of(1, 50, 3, LONG);
    let running = enter(&gate, 9).await;
    let (sender, mut served) = mpsc::unbounded_channel();
    for _ in 0..3 {
        queue(&gate, 1, &sender);
        settle().await;
    }
    assert!(refused(&gate, 1).await, "the queue is full of its own requests");
    queue(&gate, 2, &sender);
    let (who, entered) = served.recv().await.unwrap();
    assert!(who == 1 && entered.is_err(), "the newest of the greediest goes");
    // Now 2 and 1 wait; another of client 2 would have as many as the greediest.
    assert!(refused(&gate, 2).await);
    drop(running);
    let mut order = Vec::new();
    for _ in 0..3 {
        let (who, permit) = served.recv().await.unwrap();
        order.push(who);
        drop(permit);
    }
    assert_eq!(order, [1, 2, 1]);
}

#[tokio::test]
async fn waiting_is_bounded() {
    let gate = gate_of(1, 50, 1, Duration::from_millis(5));
    let running = enter(&gate, 1).await;
    assert!(refused(&gate, 2).await);
    assert_eq!(gate.waiting().0, 0);
    drop(running);
    assert!(enter(&gate, 2).await.is_ok());
}

#[tokio::test]
async fn who_leaves_while_waiting_leaves_no_trace() {
    let gate = gate_of(1, 50, 10, LONG);
    let running = enter(&gate, 1).await;
    let waiting = tokio::spawn({
        let gate = gate.clone();
        async move { enter(&gate, 2).await.map(drop) }
    });
    settle().await;
    assert_eq!(gate.waiting().0, 1);
    waiting.abort();
    settle().await;
    assert_eq!(gate.waiting().0, 0);
    drop(running);
    assert_eq!(gate.running().0, 0);
}

/// A gate that knows what it takes to read a picture: 4 of the 10 seconds that there are, so that two fit 8.
fn reading_gate() -> (Gate, Kind) {
    let gate = gate_of(64, 50, 100, LONG);
    let picture = kind("image/analyze", 1_000_000);
    let meter = Meter::default();
    meter.worked(4 * SECOND);
    meter.ended();
    gate.0.forecast.learn(&picture, &meter);
    (gate, picture)
}

#[tokio::test]
async fn what_cannot_be_done_in_time_is_refused_at_once() {
    let (gate, picture) = reading_gate();
    let first = gate.enter(client(1), picture.clone(), false).await;
    assert!(first.is_ok());
    let (sender, mut served) = mpsc::unbounded_channel();
    queue_kind(&gate, 1, picture.clone(), &sender);
    settle().await;
    assert_eq!(
        (gate.running().0, gate.waiting().0, gate.expected_work()),
        (1, 1, 8 * SECOND)
    );
    let failure = gate.enter(client(1), picture.clone(), false).await.err().unwrap();
    // 12 seconds of work, and 8 to do it: room is there after 4.
    assert_eq!((failure.code, failure.retry_after), (Code::Busy, Some(5)));
    assert_eq!(gate.check(client(1), &picture, false).unwrap_err().code, Code::Busy);
    assert!(
        gate.check(client(1), &picture, true).is_ok(),
        "streams have no end to be late for"
    );
    assert!(!refused(&gate, 1).await, "what is light gets in");
    drop(first);
    assert!(served.recv().await.unwrap().1.is_ok());
    assert!(gate.0.lock().is_empty());
}

#[tokio::test]
async fn a_client_that_fills_the_time_gives_way_to_another() {
    let (gate, picture) = reading_gate();
    let first = gate.enter(client(1), picture.clone(), false).await;
    let (sender, mut served) = mpsc::unbounded_channel();
    queue_kind(&gate, 1, picture.clone(), &sender);
    settle().await;
    queue_kind(&gate, 2, picture.clone(), &sender);
    let (who, entered) = served.recv().await.unwrap();
    assert!(who == 1 && entered.is_err(), "its second one would be late now");
    drop(first);
    let (who, entered) = served.recv().await.unwrap();
    assert!(who == 2 && entered.is_ok());
}

#[tokio::test]
async fn clients_that_wait_leave_room_for_each_other() {
    let (gate, _) = reading_gate();
    let small = kind("image/read", 1_000);
    let meter = Meter::default();
    meter.worked(SECOND);
    meter.ended();
    gate.0.forecast.learn(&small, &meter);
    let _first = gate.enter(client(1), small.clone(), false).await;
    let (sender, mut served) = mpsc::unbounded_channel();
    // Alone it may fill the time: with the one that runs and the one that comes, 8 seconds of 8.
    for _ in 0..6 {
        queue_kind(&gate, 1, small.clone(), &sender);
        settle().await;
    }
    assert_eq!(gate.waiting().0, 6);
    assert!(gate.check(client(1), &small, false).is_ok());
    // Beside another one it may fill half of it, and has more already.
    queue_kind(&gate, 2, small.clone(), &sender);
    settle().await;
    let failure = gate.check(client(1), &small, false).unwrap_err();
    assert_eq!((failure.code, failure.retry_after), (Code::Busy, Some(4)));
    // Whoever waits for nothing yet gets in, and nobody who waits loses a place for that before the time is filled.
    assert!(gate.check(client(3), &small, false).is_ok());
    assert!(served.try_recv().is_err());
}

#[tokio::test]
async fn who_comes_later_takes_nobodys_turn() {
    let (gate, picture) = reading_gate();
    let small = kind("image/read", 1_000);
    let meter = Meter::default();
    meter.worked(SECOND);
    meter.ended();
    gate.0.forecast.learn(&small, &meter);
    let _first = gate.enter(client(1), small.clone(), false).await;
    let (sender, mut served) = mpsc::unbounded_channel();
    queue_kind(&gate, 2, picture, &sender);
    settle().await;
    // What comes behind the picture is no reason to refuse it: 1 + 4 + 3 seconds of 8, of 10 at last.
    for who in 3..6 {
        queue_kind(&gate, who, small.clone(), &sender);
        settle().await;
    }
    assert_eq!(gate.waiting().0, 4);
    assert!(gate.check(client(6), &small, false).is_err());
    assert!(served.try_recv().is_err(), "nobody is refused who waits");
}

#[tokio::test]
async fn a_second_request_is_let_in_if_those_who_came_lately_may_come_again() {
    let (gate, _) = reading_gate();
    let small = kind("image/read", 1_000);
    let meter = Meter::default();
    meter.worked(SECOND);
    meter.ended();
    gate.0.forecast.learn(&small, &meter);
    let first = gate.enter(client(1), small.clone(), false).await;
    let (sender, mut served) = mpsc::unbounded_channel();
    queue_kind(&gate, 2, small.clone(), &sender);
    settle().await;
    // 1 second that runs, 1 before it in the turns, and its own, of 8.
    assert!(gate.check(client(1), &small, false).is_ok());
    // Six that came and went make it nine.
    for who in 11..17 {
        assert!(gate.check(client(who), &small, false).is_ok());
    }
    let failure = gate.check(client(1), &small, false).unwrap_err();
    assert_eq!((failure.code, failure.retry_after), (Code::Busy, Some(2)));
    // Whoever has none here is not held up for them.
    assert!(gate.check(client(17), &small, false).is_ok());
    // Nor is anybody where nobody waits.
    drop(first);
    assert!(served.recv().await.unwrap().1.is_ok());
    assert!(gate.check(client(2), &small, false).is_ok());
}

#[tokio::test]
async fn a_request_alone_is_let_in_however_long_it_takes() {
    let (gate, _) = reading_gate();
    assert!(
        gate.enter(client(1), kind("image/analyze", 10_000_000), false)
            .await
            .is_ok()
    );
    assert!(gate.0.lock().is_empty());
}

#[tokio::test]
async fn requests_wait_for_memory() {
    let bounds = gate_of(64, 50, 100, LONG).0.bounds;
    let gate = Gate::with(bounds, MemoryBudget::new(100), 60);
    let first = enter(&gate, 1).await;
    assert_eq!(gate.memory(), (60, 100));
    let (sender, mut served) = mpsc::unbounded_channel();
    queue(&gate, 2, &sender);
    settle().await;
    assert_eq!(gate.waiting().0, 1);
    drop(first);
    assert!(served.recv().await.unwrap().1.is_ok());
    assert!(gate.0.lock().is_empty());
    assert_eq!(gate.memory(), (0, 100));
}
