//! Jobs: requests whose answers are kept until they are asked for.

use serde::{Deserialize, Serialize};

use crate::progress::Stage;

/// The path below which jobs are.
pub const PATH: &str = "/api/v1/jobs";

/// The name of jobs in paths, which no capability may have.
pub const NAME: &str = "jobs";

/// The header by which a client asks for a job (RFC 7240).
pub const PREFER_HEADER: &str = "prefer";

/// The preference for a job.
pub const RESPOND_ASYNC: &str = "respond-async";

/// The longest time that a question about a job waits for its end, in seconds: below what programs and proxies wait for an
/// answer.
pub const MAX_WAIT_SECONDS: u64 = 25;

/// The part of a job that a path is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobPart {
    /// The job itself.
    Job,
    /// Its answer.
    Result,
    /// Its changes.
    Events,
}

impl JobPart {
    /// Every part.
    pub const ALL: [JobPart; 3] = [JobPart::Job, JobPart::Result, JobPart::Events];

    /// The name in logs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            JobPart::Job => "jobs/{id}",
            JobPart::Result => "jobs/{id}/result",
            JobPart::Events => "jobs/{id}/events",
        }
    }
}

/// The path of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobPath {
    /// The job's identifier.
    pub id: String,
    /// The part of it.
    pub part: JobPart,
}

impl JobPath {
    /// The job that a path is of.
    pub fn at(path: &str) -> Option<Self> {
        let below = path.strip_prefix(PATH)?.strip_prefix('/')?;
        let (id, part) = match below.split_once('/') {
            None => (below, JobPart::Job),
            Some((id, "result")) => (id, JobPart::Result),
            Some((id, "events")) => (id, JobPart::Events),
            Some(_) => return None,
        };
        (!id.is_empty()).then(|| Self {
            id: id.to_owned(),
            part,
        })
    }
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum JobState {
    /// It waits for a place to run.
    Queued,
    /// It runs.
    Running,
    /// There is an answer.
    Done,
    /// There is a failure.
    Failed,
    /// It was taken back.
    Cancelled,
}

impl JobState {
    /// True if nothing changes any more.
    pub const fn is_final(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed | JobState::Cancelled)
    }
}

/// Progress of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobProgress {
    /// The part of the answer that is there, or of the work that is done.
    pub done: u64,
    /// The whole of it, where that is known before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// `bytes`; `characters` of an answer that a language model writes; `pages` of a document; or `seconds` of speech.
    pub unit: String,
    /// The step that pages or seconds are counted for: pages that are pictures are recognised after the others were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
}

/// Failure of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobFailure {
    /// The reason, for a person.
    pub error: String,
    /// The reason as a word for programs.
    pub code: String,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Identifier.
    pub job_id: String,
    /// The operation, such as `pdf/extract-text`.
    pub operation: String,
    /// State.
    pub state: JobState,
    /// When it was asked for, in ISO 8601.
    pub created: String,
    /// The id of the request that asked for it, under which the log has the job's work, too.
    pub request_id: String,
    /// True if another replica begins it again when the one that works on it is gone; false where its request is too large to be
    /// kept for that. Only where replicas share their state, and until the job is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restartable: Option<bool>,
    /// Progress; absent where the operation answers all at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<JobProgress>,
    /// Size of the answer in bytes, once it is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_bytes: Option<u64>,
    /// The reason for which it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<JobFailure>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_of_jobs_and_their_parts() {
        let part = |path: &str| JobPath::at(path).map(|path| (path.id, path.part));
        assert_eq!(part("/api/v1/jobs/a"), Some(("a".to_owned(), JobPart::Job)));
        assert_eq!(part("/api/v1/jobs/a/result"), Some(("a".to_owned(), JobPart::Result)));
        assert_eq!(part("/api/v1/jobs/a/events"), Some(("a".to_owned(), JobPart::Events)));
        for path in [
            "/api/v1/jobs",
            "/api/v1/jobs/",
            "/api/v1/jobs/a/",
            "/api/v1/jobs/a/b",
            "/api/v1/jobsx/a",
            "/jobs/a",
        ] {
            assert_eq!(part(path), None, "{path}");
        }
    }
}
