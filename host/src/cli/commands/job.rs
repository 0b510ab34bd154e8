//! A request as a job: asked for, watched on a terminal, and fetched at its end.

use std::io::IsTerminal;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use indicatif::{ProgressBar, ProgressStyle};
use quartet_api::Success;
use quartet_api::jobs::{Job, JobState, PREFER_HEADER, RESPOND_ASYNC};

use super::ask::Question;
use crate::http_client::{self, Client};

/// Seconds that one question waits: often enough for a bar.
const WAIT_SECONDS: u64 = 1;

/// The reason why a job has no answer.
pub enum JobError {
    /// It cannot be asked for.
    Wrong(crate::config::Invalid),
    /// What the service said is not what it says of jobs.
    Failed(String),
    /// The service was not reached.
    Unreached(String),
}

/// Has a request done as a job, and returns its answer; the service's own answer where it takes no jobs.
///
/// # Errors
/// When the service is not reached, or its answer is none about a job.
pub async fn ask(client: &Client, question: &Question) -> Result<Response<Incoming>, JobError> {
    let mut request = question.request().map_err(JobError::Wrong)?;
    request
        .headers_mut()
        .insert(PREFER_HEADER, HeaderValue::from_static(RESPOND_ASYNC));
    let key = request.headers().get(header::AUTHORIZATION).cloned();
    let begun = send(client, request).await?;
    if begun.status() != StatusCode::ACCEPTED {
        return Ok(begun);
    }
    let location = begun
        .headers()
        .get(header::LOCATION)
        .and_then(|location| location.to_str().ok());
    let location = location
        .ok_or_else(|| JobError::Failed("the job has no address".to_owned()))?
        .to_owned();
    let at = |path: String| -> Result<Request<Full<Bytes>>, JobError> {
        let mut parts = question.uri.clone().into_parts();
        parts.path_and_query = path.parse().ok();
        let uri =
            Uri::from_parts(parts).map_err(|error| JobError::Failed(format!("the job's address is none: {error}")))?;
        let mut request = Request::new(Full::default());
        *request.uri_mut() = uri;
        if let Some(key) = &key {
            request.headers_mut().insert(header::AUTHORIZATION, key.clone());
        }
        Ok(request)
    };
    let bar = Bar::new();
    loop {
        let told = send(client, at(format!("{location}?wait={WAIT_SECONDS}"))?).await?;
        if !told.status().is_success() {
            return Ok(told);
        }
        let body = told.into_body().collect().await;
        let body = body
            .map_err(|error| JobError::Unreached(http_client::reason(error)))?
            .to_bytes();
        let job: Success<Job> = serde_json::from_slice(&body)
            .map_err(|error| JobError::Failed(format!("the answer is not about a job: {error}")))?;
        bar.show(&job.data);
        if job.data.state.is_final() {
            break;
        }
    }
    bar.0.finish_and_clear();
    send(client, at(format!("{location}/result"))?).await
}

async fn send(client: &Client, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, JobError> {
    let uri = request.uri().clone();
    let answer = client.request(request).await;
    answer.map_err(|error| JobError::Unreached(format!("{uri} cannot be reached: {}", http_client::reason(error))))
}

/// A line on the terminal; nothing where standard error is none.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = match std::io::stderr().is_terminal() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    fn show(&self, job: &Job) {
        let state = match job.state {
            JobState::Queued => "waits for a place",
            _ => "runs",
        };
        self.0.set_message(format!("{} {state}", job.operation));
        let Some(progress) = &job.progress else { return };
        let template = match (progress.total, progress.unit.as_str()) {
            (Some(_), "pages") => "{msg} {bar:30} {pos} of {len} pages {elapsed}",
            (Some(_), "seconds") => "{msg} {bar:30} {pos} of {len} s of speech {elapsed}",
            (Some(_), _) => "{msg} {bar:30} {bytes} of {total_bytes} {elapsed}",
            (None, "bytes") => "{spinner} {msg} {bytes} {elapsed}",
            (None, _) => "{spinner} {msg} {pos} characters {elapsed}",
        };
        // The templates are right, as their first use shows.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        self.0.set_style(style);
        if let Some(total) = progress.total {
            self.0.set_length(total);
        }
        self.0.set_position(progress.done);
    }
}
