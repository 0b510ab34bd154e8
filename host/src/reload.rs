//! Reloads files that change while the service runs: checked every few seconds, and at once when the process gets
//! SIGHUP.
//!
//! They are compared by what is in them: they are small, and a time of change can stay the same when a file is written
//! twice within one tick, or go back when it is replaced by an older one.

use std::path::PathBuf;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

/// Time between two looks at the files.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Largest size of such a file, in bytes.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Applies the content of the files. The error says why it cannot be used.
type Apply = Box<dyn Fn(&[Vec<u8>]) -> Result<(), String> + Send>;

/// Files that belong together, and the function that applies them.
pub struct Watched {
    what: &'static str,
    paths: Vec<PathBuf>,
    apply: Apply,
    seen: Option<Vec<Vec<u8>>>,
    unreadable: bool,
}

impl Watched {
    /// Reads the files and applies them.
    ///
    /// # Errors
    /// When a file cannot be read or used, with its name.
    pub fn start(
        what: &'static str,
        paths: Vec<PathBuf>,
        apply: impl Fn(&[Vec<u8>]) -> Result<(), String> + Send + 'static,
    ) -> Result<Self, String> {
        let files = read(&paths)?;
        apply(&files).map_err(|error| format!("{}: {error}", names(&paths)))?;
        Ok(Self {
            what,
            paths,
            apply: Box::new(apply),
            seen: Some(files),
            unreadable: false,
        })
    }

    /// Applies the files if they have changed. What cannot be used is reported once, and what was
    /// there before stays.
    fn check(&mut self) {
        let files = match read(&self.paths) {
            Ok(files) => files,
            Err(error) => {
                if !self.unreadable {
                    tracing::error!(%error, "{} cannot be read again; those from before stay", self.what);
                }
                self.unreadable = true;
                return;
            }
        };
        self.unreadable = false;
        if self.seen.as_ref() == Some(&files) {
            return;
        }
        match (self.apply)(&files) {
            Ok(()) => tracing::info!(files = names(&self.paths), "{} taken from changed files", self.what),
            Err(error) => {
                tracing::error!(files = names(&self.paths), %error, "{} cannot be used; those from before stay",
                    self.what);
            }
        }
        self.seen = Some(files);
    }
}

fn names(paths: &[PathBuf]) -> String {
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

fn read(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>, String> {
    let read = |path: &PathBuf| {
        let error = |error: std::io::Error| format!("{} cannot be read: {error}", path.display());
        let length = std::fs::metadata(path).map_err(error)?.len();
        if length > MAX_FILE_BYTES {
            return Err(format!(
                "{} has {length} bytes; {MAX_FILE_BYTES} are allowed",
                path.display()
            ));
        }
        std::fs::read(path).map_err(error)
    };
    paths.iter().map(read).collect()
}

/// Watches until it is dropped. With nothing to watch it only keeps SIGHUP from ending the process.
pub async fn watch(mut watched: Vec<Watched>) {
    let mut hangup = signal(SignalKind::hangup()).ok();
    loop {
        let asked = async {
            match &mut hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        if watched.is_empty() {
            asked.await;
            continue;
        }
        // Whether it was time or somebody asked makes no difference.
        let _ = tokio::time::timeout(POLL_INTERVAL, asked).await;
        // Files can be on slow disks, and this is a thread that serves.
        let checked = tokio::task::spawn_blocking(move || {
            watched.iter_mut().for_each(Watched::check);
            watched
        });
        match checked.await {
            Ok(returned) => watched = returned,
            Err(error) => {
                tracing::error!(%error, "files are no longer watched");
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn changes_are_taken_and_what_is_broken_is_not() {
        let path = std::env::temp_dir().join(format!("quartet-reload-{}", std::process::id()));
        let taken = Arc::new(Mutex::new(Vec::new()));
        let start = || {
            let taken = Arc::clone(&taken);
            Watched::start("words", vec![path.clone()], move |files| {
                let text = String::from_utf8(files[0].clone()).map_err(|error| error.to_string())?;
                taken.lock().unwrap().push(text);
                Ok(())
            })
        };
        assert!(start().is_err(), "the file is not there yet");
        std::fs::write(&path, "one").unwrap();
        let mut watched = start().unwrap();
        watched.check();
        std::fs::write(&path, "two").unwrap();
        watched.check();
        std::fs::write(&path, [0xff]).unwrap();
        watched.check();
        std::fs::remove_file(&path).unwrap();
        watched.check();
        std::fs::write(&path, "six").unwrap();
        watched.check();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(*taken.lock().unwrap(), ["one", "two", "six"]);
    }
}
