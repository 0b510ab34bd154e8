//! Clients that ask again as soon as they are answered, and somebody with a light request beside them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::client::{Client, Ending, Manner};
use crate::requests::Request;
use crate::times::Times;

/// Who was refused waits so long, far less than `Retry-After` says: none who is in a hurry asks more often.
const AFTER_A_REFUSAL: Duration = Duration::from_millis(100);

/// Time between two light requests.
const LIGHT_PAUSE: Duration = Duration::from_millis(20);

/// Number of the client with the light requests.
const LIGHT_CLIENT: u16 = 50_000;

/// Outcome of requests.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Times of answers with the status 200.
    pub answers: Times,
    /// Times of refusals: 429 and 503.
    pub refusals: Times,
    /// Others, and broken connections.
    pub failed: u64,
    /// The first of those in words.
    pub first_failure: Option<String>,
}

impl Outcome {
    /// Adds one.
    pub fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Answered(answer) => match answer.status {
                200 => self.answers.record(answer.total),
                429 | 503 => self.refusals.record(answer.total),
                status => {
                    let body = String::from_utf8_lossy(&answer.body[..answer.body.len().min(200)]).into_owned();
                    self.fails(format!("status {status}: {body}"));
                }
            },
            Ending::Left => self.fails("the client left".to_owned()),
            Ending::Broken(reason) => self.fails(reason),
        }
    }

    fn fails(&mut self, reason: String) {
        self.failed += 1;
        self.first_failure.get_or_insert(reason);
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: Self) {
        self.answers.add(&other.answers);
        self.refusals.add(&other.refusals);
        self.failed += other.failed;
        self.first_failure = self.first_failure.take().or(other.first_failure);
    }
}

/// One measurement.
#[derive(Debug, Default)]
pub struct Measured {
    /// The requests.
    pub asked: Outcome,
    /// Light requests beside them.
    pub light: Outcome,
    /// Seconds until the last answer had come.
    pub seconds: f64,
}

/// Has so many clients ask for so long, and somebody with a light request beside them.
pub async fn measure_beside_light(
    requests: &[Request],
    address: SocketAddr,
    clients: u16,
    length: Duration,
) -> Measured {
    let over = Arc::new(AtomicBool::new(false));
    let light = tokio::spawn(light(address, Arc::clone(&over)));
    let mut measured = measure(requests, address, clients, length).await;
    over.store(true, Ordering::Relaxed);
    measured.light = light.await.unwrap_or_default();
    measured
}

/// Has so many clients ask for so long, and nobody else.
pub async fn measure(requests: &[Request], address: SocketAddr, clients: u16, length: Duration) -> Measured {
    let requests: Arc<[Request]> = requests.into();
    let start = Instant::now();
    let mut asking = JoinSet::new();
    for number in 0..clients {
        asking.spawn(ask(address, number, Arc::clone(&requests), start + length));
    }
    let mut measured = Measured::default();
    for outcome in asking.join_all().await {
        measured.asked.merge(outcome);
    }
    measured.seconds = start.elapsed().as_secs_f64();
    measured
}

/// One client, which begins with another of the requests than its neighbours.
async fn ask(address: SocketAddr, number: u16, requests: Arc<[Request]>, end: Instant) -> Outcome {
    let mut client = Client::new(address, number);
    let mut outcome = Outcome::default();
    let mut next = usize::from(number);
    while Instant::now() < end {
        let ending = client.send(&requests[next % requests.len()], Manner::Whole).await;
        let served = matches!(&ending, Ending::Answered(answer) if answer.status == 200);
        outcome.add(ending);
        next += 1;
        if !served {
            tokio::time::sleep(AFTER_A_REFUSAL).await;
        }
    }
    outcome
}

/// Asks for a list, again and again, as somebody who has nothing to do with the load.
pub async fn light(address: SocketAddr, over: Arc<AtomicBool>) -> Outcome {
    let mut client = Client::new(address, LIGHT_CLIENT);
    let mut outcome = Outcome::default();
    let request = Request::get("/tts/voices");
    while !over.load(Ordering::Relaxed) {
        outcome.add(client.send(&request, Manner::Whole).await);
        tokio::time::sleep(LIGHT_PAUSE).await;
    }
    outcome
}
