//! docling-serve's tasks: conversions that nobody waits for, as jobs.
//!
//! `POST /v1/convert/file/async` gives a task, `GET /v1/status/poll/{id}` its state, `GET /v1/result/{id}` the answer that
//! `/v1/convert/file` would have given, or the reason why there is none. A task is a job: it is also found by its id, and
//! taken back, where jobs are.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body::Body;
use quartet_api::Code;
use quartet_api::jobs::JobState;
use serde::Serialize;
use serde_json::json;

use super::convert::Conversion;
use crate::body::{ReadBody, ResponseBody};
use crate::door::Door;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::{Errand, Visit};
use crate::http::jobs::{Answer, End, Job, Jobs, Kept, Worker};
use crate::http::waiting;

/// The name of the work in logs and metrics, and of the job's operation.
const NAME: &str = Door::Convert.name();

/// The path at which tasks begin.
const PATH: &str = "/v1/convert/file/async";

/// The state of a task.
#[derive(Debug, Serialize)]
#[allow(clippy::struct_field_names, reason = "the names of the service that is answered for")]
struct Task {
    task_id: String,
    task_type: &'static str,
    task_status: &'static str,
    /// Its place among the client's that wait, from 1.
    task_position: Option<usize>,
    task_meta: Progress,
    error_message: Option<String>,
    failure: Option<Reason>,
}

/// The documents of a task: one.
#[derive(Debug, Serialize)]
#[allow(clippy::struct_field_names, reason = "the names of the service that is answered for")]
struct Progress {
    num_docs: u8,
    num_processed: u8,
    num_succeeded: u8,
    num_failed: u8,
}

/// The reason why a task failed.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reason {
    category: &'static str,
    message: String,
    retryable: bool,
    phase: &'static str,
    details: serde_json::Map<String, serde_json::Value>,
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        let (category, retryable) = match failure.code {
            Code::Busy | Code::RateLimited | Code::Unavailable => ("capacity", true),
            Code::DeadlineExceeded | Code::ComputeExhausted => ("timeout", false),
            Code::Forbidden | Code::DocumentTooLarge | Code::PictureTooLarge | Code::ResponseTooLarge => {
                ("policy", false)
            }
            code if code.status() >= 500 => ("internal", true),
            _ => ("backend_failure", false),
        };
        let code = ("code".to_owned(), failure.code.word().into());
        Self {
            category,
            message: failure.message,
            retryable,
            phase: "execution",
            details: [code].into_iter().collect(),
        }
    }
}

/// Begins a task.
///
/// # Errors
/// When the form is wrong, or the client has too many jobs at work.
pub async fn begin<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    visit.jobs().check()?;
    let (body, counted) = visit.read_counted(body).await?;
    let conversion = Conversion::read(visit.header("content-type").unwrap_or_default(), body.clone()).await?;
    let kept = visit.keep_job(visit.new_job(NAME), PATH, &body).await?;
    let errand = visit.errand();
    let job = visit.jobs().start(kept, |worker| async move {
        let answered = convert(conversion, &errand, worker).await;
        drop(counted);
        answered
    });
    Ok(reply::json(&task(&job, visit.jobs().position(&job))))
}

/// Goes on with a task that another replica worked on.
pub fn go_on(kept: Kept, content_type: String, body: ReadBody, errand: Errand, jobs: &Jobs) {
    jobs.start(kept, |worker| async move {
        let (body, _counted) = body.into_counted();
        let conversion = Conversion::read(&content_type, body).await?;
        convert(conversion, &errand, worker).await
    });
}

async fn convert(conversion: Conversion, errand: &Errand, worker: Worker) -> Result<Answer, Failure> {
    let Worker { job, table, patience } = worker;
    let mut access = errand.access(NAME.into());
    let mut visit = errand.visit(&mut access, patience);
    let answered = conversion.run(&mut visit).await.and_then(|converted| {
        let json = serde_json::to_vec(&converted)
            .map_err(|error| Failure::internal(format!("the answer cannot be written: {error}")))?;
        table.grow(&job, json.len())?;
        let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Answer::new(StatusCode::OK, &HeaderMap::from_iter([kind]), json.into()))
    });
    match &answered {
        Ok(answer) => access.answered(answer.status),
        Err(failure) => access.failed(failure),
    }
    answered
}

/// Tells the state of a task, when it is over or the time is.
///
/// # Errors
/// When there is no such task of the caller.
pub async fn status(path: &str, query: Option<&str>, visit: &Visit<'_>) -> Result<Response<ResponseBody>, Failure> {
    let job = find(Door::TaskStatus, path, visit).await?;
    visit.jobs().wait(&job, waiting::seconds(query)?).await;
    Ok(reply::json(&task(&job, visit.jobs().position(&job))))
}

/// Gives the answer of a task, or the reason why there is none.
///
/// # Errors
/// When there is no such task of the caller, or it is not over.
pub async fn result(path: &str, visit: &Visit<'_>) -> Result<Response<ResponseBody>, Failure> {
    let job = find(Door::TaskResult, path, visit).await?;
    match job.status().end {
        Some(End::Answered(answer)) => visit.jobs().respond(&job, &answer).await,
        Some(End::Failed(failure)) => Ok(reply::json(&json!({
            "kind": "TaskFailureResult",
            "failure": Reason::from(failure),
        }))),
        // Clients go by these words.
        None => Err(Failure::new(
            Code::NotFound,
            "Task result not found. Please wait for a completion status.",
        )),
    }
}

async fn find(door: Door, path: &str, visit: &Visit<'_>) -> Result<Arc<Job>, Failure> {
    let job = match door.id(path) {
        Some(id) => visit.job(id).await?,
        None => None,
    };
    job.filter(|job| job.describe().operation == NAME)
        // Clients go by these words, too.
        .ok_or_else(|| Failure::new(Code::NotFound, "Task not found."))
}

fn task(job: &Job, position: Option<usize>) -> Task {
    let status = job.status();
    let reason = match status.end {
        Some(End::Failed(failure)) => Some(Reason::from(failure)),
        _ => None,
    };
    let (succeeded, failed) = (status.state == JobState::Done, status.state == JobState::Failed);
    Task {
        task_id: job.id.clone(),
        task_type: "convert",
        task_status: match status.state {
            JobState::Queued => "pending",
            JobState::Running => "started",
            JobState::Done => "success",
            JobState::Failed | JobState::Cancelled => "failure",
        },
        task_position: position,
        task_meta: Progress {
            num_docs: 1,
            num_processed: (succeeded || failed).into(),
            num_succeeded: succeeded.into(),
            num_failed: failed.into(),
        },
        error_message: reason.as_ref().map(|reason| reason.message.clone()),
        failure: reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Clients;
    use crate::http::jobs::Owner;

    fn job() -> Job {
        let headers = HeaderMap::new();
        let address = std::net::Ipv4Addr::LOCALHOST.into();
        let caller = Clients::default().identify(&headers, address, &http::uri::Scheme::HTTP);
        Job::new(NAME.into(), Owner::new(&caller, &headers), "r".into())
    }

    fn told(job: &Job, position: Option<usize>) -> serde_json::Value {
        let mut told = serde_json::to_value(task(job, position)).unwrap();
        assert_eq!(told["task_id"], job.id);
        told.as_object_mut().unwrap().remove("task_id");
        told
    }

    #[test]
    fn a_task_is_told_of_as_docling_serve_tells() {
        let job = job();
        let meta = |processed, succeeded, failed| json!({"num_docs": 1, "num_processed": processed, "num_succeeded": succeeded, "num_failed": failed});
        let state = |status, position: Option<usize>, meta| {
            json!({"task_type": "convert", "task_status": status, "task_position": position, "task_meta": meta,
                   "error_message": null, "failure": null})
        };
        assert_eq!(told(&job, Some(2)), state("pending", Some(2), meta(0, 0, 0)));
        job.runs();
        assert_eq!(told(&job, None), state("started", None, meta(0, 0, 0)));
        let answer = Answer::new(StatusCode::OK, &HeaderMap::new(), Bytes::from_static(b"{}"));
        job.ends(End::Answered(Arc::new(answer)));
        assert_eq!(told(&job, None), state("success", None, meta(1, 1, 0)));
    }

    #[test]
    fn a_failed_task_says_why() {
        let job = job();
        job.ends(End::Failed(Failure::new(Code::InvalidDocument, "It is damaged.")));
        let told = told(&job, None);
        assert_eq!(
            (
                &told["task_status"],
                &told["error_message"],
                &told["task_meta"]["num_failed"]
            ),
            (&"failure".into(), &"It is damaged.".into(), &1.into())
        );
        let reason = json!({"category": "backend_failure", "message": "It is damaged.", "retryable": false,
            "phase": "execution", "details": {"code": "invalid_document"}});
        assert_eq!(told["failure"], reason);
        for (code, category) in [
            (Code::Busy, "capacity"),
            (Code::Internal, "internal"),
            (Code::Forbidden, "policy"),
        ] {
            assert_eq!(Reason::from(Failure::new(code, "x")).category, category);
        }
    }
}
