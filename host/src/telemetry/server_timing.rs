//! `Server-Timing`: durations and usage of a request, in the form that browsers show.

use std::fmt::Write;
use std::time::{Duration, Instant};

use http::HeaderValue;

use super::access::Access;

/// The name of the header and of the trailer.
pub const HEADER_NAME: &str = "server-timing";

/// Milliseconds in the queue, in the sandbox and in all; units of fuel and bytes of memory where the sandbox has ended.
pub fn value(access: &Access) -> HeaderValue {
    let now = Instant::now();
    let mut text = String::with_capacity(112);
    if let (Some(queued), Some(since)) = (access.queued(), access.running_since()) {
        add(&mut text, "queue", queued);
        add(&mut text, "guest", now.duration_since(since));
    }
    add(&mut text, "total", now.duration_since(access.started));
    if let Some((fuel, memory)) = access.usage.get() {
        // Writing into a string does not fail.
        let _ = write!(text, ", fuel;desc=\"{fuel}\", memory;desc=\"{memory}\"");
    }
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Adds a time in milliseconds. As whole numbers: every answer has this, and these are written faster than fractions.
fn add(text: &mut String, name: &str, time: Duration) {
    let comma = if text.is_empty() { "" } else { ", " };
    let micros = time.as_micros();
    let _ = write!(text, "{comma}{name};dur={}.{:03}", micros / 1000, micros % 1000);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds() {
        let mut text = String::new();
        add(&mut text, "a", Duration::from_micros(12_034));
        add(&mut text, "b", Duration::from_nanos(999));
        assert_eq!(text, "a;dur=12.034, b;dur=0.000");
    }
}
