//! The limits.

use std::time::Duration;

use clap::Args;
use quartet_api::limits;

use super::parse::{milliseconds, positive, seconds, seconds_or_none, whole, within};

const KIB: usize = 1024;
const MIB: u64 = 1024 * 1024;

/// Bounds on one client, one request and the whole service.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = Self::HEADING)]
pub struct Limits {
    /// Requests that one client may send within any 60 seconds.
    #[arg(
        long,
        value_name = "count",
        value_parser = positive::<usize>,
        default_value_t = limits::REQUESTS_PER_MINUTE as usize
    )]
    pub requests_per_minute: usize,
    /// Size of a whole request body: an uploaded file and its form, or a JSON document.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = limits::BODY_BYTES)]
    pub body_bytes: u64,
    /// Time until an answer is complete, or for streams until it begins.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "30")]
    pub respond_seconds: Duration,
    /// Memory for bodies of requests that are read or wait for a place to run, all clients together.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 256 * MIB as usize)]
    pub bodies_bytes: usize,
    /// Least average rate at which a client sends a request's body, after stall_seconds to begin.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 8 * KIB as u64)]
    pub receive_bytes_per_second: u64,
    /// Least average rate at which a client takes an answer, after stall_seconds to begin; half of what a player takes of speech
    /// as Opus, a twentieth of what it takes of WAV.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 2 * KIB as u64)]
    pub send_bytes_per_second: u64,
    /// Time for which a body may stand still because the client does not send or read, or the component does not write; the time
    /// that it waits for a graph of a model does not count.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "30")]
    pub stall_seconds: Duration,
    /// Time for which one stream may go on: an hour of speech that is listened to, and some minutes for pauses.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "3900")]
    pub stream_seconds: Duration,
    /// Computation for one stream, in seconds of this machine: an hour of natural speech, where it is made as fast as it is heard.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "3600")]
    pub stream_compute_seconds: Duration,
    /// Computation for one whole answer; 0 takes what this machine can compute in the time to respond.
    #[arg(long, value_name = "fuel", value_parser = whole::<u64>, default_value_t = 0)]
    pub respond_fuel: u64,
    /// Computation for one stream; 0 takes what this machine can compute in stream_compute_seconds.
    #[arg(long, value_name = "fuel", value_parser = whole::<u64>, default_value_t = 0)]
    pub stream_fuel: u64,
    /// Memory of one request's sandbox.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 256 * MIB as usize)]
    pub memory_bytes: usize,
    /// Size of a whole answer.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 512 * MIB)]
    pub response_bytes: u64,
    /// Size of a streamed answer: what the sizes in a WAV header can say.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 4096 * MIB)]
    pub stream_bytes: u64,
    /// Requests that run at the same time, without streams.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 64)]
    pub concurrent_requests: usize,
    /// Streams at the same time.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 64)]
    pub concurrent_streams: usize,
    /// Part of the places to run that one client may hold, so that there are some when others come: of all places where it is
    /// alone, else of those that the others leave. The same part of bodies_bytes.
    #[arg(long, value_name = "percent", value_parser = within::<usize>(1..=100), default_value_t = 50)]
    pub client_percent: usize,
    /// Requests that wait for a place to run.
    #[arg(long, value_name = "count", value_parser = whole::<usize>, default_value_t = 256)]
    pub queued_requests: usize,
    /// Time for which a request waits for a place to run.
    #[arg(long, value_name = "milliseconds", value_parser = milliseconds, default_value = "5000")]
    pub queue_milliseconds: Duration,
    /// Open connections. When there are as many, those that stand idle longest are closed for new ones.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 4_096)]
    pub connections: usize,
    /// Open connections from one address (IPv6: one /56 network) that is neither loopback nor a trusted proxy.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 256)]
    pub client_connections: usize,
    /// Time for a TLS handshake.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "10")]
    pub handshake_seconds: Duration,
    /// Length of a request's path and query.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 8 * KIB)]
    pub url_bytes: usize,
    /// Header fields of a request.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 64)]
    pub header_fields: usize,
    /// Size of a request's headers: names, values and 32 bytes for each.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 32 * KIB)]
    pub header_bytes: usize,
    /// Time for which a connection may stay open between requests, and for a client to send a request's headers.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "30")]
    pub idle_seconds: Duration,
    /// Time from the signal to stop until no more connections are taken: `/readyz` fails meanwhile, so that a balancer sends
    /// its requests elsewhere.
    #[arg(long, value_name = "seconds", value_parser = seconds_or_none, default_value = "0")]
    pub leave_seconds: Duration,
    /// Time for requests in flight to end when the service shuts down.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "30")]
    pub drain_seconds: Duration,
    /// Memory for what later questions are about, all clients together.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 64 * MIB as usize)]
    pub kept_bytes: usize,
    /// Size of what is kept of one upload.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = MIB as usize)]
    pub kept_value_bytes: usize,
    /// Time after which what was kept is forgotten.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "1800")]
    pub kept_seconds: Duration,
    /// Jobs that one client may have waiting or running at the same time.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 8)]
    pub client_jobs: usize,
    /// Memory for the answers of jobs, all clients together; of one client's, the part that client_percent says.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 512 * MIB as usize)]
    pub job_bytes: usize,
    /// Clients whose request counts are remembered.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 65_536)]
    pub tracked_clients: usize,
    /// Size of a component's file.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 256 * MIB)]
    pub component_bytes: u64,
    /// Time for which a component may be compiled.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "600")]
    pub compile_seconds: Duration,
    /// Time for which a new version may take to answer the probe. One that is late at a start is asked again once the
    /// others serve.
    #[arg(long, value_name = "seconds", value_parser = seconds, default_value = "10")]
    pub probe_seconds: Duration,
    /// Versions of a capability that are kept for a rollback, beside the one that serves.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 1)]
    pub kept_versions: usize,
    /// Compiled components that are kept in the cache; those that were used last stay.
    #[arg(long, value_name = "count", value_parser = positive::<usize>, default_value_t = 16)]
    pub cached_components: usize,
    /// Size of a request's body that is kept for a shadow; larger requests have none.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = MIB as usize)]
    pub shadow_body_bytes: usize,
    /// Size of the beginning of two answers that a shadow compares.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 8 * MIB)]
    pub shadow_answer_bytes: u64,
}

impl Limits {
    /// The heading of the section in help and reference.
    pub const HEADING: &str = "Limits";

    /// The environment of components that end their work within the time to respond.
    pub fn environment(&self) -> Vec<(String, String)> {
        let seconds = self.respond_seconds.as_secs_f64();
        vec![("QUARTET_RESPOND_SECONDS".to_owned(), seconds.to_string())]
    }
}

impl Default for Limits {
    fn default() -> Self {
        super::parse::defaults()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_know_the_time_to_respond() {
        let environment = Limits::default().environment();
        let seconds = limits::RESPOND_SECONDS.to_string();
        assert_eq!(environment, [("QUARTET_RESPOND_SECONDS".to_owned(), seconds)]);
    }
}
