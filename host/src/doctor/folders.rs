//! Folders: there, readable, writable by those who have to and by nobody else, with room.

use std::fs;
use std::path::{Path, PathBuf};

use super::report::{Report, human};
use crate::config::{Config, Language};
use crate::models::Place;

/// Room that compiled components take, and what the language model has read.
const CACHE_BYTES: u64 = 600_000_000;

/// Ways in which a folder is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write,
    /// Written to, and what is in it is run: nobody else may write there.
    Code,
}

pub(super) fn examine(config: &Config, report: &mut Report) {
    let components = &config.components;
    let fetches = Place::new(components).is_open();
    let models = if fetches { Use::Write } else { Use::Read };
    folder("components", &components.components, Use::Read, report);
    if let Some(versions) = &components.component_versions {
        folder("component_versions", versions, Use::Code, report);
    }
    folder("models", &components.models, models, report);
    folder("cache", &components.cache, Use::Code, report);
    room("cache", &components.cache, CACHE_BYTES, report);
    if let Language::Local(local) = &config.language
        && !local.engine.is_file()
    {
        let found = format!("{} is not there", local.engine.display());
        report.warn(
            "engine",
            found,
            "it stands beside `quartet`; name it with `language_engine`",
        );
        report.change("language_model", "\"off\"", "its engine is not there");
    }
}

fn folder(about: &'static str, path: &Path, of: Use, report: &mut Report) {
    let shown = path.display();
    // What is made at the first use is made inside of the next folder that is there.
    let (there, wanted) = (nearest(path), if of == Use::Read { "read" } else { "written to" });
    if !path.is_dir() && of == Use::Read {
        let remedy = format!("name the folder with `{about}`");
        report.wrong(about, format!("{shown} is no folder"), remedy);
        return;
    }
    let allowed = match of {
        Use::Read => fs::read_dir(path).is_ok(),
        Use::Write | Use::Code => writable(&there),
    };
    if !allowed {
        let remedy = "change its owner, or run as the user whose it is";
        let found = format!("{shown} cannot be {wanted}");
        match of {
            // It serves without, and compiles at every start, or fetches nothing.
            Use::Write | Use::Code => report.warn(about, found, remedy),
            Use::Read => report.wrong(about, found, remedy),
        }
    } else if of == Use::Code && open_to_others(path) {
        let remedy = format!("chmod 700 {shown}: compiled code is run as it lies there");
        report.wrong(about, format!("{shown} can be written to by others"), remedy);
    } else {
        report.ok(about, format!("{shown} can be {wanted}"));
    }
}

/// The folder itself, or the innermost one above it that is there.
fn nearest(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = absolute.ancestors().find(|folder| folder.is_dir());
    there.map_or(absolute.clone(), Path::to_owned)
}

/// Asked of the system, which knows of read-only disks and access lists.
fn writable(folder: &Path) -> bool {
    let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::access(folder, access).is_ok()
}

fn open_to_others(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(folder).is_ok_and(|facts| facts.permissions().mode() & 0o022 != 0)
}

/// Free room on the disk of a folder.
pub(super) fn free(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(nearest(folder)).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

fn room(about: &'static str, folder: &Path, wanted: u64, report: &mut Report) {
    let Some(free) = free(folder) else { return };
    if free < wanted {
        let remedy = format!(
            "make {} free: without, every start compiles the components",
            human(wanted)
        );
        report.warn("disk", format!("{} free for the {about}", human(free)), remedy);
    } else {
        report.ok("disk", format!("{} free for the {about}", human(free)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::report::Level;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_cache_that_others_write_to_is_wrong() {
        let inside = tempfile::tempdir().unwrap();
        let level = |mode: u32, of: Use| {
            fs::set_permissions(inside.path(), fs::Permissions::from_mode(mode)).unwrap();
            let mut report = Report::default();
            folder("cache", inside.path(), of, &mut report);
            report.level()
        };
        assert_eq!(level(0o700, Use::Code), Level::Ok);
        assert_eq!(level(0o777, Use::Code), Level::Wrong);
        assert_eq!(level(0o755, Use::Write), Level::Ok);
    }

    #[test]
    fn what_is_not_there_is_wrong_to_read_and_may_be_made_to_write() {
        let inside = tempfile::tempdir().unwrap();
        let path = inside.path().join("a/b");
        let level = |of| {
            let mut report = Report::default();
            folder("models", &path, of, &mut report);
            report.level()
        };
        assert_eq!(level(Use::Read), Level::Wrong);
        assert_eq!(level(Use::Write), Level::Ok);
        assert!(free(&path).is_some_and(|bytes| bytes > 0));
    }
}
