//! The record of a job in the store that replicas share: all that is told of it, and what it takes to go on with it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use quartet_api::Code;
use quartet_api::jobs::{JobProgress, JobState};
use serde::{Deserialize, Serialize};

use super::job::{Answer, Content, End, Job, Owner, Status};
use crate::auth::Client;
use crate::failure::Failure;
use crate::shared::JobPart;

/// Name of the part that has the request.
pub const REQUEST: &str = "request";

/// A record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The job's identifier.
    pub id: String,
    /// The operation's name.
    pub operation: String,
    /// The id of the request that asked for it.
    pub request_id: String,
    /// When it was asked for, in ISO 8601.
    pub created: String,
    /// The session that the request named, in Base64.
    pub session: Option<String>,
    /// The replica that works on it; empty where it waits for one.
    pub worker: String,
    /// Number of replicas that have begun it.
    pub attempts: u32,
    /// Bytes of the request, where it is kept.
    pub request: Option<u64>,
    /// The state.
    pub state: JobState,
    /// The progress.
    pub progress: Option<JobProgress>,
    /// Batches of pages: how many there are in each, and their bytes.
    pub pages: Vec<(usize, u64)>,
    /// The end.
    pub end: Option<RecordedEnd>,
}

/// The end of a job in its record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordedEnd {
    /// An answer of the operation.
    #[serde(rename_all = "camelCase")]
    Answered {
        /// Its status.
        status: u16,
        /// Names and values of its headers; values in Base64.
        headers: Vec<(String, String)>,
        /// Bytes of its body.
        bytes: u64,
        /// The body in Base64, where it is no part of its own.
        body: Option<String>,
    },
    /// A failure before there was an answer.
    #[serde(rename_all = "camelCase")]
    Failed {
        /// Its code.
        code: String,
        /// Its message.
        error: String,
        /// The field that is wrong.
        field: Option<String>,
        /// Seconds after which it may be tried again.
        retry_after: Option<u64>,
    },
}

impl Record {
    /// The record of a job that begins here.
    pub fn new(job: &Job, worker: &str) -> Self {
        let described = job.describe();
        Self {
            id: described.job_id,
            operation: described.operation,
            request_id: described.request_id,
            created: described.created,
            session: job.owner.session().map(|session| BASE64_STANDARD.encode(session)),
            worker: worker.to_owned(),
            attempts: 1,
            request: None,
            state: JobState::Queued,
            progress: None,
            pages: Vec::new(),
            end: None,
        }
    }

    /// Reads a record; none where it is of a release that writes others.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The record as it is kept.
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The job that it is of, as a client is told of it.
    pub fn job(&self, client: Client) -> Option<Job> {
        let session = self.session.as_ref().map(|session| BASE64_STANDARD.decode(session));
        let owner = Owner::of(client, session.transpose().ok()?);
        let job = Job::known(
            self.id.clone(),
            self.operation.as_str().into(),
            owner,
            self.request_id.as_str().into(),
            self.created.parse().ok()?,
        );
        job.shows(self.status(0), Vec::new());
        Some(job)
    }

    /// The status, with so many pages known.
    pub fn status(&self, pages: usize) -> Status {
        Status {
            state: self.state,
            progress: self.progress.clone(),
            pages,
            end: self.end.as_ref().map(|end| end.end(&self.answer_part(0).name)),
            left: false,
            restartable: Some(self.request.is_some()),
        }
    }

    /// The part that has the request.
    pub fn request_part(&self) -> Option<JobPart> {
        let bytes = self.request?;
        let name = REQUEST.to_owned();
        Some(JobPart { name, bytes })
    }

    /// The part for an answer of so many bytes. Each attempt has its own, so that two replicas never mix theirs.
    pub fn answer_part(&self, bytes: u64) -> JobPart {
        let name = format!("answer {}", self.attempts);
        JobPart { name, bytes }
    }

    /// The part that has a batch of pages.
    pub fn pages_part(&self, batch: usize, bytes: u64) -> JobPart {
        let name = format!("pages {} {batch}", self.attempts);
        JobPart { name, bytes }
    }

    /// All parts that there may be.
    pub fn parts(&self) -> Vec<JobPart> {
        let pages = self.pages.iter().enumerate();
        let mut parts: Vec<_> = pages
            .map(|(batch, (_, bytes))| self.pages_part(batch, *bytes))
            .collect();
        parts.extend(self.request_part());
        if let Some(RecordedEnd::Answered { bytes, body: None, .. }) = &self.end {
            parts.push(self.answer_part(*bytes));
        }
        parts
    }
}

/// Largest body that is in the record itself.
const MOST_INSIDE: usize = 4096;

impl RecordedEnd {
    /// The end as it is recorded, and the body that is to be a part of its own.
    pub fn new(end: &End) -> (Self, Option<Bytes>) {
        match end {
            End::Answered(answer) => {
                let (bytes, whole) = match &answer.body {
                    Content::Here(body) => (body.len() as u64, Some(body)),
                    Content::Kept(part) => (part.bytes, None),
                };
                // A failure is always told of with the job.
                let inside = whole.filter(|body| body.len() <= MOST_INSIDE || !answer.status.is_success());
                let apart = whole.filter(|_| inside.is_none()).cloned();
                let headers = answer.headers.iter();
                let headers = headers.map(|(name, value)| (name.to_string(), BASE64_STANDARD.encode(value)));
                let recorded = Self::Answered {
                    status: answer.status.as_u16(),
                    headers: headers.collect(),
                    bytes,
                    body: inside.map(|body| BASE64_STANDARD.encode(body)),
                };
                (recorded, apart)
            }
            End::Failed(failure) => {
                let recorded = Self::Failed {
                    code: failure.code.word().to_owned(),
                    error: failure.message.clone(),
                    field: failure.wrong_field().map(str::to_owned),
                    retry_after: failure.retry_after,
                };
                (recorded, None)
            }
        }
    }

    fn end(&self, part: &str) -> End {
        match self {
            Self::Answered {
                status,
                headers,
                bytes,
                body,
            } => {
                let mut map = HeaderMap::new();
                for (name, value) in headers {
                    let value = BASE64_STANDARD.decode(value).unwrap_or_default();
                    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                        map.append(name, value);
                    }
                }
                let body = body.as_ref().and_then(|body| BASE64_STANDARD.decode(body).ok());
                End::Answered(std::sync::Arc::new(Answer {
                    status: StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
                    headers: map,
                    body: match body {
                        Some(body) => Content::Here(body.into()),
                        None => Content::Kept(JobPart {
                            name: part.to_owned(),
                            bytes: *bytes,
                        }),
                    },
                }))
            }
            Self::Failed {
                code,
                error,
                field,
                retry_after,
            } => {
                let code = Code::from_word(code).unwrap_or(Code::Internal);
                let mut failure = Failure::new(code, error.as_str());
                failure.retry_after = *retry_after;
                End::Failed(match field {
                    Some(field) => failure.of_field(field.as_str()),
                    None => failure,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use http::header;

    use super::*;
    use crate::auth::Clients;

    fn job() -> Job {
        let headers = HeaderMap::from_iter([(
            HeaderName::from_static("x-session-id"),
            HeaderValue::from_static("a-session"),
        )]);
        let address = Ipv4Addr::new(192, 0, 2, 1).into();
        let caller = Clients::default().identify(&headers, address, &http::uri::Scheme::HTTP);
        Job::new("pdf/extract-text".into(), Owner::new(&caller, &headers), "r".into())
    }

    fn told_again(end: End) -> Job {
        let job = job();
        let mut record = Record::new(&job, "w");
        job.ends(end.clone());
        record.state = job.status().state;
        record.end = Some(RecordedEnd::new(&end).0);
        let read = Record::read(&record.write()).unwrap();
        assert_eq!(read, record);
        let again = read.job(job.owner.client()).unwrap();
        assert_eq!(again.describe(), job.describe());
        assert_eq!(again.owner, job.owner);
        again
    }

    #[test]
    fn a_job_is_told_of_elsewhere_as_here() {
        let job = job();
        job.can_restart(false);
        let again = Record::new(&job, "w").job(job.owner.client()).unwrap();
        assert_eq!((again.describe(), &again.owner), (job.describe(), &job.owner));
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let answer = |status, bytes: &'static [u8]| {
            End::Answered(Arc::new(Answer::new(status, &headers, Bytes::from_static(bytes))))
        };
        let small = told_again(answer(StatusCode::OK, b"{}"));
        let Some(End::Answered(kept)) = small.status().end else {
            panic!("no answer")
        };
        assert_eq!((&kept.headers, &kept.body), (&headers, &Content::Here("{}".into())));
        let large = told_again(answer(StatusCode::OK, &[b'x'; MOST_INSIDE + 1]));
        assert_eq!(large.describe().result_bytes, Some(MOST_INSIDE as u64 + 1));
        let refused = br#"{"success":false,"error":"field `voice` is wrong","code":"invalid_field"}"#;
        assert!(
            told_again(answer(StatusCode::BAD_REQUEST, refused))
                .describe()
                .failure
                .is_some()
        );
        let failed = told_again(End::Failed(Failure::field("to_formats", "is wrong").retry_after(3)));
        let Some(End::Failed(failure)) = failed.status().end else {
            panic!("no failure")
        };
        assert_eq!(
            (failure.wrong_field(), failure.retry_after),
            (Some("to_formats"), Some(3))
        );
    }

    #[test]
    fn what_another_release_wrote_is_none() {
        assert_eq!(Record::read(b"{\"id\":\"a\"}"), None);
    }
}
