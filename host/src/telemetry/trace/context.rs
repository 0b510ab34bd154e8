//! The context of a request in a trace, as W3C Trace Context has it: `traceparent`.

use std::fmt;

use http::{HeaderMap, HeaderValue};

/// The header that names a trace and a span in it.
const TRACEPARENT_HEADER: &str = "traceparent";

/// Only the flag that has a meaning: whether the trace is recorded.
const SAMPLED_FLAG: u8 = 1;

/// The id of a span inside a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SpanId(u64);

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl SpanId {
    /// A new id.
    pub fn random() -> Self {
        // The lower half of a random UUID: two of its bits are fixed, and it is never 0.
        Self(uuid::Uuid::new_v4().as_u64_pair().1)
    }
}

/// The context of a request in a trace.
#[derive(Clone)]
pub struct SpanContext {
    trace: u128,
    /// The span of the caller, where the caller has one.
    pub parent: Option<SpanId>,
    /// The span of the request.
    pub span: SpanId,
    /// The span of the work in the sandbox.
    pub guest: SpanId,
    /// True if it is recorded.
    pub sampled: bool,
}

impl SpanContext {
    /// The caller's trace, where it names one. Its decision whether to record holds.
    pub fn continued(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(TRACEPARENT_HEADER).iter();
        let value = values.next()?.to_str().ok()?;
        // Two of them name nothing.
        if values.next().is_some() {
            return None;
        }
        let (trace, parent, sampled) = parse(value)?;
        Some(Self {
            trace,
            parent: Some(parent),
            span: SpanId::random(),
            guest: SpanId::random(),
            sampled,
        })
    }

    /// A new trace, recorded with a probability of `percent` in a hundred.
    pub fn started(percent: u8) -> Self {
        let trace = uuid::Uuid::new_v4().as_u128();
        // The last bits of a trace's name are random: by them others decide alike.
        let sampled = (trace & 0xff_ffff) * 100 < u128::from(percent) << 24;
        Self {
            trace,
            parent: None,
            span: SpanId::random(),
            guest: SpanId::random(),
            sampled,
        }
    }

    /// The id of the trace.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace)
    }

    /// Names the span of the sandbox's work as the parent of whatever the component asks for. What vendors keep in
    /// `tracestate` goes along as it came.
    pub fn propagate(&self, headers: &mut HeaderMap) {
        let flags = if self.sampled { SAMPLED_FLAG } else { 0 };
        let value = format!("00-{:032x}-{}-{flags:02x}", self.trace, self.guest);
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(TRACEPARENT_HEADER, value);
        }
    }
}

/// Reads `00-<trace>-<span>-<flags>`; later versions may have more behind it.
fn parse(value: &str) -> Option<(u128, SpanId, bool)> {
    let mut parts = value.split('-');
    let mut next = |length: usize| {
        let part = parts.next()?;
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (part.len() == length && part.bytes().all(hex)).then_some(part)
    };
    let (version, trace, span, flags) = (next(2)?, next(32)?, next(16)?, next(2)?);
    if version == "ff" || (version == "00" && parts.next().is_some()) {
        return None;
    }
    let trace = u128::from_str_radix(trace, 16).ok().filter(|trace| *trace != 0)?;
    let span = u64::from_str_radix(span, 16).ok().filter(|span| *span != 0)?;
    let flags = u8::from_str_radix(flags, 16).ok()?;
    Some((trace, SpanId(span), flags & SAMPLED_FLAG != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn the_callers_trace_goes_on() {
        let mut headers = HeaderMap::new();
        headers.insert(TRACEPARENT_HEADER, HeaderValue::from_static(GIVEN));
        let context = SpanContext::continued(&headers).unwrap();
        assert_eq!(context.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(context.parent.unwrap().to_string(), "00f067aa0ba902b7");
        assert!(context.sampled);
        context.propagate(&mut headers);
        let handed = headers[TRACEPARENT_HEADER].to_str().unwrap();
        let expected = format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{}-01", context.guest);
        assert_eq!(handed, expected);
    }

    #[test]
    fn what_names_no_trace_is_ignored() {
        for wrong in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
        assert!(parse("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-more").is_some_and(|parsed| !parsed.2));
        let mut two = HeaderMap::new();
        two.append(TRACEPARENT_HEADER, HeaderValue::from_static(GIVEN));
        two.append(TRACEPARENT_HEADER, HeaderValue::from_static(GIVEN));
        assert!(SpanContext::continued(&two).is_none());
    }

    #[test]
    fn of_new_traces_the_wanted_part_is_recorded() {
        let recorded = |percent| (0..2_000).filter(|_| SpanContext::started(percent).sampled).count();
        assert_eq!(recorded(0), 0);
        assert_eq!(recorded(100), 2_000);
        // Six standard deviations to either side.
        assert!((380..=620).contains(&recorded(25)), "25 % of 2,000");
    }
}
