//! A job that is worked on here, kept in the store that replicas share: held for as long as it is worked on, and written as
//! it comes on, up to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use quartet_api::Code;
use quartet_api::jobs::JobState;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::job::{End, Job};
use super::record::{REQUEST, Record, RecordedEnd};
use crate::failure::Failure;
use crate::shared::{CallError, Held, JobPart, Mark, SharedState, Written};

/// Longest pause between two words that the job is worked on here: a fraction of the time for which one holds.
const WORD_PAUSE: Duration = Duration::from_secs(2);

/// Least pause between two changes of a record.
const WRITE_PAUSE: Duration = Duration::from_millis(500);

/// Time for which a job stays in the store that nobody has ended: it may wait for its place, and then be spoken for an hour.
pub const WORK_STAY: Duration = Duration::from_secs(2 * 60 * 60);

/// Time for which parts stay longer than the record that names them.
const SPARE: Duration = Duration::from_secs(60);

/// Longest time that a client waits for its request to be kept.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(2);

/// The reason why a job is no longer worked on here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// Another replica has taken it, because this one was not heard of.
    Taken,
    /// It was forgotten at another replica.
    Forgotten,
    /// This replica stops.
    Left,
}

/// The reason why something was not written.
#[derive(Debug)]
enum Unwritten {
    /// The store does not answer, or is full.
    Call(CallError),
    /// The record is another one.
    Changed,
    /// There is no room for so much.
    NoRoom(Failure),
}

impl From<CallError> for Unwritten {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

/// Keeps a job.
pub struct Keeper {
    shared: Arc<SharedState>,
    job: Arc<Job>,
    name: String,
    /// The record as it is to be.
    record: Record,
    /// The version of the record that was written last; none where the store has none.
    mark: Option<Mark>,
    /// True if the record has changed since.
    is_dirty: bool,
    /// Pages that are written.
    pages: usize,
    /// The time at which the store heard last that it is worked on.
    held: Option<Instant>,
    kept: Duration,
}

impl Keeper {
    /// Keeps a job that the store has not heard of.
    pub fn new(shared: Arc<SharedState>, job: Arc<Job>, kept: Duration) -> Self {
        let record = Record::new(&job, shared.replica());
        job.can_restart(false);
        Self {
            name: shared.job_name(&job.id),
            shared,
            job,
            record,
            mark: None,
            is_dirty: true,
            pages: 0,
            held: None,
            kept,
        }
    }

    /// Keeps a job that was taken from a replica that is gone.
    pub fn taken(shared: Arc<SharedState>, job: Arc<Job>, record: Record, mark: Mark, kept: Duration) -> Self {
        job.keeps(true);
        Self {
            name: shared.job_name(&job.id),
            shared,
            job,
            record,
            mark: Some(mark),
            is_dirty: false,
            pages: 0,
            held: None,
            kept,
        }
    }

    /// Has the store know of the job, and of the request so that another replica can begin it again; unless its client has
    /// `most` jobs at work. Without a request, or where there is no room for it, the job ends with this replica.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn begin(&mut self, request: Option<&[u8]>, most: usize) -> Result<Held, CallError> {
        self.write(WORK_STAY).await.map_err(call_error)?;
        let Some(mark) = self.mark else {
            return Err(CallError::Away);
        };
        let owner = self.job.owner.client();
        if self.shared.hold_job(&self.name, owner, &mark, Some(most)).await? == Held::TooMany {
            self.forget().await?;
            return Ok(Held::TooMany);
        }
        self.held = Some(Instant::now());
        let Some(request) = request else { return Ok(Held::Yes) };
        let part = JobPart {
            name: REQUEST.to_owned(),
            bytes: request.len() as u64,
        };
        match timeout(REQUEST_TIMEOUT, self.put(&part, request, WORK_STAY)).await {
            Ok(Ok(())) => {
                self.record.request = Some(part.bytes);
                self.write(WORK_STAY).await.map_err(call_error)?;
                self.job.can_restart(true);
            }
            // A store that is slow is not waited for.
            Ok(Err(Unwritten::NoRoom(_) | Unwritten::Changed)) | Err(_) => {}
            Ok(Err(Unwritten::Call(error))) => return Err(error),
        }
        Ok(Held::Yes)
    }

    /// Notes that a job that was taken goes on here.
    pub fn goes_on(&self) {
        tracing::info!(job = self.job.id, attempt = self.record.attempts, "a job goes on here");
        self.shared.took_job();
    }

    async fn forget(&mut self) -> Result<(), CallError> {
        self.mark = None;
        self.job.keeps(false);
        self.shared.drop_job(&self.name).await
    }

    /// True if another replica can go on with the job.
    pub fn can_go_on(&self) -> bool {
        self.mark.is_some() && self.record.request.is_some()
    }

    /// Holds the job and writes how far it is, until it is lost. A store that does not answer is no loss.
    pub async fn hold(&mut self, mut leaving: watch::Receiver<bool>) -> Lost {
        let mut status = self.job.watch();
        loop {
            let left = async {
                let _ = leaving.wait_for(|leaving| *leaving).await;
            };
            let has_left = tokio::select! {
                // The end is written by who hears of it; none comes after the job is gone.
                changed = timeout(WORD_PAUSE, status.changed()) => {
                    if changed.is_ok() {
                        sleep(WRITE_PAUSE).await;
                    }
                    false
                }
                () = left => true,
            };
            if has_left {
                self.release().await;
                return Lost::Left;
            }
            status.borrow_and_update();
            if let Err(Unwritten::Changed) = self.write_progress().await
                && let Some(lost) = self.look().await
            {
                return lost;
            }
        }
    }

    async fn write_progress(&mut self) -> Result<(), Unwritten> {
        let status = self.job.status();
        // Whoever is at its end has more to say.
        if !status.state.is_final() && (self.record.state, &self.record.progress) != (status.state, &status.progress) {
            self.record.state = status.state;
            self.record.progress = status.progress;
            self.is_dirty = true;
        }
        let pages = self.job.pages_after(self.pages);
        if !pages.is_empty() && self.mark.is_some() {
            let mut batch = BytesMut::new();
            for page in &pages {
                // Each is JSON in one line.
                batch.extend_from_slice(page);
                batch.extend_from_slice(b"\n");
            }
            let part = self.record.pages_part(self.record.pages.len(), batch.len() as u64);
            match self.put(&part, &batch, WORK_STAY + self.kept).await {
                // Who asks elsewhere then hears of the pages with the answer.
                Ok(()) | Err(Unwritten::NoRoom(_)) => {}
                Err(error) => return Err(error),
            }
            self.record.pages.push((pages.len(), part.bytes));
            self.pages += pages.len();
            self.is_dirty = true;
        }
        if self.is_dirty {
            self.write(WORK_STAY).await?;
        }
        self.say().await
    }

    /// Says that the job is worked on here, where that was said a while ago.
    async fn say(&mut self) -> Result<(), Unwritten> {
        let Some(mark) = self.mark else { return Ok(()) };
        if self.held.is_some_and(|held| held.elapsed() < WORD_PAUSE) {
            return Ok(());
        }
        let owner = self.job.owner.client();
        match self.shared.hold_job(&self.name, owner, &mark, None).await? {
            Held::Yes => self.held = Some(Instant::now()),
            Held::Changed | Held::TooMany => return Err(Unwritten::Changed),
        }
        Ok(())
    }

    async fn write(&mut self, stays: Duration) -> Result<(), Unwritten> {
        let (record, owner) = (self.record.write(), self.job.owner.client());
        let writing = self
            .shared
            .write_job(&self.name, &record, owner, Some(self.mark), stays);
        match writing.await? {
            Written::As(mark) => {
                self.mark = Some(mark);
                self.is_dirty = false;
                self.job.keeps(true);
                Ok(())
            }
            Written::Changed => Err(Unwritten::Changed),
            Written::TooLong => Err(Unwritten::Call(CallError::Full)),
        }
    }

    async fn put(&mut self, part: &JobPart, bytes: &[u8], stays: Duration) -> Result<(), Unwritten> {
        let most = self.shared.job_part_bytes();
        if part.bytes > most {
            return Err(Unwritten::NoRoom(Failure::new(
                Code::ResponseTooLarge,
                format!("the answers that are kept for one client have {most} bytes; ask for this one without a job"),
            )));
        }
        let owner = self.job.owner.client();
        for (index, piece) in SharedState::job_pieces(bytes) {
            let place = (self.name.as_str(), part.name.as_str(), index);
            self.shared.put_job_piece(place, piece, owner, stays).await?;
            // A large answer may take longer than one word holds.
            self.say().await?;
        }
        Ok(())
    }

    /// Looks who has changed the record. None where the job is still worked on here: a call was done that had no answer, or
    /// the store has lost what it had.
    async fn look(&mut self) -> Option<Lost> {
        let stored = self.shared.read_job(&self.name).await.ok()?;
        let Some(stored) = stored else {
            self.mark = None;
            self.record.request = None;
            self.record.pages.clear();
            self.pages = 0;
            self.is_dirty = true;
            self.job.can_restart(false);
            return None;
        };
        match Record::read(&stored.value) {
            Some(record) if record.state == JobState::Cancelled => Some(Lost::Forgotten),
            Some(record) if record.worker == self.record.worker && record.attempts == self.record.attempts => {
                self.mark = Some(stored.mark);
                self.is_dirty = true;
                None
            }
            _ => Some(Lost::Taken),
        }
    }

    /// Gives the job to whichever replica takes it, as if this one had not begun it. Where the request is not kept, that
    /// replica says so.
    pub async fn release(&mut self) {
        if self.mark.is_none() {
            return;
        }
        self.record.worker.clear();
        self.record.attempts = self.record.attempts.saturating_sub(1);
        self.record.state = JobState::Queued;
        self.record.progress = None;
        // Where the store does not answer, another replica takes it after a while.
        if self.write(WORK_STAY).await.is_ok() {
            let _ = self.shared.let_job_go(&self.name, self.job.owner.client(), false).await;
        }
    }

    /// Writes the end of the job. While the store does not answer, it is told of here, for as long as answers are kept.
    /// Returns what came between, if anything did.
    pub async fn finish(&mut self, mut end: End) -> Option<Lost> {
        let begun = Instant::now();
        let mut looked = false;
        loop {
            match self.write_end(&end).await {
                Ok(()) => {
                    self.job.ends(end);
                    return None;
                }
                Err(Unwritten::NoRoom(failure)) => {
                    end = End::Failed(failure);
                    continue;
                }
                Err(Unwritten::Changed) => {
                    if let Some(lost) = self.look().await {
                        return Some(lost);
                    }
                    // Once, it was a call of this replica that had no answer.
                    if !std::mem::replace(&mut looked, true) {
                        continue;
                    }
                }
                Err(Unwritten::Call(_)) => {}
            }
            self.job.ends(end.clone());
            if begun.elapsed() > self.kept {
                return Some(Lost::Forgotten);
            }
            let mut opens = self.shared.opens();
            let _ = timeout(WORD_PAUSE, opens.changed()).await;
        }
    }

    async fn write_end(&mut self, end: &End) -> Result<(), Unwritten> {
        let (recorded, apart) = RecordedEnd::new(end);
        // With the pages and the progress that came last.
        self.write_progress().await?;
        if let Some(body) = apart {
            let part = self.record.answer_part(body.len() as u64);
            self.put(&part, &body, self.kept + SPARE).await?;
        }
        let status = self.job.status();
        let before = self.record.clone();
        self.record.progress = status.progress;
        self.record.state = end.state();
        self.record.end = Some(recorded);
        let request = self.record.request_part();
        self.record.request = None;
        if let Err(error) = self.write(self.kept).await {
            self.record = before;
            return Err(error);
        }
        let (name, owner) = (&self.name, self.job.owner.client());
        // What is left ends by itself.
        let _ = self.shared.let_job_go(name, owner, true).await;
        if let Some(request) = request {
            let _ = self.shared.drop_job_parts(name, &[request]).await;
        }
        Ok(())
    }
}

fn call_error(error: Unwritten) -> CallError {
    match error {
        Unwritten::Call(error) => error,
        Unwritten::Changed | Unwritten::NoRoom(_) => CallError::Away,
    }
}
