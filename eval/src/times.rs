//! Times of many requests in little memory.

use std::time::Duration;

use hdrhistogram::Histogram;

/// Times in microseconds with three digits.
#[derive(Debug, Clone)]
pub struct Times(Histogram<u64>);

impl Default for Times {
    fn default() -> Self {
        Self(Histogram::new(3).expect("three digits are allowed"))
    }
}

impl Times {
    /// Adds one.
    pub fn record(&mut self, time: Duration) {
        // Without bounds it takes every number.
        let _ = self
            .0
            .record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1));
    }

    /// Adds those of another.
    pub fn add(&mut self, other: &Self) {
        // Both grow as needed.
        let _ = self.0.add(&other.0);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time in milliseconds that this part of them stayed below; none where there are no times.
    pub fn quantile(&self, part: f64) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.value_at_quantile(part) as f64 / 1e3)
    }

    /// The longest in milliseconds.
    pub fn longest(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.max() as f64 / 1e3)
    }
}

/// Milliseconds for a table: three digits, and a dash where nothing was measured.
pub fn milliseconds(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value < 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.0}"),
    }
}
