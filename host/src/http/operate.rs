//! Has one operation run in a sandbox: the version, a place to run, the bounded request, the watched response.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, header};
use http_body::Body;
use http_body_util::BodyExt;
use quartet_api::{Code, REQUEST_ID_HEADER, limits};

use crate::admission::{Gate, Intake, Kind, Permit, RATE_WINDOW, RateLimitStatus};
use crate::auth::keys::API_KEY_HEADER;
use crate::auth::person::Person;
use crate::auth::{Caller, client_header};
use crate::body::{ReadBody, ResponseBody};
use crate::capabilities::operation::Operation;
use crate::config::Limits;
use crate::failure::Failure;
use crate::http::info;
use crate::http::keep_alive::is_event_stream;
use crate::registry::{Chosen, Registry};
use crate::rollout::recorder::{RequestTee, ShadowRecorder};
use crate::runtime::Runtime;
use crate::runtime::body::OutgoingBody;
use crate::runtime::run::{self, Budget, Metering};
use crate::telemetry::Observer;
use crate::telemetry::guard::AccessGuard;

/// Time within which a component must tell of something in a stream of events.
const EVENT_PATIENCE: Duration = Duration::from_secs(limits::CHAT_STREAM_SECONDS);

/// Runs operations.
pub struct Operator {
    /// The sandboxes.
    pub runtime: Arc<Runtime>,
    /// The versions that serve.
    pub registry: Arc<Registry>,
    /// The places to run.
    pub gate: Arc<Gate>,
    /// Reads the bodies of requests.
    pub intake: Intake,
    /// The limits of a request.
    pub limits: Limits,
    /// The observer of all requests.
    pub observer: Arc<Observer>,
    /// True if the address of a program on this machine may stand for a session.
    pub address_sessions: bool,
}

impl Operator {
    /// Runs an operation for a client's request.
    ///
    /// # Errors
    /// When the capability is not loaded, there is no place, the request is too large, or its sandbox fails.
    pub async fn operate<B>(
        &self,
        operation: Arc<Operation>,
        request: Request<B>,
        id: &Arc<str>,
        caller: &Caller,
        access: &mut AccessGuard,
    ) -> Result<Response<ResponseBody>, Failure>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        let chosen = self.choose(&operation, caller, request.headers())?;
        access.runs(Arc::clone(&operation), Arc::clone(&chosen.version));
        let (head, body) = request.into_parts();
        let streams = operation.answer.streams(accept(&head.headers));
        // What will never be taken need not be tried again, and whoever cannot be answered in time need not send its body.
        self.intake.check(body.size_hint().lower())?;
        if let Some(size) = body.size_hint().exact() {
            self.gate.check(caller.client, &kind(&operation, size), streams)?;
        }
        let body = self.intake.read(caller.client, body).await?;
        let request = Request::from_parts(head, body);
        let permit = self.enter(&operation, &request, caller, access).await?;
        self.run(operation, chosen, permit, request, id, caller, access).await
    }

    /// Chooses the version that answers a caller's request with these headers.
    ///
    /// # Errors
    /// When none is loaded.
    pub fn choose(&self, operation: &Operation, caller: &Caller, headers: &HeaderMap) -> Result<Chosen, Failure> {
        let person = Person::new(caller.client, headers);
        self.registry
            .choose(&operation.capability, Some(&person))
            .ok_or_else(|| {
                let name = operation.capability.name();
                Failure::new(Code::Unavailable, format!("the capability {name} is not loaded")).retry_after(30)
            })
    }

    /// Waits for a place to run.
    ///
    /// # Errors
    /// When there is none in time.
    pub async fn enter(
        &self,
        operation: &Operation,
        request: &Request<ReadBody>,
        caller: &Caller,
        access: &mut AccessGuard,
    ) -> Result<Permit, Failure> {
        let streams = operation.answer.streams(accept(request.headers()));
        let kind = kind(operation, request.body().size());
        access.waits();
        let permit = self.gate.enter(caller.client, kind, streams).await?;
        access.enters();
        Ok(permit)
    }

    /// Runs an operation in a place.
    #[allow(
        clippy::too_many_arguments,
        reason = "a request in all its parts, each owned by another"
    )]
    pub async fn run(
        &self,
        operation: Arc<Operation>,
        chosen: Chosen,
        mut permit: Permit,
        mut request: Request<ReadBody>,
        id: &Arc<str>,
        caller: &Caller,
        access: &mut AccessGuard,
    ) -> Result<Response<ResponseBody>, Failure> {
        let Chosen { version, shadow } = chosen;
        let usage = Arc::clone(&access.usage);
        self.observer.propagate(access, request.headers_mut());
        prepare_headers(request.headers_mut(), id, caller, self.address_sessions);
        request.extensions_mut().insert(caller.client);
        request.extensions_mut().insert(caller.scheme.clone());
        let (parts, body) = request.into_parts();
        let recorder = shadow.map(|trial| ShadowRecorder::new(trial, Arc::clone(&operation), &parts, &self.limits));
        let body = RequestTee::new(body, recorder.as_ref().map(ShadowRecorder::copy));
        let request = Request::from_parts(parts, body);
        let streams = operation.answer.streams(accept(request.headers()));
        let budget = self.budget(streams);
        let meter = permit.meter();
        let metering = Metering {
            meter: Arc::clone(&meter),
            memory: permit.take_memory(),
        };
        let (response, supervisor) = run::start(
            &self.runtime,
            Arc::clone(&version.guest),
            request,
            budget,
            usage,
            metering,
            permit,
        )
        .await?;
        let (parts, body) = response.into_parts();
        let (bytes, stall) = match streams {
            false => (self.limits.response_bytes, budget.total),
            // A model may read for long before it writes.
            true if is_event_stream(&parts.headers) => {
                (self.limits.stream_bytes, self.limits.stall_seconds.max(EVENT_PATIENCE))
            }
            true => (self.limits.stream_bytes, self.limits.stall_seconds),
        };
        let declared = content_length(&parts.headers);
        let (body, sent) = OutgoingBody::new(body, supervisor, bytes, declared, stall, meter, Arc::clone(id));
        access.sends(Arc::clone(&sent));
        let body = match recorder {
            Some(recorder) => recorder
                .record_answer(parts.status, &parts.headers, sent, body)
                .boxed_unsync(),
            None => body.boxed_unsync(),
        };
        let response = Response::from_parts(parts, body);
        if operation.is_info {
            return info::add(response, &version).await;
        }
        Ok(response)
    }

    fn budget(&self, streams: bool) -> Budget {
        let limits = &self.limits;
        let head = limits.respond_seconds;
        match streams {
            false => Budget {
                fuel: self.runtime.fuel(limits.respond_fuel, head),
                head,
                total: head,
            },
            true => Budget {
                fuel: self.runtime.fuel(limits.stream_fuel, limits.stream_compute_seconds),
                head,
                total: limits.stream_seconds,
            },
        }
    }
}

/// The failure of a request beyond a client's rate.
pub fn rate_limited(rate_limit: RateLimitStatus) -> Failure {
    let (quota, wait) = (rate_limit.quota, rate_limit.reset);
    Failure::new(
        Code::RateLimited,
        format!(
            "more than {quota} requests within {} seconds; try again in {wait} seconds",
            RATE_WINDOW.as_secs()
        ),
    )
    .retry_after(wait)
}

/// Turns the headers of a client's request into those that a component gets.
fn prepare_headers(headers: &mut HeaderMap, id: &str, caller: &Caller, address_sessions: bool) {
    if let Ok(value) = HeaderValue::from_str(id) {
        headers.insert(HeaderName::from_static(REQUEST_ID_HEADER), value);
    }
    // A sandbox parses what strangers send; it has no business with what lets people in.
    headers.remove(header::AUTHORIZATION);
    headers.remove(API_KEY_HEADER);
    // HTTP/1.0 requests may have no host; components need none, but the interface asks for one.
    headers
        .entry(header::HOST)
        .or_insert(HeaderValue::from_static("localhost"));
    client_header::forward(headers, caller, address_sessions);
}

/// The kind by which the needs of a request are expected.
fn kind(operation: &Operation, size: u64) -> Kind {
    Kind {
        operation: Arc::clone(&operation.name),
        size,
    }
}

fn accept(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ACCEPT)?.to_str().ok()
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
