//! What the service says of itself at `/metrics`, read by the parser that the suites have.

use std::net::SocketAddr;

use prometheus_parse::{Scrape, Value};
use quartet_eval::client::{Client, Ending, Manner};
use quartet_eval::requests::Request;

/// Number of the client that asks: none of the visitors has it.
const CLIENT: u16 = 60_000;

/// What is in use at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InUse {
    /// Requests that run, without streams.
    pub requests: f64,
    /// Streams that run.
    pub streams: f64,
    /// Requests that wait for a place.
    pub waiting: f64,
    /// Jobs that wait or run.
    pub jobs: f64,
    /// Sandboxes.
    pub sandboxes: f64,
    /// Memory that they have been given, in MiB.
    pub sandbox_mib: f64,
    /// Open connections, with the one that asks.
    pub connections: f64,
    /// Fuel that all requests have used since the start of the service.
    pub fuel: f64,
}

/// Asks for the metrics, again and again.
pub struct Metrics(Client);

impl Metrics {
    /// Of the service at an address.
    pub fn new(address: SocketAddr) -> Self {
        Self(Client::new(address, CLIENT))
    }

    /// Asks; none where there is no answer.
    pub async fn ask(&mut self) -> Option<InUse> {
        let Ending::Answered(answer) = self.0.send(&Request::get("/metrics"), Manner::Whole).await else {
            return None;
        };
        let text = String::from_utf8(answer.body.to_vec()).ok()?;
        let scrape = Scrape::parse(text.lines().map(|line| Ok(line.to_owned()))).ok()?;
        Some(InUse {
            requests: sum(&scrape, "quartet_running", Some(("of", "requests"))),
            streams: sum(&scrape, "quartet_running", Some(("of", "streams"))),
            waiting: sum(&scrape, "quartet_waiting", Some(("of", "requests"))),
            jobs: sum(&scrape, "quartet_jobs", Some(("of", "at_work"))),
            sandboxes: sum(&scrape, "quartet_pool_used", Some(("slots", "instances"))),
            sandbox_mib: sum(&scrape, "quartet_sandbox_memory_bytes", Some(("of", "held"))) / 1024.0 / 1024.0,
            connections: sum(&scrape, "quartet_open_connections", None),
            fuel: sum(&scrape, "quartet_request_fuel_sum", None),
        })
    }
}

/// The sum of a family's series that have this label.
fn sum(scrape: &Scrape, name: &str, label: Option<(&str, &str)>) -> f64 {
    let fits = |sample: &&prometheus_parse::Sample| {
        sample.metric == name && label.is_none_or(|(key, value)| sample.labels.get(key) == Some(value))
    };
    let value = |sample: &prometheus_parse::Sample| match sample.value {
        Value::Counter(value) | Value::Gauge(value) | Value::Untyped(value) => value,
        _ => 0.0,
    };
    scrape.samples.iter().filter(fits).map(value).sum()
}
