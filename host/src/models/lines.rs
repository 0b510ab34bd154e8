//! What the person sees who waits for models: bars on a terminal, lines elsewhere.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use quartet_models::{Model, Report};

/// Steps of a line's progress, in percent.
const STEP: u64 = 25;

/// Models smaller than this are one line.
const SMALL_BYTES: u64 = 50_000_000;

/// Tells how far models are, on standard error.
pub struct Lines {
    bars: Option<MultiProgress>,
    models: Mutex<HashMap<String, Progress>>,
}

struct Progress {
    bytes: u64,
    told: u64,
    bar: Option<ProgressBar>,
}

impl Default for Lines {
    fn default() -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self {
            bars: terminal.then(MultiProgress::new),
            models: Mutex::default(),
        }
    }
}

impl Lines {
    fn models(&self) -> MutexGuard<'_, HashMap<String, Progress>> {
        // Nothing panics while it is locked.
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self, text: &str) {
        match &self.bars {
            // It stands above the bars; a terminal that is gone hears nothing.
            Some(bars) => drop(bars.println(text)),
            None => eprintln!("{text}"),
        }
    }

    fn bar(&self, name: &str, bytes: u64) -> Option<ProgressBar> {
        let style = "{msg:<28} {bar:30} {bytes:>10} of {total_bytes:<10} {bytes_per_sec}";
        // The template is right, as its first use shows.
        let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = self.bars.as_ref()?.add(ProgressBar::new(bytes).with_style(style));
        bar.set_message(name.to_owned());
        Some(bar)
    }
}

impl Report for Lines {
    fn say(&self, message: &str) {
        self.line(message);
    }

    fn begins(&self, model: &Model, bytes: u64) {
        let mut models = self.models();
        // Begun again elsewhere: the bar goes on with another length.
        if let Some(progress) = models.get_mut(&model.name) {
            progress.bytes = bytes;
            if let Some(bar) = &progress.bar {
                bar.set_length(bytes);
            }
            return;
        }
        let bar = self.bar(&model.name, bytes);
        if bar.is_none() {
            self.line(&format!("getting {} ({:.1} MB)", model.name, bytes as f64 / 1e6));
        }
        models.insert(model.name.clone(), Progress { bytes, told: 0, bar });
    }

    fn received(&self, model: &Model, bytes: u64) {
        let mut models = self.models();
        let Some(progress) = models.get_mut(&model.name) else {
            return;
        };
        if let Some(bar) = &progress.bar {
            bar.set_position(bytes);
            return;
        }
        let percent = bytes * 100 / progress.bytes.max(1) / STEP * STEP;
        if progress.bytes >= SMALL_BYTES && percent > progress.told && percent < 100 {
            progress.told = percent;
            self.line(&format!("{}: {percent} %", model.name));
        }
    }

    fn ends(&self, model: &Model, problem: Option<&str>) {
        let progress = self.models().remove(&model.name);
        if let Some(bar) = progress.and_then(|progress| progress.bar) {
            bar.finish_and_clear();
        }
        match problem {
            None => self.line(&format!("{} is there", model.name)),
            Some(reason) => self.line(&format!("{}: {reason}", model.name)),
        }
    }
}
