//! Jobs of replicas that are gone: this one begins them again.

use std::mem::take;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, header};
use http_body_util::Full;
use quartet_api::Code;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::App;
use crate::auth::{Caller, Client};
use crate::door::Door;
use crate::failure::Failure;
use crate::http::doors::{self, Errand};
use crate::http::jobs::{KeptRequest, Taken};
use crate::route::Route;

/// Pause between two looks for a job: each replica takes one at a time, so that those of one that is gone are spread.
const PAUSE: Duration = Duration::from_secs(1);

/// Time for which the store must have answered before a job is taken: after it was away, no replica could say that it works on
/// one, and those that do say so within this time.
const SETTLED: Duration = Duration::from_secs(5);

impl App {
    /// Goes on with jobs of replicas that are gone, for as long as the service runs.
    pub async fn take_over(self: Arc<Self>) {
        let Some(shared) = &self.shared else { return };
        let mut opens = shared.opens();
        loop {
            settle(&mut opens, SETTLED).await;
            while !opens.has_changed().unwrap_or(false) {
                if let Some(taken) = self.jobs.take().await {
                    self.go_on(taken).await;
                }
                sleep(PAUSE).await;
            }
        }
    }

    async fn go_on(&self, mut taken: Taken) {
        // It counts here as a body that a client sends.
        let body = Full::new(take(&mut taken.request.body));
        let read = self.operator.intake.read(taken.job.owner.client(), body).await;
        if matches!(&read, Err(failure) if failure.code == Code::Busy) {
            taken.keeper.release().await;
            return;
        }
        let Ok((kept, request)) = self.jobs.adopt(taken).await else {
            return;
        };
        let KeptRequest {
            method,
            uri,
            headers,
            address,
            scheme,
            body: _,
        } = request;
        let client = kept.job().owner.client();
        let key = match client {
            Client::Key(identity) => self.clients.keys.as_ref().and_then(|keys| keys.of(identity)),
            Client::Address(_) => None,
        };
        let is_known =
            key.is_some() == matches!(client, Client::Key(_)) && (key.is_some() || self.clients.keys.is_none());
        let caller = Caller {
            client,
            address,
            scheme,
            key,
            refused: None,
        };
        let id: Arc<str> = kept.job().describe().request_id.as_str().into();
        let route = self.routes.find(&method, uri.path());
        let refused = match &route {
            _ if !is_known => Err(Failure::new(
                Code::Forbidden,
                "the key that asked for the job is no longer good",
            )),
            Route::Operation(operation) => caller.authorise(Some(&operation.capability)),
            _ => Ok(()),
        };
        let body = match refused.and(read) {
            Ok(body) => body,
            Err(failure) => {
                self.jobs.start(kept, |_| async { Err(failure) });
                return;
            }
        };
        match route {
            Route::Operation(operation) => {
                let mut asked = Request::new(body);
                *asked.method_mut() = method;
                *asked.uri_mut() = uri;
                *asked.headers_mut() = headers;
                self.jobs.run(kept, &self.operator, operation, asked, &id, &caller);
            }
            Route::Door(Door::ConvertLater) => {
                let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
                let content_type = content_type.unwrap_or_default().to_owned();
                let errand = Errand::new(self.means(), self.quota(&caller), id, caller, headers);
                doors::go_on_with_task(kept, content_type, body, errand, &self.jobs);
            }
            _ => {
                let failure = Failure::new(
                    Code::Unavailable,
                    "the replica that went on with the job has not this operation",
                );
                self.jobs.start(kept, |_| async { Err(failure) });
            }
        }
    }

    /// Gives the jobs that are at work here to other replicas, because the process ends.
    pub async fn leave(&self) {
        self.jobs.leave().await;
    }
}

/// Waits until the store has answered for so long without a break.
async fn settle(opens: &mut watch::Receiver<bool>, time: Duration) {
    // Whoever sends lives as long as the application.
    while opens.wait_for(|open| *open).await.is_ok() {
        if timeout(time, opens.wait_for(|open| !*open)).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test]
    async fn a_store_that_comes_and_goes_is_not_settled() {
        let (open, mut opens) = watch::channel(false);
        let (begun, time) = (Instant::now(), Duration::from_millis(200));
        let goes = async {
            for is_open in [true, false, true] {
                sleep(time / 4).await;
                open.send_replace(is_open);
            }
        };
        tokio::join!(settle(&mut opens, time), goes);
        // What was before the break does not count.
        assert!(begun.elapsed() >= time / 4 * 3 + time);
        assert!(!opens.has_changed().unwrap());
        open.send_replace(false);
        open.send_replace(true);
        assert!(opens.has_changed().unwrap(), "it begins again");
    }
}
