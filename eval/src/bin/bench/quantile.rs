//! Quantiles of measured values.

/// The value below which this part of the sorted values lies.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let index = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or(f64::NAN)
}
