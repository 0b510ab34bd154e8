//! One request from start to end. Needs no socket.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use quartet_api::{COMPONENT_HEADER, Code, REQUEST_ID_HEADER};

use crate::admission::{Gate, RATE_WINDOW, RateLimitStatus, RateLimiter};
use crate::auth::keys::API_KEY_HEADER;
use crate::auth::{Caller, Clients, client_header};
use crate::body::{Incoming, ResponseBody};
use crate::capabilities::operation::Operation;
use crate::config::Limits;
use crate::failure::Failure;
use crate::http::headers::{HeadLimits, ResponseHeaders};
use crate::http::info;
use crate::policy::sites::Hosts;
use crate::policy::{cors, sites};
use crate::registry::{Chosen, Registry};
use crate::rollout::recorder::{RequestTee, ShadowRecorder};
use crate::route::{Route, Routes};
use crate::runtime::Runtime;
use crate::runtime::body::OutgoingBody;
use crate::runtime::run::{self, Budget};
use crate::telemetry::Observer;
use crate::telemetry::guard::AccessGuard;
use crate::telemetry::metrics::{self, Snapshot};

/// The application: answers requests.
pub struct App {
    runtime: Arc<Runtime>,
    registry: Arc<Registry>,
    routes: Routes,
    rate: RateLimiter,
    gate: Arc<Gate>,
    quota: usize,
    clients: Clients,
    head_limits: HeadLimits,
    headers: ResponseHeaders,
    hosts: Hosts,
    limits: Limits,
    observer: Arc<Observer>,
    draining: AtomicBool,
}

impl App {
    /// Creates the application.
    pub fn new(
        runtime: Arc<Runtime>,
        registry: Arc<Registry>,
        gate: Arc<Gate>,
        limits: Limits,
        observer: Arc<Observer>,
        clients: Clients,
        headers: ResponseHeaders,
        hosts: Hosts,
    ) -> Self {
        Self {
            runtime,
            routes: Routes::new(registry.capabilities()),
            registry,
            rate: RateLimiter::new(limits.tracked_clients),
            gate,
            quota: limits.requests_per_minute,
            clients,
            head_limits: HeadLimits::new(&limits),
            headers,
            hosts,
            limits,
            observer,
            draining: AtomicBool::new(false),
        }
    }

    /// Makes the service say that it is not ready, while it still answers requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// The observer of all requests.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Answers one request.
    pub async fn handle<B>(&self, request: Request<B>, peer: IpAddr) -> Response<ResponseBody>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        let started = Instant::now();
        let id = request_id(&request);
        let caller = self.clients.identify(request.headers(), peer);
        let mut access = AccessGuard::new(
            Arc::clone(&self.observer),
            Arc::clone(&id),
            &request,
            self.routes.name(request.uri().path()),
            &caller,
            started,
        );
        let origin = self.headers.origins.answer(request.headers());
        let preflight = self.headers.origins.preflight(request.method(), request.headers());
        let counted = preflight.is_none() && request.uri().path().starts_with(quartet_api::BASE_PATH);
        let rate_limit = counted.then(|| self.rate.count(caller.client, self.quota(&caller), started));
        let result = match (preflight, rate_limit) {
            (Some(allowed), _) => allowed.map(|()| preflight_response()),
            (_, Some(rate_limit)) if !rate_limit.admitted => Err(rate_limited(rate_limit)),
            _ => self.route(request, &id, &caller, &mut access).await,
        };
        let response = match result {
            Ok(response) => {
                access.answered(response.status());
                response
            }
            Err(failure) => {
                access.failed(&failure);
                failure
                    .to_response(&id)
                    .map(|body| body.map_err(|never| match never {}).boxed_unsync())
            }
        };
        let (mut parts, body) = response.into_parts();
        self.headers.set(&mut parts.headers, &id, rate_limit, origin);
        // A request that found no place was answered by no version.
        if let Some(version) = access
            .version
            .as_ref()
            .filter(|_| access.code != Some(Code::Busy.word()))
            && let Ok(name) = HeaderValue::from_str(&version.name())
        {
            parts.headers.insert(COMPONENT_HEADER, name);
        }
        access.add_timing(&mut parts);
        Response::from_parts(parts, access.attach(body))
    }

    /// Requests that a caller may send in a minute.
    fn quota(&self, caller: &Caller) -> usize {
        let own = caller.key.as_ref().and_then(|key| key.requests_per_minute);
        own.unwrap_or(self.quota)
    }

    async fn route<B>(
        &self,
        request: Request<B>,
        id: &Arc<str>,
        caller: &Caller,
        access: &mut AccessGuard,
    ) -> Result<Response<ResponseBody>, Failure>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        self.head_limits.check(request.uri(), request.headers())?;
        let path = request.uri().path();
        let route = self.routes.find(request.method(), path);
        if path.starts_with(quartet_api::BASE_PATH) || route == Route::Metrics {
            self.hosts.check(request.uri(), request.headers())?;
            // A key is nothing that a browser adds by itself.
            if caller.key.is_none() {
                sites::check_origin(
                    request.method(),
                    request.uri(),
                    request.headers(),
                    &self.headers.origins,
                )?;
            }
            caller.authorise(match &route {
                Route::Operation(operation) => Some(&operation.capability),
                _ => None,
            })?;
        }
        match route {
            Route::Operation(operation) => self.operate(operation, request, id, caller, access).await,
            Route::Health => Ok(page("{\"status\":\"ok\"}".to_owned(), JSON)),
            Route::Ready => self.ready(),
            Route::Metrics if self.observer.metrics_page => self.metrics(),
            Route::OtherMethod(method) => {
                let path = request.uri().path();
                let mut failure = Failure::new(
                    Code::MethodNotAllowed,
                    format!("{path} takes the method {} only", method.name()),
                );
                failure.allow = Some(method.name());
                Err(failure)
            }
            Route::Metrics | Route::Nothing => Err(Failure::new(
                Code::NotFound,
                "no operation has this path; the operations are under /api/v1, for example /api/v1/tts/languages",
            )),
        }
    }

    /// The models that a version which serves needs, and that are not there.
    pub fn missing_models(&self) -> Vec<String> {
        let graphs = self.runtime.inference.missing().into_iter();
        let mut models: Vec<_> = graphs
            .filter(|graph| self.registry.needs(graph))
            .map(str::to_owned)
            .collect();
        models.extend(
            self.runtime
                .language
                .missing()
                .filter(|_| self.registry.needs_language()),
        );
        models
    }

    fn ready(&self) -> Result<Response<ResponseBody>, Failure> {
        if self.draining.load(Ordering::Relaxed) {
            return Err(Failure::new(Code::Unavailable, "the service is shutting down"));
        }
        let missing = self.registry.missing();
        if missing.is_empty() {
            let mut ready = serde_json::json!({"status": "ready"});
            // Only what needs a missing model fails, so the rest is ready; but whoever asks must learn of it.
            let models = self.missing_models();
            if !models.is_empty() {
                ready["missingModels"] = models.into();
            }
            return Ok(page(ready.to_string(), JSON));
        }
        let names: Vec<_> = missing.iter().map(|capability| capability.name()).collect();
        Err(Failure::new(
            Code::Unavailable,
            format!("not loaded: {}", names.join(", ")),
        ))
    }

    /// The page of metrics.
    pub fn metrics(&self) -> Result<Response<ResponseBody>, Failure> {
        let serving = self.registry.capabilities().iter().filter_map(|capability| {
            let version = self.registry.current(capability)?;
            Some((capability.clone(), version.short_digest().to_owned()))
        });
        let now = Snapshot {
            running: self.gate.running(),
            waiting: self.gate.waiting(),
            serving: serving.collect(),
        };
        let text = self.observer.metrics.page(&now, &self.runtime);
        let text = text.map_err(|error| Failure::internal(format!("the metrics cannot be written: {error}")))?;
        Ok(page(text, metrics::CONTENT_TYPE))
    }

    async fn operate<B>(
        &self,
        operation: Arc<Operation>,
        mut request: Request<B>,
        id: &Arc<str>,
        caller: &Caller,
        access: &mut AccessGuard,
    ) -> Result<Response<ResponseBody>, Failure>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        let name = operation.capability.name();
        let Chosen { version, shadow } = self.registry.choose(&operation.capability).ok_or_else(|| {
            Failure::new(Code::Unavailable, format!("the capability {name} is not loaded")).retry_after(30)
        })?;
        let body_limit = self.limits.body_bytes;
        if content_length(request.headers()).is_some_and(|length| length > body_limit) {
            return Err(too_large(body_limit));
        }
        let usage = access.runs(Arc::clone(&operation), Arc::clone(&version));
        let permit = self.gate.enter(caller.client).await?;
        access.enters();
        self.observer.propagate(access, request.headers_mut());
        prepare_headers(request.headers_mut(), id, caller);
        request.extensions_mut().insert(caller.client);
        let (parts, body) = request.into_parts();
        let (body, reading) = Incoming::new(body, body_limit);
        let recorder = shadow.map(|trial| ShadowRecorder::new(trial, Arc::clone(&operation), &parts, &self.limits));
        let body = RequestTee::new(body, recorder.as_ref().map(ShadowRecorder::copy));
        let request = Request::from_parts(parts, body);
        let streams = operation.answer.streams(accept(request.headers()));
        let budget = self.budget(streams);
        let started = run::start(
            &self.runtime,
            Arc::clone(&version.guest),
            request,
            budget,
            usage,
            permit,
        )
        .await;
        if reading.too_large() {
            return Err(too_large(body_limit));
        }
        let (response, supervisor) = started.map_err(|failure| match failure.code {
            Code::DeadlineExceeded if reading.waiting() => {
                Failure::new(Code::RequestTimeout, "the request's body did not arrive in time")
            }
            _ => failure,
        })?;
        let (bytes, stall) = match streams {
            false => (self.limits.response_bytes, budget.total),
            true => (self.limits.stream_bytes, self.limits.stall_seconds),
        };
        let (parts, body) = response.into_parts();
        let declared = content_length(&parts.headers);
        let (body, sent) = OutgoingBody::new(body, supervisor, bytes, declared, stall, Arc::clone(id));
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

/// Turns the headers of a client's request into those that a component gets.
fn prepare_headers(headers: &mut HeaderMap, id: &str, caller: &Caller) {
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
    client_header::forward(headers, caller);
}

/// The response to a preflight request that is allowed.
fn preflight_response() -> Response<ResponseBody> {
    let mut response = Response::new(Full::default().map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = http::StatusCode::NO_CONTENT;
    cors::allow(response.headers_mut());
    response
}

const JSON: &str = "application/json";

fn page(text: String, media_type: &'static str) -> Response<ResponseBody> {
    let body = Full::new(Bytes::from(text))
        .map_err(|never| match never {})
        .boxed_unsync();
    let mut response = Response::new(body);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

fn too_large(limit: u64) -> Failure {
    Failure::new(
        Code::PayloadTooLarge,
        format!("the request's body is larger than the {limit} bytes allowed"),
    )
}

fn rate_limited(rate_limit: RateLimitStatus) -> Failure {
    let (quota, wait) = (rate_limit.quota, rate_limit.reset);
    Failure::new(
        Code::RateLimited,
        format!(
            "more than {quota} requests within {} seconds; try again in {wait} seconds",
            RATE_WINDOW.as_secs()
        ),
    )
    .retry_after(rate_limit.reset)
}

fn accept(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ACCEPT)?.to_str().ok()
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The request id: the caller's where it sent a valid one, else a new one.
fn request_id<B>(request: &Request<B>) -> Arc<str> {
    let sensible = |id: &&str| {
        (1..=64).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let given = request
        .headers()
        .get(REQUEST_ID_HEADER)
        .and_then(|value| value.to_str().ok())
        .filter(sensible);
    match given {
        Some(id) => id.into(),
        None => uuid::Uuid::now_v7().simple().to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(header: Option<&str>) -> String {
        let mut request = Request::new(());
        if let Some(value) = header {
            request
                .headers_mut()
                .insert(REQUEST_ID_HEADER, HeaderValue::from_str(value).unwrap());
        }
        request_id(&request).to_string()
    }

    #[test]
    fn takes_sensible_ids_and_makes_others() {
        assert_eq!(id_of(Some("abc-1.2_3")), "abc-1.2_3");
        assert_eq!(id_of(None).len(), 32);
        assert_eq!(id_of(Some("has space")).len(), 32);
        assert_eq!(id_of(Some(&"x".repeat(65))).len(), 32);
        assert_ne!(id_of(None), id_of(None));
    }
}
