//! Keeps track of the versions that have series of their own, so that these go when the version does.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use prometheus::IntCounterVec;
use prometheus::core::Collector;

use crate::version::Version;

/// The label that has a version's digest.
const VERSION_LABEL: &str = "version";

/// The value of a label where there is nothing to name.
pub const NO_VALUE: &str = "none";

/// The versions that requests were counted for, without keeping them loaded. Generic over the version, for tests.
#[derive(Debug)]
pub struct Versions<V = Version>(RwLock<HashMap<String, Weak<V>>>);

impl<V> Default for Versions<V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl Versions {
    /// Notes that a request of this version is counted.
    pub fn keep(&self, version: &Arc<Version>) {
        self.keep_as(version.short_digest(), version);
    }
}

impl<V> Versions<V> {
    fn keep_as(&self, digest: &str, version: &Arc<V>) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        // A version may come back, as another value with the same digest.
        if known.get(digest).is_some_and(|known| known.strong_count() > 0) {
            return;
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(digest.to_owned(), Arc::downgrade(version));
    }

    /// Removes the series of versions that are freed.
    pub fn forget_freed(&self, family: &IntCounterVec) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = known.len();
        known.retain(|_, version| version.strong_count() > 0);
        if known.len() == before {
            return;
        }
        for metric in family.collect().iter().flat_map(|family| family.get_metric()) {
            let labels = metric.get_label();
            let digest = labels.iter().find(|label| label.name() == VERSION_LABEL);
            if digest.is_some_and(|label| label.value() != NO_VALUE && !known.contains_key(label.value())) {
                // In the order of the names, which is the order that they were declared in.
                let values: Vec<_> = labels.iter().map(|label| label.value()).collect();
                if let Err(error) = family.remove_label_values(&values) {
                    tracing::warn!(%error, "a version's series cannot be removed");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus::Opts;

    #[test]
    fn series_live_as_long_as_their_version() {
        let family = IntCounterVec::new(Opts::new("a", "b"), &["operation", "status", VERSION_LABEL]).unwrap();
        let versions = Versions::default();
        let (old, new) = (Arc::new(1), Arc::new(2));
        for (digest, version) in [("old", &old), ("new", &new)] {
            versions.keep_as(digest, version);
            family.with_label_values(&["tts/voices", "200", digest]).inc();
        }
        family.with_label_values(&["none", "404", NO_VALUE]).inc();
        let series = || family.collect()[0].get_metric().len();
        versions.forget_freed(&family);
        assert_eq!(series(), 3);
        drop(old);
        versions.forget_freed(&family);
        assert_eq!(series(), 2);
        assert_eq!(family.with_label_values(&["tts/voices", "200", "new"]).get(), 1);

        // The same digest, loaded again before anybody looked.
        let again = Arc::new(3);
        drop(new);
        versions.keep_as("new", &again);
        versions.forget_freed(&family);
        assert_eq!(family.with_label_values(&["tts/voices", "200", "new"]).get(), 1);
    }
}
