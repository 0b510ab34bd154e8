//! Models: those that the settings need, there and right.

use std::sync::Mutex;

use quartet_models::{Model, digest};

use super::folders;
use super::report::{Depth, Report, human};
use crate::capabilities::Capabilities;
use crate::config::{Config, Language};
use crate::models::{self, Place, is_there};

/// Files that are read at the same time.
const READERS: usize = 2;

pub(super) fn examine(config: &Config, depth: Depth, report: &mut Report) {
    let components = &config.components;
    let wanted = Capabilities::load(components.capabilities.as_deref(), &components.components)
        .and_then(|capabilities| models::wanted(components, &config.language, &capabilities));
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(error) => return report.wrong("models", format!("{error:#}"), "see `capabilities`"),
    };
    let (there, missing): (Vec<_>, Vec<_>) = wanted
        .into_iter()
        .partition(|model| is_there(model, &components.models));
    let wrong = if depth.quick {
        Vec::new()
    } else {
        wrong(&there, &Place::new(components))
    };
    for name in &wrong {
        let remedy = format!("remove its file, then `quartet models get {name}`");
        report.wrong(
            "models",
            format!("{name} is damaged: its digest is another one"),
            remedy,
        );
    }
    // With several language models one is enough.
    let writes = there.iter().any(|model| model.is_language());
    let (optional, missing): (Vec<_>, Vec<_>) = missing.into_iter().partition(|model| model.is_language() && writes);
    let by = if depth.quick { "size" } else { "digest" };
    report.ok(
        "models",
        format!("{} are there, compared by {by}", there.len() - wrong.len()),
    );
    if !missing.is_empty() {
        lacking(config, &missing, report);
    }
    for model in optional {
        report.ok(
            "models",
            format!("{} would be the next larger language model", model.name),
        );
    }
    own(config, report);
}

fn lacking(config: &Config, missing: &[&Model], report: &mut Report) {
    let names: Vec<_> = missing.iter().map(|model| model.name.as_str()).collect();
    let bytes = missing.iter().map(|model| model.size()).sum();
    let place = Place::new(&config.components);
    let found = format!("missing: {} ({})", names.join(" "), human(bytes));
    let remedy = if place.is_open() {
        "`quartet serve` fetches them while it serves the rest; `quartet models get` does it now"
    } else {
        "`offline` is set: put them into the folder, or name a mirror"
    };
    report.warn("models", found, remedy);
    if !place.is_open() {
        report.change(
            "models_mirror",
            "\"ADDRESS OR FOLDER\"",
            "models are missing, and nobody may be asked",
        );
    }
    // As much again, for what they are made of.
    let free = folders::free(&place.folder);
    if let Some(free) = free.filter(|free| *free < bytes * 2) {
        let remedy = format!("make {} free", human(bytes * 2));
        report.wrong("disk", format!("{} free for the models", human(free)), remedy);
    }
}

/// A model that is no model of the table.
fn own(config: &Config, report: &mut Report) {
    let Language::Local(local) = &config.language else {
        return;
    };
    if let [model] = local.models.as_slice()
        && !local.listed
        && !model.file.is_file()
    {
        let found = format!("{} is not there", model.file.display());
        report.wrong("models", found, "name another file with `language_model`");
    }
}

/// Names of the models whose digest is not the table's.
fn wrong(there: &[&Model], place: &Place) -> Vec<String> {
    let (next, wrong) = (Mutex::new(there.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                // Nothing panics while one of these is locked.
                while let Some(model) = next.lock().ok().and_then(|mut next| next.next()) {
                    let found = digest::of_file(&place.folder.join(&model.file));
                    if !found.is_ok_and(|found| found == model.sha256)
                        && let Ok(mut wrong) = wrong.lock()
                    {
                        wrong.push(model.name.clone());
                    }
                }
            });
        }
    });
    wrong.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::config;

    #[test]
    fn what_is_missing_and_what_is_damaged_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let model = models::table().unwrap().find("ocr-cyrillic").unwrap();
        let file = std::fs::File::create(folder.path().join(&model.file)).unwrap();
        file.set_len(model.size()).unwrap();
        let settings = [
            ("models", folder.path().to_str().unwrap()),
            ("offline", "true"),
            ("language_model", "off"),
        ];
        let config = config(&settings).unwrap();
        let text = |quick| {
            let mut report = Report::default();
            examine(&config, Depth { quick, probe: false }, &mut report);
            report.text()
        };
        let deep = text(false);
        assert!(deep.contains("ocr-cyrillic is damaged"), "{deep}");
        assert!(deep.contains("missing: ") && deep.contains("models_mirror"), "{deep}");
        assert!(!text(true).contains("damaged"));
    }
}
