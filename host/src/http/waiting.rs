//! The time that a question about a job or a task wants to wait, in its query.

use std::time::Duration;

use quartet_api::jobs::MAX_WAIT_SECONDS;

use crate::failure::Failure;

/// The time of a question about a job: whole seconds within bounds.
///
/// # Errors
/// When it is no such number.
pub fn whole_seconds(query: Option<&str>) -> Result<Duration, Failure> {
    let Some(value) = value(query) else {
        return Ok(Duration::ZERO);
    };
    let seconds = value.parse().ok().filter(|seconds| *seconds <= MAX_WAIT_SECONDS);
    seconds
        .map(Duration::from_secs)
        .ok_or_else(|| Failure::field("wait", format!("takes seconds from 0 to {MAX_WAIT_SECONDS}")))
}

/// The time of a question about a task of docling-serve: as long as it says, and as questions about jobs may.
///
/// # Errors
/// When it is no number, or below 0.
pub fn seconds(query: Option<&str>) -> Result<Duration, Failure> {
    let Some(value) = value(query) else {
        return Ok(Duration::ZERO);
    };
    let seconds: Option<f64> = value.parse().ok().filter(|seconds: &f64| *seconds >= 0.0);
    let seconds = seconds.ok_or_else(|| Failure::field("wait", "takes a number of seconds"))?;
    let most = Duration::from_secs(MAX_WAIT_SECONDS);
    Ok(Duration::try_from_secs_f64(seconds).map_or(most, |wait| wait.min(most)))
}

fn value(query: Option<&str>) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let (_, value) = pairs.find(|(name, _)| name == "wait")?;
    Some(value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_waits_for_a_while_at_most() {
        assert_eq!(whole_seconds(None).unwrap(), Duration::ZERO);
        assert_eq!(whole_seconds(Some("a=b&wait=25")).unwrap(), Duration::from_secs(25));
        for query in ["wait=26", "wait=-1", "wait=", "wait=a"] {
            let failure = whole_seconds(Some(query)).unwrap_err();
            assert_eq!(failure.wrong_field(), Some("wait"), "{query}");
        }
    }

    #[test]
    fn questions_wait_as_long_as_they_say_within_bounds() {
        let wait = |query| seconds(query).map(|wait| wait.as_secs_f64());
        assert_eq!(wait(None).unwrap(), 0.0);
        for (query, expected) in [
            ("wait=5.0", 5.0),
            ("a=b&wait=0.5", 0.5),
            ("wait=1e300", 25.0),
            ("wait=inf", 25.0),
        ] {
            assert_eq!(wait(Some(query)).unwrap(), expected, "{query}");
        }
        for query in ["wait=-1", "wait=nan", "wait=", "wait=a"] {
            let failure = seconds(Some(query)).unwrap_err();
            assert_eq!(failure.wrong_field(), Some("wait"), "{query}");
        }
    }
}
