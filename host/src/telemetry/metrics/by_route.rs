//! A family with a series for each route, looked up once: this is what every request counts.

use std::sync::{Arc, OnceLock};

use prometheus::core::{MetricVec, MetricVecBuilder};

/// A family whose only label is the name of the route.
pub struct ByRoute<F: Family> {
    family: F,
    /// In the order of the routes, that of no route first. What no request asked for has no series yet.
    series: Vec<(Arc<str>, OnceLock<F::Series>)>,
}

/// A family of the crate `prometheus`, whatever it is of.
pub trait Family {
    /// One of its metrics.
    type Series;

    /// The metric with this value of its label.
    fn series(&self, value: &str) -> Self::Series;
}

impl<B: MetricVecBuilder> Family for MetricVec<B> {
    type Series = B::M;

    fn series(&self, value: &str) -> B::M {
        self.with_label_values(&[value])
    }
}

impl<F: Family> ByRoute<F> {
    /// Takes a family with one label, and the names of all routes.
    pub fn new(family: F, routes: &[Arc<str>]) -> Self {
        let series = routes.iter().map(|name| (Arc::clone(name), OnceLock::new())).collect();
        Self { family, series }
    }

    /// The series of a route; of `none`, where there is no such route.
    pub fn of(&self, route: &str) -> &F::Series {
        let place = self.series.iter().position(|(name, _)| **name == *route).unwrap_or(0);
        let (name, series) = &self.series[place];
        series.get_or_init(|| self.family.series(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus::core::Collector;
    use prometheus::{IntCounterVec, Opts};

    #[test]
    fn series_are_made_when_they_are_asked_for_and_only_then() {
        let family = IntCounterVec::new(Opts::new("a", "b"), &["operation"]).unwrap();
        let by_route = ByRoute::new(family.clone(), &["none", "tts/stream"].map(Arc::from));
        assert!(family.collect()[0].get_metric().is_empty());
        by_route.of("tts/stream").inc();
        by_route.of("tts/stream").inc();
        by_route.of("no such route").inc();
        assert_eq!(family.with_label_values(&["tts/stream"]).get(), 2);
        assert_eq!(family.with_label_values(&["none"]).get(), 1);
        assert_eq!(family.collect()[0].get_metric().len(), 2);
    }
}
