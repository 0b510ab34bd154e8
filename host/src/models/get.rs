//! Getting several models at once into the folder that the service reads.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use quartet_models::{Model, Obtainer, Report, Shared, Ways, digest, groups};
use tokio::runtime::Handle;

use super::download::Downloads;
use super::{Place, convert, is_there, table};

/// The folder inside the folder of the models for what is not finished.
const UNFINISHED: &str = ".unfinished";

/// Groups of models that are fetched at the same time.
const PARALLEL: usize = 4;

/// A model that is not to be had, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its name.
    pub model: String,
    /// The reason.
    pub reason: String,
}

/// Gets those of `models` that are not in the folder, several at once; each appears there as soon as it is complete. What
/// was broken off goes on where it was, at the next call too. For threads outside of the runtime.
///
/// # Errors
/// When the folder cannot be written to. Models that are not to be had are returned.
pub fn get(
    models: &[&'static Model],
    place: &Place,
    tasks: &Handle,
    report: &dyn Report,
) -> anyhow::Result<Vec<Problem>> {
    let missing = || models.iter().copied().filter(|model| !is_there(model, &place.folder));
    if missing().next().is_none() {
        return Ok(Vec::new());
    }
    let unfinished = place.folder.join(UNFINISHED);
    fs::create_dir_all(&unfinished).with_context(|| format!("{} cannot be written to", place.folder.display()))?;
    let lock = File::create(unfinished.join("lock")).context("making the lock of the folder of the models")?;
    if lock.try_lock().is_err() {
        report.say("another process gets models into this folder; waiting for it");
        lock.lock().context("waiting for another process")?;
    }
    let downloads = Downloads::new(tasks.clone());
    let ways = Ways {
        store: unfinished.join("files"),
        mirror: place.mirror.clone(),
        offline: place.offline,
        web: &downloads,
        convert: &convert::apart,
        report,
    };
    // The other process may have got some.
    let wanted: Vec<_> = missing().collect();
    reuse(&wanted, place, &ways)?;
    let waiting: Mutex<VecDeque<_>> = Mutex::new(groups(&wanted).into());
    let shared = Shared::default();
    let scratch: Vec<_> = (0..PARALLEL)
        .map(|number| unfinished.join(format!("scratch-{number}")))
        .collect();
    let problems = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for scratch in &scratch {
            let (waiting, problems, ways, shared) = (&waiting, &problems, &ways, &shared);
            scope.spawn(move || {
                loop {
                    // Not the loop's condition, which would hold the lock as long as its body.
                    let Some(group) = lock_of(waiting).pop_front() else {
                        break;
                    };
                    let failed = together(&group, place, ways, shared, scratch);
                    lock_of(problems).extend(failed);
                    let _ = fs::remove_dir_all(scratch);
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap_or_else(PoisonError::into_inner);
    if problems.is_empty() {
        // The lock too: who waits for it holds the file open.
        let _ = fs::remove_dir_all(&unfinished);
    }
    Ok(problems)
}

/// Nothing panics while one of these is locked.
fn lock_of<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts into the store what the folder has already and others are made of.
fn reuse(wanted: &[&Model], place: &Place, ways: &Ways<'_>) -> anyhow::Result<()> {
    for part in wanted.iter().flat_map(|model| model.published()) {
        let same = |model: &&Model| model.sha256 == part.sha256 && is_there(model, &place.folder);
        let Some(model) = table()?.models().find(same) else {
            continue;
        };
        let (file, stored) = (place.folder.join(&model.file), ways.stored(&part.sha256));
        if !stored.exists() && digest::of_file(&file)? == part.sha256 {
            fs::create_dir_all(&ways.store)?;
            fs::hard_link(&file, &stored).or_else(|_| fs::copy(&file, &stored).map(drop))?;
        }
    }
    Ok(())
}

/// Gets a group of models, one after the other, and returns those that are not to be had.
fn together<'a>(
    group: &[&'static Model],
    place: &Place,
    ways: &'a Ways<'a>,
    shared: &'a Shared<'a>,
    scratch: &'a Path,
) -> Vec<Problem> {
    let _ = fs::remove_dir_all(scratch);
    let begun = fs::create_dir_all(scratch).map_err(|error| anyhow::anyhow!("{}: {error}", scratch.display()));
    let mut obtainer = Obtainer::new(ways, shared, scratch);
    let mut problems = Vec::new();
    for model in group {
        let got = match &begun {
            Ok(()) => obtainer.model(model).and_then(|()| {
                let stored = ways.stored(&model.sha256);
                put(&stored, &place.folder.join(&model.file)).with_context(|| format!("writing {}", model.file))
            }),
            Err(error) => Err(anyhow::anyhow!("{error}")),
        };
        let reason = got.err().map(|error| format!("{error:#}"));
        ways.report.ends(model, reason.as_deref());
        problems.extend(reason.map(|reason| Problem {
            model: model.name.clone(),
            reason,
        }));
    }
    if problems.is_empty() {
        for part in group.iter().flat_map(|model| model.published()) {
            let _ = fs::remove_file(ways.stored(&part.sha256));
        }
        for model in group {
            let _ = fs::remove_file(ways.stored(&model.sha256));
        }
    }
    problems
}

/// Links a finished file to its place, or copies it where the disk has no links; it appears there complete.
fn put(stored: &Path, to: &Path) -> std::io::Result<()> {
    let beside = to.with_extension("new");
    let _ = fs::remove_file(&beside);
    fs::hard_link(stored, &beside).or_else(|_| fs::copy(stored, &beside).map(drop))?;
    // Whoever gets it, the service may be another user.
    #[cfg(unix)]
    fs::set_permissions(&beside, std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    fs::rename(&beside, to)?;
    // Two links to one file: a rename between them does nothing, and leaves the first.
    let _ = fs::remove_file(&beside);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_models::Mirror;

    struct Silent;
    impl Report for Silent {
        fn say(&self, _: &str) {}
    }

    /// What a folder has after the small models were asked for, from a mirror with this file for one of them.
    fn left(mirrored: Option<&[u8]>) -> (Vec<Problem>, Vec<String>) {
        let (folder, mirror) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let model = table().unwrap().find("ocr-orientation").unwrap();
        if let Some(bytes) = mirrored {
            fs::write(mirror.path().join(&model.file), bytes).unwrap();
        }
        let tasks = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .unwrap();
        let place = Place {
            folder: folder.path().join("models"),
            mirror: Some(Mirror::Folder(mirror.path().to_owned())),
            offline: true,
        };
        let problems = get(&[model], &place, tasks.handle(), &Silent).unwrap();
        let files = fs::read_dir(&place.folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        (problems, names.collect())
    }

    #[test]
    fn what_is_not_to_be_had_is_named_and_nothing_wrong_appears() {
        let (problems, files) = left(None);
        assert_eq!(problems[0].model, "ocr-orientation");
        assert_eq!(files, [UNFINISHED]);
        let (problems, files) = left(Some(b"something else"));
        assert!(problems[0].reason.contains("has the digest"), "{problems:?}");
        assert_eq!(files, [UNFINISHED]);
    }
}
