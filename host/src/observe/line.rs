//! The access log: one line a request, written when its response is over.

use super::access::Access;

/// Writes the line.
pub fn write(access: &Access) {
    let status = access.answer.map_or(0, |(status, _)| status.as_u16());
    let ms = access.started.elapsed().as_micros() as f64 / 1000.0;
    let operation = access.operation.map(|operation| operation.path);
    let version = access.version.as_ref().map(|version| version.short_digest());
    let (fuel, memory) = access.usage.get().unzip();
    let (bytes, code, outcome) = (access.bytes(), access.code, access.end().words());
    if status >= 500 {
        tracing::error!(
            id = %access.id, method = %access.method, path = %access.path, client = %access.client, status, ms, code,
            internal = access.internal.as_deref(), bytes, operation, version, fuel, memory, "{outcome}"
        );
    } else {
        tracing::info!(
            id = %access.id, method = %access.method, path = %access.path, client = %access.client, status, ms, code,
            bytes, operation, version, fuel, memory, "{outcome}"
        );
    }
}
