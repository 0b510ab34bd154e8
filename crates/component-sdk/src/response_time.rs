//! The time to respond: what a host leaves a component for a whole answer.

use std::time::Duration;

use quartet_api::limits::RESPOND_SECONDS;

/// The host's setting `respond_seconds`, in the environment of a component that asks for it.
pub const VARIABLE: &str = "QUARTET_RESPOND_SECONDS";

/// Time until an answer is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseTime(Duration);

impl ResponseTime {
    /// The time that the environment has, and [`RESPOND_SECONDS`] where it has none or no time.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let seconds = variable(VARIABLE).and_then(|text| text.trim().parse().ok());
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self(time.unwrap_or(Duration::from_secs(RESPOND_SECONDS)))
    }

    /// The end of a part of the work that ends after `seconds` of [`RESPOND_SECONDS`]: what comes after it is left as much
    /// time in a longer time to respond, and its share of a shorter one.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use quartet_component_sdk::ResponseTime;
    ///
    /// let longer = ResponseTime::of(|_| Some("90".to_owned()));
    /// assert_eq!(longer.end_of_part(26), Duration::from_secs(86));
    /// let shorter = ResponseTime::of(|_| Some("15".to_owned()));
    /// assert_eq!(shorter.end_of_part(26), Duration::from_secs(13));
    /// ```
    #[must_use]
    pub fn end_of_part(self, seconds: u64) -> Duration {
        let rest = Duration::from_secs(RESPOND_SECONDS.saturating_sub(seconds));
        let share = self.0.mul_f64(seconds as f64 / RESPOND_SECONDS as f64);
        self.0.saturating_sub(rest).max(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> ResponseTime {
        ResponseTime::of(|name| (name == VARIABLE).then(|| text.to_owned()))
    }

    #[test]
    fn without_a_time_it_is_the_default() {
        let default = ResponseTime(Duration::from_secs(RESPOND_SECONDS));
        assert_eq!(ResponseTime::of(|_| None), default);
        for text in ["", "soon", "-1", "NaN", "inf", "1e300"] {
            assert_eq!(of(text), default, "{text:?}");
        }
    }

    #[test]
    fn parts_end_before_the_time_is_over() {
        for text in ["0.5", "1", "5", "29", "30", "31", "300", "100000"] {
            let time = of(text);
            let (first, last) = (time.end_of_part(18), time.end_of_part(26));
            assert!(first < last && last < time.0, "{text}: {first:?} {last:?}");
        }
        assert_eq!(of("30").end_of_part(26), Duration::from_secs(26));
    }
}
