//! The spans of a request: one for it, and one inside it for the work in the sandbox. As JSON in OTLP's mapping,
//! with the attribute names of OpenTelemetry's semantic conventions for HTTP.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::context::SpanContext;
use crate::telemetry::access::{Access, End};

/// OTLP's numbers for kinds of spans and for a failure.
const KIND_INTERNAL: u8 = 1;
const KIND_SERVER: u8 = 2;
const STATUS_ERROR: u8 = 2;

/// The spans of a request that is over, until they are exported.
#[derive(Debug)]
pub struct Record {
    spans: Vec<Value>,
}

impl Record {
    /// Makes the spans of a request that ends now.
    pub fn new(access: &Access, context: &SpanContext) -> Self {
        let (ended, now) = (SystemTime::now(), Instant::now());
        let ago = |instant: Instant| nanoseconds(ended - now.duration_since(instant));
        let route = access.operation.as_ref().map(|operation| operation.path.as_str());
        let status = access.answer.map(|(status, _)| status.as_u16());
        let end = access.end();
        let error = match (access.code, end) {
            (Some(code), _) => Some(code),
            (None, End::CutOff | End::ClientLeft) => Some(end.label()),
            (None, End::Answered) => None,
        };
        let (fuel, memory) = access.usage.get().unzip();
        let number = |value: Option<u64>| value.map(|value| json!({"intValue": value.to_string()}));
        let text = |value: Option<&str>| value.map(|value| json!({"stringValue": value}));
        let request = [
            ("http.request.method", text(Some(access.method.as_str()))),
            ("url.path", text(Some(&access.path))),
            ("http.route", text(route)),
            ("http.response.status_code", number(status.map(u64::from))),
            ("client.address", text(Some(&access.client.to_string()))),
            ("error.type", text(error)),
            ("quartet.request_id", text(Some(&access.id))),
        ];
        let name = match route {
            Some(route) => format!("{} {route}", access.method),
            // A name that strangers cannot choose.
            None => "HTTP".to_owned(),
        };
        let failed = status.is_some_and(|status| status >= 500) || end == End::CutOff;
        let mut span = json!({
            "traceId": context.trace_id(), "spanId": context.span.to_string(), "kind": KIND_SERVER, "name": name,
            "startTimeUnixNano": ago(access.started), "endTimeUnixNano": nanoseconds(ended),
            "attributes": attributes(request), "status": if failed { json!({"code": STATUS_ERROR}) } else { json!({}) },
        });
        if let Some(parent) = context.parent {
            span["parentSpanId"] = json!(parent.to_string());
        }
        let mut spans = vec![span];
        if let (Some(since), Some(version)) = (access.running_since(), &access.version) {
            let work = [
                ("quartet.component", text(Some(version.capability.name()))),
                ("quartet.version", text(Some(version.short_digest()))),
                ("quartet.fuel", number(fuel)),
                ("quartet.memory_bytes", number(memory.map(|bytes| bytes as u64))),
            ];
            spans.push(json!({
                "traceId": context.trace_id(), "spanId": context.guest.to_string(), "kind": KIND_INTERNAL,
                "parentSpanId": context.span.to_string(), "name": format!("sandbox {}", version.capability.name()),
                "startTimeUnixNano": ago(since), "endTimeUnixNano": nanoseconds(ended), "attributes": attributes(work),
            }));
        }
        Self { spans }
    }

    /// Number of spans.
    pub fn len(&self) -> usize {
        self.spans.len()
    }
}

/// The document that is sent to a collector: `ExportTraceServiceRequest`.
pub fn document(records: Vec<Record>) -> Value {
    let spans: Vec<Value> = records.into_iter().flat_map(|record| record.spans).collect();
    let text = |value: &str| Some(json!({"stringValue": value}));
    let service = [
        ("service.name", text("quartet")),
        ("service.version", text(env!("CARGO_PKG_VERSION"))),
    ];
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(service)},
        "scopeSpans": [{"scope": {"name": "quartet", "version": env!("CARGO_PKG_VERSION")}, "spans": spans}],
    }]})
}

fn attributes<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Vec<Value> {
    let known = pairs.into_iter().filter_map(|(key, value)| Some((key, value?)));
    known.map(|(key, value)| json!({"key": key, "value": value})).collect()
}

/// Nanoseconds since 1970 as text: JSON has no numbers of this size.
fn nanoseconds(time: SystemTime) -> String {
    let since: Duration = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos().to_string()
}
