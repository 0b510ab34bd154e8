//! The words in which clients are told of a job: as it is, and its changes as they come.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::stream;
use http::{HeaderValue, Response, header};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};
use quartet_api::{Code, Success};
use tokio::sync::watch;
use tokio::time::sleep;

use super::job::{Job, Status};
use crate::body::ResponseBody;
use crate::failure::Failure;

/// Least time between two events of one job.
const EVENT_PAUSE: Duration = Duration::from_millis(250);

/// The failure of a question about a job that there is not.
pub fn unknown() -> Failure {
    Failure::new(Code::NotFound, "no job of this client has this id, or it was forgotten")
}

/// The response that tells of a job.
pub fn describe(job: &Job) -> Response<ResponseBody> {
    let json = serde_json::to_vec(&Success::new(job.describe())).unwrap_or_default();
    let body = Full::new(Bytes::from(json)).map_err(|never| match never {});
    with_type("application/json", body.boxed_unsync())
}

fn with_type(media_type: &'static str, body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static(media_type);
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

/// The job's changes as events, the last of which is its end; and the text of each page of a document once it is read.
pub fn events(job: &Arc<Job>) -> Response<ResponseBody> {
    struct Watched {
        job: Arc<Job>,
        changes: watch::Receiver<Status>,
        begun: bool,
        ended: bool,
        pages: usize,
    }
    let watched = Watched {
        changes: job.watch(),
        job: Arc::clone(job),
        begun: false,
        ended: false,
        pages: 0,
    };
    let events = stream::unfold(watched, |mut watched| async move {
        // Another replica tells of one that was left: whoever asks again hears of it there.
        if watched.ended || watched.changes.borrow().left {
            return None;
        }
        if watched.begun {
            // Comments between keep the connection alive, as in every stream of events.
            if watched.changes.changed().await.is_err() {
                return None;
            }
            sleep(EVENT_PAUSE).await;
            if watched.changes.borrow().left {
                return None;
            }
        }
        watched.begun = true;
        watched.ended = watched.changes.borrow_and_update().state.is_final();
        let mut events = BytesMut::new();
        let pages = watched.job.pages_after(watched.pages);
        watched.pages += pages.len();
        for page in pages {
            event(&mut events, "page", &page);
        }
        let job = serde_json::to_vec(&watched.job.describe()).unwrap_or_default();
        event(&mut events, if watched.ended { "done" } else { "progress" }, &job);
        Some((Ok(Frame::data(events.freeze())), watched))
    });
    with_type("text/event-stream", StreamBody::new(events).boxed_unsync())
}

fn event(events: &mut BytesMut, name: &str, json: &[u8]) {
    for part in [b"event: ", name.as_bytes(), b"\ndata: ", json, b"\n\n"] {
        events.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::super::job::{End, Owner};
    use super::*;

    #[tokio::test]
    async fn events_end_with_the_job() {
        let caller = crate::auth::Clients::default().identify(
            &HeaderMap::new(),
            std::net::Ipv4Addr::LOCALHOST.into(),
            &http::uri::Scheme::HTTP,
        );
        let job = Arc::new(Job::new(
            "chat".into(),
            Owner::new(&caller, &HeaderMap::new()),
            "r".into(),
        ));
        let told = events(&job).into_body().collect();
        let ends = async {
            tokio::task::yield_now().await;
            job.ends(End::Failed(Failure::new(Code::Busy, "full")));
        };
        let (told, ()) = tokio::join!(told, ends);
        let text = String::from_utf8(told.unwrap().to_bytes().to_vec()).unwrap();
        assert!(text.starts_with("event: progress\ndata: {"), "{text}");
        assert!(
            text.contains("event: done\ndata: {") && text.contains("\"code\":\"busy\""),
            "{text}"
        );
    }
}
