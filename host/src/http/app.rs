//! One request from start to end. Needs no socket.

mod take_over;

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use bytes::Bytes;
use http::uri::Scheme;
use http::{HeaderValue, Request, Response, Uri, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use quartet_api::operations::{Method, OPERATIONS, Operation};
use quartet_api::{COMPONENT_HEADER, Code};

use crate::admission::{Gate, Intake, Rates};
use crate::auth::{Caller, Clients};
use crate::body::ResponseBody;
use crate::config::{Limits, Unavailable};
use crate::door::{Door, Open};
use crate::failure::{self, Failure};
use crate::http::doors::{Call, Doors, Means, ToolFailure, Visit};
use crate::http::headers::{HeadLimits, ResponseHeaders};
use crate::http::jobs::Jobs;
use crate::http::keep_alive;
use crate::http::operate::{Operator, rate_limited};
use crate::http::page::{Page, PageHeaders};
use crate::http::{fields, request_id, revocation};
use crate::models::Arrivals;
use crate::policy::sites::Hosts;
use crate::policy::{cors, sites};
use crate::registry::Registry;
use crate::route::{Route, Routes};
use crate::runtime::Runtime;
use crate::shared::SharedState;
use crate::telemetry::Observer;
use crate::telemetry::guard::AccessGuard;
use crate::telemetry::metrics::{self, ServingVersion, Snapshot};

/// The application: answers requests.
pub struct App {
    operator: Arc<Operator>,
    jobs: Arc<Jobs>,
    routes: Arc<Routes>,
    rate: Arc<Rates>,
    quota: usize,
    clients: Clients,
    head_limits: HeadLimits,
    headers: ResponseHeaders,
    hosts: Hosts,
    doors: Doors,
    page: Page,
    arrivals: Arc<Arrivals>,
    shared: Option<Arc<SharedState>>,
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
    ) -> Self {
        let address_sessions = clients.address_sessions;
        Self {
            routes: Arc::new(Routes::new(registry.capabilities())),
            rate: Arc::new(Rates::new(limits.tracked_clients)),
            page: Page::new(limits.tracked_clients),
            arrivals: Arc::default(),
            shared: None,
            quota: limits.requests_per_minute,
            clients,
            head_limits: HeadLimits::new(&limits),
            headers,
            hosts: Hosts::Any,
            doors: Doors::new(Open::default(), false),
            jobs: Arc::new(Jobs::new(&limits)),
            operator: Arc::new(Operator {
                runtime,
                registry,
                gate,
                intake: Intake::new(&limits),
                limits,
                observer,
                address_sessions,
            }),
            draining: AtomicBool::new(false),
        }
    }

    /// The same application, which answers under these names only.
    #[must_use]
    pub fn with_hosts(self, hosts: Hosts) -> Self {
        Self { hosts, ..self }
    }

    /// The same application, which answers requests in the form of other services, too.
    #[must_use]
    pub fn with_doors(self, doors: Doors) -> Self {
        Self {
            routes: Arc::new(Routes::clone(&self.routes).with_doors(doors.open)),
            doors,
            ..self
        }
    }

    /// The same application, which shows people a page of what it does where `page` is true.
    #[must_use]
    pub fn with_page(self, page: bool) -> Self {
        Self {
            routes: Arc::new(Routes::clone(&self.routes).with_page(page)),
            ..self
        }
    }

    /// The same application, which knows the names of what the Wyoming listener answers where `wyoming` is true.
    #[must_use]
    pub fn with_wyoming(self, wyoming: bool) -> Self {
        Self {
            routes: Arc::new(Routes::clone(&self.routes).with_wyoming(wyoming)),
            ..self
        }
    }

    /// The same application, which tells who asks how far these models are.
    #[must_use]
    pub fn with_arrivals(self, arrivals: Arc<Arrivals>) -> Self {
        Self { arrivals, ..self }
    }

    /// The same application, which shares state with other replicas.
    #[must_use]
    pub fn with_shared(self, shared: Option<Arc<SharedState>>, unavailable: Unavailable) -> Self {
        let rate = Rates::new(self.operator.limits.tracked_clients);
        let jobs = Jobs::new(&self.operator.limits).with_shared(shared.clone(), unavailable);
        Self {
            rate: Arc::new(rate.with_shared(shared.clone())),
            jobs: Arc::new(jobs),
            shared,
            ..self
        }
    }

    /// Makes the service say that it is not ready, while it still answers requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
        self.jobs.close();
    }

    /// The observer of all requests.
    pub fn observer(&self) -> &Observer {
        &self.operator.observer
    }

    /// Answers one request, over a connection from `peer` that speaks `scheme`.
    pub async fn handle<B>(&self, request: Request<B>, peer: IpAddr, scheme: &Scheme) -> Response<ResponseBody>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        let started = Instant::now();
        let id = request_id::of(request.headers());
        let caller = self.clients.identify(request.headers(), peer, scheme);
        let mut access = AccessGuard::new(
            Arc::clone(&self.operator.observer),
            Arc::clone(&id),
            &request,
            self.routes.name(request.uri().path()),
            &caller,
            started,
        );
        let origin = self.headers.origins.answer(request.headers());
        let preflight = self.headers.origins.preflight(request.method(), request.headers());
        let form = self.form(request.uri().path());
        let counted =
            preflight.is_none() && (form.is_some() || request.uri().path().starts_with(quartet_api::BASE_PATH));
        let rate_limit = match counted {
            true => Some(self.rate.count(caller.client, self.quota(&caller), started).await),
            false => None,
        };
        let result = match (preflight, rate_limit) {
            (Some(allowed), _) => allowed.map(|()| preflight_response()),
            (_, Some(rate_limit)) if !rate_limit.admitted => Err(rate_limited(rate_limit)),
            _ => self.route(request, &id, &caller, &mut access).await,
        };
        let response = match result {
            Ok(response) => {
                match response.extensions().get::<ToolFailure>() {
                    Some(ToolFailure(failure)) => access.failed(failure),
                    None => access.answered(response.status()),
                }
                response
            }
            Err(failure) => {
                access.failed(&failure);
                let response = match form {
                    Some(form) => failure.to_response_in(form, &id),
                    None => failure.to_response(&id),
                };
                response.map(|body| body.map_err(|never| match never {}).boxed_unsync())
            }
        };
        let (mut parts, body) = response.into_parts();
        self.headers.set(&mut parts.headers, &id, rate_limit, origin);
        if let Some(headers) = parts.extensions.get::<PageHeaders>() {
            headers.set(&mut parts.headers);
        }
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
        let body = keep_alive::comment(body, &parts.headers);
        let body = match (&self.clients.keys, &caller.key) {
            (Some(keys), Some(key)) => revocation::watch(body, keys, key),
            _ => body,
        };
        Response::from_parts(parts, access.attach(body))
    }

    /// Has an operation answer a client that speaks another protocol than HTTP, one without keys: whoever runs the service
    /// chose who reaches its listener. The request has this name in the log and the metrics, and counts for the client's
    /// rate where `counted` is true.
    ///
    /// # Errors
    /// As for a request of the client to the operation.
    pub async fn call(
        &self,
        call: Call,
        name: &'static str,
        peer: IpAddr,
        counted: bool,
    ) -> Result<Response<ResponseBody>, Failure> {
        let started = Instant::now();
        let id = request_id::new();
        let caller = Caller {
            client: peer.into(),
            address: peer,
            scheme: Scheme::HTTP,
            key: None,
            refused: None,
        };
        let mut request = Request::new(());
        *request.method_mut() = http::Method::POST;
        *request.uri_mut() = Uri::try_from(format!("/{name}")).unwrap_or_default();
        let mut access = AccessGuard::new(
            Arc::clone(&self.operator.observer),
            Arc::clone(&id),
            &request,
            self.routes.known(name),
            &caller,
            started,
        );
        let answered = async {
            if counted {
                let rate_limit = self.rate.count(caller.client, self.quota, started).await;
                if !rate_limit.admitted {
                    return Err(rate_limited(rate_limit));
                }
            }
            let headers = request.into_parts().0.headers;
            let means = self.means();
            let mut visit = Visit::new(&means, self.quota, &id, &caller, &mut access, headers);
            visit.call(call).await
        };
        match answered.await {
            Ok(response) => {
                access.answered(response.status());
                let (parts, body) = response.into_parts();
                Ok(Response::from_parts(parts, access.attach(body)))
            }
            Err(failure) => {
                access.failed(&failure);
                Err(failure)
            }
        }
    }

    /// True if a version serves that answers an operation.
    pub fn serves(&self, operation: &Operation) -> bool {
        let found = self.routes.operation(operation);
        found.is_some_and(|found| self.operator.registry.current(&found.capability).is_some())
    }

    /// The means by which doors answer.
    fn means(&self) -> Means {
        Means {
            operator: Arc::clone(&self.operator),
            routes: Arc::clone(&self.routes),
            rate: Arc::clone(&self.rate),
            jobs: Arc::clone(&self.jobs),
        }
    }

    /// Requests that a caller may send in a minute.
    fn quota(&self, caller: &Caller) -> usize {
        let own = caller.key.as_ref().and_then(|key| key.requests_per_minute);
        own.unwrap_or(self.quota)
    }

    /// The form of another service that the answers at a path have.
    fn form(&self, path: &str) -> Option<failure::Form> {
        self.doors.open.form(path)
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
        if !matches!(route, Route::Health | Route::Ready) {
            self.check_site(&request, caller)?;
        }
        let at_door = self.form(path).is_some();
        let needs_key = match route {
            Route::Metrics => true,
            // As the document of OpenAPI, which says more.
            Route::Operations => false,
            Route::Door(door) if door.lists() => !self.doors.open_lists,
            // As /healthz, which says the same.
            Route::Door(Door::Health) => false,
            _ => at_door || path.starts_with(quartet_api::BASE_PATH),
        };
        if needs_key {
            caller.authorise(match &route {
                Route::Operation(operation) => Some(&operation.capability),
                _ => None,
            })?;
        }
        let for_metrics = caller.key.as_ref().is_none_or(|key| key.may_read_metrics());
        if matches!(route, Route::Metrics) && !for_metrics {
            return Err(Failure::new(
                Code::Forbidden,
                "the key is not for the metrics; one that is for some capabilities only needs `metrics = true`",
            ));
        }
        match route {
            Route::Operation(operation) if fields::ask_for_job(request.headers()) => {
                self.jobs.begin(&self.operator, operation, request, id, caller).await
            }
            Route::Operation(operation) => self.operator.operate(operation, request, id, caller, access).await,
            Route::Job(path) => {
                let (method, uri, headers) = (request.method(), request.uri(), request.headers());
                self.jobs.answer(method, &path, uri.query(), headers, caller).await
            }
            Route::Operations => Ok(page(self.operations().to_string(), JSON)),
            Route::OpenApi => Ok(page(OPENAPI.clone(), JSON)),
            Route::OlderOpenApi => Ok(page(OLDER_OPENAPI.clone(), JSON)),
            Route::Page(file) => self.page.answer(file, &request, caller.client),
            Route::Door(door) => {
                let (parts, body) = request.into_parts();
                let means = self.means();
                let visit = Visit::new(&means, self.quota(caller), id, caller, access, parts.headers);
                self.doors.answer(door, &parts.method, &parts.uri, body, visit).await
            }
            Route::OtherMethod(method) => Err(other_method(request.uri().path(), method)),
            Route::Nothing if at_door => {
                let doors = Door::ALL.into_iter().filter(|door| self.doors.open.has(*door));
                let doors: Vec<_> = doors.map(|door| format!("/{}", door.name())).collect();
                Err(Failure::new(
                    Code::NotFound,
                    format!("nothing has this path here; there are {}", doors.join(", ")),
                ))
            }
            own => self.own_page(&own).unwrap_or_else(|| {
                Err(Failure::new(
                    Code::NotFound,
                    "no operation has this path; the operations are under /api/v1, for example /api/v1/tts/languages",
                ))
            }),
        }
    }

    /// The operations in short, with the path of the document that describes them.
    fn operations(&self) -> serde_json::Value {
        let each = self.routes.operations().map(|operation| {
            let known = OPERATIONS.iter().find(|known| known.path == operation.path);
            serde_json::json!({
                // What the contract does not know takes what it takes.
                "method": operation.method.map(Method::name),
                "path": operation.path,
                "summary": known.map(|known| known.summary),
            })
        });
        let each: Vec<_> = each.collect();
        let data = serde_json::json!({"operations": each, "description": quartet_api::openapi::PATH});
        serde_json::json!({"success": true, "data": data})
    }

    /// The page of the host's own for a route, if it is one.
    fn own_page(&self, route: &Route) -> Option<Result<Response<ResponseBody>, Failure>> {
        match route {
            Route::Health => Some(Ok(page("{\"status\":\"ok\"}".to_owned(), JSON))),
            Route::Ready => Some(self.readiness().map(|ready| page(ready.to_string(), JSON))),
            Route::Metrics if self.operator.observer.metrics_page => Some(self.metrics()),
            _ => None,
        }
    }

    /// Answers the health listener, which has the host's own pages and nothing else. Without a key: whoever runs the service
    /// chose who reaches it.
    pub fn health(&self, method: &http::Method, path: &str) -> Response<ResponseBody> {
        let route = self.routes.find(method, path);
        let result = match (self.own_page(&route), route) {
            (Some(page), _) => page,
            (None, Route::OtherMethod(only)) => Err(other_method(path, only)),
            (None, _) => Err(Failure::new(
                Code::NotFound,
                "this address has /healthz, /readyz and /metrics only",
            )),
        };
        result.unwrap_or_else(|failure| {
            let id = uuid::Uuid::now_v7().simple().to_string();
            failure
                .to_response(&id)
                .map(|body| body.map_err(|never| match never {}).boxed_unsync())
        })
    }

    /// Checks that a request is not one of a stranger's page.
    fn check_site<B>(&self, request: &Request<B>, caller: &Caller) -> Result<(), Failure> {
        let (uri, headers) = (request.uri(), request.headers());
        self.hosts.check(uri, headers)?;
        // A key is nothing that a browser adds by itself.
        match caller.key {
            Some(_) => Ok(()),
            None => sites::check_origin(request.method(), uri, headers, &self.headers.origins),
        }
    }

    /// The models that a version which serves needs, and that are not there.
    pub fn missing_models(&self) -> Vec<String> {
        let graphs = self.operator.runtime.inference.missing().into_iter();
        let mut models: Vec<_> = graphs.filter(|graph| self.operator.registry.needs(graph)).collect();
        models.extend(
            self.operator
                .runtime
                .language
                .missing()
                .filter(|_| self.operator.registry.needs_language()),
        );
        models
    }

    /// The service's readiness, with the models that are missing or on their way.
    ///
    /// # Errors
    /// When a component is not loaded, or the service shuts down.
    pub fn readiness(&self) -> Result<serde_json::Value, Failure> {
        if self.draining.load(Ordering::Relaxed) {
            return Err(Failure::new(Code::Unavailable, "the service is shutting down"));
        }
        let missing = self.operator.registry.missing();
        if missing.is_empty() {
            let mut ready = serde_json::json!({"status": "ready"});
            // Only what needs a missing model fails, so the rest is ready; but whoever asks must learn of it.
            let models = self.missing_models();
            if !models.is_empty() {
                ready["missingModels"] = models.into();
            }
            let coming = self.arrivals.coming();
            if !coming.is_empty() {
                ready["comingModels"] = serde_json::json!(coming);
            }
            if let Some(shared) = &self.shared {
                // Without it requests are answered, too; but a balancer's owner must learn of it.
                ready["sharedState"] = if shared.is_open() { "connected" } else { "unavailable" }.into();
            }
            return Ok(ready);
        }
        let names: Vec<_> = missing.iter().map(|capability| capability.name()).collect();
        Err(Failure::new(
            Code::Unavailable,
            format!("not loaded: {}", names.join(", ")),
        ))
    }

    /// The page of metrics.
    fn metrics(&self) -> Result<Response<ResponseBody>, Failure> {
        Ok(page(self.metrics_text()?, metrics::CONTENT_TYPE))
    }

    /// The text of the metrics.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn metrics_text(&self) -> Result<String, Failure> {
        let serving = self.operator.registry.capabilities().iter().filter_map(|capability| {
            let version = self.operator.registry.current(capability)?;
            Some(ServingVersion {
                capability: capability.clone(),
                version: version.short_digest().to_owned(),
                since: version.record.since_seconds(),
            })
        });
        let now = Snapshot {
            running: self.operator.gate.running(),
            waiting: self.operator.gate.waiting(),
            streams: self.operator.gate.streams(),
            expected_work: self.operator.gate.expected_work(),
            memory: self.operator.gate.memory(),
            bodies: self.operator.intake.bytes(),
            jobs: self.jobs.at_work(),
            job_bytes: self.jobs.bytes(),
            serving: serving.collect(),
        };
        let text = self.operator.observer.metrics.page(&now, &self.operator.runtime);
        text.map_err(|error| Failure::internal(format!("the metrics cannot be written: {error}")))
    }
}

fn other_method(path: &str, only: &'static str) -> Failure {
    let mut failure = Failure::new(Code::MethodNotAllowed, format!("{path} takes the method {only} only"));
    failure.allow = Some(only);
    failure
}

/// The response to a preflight request that is allowed.
fn preflight_response() -> Response<ResponseBody> {
    let mut response = Response::new(Full::default().map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = http::StatusCode::NO_CONTENT;
    cors::allow(response.headers_mut());
    response
}

const JSON: &str = "application/json";

/// The contract as a document. It tells what anybody can read in the sources, so it needs no key.
static OPENAPI: LazyLock<String> =
    LazyLock::new(|| quartet_api::openapi::document(env!("CARGO_PKG_VERSION")).to_string());

/// The same in the form of OpenAPI 3.0.
static OLDER_OPENAPI: LazyLock<String> = LazyLock::new(|| {
    let document = quartet_api::openapi::document(env!("CARGO_PKG_VERSION"));
    quartet_api::openapi::older::document(document).to_string()
});

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
