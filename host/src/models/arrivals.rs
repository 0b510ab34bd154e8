//! Models that come while the service serves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quartet_models::{Model, Report};
use tokio::runtime::Handle;

use super::{Place, get, is_there};

/// Pauses after which what was not to be had is tried again; the last one from then on.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
    Duration::from_secs(3600),
];

/// The models that are fetched now, for `/readyz` and the log.
#[derive(Default)]
pub struct Arrivals {
    coming: Mutex<Vec<Coming>>,
}

/// A model that is fetched, or waits for that.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Coming {
    /// Its name.
    pub name: String,
    /// Bytes that are there.
    pub bytes: u64,
    /// Bytes that are to come altogether.
    pub of: u64,
    /// True if it was not to be had and is tried again later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

impl Arrivals {
    /// The models that are still to come.
    pub fn coming(&self) -> Vec<Coming> {
        self.list().clone()
    }

    fn list(&self) -> MutexGuard<'_, Vec<Coming>> {
        // Nothing panics while it is locked.
        self.coming.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, model: &Model, change: impl FnOnce(&mut Coming)) {
        if let Some(coming) = self.list().iter_mut().find(|coming| coming.name == model.name) {
            change(coming);
        }
    }

    /// Gets what is missing of `models` in a thread of its own, which ends with the process; calls `arrived` with the name
    /// of each that is there. What is not to be had is tried again later.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        self: &Arc<Self>,
        models: Vec<&'static Model>,
        place: Place,
        tasks: Handle,
        arrived: impl Fn(&str) + Send + Sync + 'static,
    ) -> std::io::Result<()> {
        let missing: Vec<_> = models
            .into_iter()
            .filter(|model| !is_there(model, &place.folder))
            .collect();
        if missing.is_empty() || !place.is_open() {
            return Ok(());
        }
        let coming = missing.iter().map(|model| Coming {
            name: model.name.clone(),
            bytes: 0,
            of: model.size(),
            failed: false,
        });
        *self.list() = coming.collect();
        let megabytes = missing.iter().map(|model| model.size()).sum::<u64>() / 1_000_000;
        let names: Vec<_> = missing.iter().map(|model| model.name.as_str()).collect();
        tracing::info!(
            models = names.join(" "),
            megabytes,
            folder = %place.folder.display(),
            "models are fetched meanwhile; what needs one of them says so until it is there"
        );
        let this = Arc::clone(self);
        std::thread::Builder::new()
            .name("models".to_owned())
            .spawn(move || this.fetch(&missing, &place, &tasks, &arrived))
            .map(drop)
    }

    fn fetch(&self, missing: &[&'static Model], place: &Place, tasks: &Handle, arrived: &(dyn Fn(&str) + Sync)) {
        let log = Log {
            arrivals: self,
            arrived,
        };
        let last = PAUSES[PAUSES.len() - 1];
        for pause in PAUSES.into_iter().chain(std::iter::repeat(last)) {
            match get(missing, place, tasks, &log) {
                Ok(problems) if problems.is_empty() => return,
                Ok(problems) => tracing::warn!(
                    missing = problems.len(),
                    again_in_seconds = pause.as_secs(),
                    "some models are not to be had; `quartet models get` tells more"
                ),
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "models cannot be fetched");
                    self.list().clear();
                    return;
                }
            }
            std::thread::sleep(pause);
        }
    }
}

/// Tells the log, and whoever asks.
struct Log<'a> {
    arrivals: &'a Arrivals,
    arrived: &'a (dyn Fn(&str) + Sync),
}

impl Report for Log<'_> {
    fn say(&self, message: &str) {
        tracing::debug!(message, "models");
    }

    fn begins(&self, model: &Model, bytes: u64) {
        self.arrivals.change(model, |coming| coming.of = bytes);
    }

    fn received(&self, model: &Model, bytes: u64) {
        self.arrivals.change(model, |coming| coming.bytes = bytes);
    }

    fn ends(&self, model: &Model, problem: Option<&str>) {
        match problem {
            None => {
                self.arrivals.list().retain(|coming| coming.name != model.name);
                let rest = self.arrivals.list().len();
                tracing::info!(model = model.name, still_missing = rest, "a model has come");
                (self.arrived)(&model.name);
            }
            Some(reason) => {
                self.arrivals.change(model, |coming| coming.failed = true);
                tracing::warn!(model = model.name, reason, "a model is not to be had");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_models::Mirror;

    #[test]
    fn nothing_is_fetched_where_nobody_may_be_asked() {
        let model = super::super::table().unwrap().find("ocr-orientation").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let tasks = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .unwrap();
        let mut place = Place {
            folder: folder.path().to_owned(),
            mirror: None,
            offline: true,
        };
        let arrivals = Arc::new(Arrivals::default());
        arrivals
            .start(vec![model], place.clone(), tasks.handle().clone(), |_| {})
            .unwrap();
        assert!(arrivals.coming().is_empty());
        place.mirror = Some(Mirror::Folder(folder.path().join("none")));
        arrivals
            .start(vec![model], place, tasks.handle().clone(), |_| {})
            .unwrap();
        assert_eq!(arrivals.coming()[0].name, "ocr-orientation");
    }
}
