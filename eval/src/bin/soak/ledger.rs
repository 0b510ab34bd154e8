//! The record of what was answered: times and statuses of each operation, and every answer that was not expected.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quartet_eval::times::Times;

/// Answers that were not expected and are told in full.
const TOLD: usize = 40;

/// Kinds of work, for the plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Lists and health.
    Light,
    /// Speech.
    Speech,
    /// Pictures.
    Images,
    /// Documents.
    Documents,
    /// Chat.
    Chat,
    /// What is wrong.
    Bad,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Light,
        Self::Speech,
        Self::Images,
        Self::Documents,
        Self::Chat,
        Self::Bad,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "lists and health",
            Self::Speech => "speech",
            Self::Images => "images",
            Self::Documents => "documents",
            Self::Chat => "chat",
            Self::Bad => "bad input",
        }
    }
}

/// What came of the requests of one operation.
#[derive(Debug, Default)]
pub struct Operation {
    /// Times of whole answers, but for refusals.
    pub times: Times,
    /// Times of refusals.
    pub refusals: Times,
    /// Answers by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Requests whose client left.
    pub left: u64,
    /// Connections that were cut where that is allowed.
    pub cut: u64,
}

/// An answer that was not expected.
#[derive(Debug)]
pub struct Unexpected {
    /// The operation.
    pub operation: &'static str,
    /// Seconds since the start.
    pub seconds: f64,
    /// What came, in words.
    pub what: String,
}

#[derive(Debug, Default)]
struct Record {
    operations: BTreeMap<&'static str, Operation>,
    unexpected: Vec<Unexpected>,
    unexpected_count: u64,
    /// Since the last sample.
    recent: BTreeMap<Group, Times>,
}

/// The record, into which all clients write.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<Record>);

impl Ledger {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an answer.
    pub fn answered(&self, group: Group, operation: &'static str, status: u16, time: Duration) {
        let mut record = self.record();
        let entry = record.operations.entry(operation).or_default();
        *entry.statuses.entry(status).or_default() += 1;
        if status == 429 {
            entry.refusals.record(time);
        } else {
            entry.times.record(time);
            record.recent.entry(group).or_default().record(time);
        }
    }

    /// Adds a request whose client left.
    pub fn left(&self, operation: &'static str) {
        self.record().operations.entry(operation).or_default().left += 1;
    }

    /// Adds a connection that was cut where that is allowed.
    pub fn cut(&self, operation: &'static str) {
        self.record().operations.entry(operation).or_default().cut += 1;
    }

    /// Adds an answer that was not expected; it is told at once, too.
    pub fn unexpected(&self, unexpected: Unexpected) {
        eprintln!(
            "{:.0} s: {}: {}",
            unexpected.seconds, unexpected.operation, unexpected.what
        );
        let mut record = self.record();
        record.unexpected_count += 1;
        if record.unexpected.len() < TOLD {
            record.unexpected.push(unexpected);
        }
    }

    /// The times since this was last asked.
    pub fn take_recent(&self) -> BTreeMap<Group, Times> {
        std::mem::take(&mut self.record().recent)
    }

    /// Shows all operations.
    pub fn with_operations<T>(&self, show: impl FnOnce(&BTreeMap<&'static str, Operation>) -> T) -> T {
        show(&self.record().operations)
    }

    /// Number of answers that were not expected, and the first of them.
    pub fn with_unexpected<T>(&self, show: impl FnOnce(u64, &[Unexpected]) -> T) -> T {
        let record = self.record();
        show(record.unexpected_count, &record.unexpected)
    }
}
