//! What was found, for people and for programs.

use std::fmt::Write as _;

use serde::Serialize;

/// Depth of the look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Depth {
    /// Ask every component its built-in requests.
    pub probe: bool,
    /// Compare models by size only, which is done in no time.
    pub quick: bool,
}

/// Weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// As it should be.
    Ok,
    /// The service runs, and something is missing or slow.
    Warning,
    /// Something does not work.
    Wrong,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its subject, in a word.
    pub about: &'static str,
    /// Its weight.
    pub level: Level,
    /// The state of it.
    pub found: String,
    /// Advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// A setting that should have another value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its name in the file.
    pub setting: &'static str,
    /// The value that it should have, as the file has it.
    pub value: String,
    /// The reason.
    pub because: String,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
    changes: Vec<Change>,
}

impl Report {
    /// Adds what is as it should be.
    pub fn ok(&mut self, about: &'static str, found: impl Into<String>) {
        self.add(about, Level::Ok, found, None);
    }

    /// Adds what is missing or slow, and what to do about it.
    pub fn warn(&mut self, about: &'static str, found: impl Into<String>, remedy: impl Into<String>) {
        self.add(about, Level::Warning, found, Some(remedy.into()));
    }

    /// Adds what does not work, and what to do about it.
    pub fn wrong(&mut self, about: &'static str, found: impl Into<String>, remedy: impl Into<String>) {
        self.add(about, Level::Wrong, found, Some(remedy.into()));
    }

    fn add(&mut self, about: &'static str, level: Level, found: impl Into<String>, remedy: Option<String>) {
        let found = found.into();
        self.findings.push(Finding {
            about,
            level,
            found,
            remedy,
        });
    }

    /// Adds a setting that should have another value.
    pub fn change(&mut self, setting: &'static str, value: impl Into<String>, because: impl Into<String>) {
        self.changes.push(Change {
            setting,
            value: value.into(),
            because: because.into(),
        });
    }

    /// The worst of all.
    pub fn level(&self) -> Level {
        self.findings
            .iter()
            .map(|finding| finding.level)
            .max()
            .unwrap_or(Level::Ok)
    }

    /// For programs.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "status": self.level(),
            "findings": self.findings,
            "changes": self.changes,
        })
    }

    /// For people: a line a finding, its remedy below, then the settings that should change.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let mark = match finding.level {
                Level::Ok => "ok",
                Level::Warning => "WARNING",
                Level::Wrong => "WRONG",
            };
            // A `String` takes everything.
            let _ = writeln!(text, "{mark:<8} {:<11} {}", finding.about, finding.found);
            if let Some(remedy) = &finding.remedy {
                let _ = writeln!(text, "{:<20} {remedy}", "");
            }
        }
        if !self.changes.is_empty() {
            text.push_str("\nSettings to change:\n");
        }
        for change in &self.changes {
            let _ = writeln!(text, "  {} = {}    # {}", change.setting, change.value, change.because);
        }
        let end = match self.level() {
            Level::Ok => "in order",
            Level::Warning => "it works, with the warnings above",
            Level::Wrong => "something is wrong: see above",
        };
        let _ = writeln!(text, "\n{end}");
        text
    }
}

/// Bytes for a person.
pub(super) fn human(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_decides_and_both_forms_say_the_same() {
        let mut report = Report::default();
        assert_eq!(report.level(), Level::Ok);
        report.ok("cores", "2");
        report.warn("models", "embedding is missing", "get it");
        assert_eq!(report.level(), Level::Warning);
        report.wrong("port", "in use", "take another");
        report.change("listen", "\"127.0.0.1:8081\"", "8080 is in use");
        report.ok("clock", "right");
        let (text, json) = (report.text(), report.json());
        assert_eq!(json["status"], "wrong");
        assert_eq!(json["findings"][1]["remedy"], "get it");
        assert!(json["findings"][0].get("remedy").is_none());
        assert!(
            text.contains("WRONG    port        in use\n                     take another\n"),
            "{text}"
        );
        assert!(
            text.contains("listen = \"127.0.0.1:8081\"    # 8080 is in use"),
            "{text}"
        );
    }
}
