//! Header fields of requests that are lists: their elements, on one line or on several (RFC 9110, 5.3).

use http::{HeaderMap, HeaderName, header};
use quartet_api::jobs::{PREFER_HEADER, RESPOND_ASYNC};

/// True if a client takes what gzip has compressed. A coding that is named is meant by no `*`.
pub fn take_gzip(headers: &HeaderMap) -> bool {
    let mut named = None;
    let mut any = false;
    for coding in elements(headers, &header::ACCEPT_ENCODING) {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let taken = !parts.any(|part| {
            let weight = part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="));
            weight.is_some_and(|q| q.parse() == Ok(0.0))
        });
        if name.eq_ignore_ascii_case("gzip") {
            named = Some(named.unwrap_or(false) || taken);
        } else if name == "*" {
            any |= taken;
        }
    }
    named.unwrap_or(any)
}

/// True if a client has what this entity tag is of. Tags are compared weakly, as they are for whether bytes must be sent.
pub fn have_tag(headers: &HeaderMap, etag: &str) -> bool {
    let bare = |tag: &str| tag.trim_start_matches("W/") == etag.trim_start_matches("W/");
    elements(headers, &header::IF_NONE_MATCH).any(|tag| tag == "*" || bare(tag))
}

/// True if a request asks for a job. A preference may be one of several, with parameters.
pub fn ask_for_job(headers: &HeaderMap) -> bool {
    elements(headers, &HeaderName::from_static(PREFER_HEADER)).any(|preference| {
        let name = preference.split([';', '=']).next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case(RESPOND_ASYNC)
    })
}

/// The elements of a field. A line that is not ASCII has none.
fn elements<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn fields(name: &str, lines: &[&'static str]) -> HeaderMap {
        let name: HeaderName = name.parse().unwrap();
        let lines = lines.iter().copied();
        lines
            .map(|line| (name.clone(), HeaderValue::from_static(line)))
            .collect()
    }

    #[test]
    fn a_job_is_asked_for_by_a_preference() {
        let asks = |lines: &[&'static str]| ask_for_job(&fields(PREFER_HEADER, lines));
        for lines in [
            &["respond-async"][..],
            &["Respond-Async, wait=10"],
            &["return=minimal", "handling=lenient, respond-async;x"],
        ] {
            assert!(asks(lines), "{lines:?}");
        }
        for lines in [&[][..], &["return=minimal"], &["respond-asynchronously"], &["wait=10"]] {
            assert!(!asks(lines), "{lines:?}");
        }
    }

    #[test]
    fn a_coding_that_is_refused_is_not_meant_by_any() {
        let takes = |lines: &[&'static str]| take_gzip(&fields("accept-encoding", lines));
        for lines in [
            &["gzip"][..],
            &["br, GZIP;q=0.5"],
            &["*"],
            &["br", "*;q=0.1"],
            &["*;q=0, gzip"],
        ] {
            assert!(takes(lines), "{lines:?}");
        }
        for lines in [
            &[][..],
            &["br"],
            &["gzip;q=0"],
            &["gzip; Q=0.000"],
            &["*;q=0"],
            &["gzip;q=0, *"],
            &["*", "gzip;q=0"],
        ] {
            assert!(!takes(lines), "{lines:?}");
        }
    }

    #[test]
    fn tags_are_compared_weakly() {
        let has = |line| have_tag(&fields("if-none-match", &[line]), "\"a\"");
        assert!(has("\"a\"") && has("W/\"a\"") && has("\"b\", \"a\"") && has("*"));
        assert!(!has("\"b\"") && !has("a"));
    }
}
