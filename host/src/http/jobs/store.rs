//! Jobs in the store that replicas share: begun there, told of from there, forgotten there, and taken from replicas that are
//! gone.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http::{Response, header};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use quartet_api::Code;
use quartet_api::jobs::JobState;
use tokio::time::sleep;
use wasmtime_wasi_http::Error;

use super::job::{Answer, End, Job};
use super::keeper::{Keeper, WORK_STAY};
use super::record::{REQUEST, Record, RecordedEnd};
use super::request::{Asked, KeptRequest};
use super::table::too_many;
use super::told::unknown;
use crate::body::ResponseBody;
use crate::config::Unavailable;
use crate::failure::Failure;
use crate::shared::{CallError, Held, JobPart, Mark, SharedState, Stored, Written};

/// Pause between two looks at a job that another replica works on.
const LOOK_PAUSE: Duration = Duration::from_millis(500);

/// Looks in which a job that another replica works on may be missing: a store that came back empty is told of it again.
const MOST_MISSED: u32 = 20;

/// Pauses before a piece of an answer is asked for again, when the store did not answer in the middle of it.
const PIECE_PAUSES: [Duration; 3] = [
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(3),
];

/// Replicas that may begin one job: what ends its replica again and again is not tried for ever.
const MOST_ATTEMPTS: u32 = 3;

/// Jobs in the store.
pub struct JobStore {
    shared: Arc<SharedState>,
    unavailable: Unavailable,
    of_client: usize,
    kept: Duration,
}

/// A job that was taken from a replica that is gone.
pub struct Taken {
    /// The job.
    pub job: Arc<Job>,
    /// Keeps it.
    pub keeper: Keeper,
    /// The request that asked for it.
    pub request: KeptRequest,
}

impl JobStore {
    /// Jobs in this store, of which one client may have so many at work, and whose answers are kept for so long.
    pub fn new(shared: Arc<SharedState>, unavailable: Unavailable, of_client: usize, kept: Duration) -> Self {
        Self {
            shared,
            unavailable,
            of_client,
            kept,
        }
    }

    /// Has the store know of a job that begins here. While it does not answer, the job is this replica's own, or refused.
    ///
    /// # Errors
    /// When the client has too many jobs at work, or what cannot be kept is to be refused.
    pub async fn begin(&self, job: &Arc<Job>, asked: &Asked<'_>) -> Result<Keeper, Failure> {
        let mut keeper = Keeper::new(Arc::clone(&self.shared), Arc::clone(job), self.kept);
        let fits = asked.body.len() <= self.shared.job_request_bytes();
        let request = fits.then(|| asked.write());
        let begun = keeper.begin(request.as_deref(), self.of_client).await;
        match (begun, self.unavailable) {
            (Ok(Held::TooMany), _) => Err(too_many(self.of_client)),
            (Err(_), Unavailable::Refuse) => Err(unavailable()),
            _ => Ok(keeper),
        }
    }

    async fn read(&self, name: &str) -> Result<Option<(Record, Stored)>, CallError> {
        let stored = self.shared.read_job(name).await?;
        Ok(stored.and_then(|stored| Some((Record::read(&stored.value)?, stored))))
    }

    /// The job with an id, as far as the store knows of it.
    ///
    /// # Errors
    /// When the store does not answer, and nothing is to be answered without it.
    pub async fn find(&self, id: &str) -> Result<Option<Arc<Job>>, Failure> {
        let name = self.shared.job_name(id);
        let (record, stored) = match (self.read(&name).await, self.unavailable) {
            (Ok(Some(found)), _) => found,
            (Ok(None), _) | (Err(_), Unavailable::Local) => return Ok(None),
            (Err(_), Unavailable::Refuse) => return Err(unavailable()),
        };
        let (Some(owner), false) = (stored.holder, record.state == JobState::Cancelled) else {
            return Ok(None);
        };
        let Some(job) = record.job(owner) else { return Ok(None) };
        job.keeps(true);
        Ok(Some(Arc::new(job)))
    }

    /// Looks at a job that another replica works on until it is over, or nobody here watches it any more.
    pub fn follow(&self, job: &Arc<Job>) {
        let shared = Arc::clone(&self.shared);
        let (name, watched) = (shared.job_name(&job.id), Arc::downgrade(job));
        tokio::spawn(async move {
            let mut seen: Option<(Mark, u32, usize)> = None;
            let mut missed = 0;
            while let Some(job) = watched.upgrade().filter(|job| !job.is_over()) {
                match shared.read_job(&name).await {
                    Ok(Some(stored)) if seen.is_some_and(|(mark, ..)| mark == stored.mark) => {}
                    Ok(Some(stored)) => {
                        missed = 0;
                        let Some(record) = Record::read(&stored.value) else {
                            return job.leaves();
                        };
                        let known = seen.filter(|(_, attempts, _)| *attempts == record.attempts);
                        let batches = known.map_or(0, |(.., batches)| batches);
                        if let Ok(pages) = pages(&shared, &name, &record, batches, job.pages_after(0).len()).await {
                            seen = Some((stored.mark, record.attempts, record.pages.len()));
                            job.shows(record.status(0), pages);
                        }
                    }
                    Ok(None) if missed < MOST_MISSED => missed += 1,
                    Ok(None) => return job.leaves(),
                    // The store may answer again.
                    Err(_) => {}
                }
                drop(job);
                sleep(LOOK_PAUSE).await;
            }
        });
    }

    /// Reads what pages there are of a job that is over.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn show_pages(&self, job: &Job) -> Result<(), Failure> {
        let name = self.shared.job_name(&job.id);
        let found = self.read(&name).await.map_err(|_| unavailable())?;
        let Some((record, _)) = found else { return Ok(()) };
        let pages = pages(&self.shared, &name, &record, 0, job.pages_after(0).len()).await;
        job.shows(record.status(0), pages.map_err(|_| unavailable())?);
        Ok(())
    }

    /// The response with an answer that the store has.
    ///
    /// # Errors
    /// When the store does not answer, or no longer has all of it.
    pub async fn respond(&self, job: &Job, answer: &Answer, part: &JobPart) -> Result<Response<ResponseBody>, Failure> {
        let (shared, name) = (Arc::clone(&self.shared), self.shared.job_name(&job.id));
        if !shared.has_job_part(&name, part).await.map_err(|_| unavailable())? {
            return Err(unknown());
        }
        let (bytes, part) = (part.bytes, part.clone());
        let pieces = stream::unfold((0_usize, 0_u64), move |(index, sent)| {
            let (shared, name, part) = (Arc::clone(&shared), name.clone(), part.clone());
            async move {
                if sent >= part.bytes {
                    return None;
                }
                Some(match piece(&shared, &name, &part, index).await {
                    Ok(Some(piece)) => {
                        let sent = sent + piece.len() as u64;
                        (Ok(Frame::data(Bytes::from(piece))), (index + 1, sent))
                    }
                    // Nobody takes half of it for the whole: the connection is cut.
                    _ => (Err(Error::ConnectionTerminated), (index, part.bytes)),
                })
            }
        });
        let mut response = answer.respond(StreamBody::new(pieces).boxed_unsync());
        response.headers_mut().insert(header::CONTENT_LENGTH, bytes.into());
        Ok(response)
    }

    /// Forgets a job; a replica that works on it hears of it.
    ///
    /// # Errors
    /// When the store does not answer: then nothing is forgotten.
    pub async fn forget(&self, job: &Job) -> Result<(), Failure> {
        let name = self.shared.job_name(&job.id);
        let owner = job.owner.client();
        let forgotten = async {
            loop {
                let Some((mut record, stored)) = self.read(&name).await? else {
                    return Ok(());
                };
                if record.state == JobState::Cancelled {
                    return Ok(());
                }
                let parts = record.parts();
                if record.state.is_final() {
                    self.shared.drop_job(&name).await?;
                    return self.shared.drop_job_parts(&name, &parts).await;
                }
                // The replica that works on it finds this in its place, however late it looks.
                record.state = JobState::Cancelled;
                (record.request, record.end, record.progress) = (None, None, None);
                record.pages.clear();
                let (text, expected) = (record.write(), Some(Some(stored.mark)));
                let written = self.shared.write_job(&name, &text, owner, expected, WORK_STAY);
                if matches!(written.await?, Written::As(_)) {
                    self.shared.let_job_go(&name, owner, true).await?;
                    return self.shared.drop_job_parts(&name, &parts).await;
                }
            }
        };
        forgotten.await.map_err(|_: CallError| unavailable())
    }

    /// Takes a job that no replica works on any more.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn take(&self) -> Result<Option<Taken>, CallError> {
        let Some(name) = self.shared.take_job().await? else {
            return Ok(None);
        };
        // One of another release may know it.
        let Some((mut record, stored)) = self.read(&name).await? else {
            return Ok(None);
        };
        let Some(owner) = stored.holder.filter(|_| !record.state.is_final()) else {
            if let Some(owner) = stored.holder {
                self.shared.let_job_go(&name, owner, true).await?;
            }
            return Ok(None);
        };
        let dropped: Vec<_> = record.parts().into_iter().filter(|part| part.name != REQUEST).collect();
        record.attempts += 1;
        self.shared.replica().clone_into(&mut record.worker);
        (record.state, record.progress) = (JobState::Queued, None);
        record.pages.clear();
        let kept = record.request_part();
        let request = match &kept {
            Some(part) if record.attempts <= MOST_ATTEMPTS => self.shared.job_part(&name, part).await?,
            _ => None,
        };
        let request = request.and_then(|request| KeptRequest::read(request.into()));
        if request.is_none() {
            let attempts = record.attempts - 1;
            let message = match attempts {
                MOST_ATTEMPTS.. => format!("{attempts} replicas have begun the job, and all are gone"),
                _ => {
                    "the replica that worked on the job is gone, and its request is not kept for another, because there was no \
                     room or it is too large: send it again"
                        .to_owned()
                }
            };
            tracing::warn!(job = record.id, attempts, "a job was given up");
            let failed = End::Failed(Failure::new(Code::Unavailable, message));
            record.state = JobState::Failed;
            record.end = Some(RecordedEnd::new(&failed).0);
            record.request = None;
        }
        let stays = if request.is_some() { WORK_STAY } else { self.kept };
        let expected = Some(Some(stored.mark));
        let text = record.write();
        let written = self.shared.write_job(&name, &text, owner, expected, stays);
        let Written::As(mark) = written.await? else {
            // Whoever worked on it is still there.
            return Ok(None);
        };
        self.shared.drop_job_parts(&name, &dropped).await?;
        let Some(request) = request else {
            self.shared.let_job_go(&name, owner, true).await?;
            return Ok(None);
        };
        let Some(job) = record.job(owner).map(Arc::new) else {
            return Ok(None);
        };
        let keeper = Keeper::taken(Arc::clone(&self.shared), Arc::clone(&job), record, mark, self.kept);
        Ok(Some(Taken { job, keeper, request }))
    }
}

/// A piece of an answer that is on its way to a client, for whom a moment is less than to ask for all of it again.
async fn piece(shared: &SharedState, name: &str, part: &JobPart, index: usize) -> Result<Option<Vec<u8>>, CallError> {
    for pause in PIECE_PAUSES {
        match shared.job_piece(name, part, index).await {
            Err(_) => sleep(pause).await,
            found => return found,
        }
    }
    shared.job_piece(name, part, index).await
}

/// The pages of a record from a batch on, without those that are known.
async fn pages(
    shared: &SharedState,
    name: &str,
    record: &Record,
    from: usize,
    known: usize,
) -> Result<Vec<Bytes>, CallError> {
    let mut first: usize = record.pages.iter().take(from).map(|(pages, _)| pages).sum();
    let mut found = Vec::new();
    for (batch, (count, bytes)) in record.pages.iter().enumerate().skip(from) {
        if first + count > known {
            // One that gave way is told of with the answer.
            let part = shared.job_part(name, &record.pages_part(batch, *bytes)).await?;
            let part = Bytes::from(part.unwrap_or_default());
            let lines = part.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            let new = lines.skip(known.saturating_sub(first));
            found.extend(new.map(|line| part.slice_ref(line)));
        }
        first += count;
    }
    Ok(found)
}

/// The failure of what cannot be done while the store does not answer.
fn unavailable() -> Failure {
    Failure::new(
        Code::Unavailable,
        "the state that replicas share cannot be reached: ask again in a moment, or without a job",
    )
    .retry_after(1)
}
