//! The access log: one line a request, written when its response is over.

use tracing::Level;
use tracing::level_filters::LevelFilter;

use super::access::Access;
use crate::own_pages;

/// Writes the line. Health checks ask for the host's own pages all day, so their success is logged as debug.
pub fn write(access: &Access) {
    let status = access.answer.map_or(0, |(status, _)| status.as_u16());
    let quiet = status < 400 && own_pages::NAMES.contains(&&*access.route);
    let level = match status {
        500.. => Level::ERROR,
        _ if quiet => Level::DEBUG,
        _ => Level::INFO,
    };
    if level > LevelFilter::current() {
        return;
    }
    let milliseconds = |time: std::time::Duration| time.as_micros() as f64 / 1000.0;
    let ms = milliseconds(access.started.elapsed());
    let head_ms = access.answer.map(|(_, head)| milliseconds(head));
    let queue_ms = access.queued().map(milliseconds);
    let trace = access.trace.as_ref().map(|trace| trace.trace_id());
    let operation = access.operation.as_ref().map(|operation| operation.path.as_str());
    let version = access.version.as_ref().map(|version| version.short_digest());
    let key = access.key.as_ref().map(|key| key.name.as_str());
    let (fuel, memory) = access.usage.get().unzip();
    let (bytes, code, outcome) = (access.bytes(), access.code, access.end().words());
    let internal = access.internal.as_deref();
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                id = %access.id, method = %access.method, path = %access.path, client = %access.client, key, status,
                ms, head_ms, queue_ms, code, internal, bytes, operation, version, fuel, memory, trace, "{outcome}"
            )
        };
    }
    match level {
        Level::ERROR => line!(error),
        Level::DEBUG => line!(debug),
        _ => line!(info),
    }
}

/// Logs the usage of a sandbox that ended after its request: units of fuel, bytes of memory.
pub fn late(id: &str, fuel: u64, memory: usize) {
    tracing::info!(id, fuel, memory, "sandbox ended");
}
