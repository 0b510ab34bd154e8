//! A request at a door while it is answered: runs operations for it.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use quartet_api::operations::{Answer, EVENT_STREAM, Operation};
use quartet_api::session::SESSION_HEADER;
use quartet_api::{BASE_PATH, Code};

use crate::admission::Rates;
use crate::auth::Caller;
use crate::body::{Counted, ReadBody, ResponseBody};
use crate::capabilities::{Capability, operation};
use crate::failure::Failure;
use crate::http::jobs::{Asked, Job, Jobs, Kept, Owner};
use crate::http::keep_alive::is_event_stream;
use crate::http::operate::{Operator, rate_limited};
use crate::http::patience::Patience;
use crate::http::written::Written;
use crate::route::Routes;
use crate::telemetry::guard::AccessGuard;

/// Headers that describe the body or the connection of the request at the door, or ask for something of its response.
const OWN_HEADERS: [header::HeaderName; 9] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::COOKIE,
    header::EXPECT,
    header::TE,
    header::TRANSFER_ENCODING,
];

/// A request to an operation.
pub struct Call {
    /// The operation.
    pub operation: &'static Operation,
    /// The media type of the body.
    pub content_type: HeaderValue,
    /// The media type that is asked for.
    pub accept: &'static str,
    /// The session that it belongs to, where that matters.
    pub session: Option<HeaderValue>,
    /// The body.
    pub body: Bytes,
}

impl Call {
    /// A request with a JSON document.
    pub fn json(operation: &'static Operation, document: &impl serde::Serialize) -> Self {
        Self {
            operation,
            content_type: HeaderValue::from_static("application/json"),
            accept: "application/json",
            session: None,
            body: serde_json::to_vec(document).unwrap_or_default().into(),
        }
    }
}

/// The means by which doors answer.
#[derive(Clone)]
pub struct Means {
    /// Runs operations.
    pub operator: Arc<Operator>,
    /// The operations that there are.
    pub routes: Arc<Routes>,
    /// The requests of clients.
    pub rate: Arc<Rates>,
    /// Work that nobody waits for.
    pub jobs: Arc<Jobs>,
}

/// A request at a door.
pub struct Visit<'a> {
    means: &'a Means,
    quota: usize,
    id: &'a Arc<str>,
    caller: &'a Caller,
    access: &'a mut AccessGuard,
    headers: HeaderMap,
    /// The [`OWN_HEADERS`].
    own: HeaderMap,
    /// Patience, where nobody waits for the answer.
    patience: Option<Patience>,
}

/// A visit that goes on after its request was answered.
pub struct Errand {
    means: Means,
    quota: usize,
    id: Arc<str>,
    caller: Caller,
    headers: HeaderMap,
}

impl Errand {
    /// An errand of a caller, with the headers of the request that it is for.
    pub fn new(means: Means, quota: usize, id: Arc<str>, caller: Caller, mut headers: HeaderMap) -> Self {
        for name in OWN_HEADERS {
            headers.remove(&name);
        }
        Self {
            means,
            quota,
            id,
            caller,
            headers,
        }
    }

    /// Begins the record of it, under a name.
    pub fn access(&self, name: Arc<str>) -> AccessGuard {
        let mut request = Request::new(());
        *request.method_mut() = http::Method::POST;
        *request.uri_mut() = http::Uri::try_from(format!("/{name}")).unwrap_or_default();
        request.headers_mut().clone_from(&self.headers);
        let (observer, id) = (Arc::clone(&self.means.operator.observer), Arc::clone(&self.id));
        AccessGuard::new(observer, id, &request, name, &self.caller, Instant::now())
    }

    /// The visit.
    pub fn visit<'a>(&'a self, access: &'a mut AccessGuard, patience: Patience) -> Visit<'a> {
        let headers = self.headers.clone();
        let mut visit = Visit::new(&self.means, self.quota, &self.id, &self.caller, access, headers);
        visit.patience = Some(patience);
        visit
    }
}

impl<'a> Visit<'a> {
    /// A visit of a caller that may send `quota` requests a minute, with the headers that it came with.
    pub fn new(
        means: &'a Means,
        quota: usize,
        id: &'a Arc<str>,
        caller: &'a Caller,
        access: &'a mut AccessGuard,
        mut headers: HeaderMap,
    ) -> Self {
        let mut own = HeaderMap::new();
        for name in OWN_HEADERS {
            if let Some(value) = headers.remove(&name) {
                own.insert(name, value);
            }
        }
        Self {
            means,
            quota,
            id,
            caller,
            access,
            headers,
            own,
            patience: None,
        }
    }

    /// The same means for work that goes on after the request was answered.
    pub fn errand(&self) -> Errand {
        Errand {
            means: self.means.clone(),
            quota: self.quota,
            id: Arc::clone(self.id),
            caller: self.caller.clone(),
            headers: self.headers.clone(),
        }
    }

    /// The jobs of all clients.
    pub fn jobs(&self) -> &Jobs {
        &self.means.jobs
    }

    /// The job with an id, if it is one of the caller's.
    ///
    /// # Errors
    /// When the store of the replicas does not answer, and nothing is to be answered without it.
    pub async fn job(&self, id: &str) -> Result<Option<Arc<Job>>, Failure> {
        self.means.jobs.find(id, &self.headers, self.caller).await
    }

    /// Takes a new job in, which was asked for with this body at a path.
    ///
    /// # Errors
    /// When the client has too many jobs at work, or what cannot be kept is to be refused.
    pub async fn keep_job(&self, job: Job, path: &'static str, body: &Bytes) -> Result<Kept, Failure> {
        let mut headers = self.headers.clone();
        headers.extend(self.own.clone());
        let asked = Asked {
            method: &http::Method::POST,
            uri: &http::Uri::from_static(path),
            headers: &headers,
            caller: self.caller,
            body,
        };
        self.means.jobs.keep(job, &asked).await
    }

    /// A job of the caller's that waits.
    pub fn new_job(&self, name: &str) -> Job {
        Job::new(name.into(), Owner::new(self.caller, &self.headers), Arc::clone(self.id))
    }

    /// A header of the request at the door, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let value = self.own.get(name).or_else(|| self.headers.get(name))?;
        value.to_str().ok()
    }

    /// The operator of all requests.
    pub fn operator(&self) -> &Operator {
        &self.means.operator
    }

    /// The request's id.
    pub fn id(&self) -> &str {
        self.id
    }

    /// The caller.
    pub fn caller(&self) -> &Caller {
        self.caller
    }

    /// The capability of an operation.
    ///
    /// # Errors
    /// When it is not here, or the caller may not use it.
    pub fn capability(&self, operation: &Operation) -> Result<Capability, Failure> {
        Ok(self.authorised(operation)?.capability.clone())
    }

    /// True if an operation is here, and the caller may use it.
    pub fn may(&self, operation: &Operation) -> bool {
        self.authorised(operation).is_ok()
    }

    /// Reads the request's body.
    ///
    /// # Errors
    /// When the body is too large or too slow, or there is no room for it.
    pub async fn read<B>(&mut self, body: B) -> Result<Bytes, Failure>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        Ok(self.read_counted(body).await?.0)
    }

    /// The same, with what has it counted: for a body that stays after the request was answered.
    ///
    /// # Errors
    /// As for [`Visit::read`].
    pub async fn read_counted<B>(&mut self, body: B) -> Result<(Bytes, Counted), Failure>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        let read = self.means.operator.intake.read(self.caller.client, body).await?;
        Ok(read.into_counted())
    }

    /// Computes something that takes a while where guests compute, so that the threads that accept and write stay free.
    ///
    /// # Errors
    /// As the computation, or when it panics.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let computed = self.means.operator.runtime.guests.spawn(async move { work() }).await;
        computed.unwrap_or_else(|error| Err(Failure::internal(format!("a door's computation ended: {error}"))))
    }

    /// Runs the operation that answers the request: in the log and the metrics the two are one.
    ///
    /// # Errors
    /// As for a request of the client to the operation.
    pub async fn call(&mut self, call: Call) -> Result<Response<ResponseBody>, Failure> {
        let operation = self.authorised(call.operation)?;
        let operator = &self.means.operator;
        let mut request = self.request(call);
        let (id, caller) = (self.id, self.caller);
        let mut chosen = operator.choose(&operation, caller, request.headers())?;
        if let Some(patience) = &mut self.patience {
            // Events have more time than a whole answer.
            if operation.answer == Answer::Events {
                let events = HeaderValue::from_static(EVENT_STREAM);
                request.headers_mut().insert(header::ACCEPT, events);
            }
            let entering = patience.enter(operator, &operation, &request, caller, self.access);
            let permit = entering.await?;
            // Another version may serve by now.
            chosen = operator.choose(&operation, caller, request.headers())?;
            self.access.runs(Arc::clone(&operation), Arc::clone(&chosen.version));
            let running = operator.run(operation, chosen, permit, request, id, caller, self.access);
            return put_together(running.await?).await;
        }
        self.access.runs(Arc::clone(&operation), Arc::clone(&chosen.version));
        let permit = operator.enter(&operation, &request, caller, self.access).await?;
        operator
            .run(operation, chosen, permit, request, id, caller, self.access)
            .await
    }

    /// Runs an operation on the way to the answer: it counts, and is logged, as a request of its own.
    ///
    /// # Errors
    /// As for a request of the client to the operation.
    pub async fn aside(&mut self, call: Call) -> Result<Response<ResponseBody>, Failure> {
        let started = Instant::now();
        let operation = self.authorised(call.operation)?;
        let rate_limit = self.means.rate.count(self.caller.client, self.quota, started).await;
        if !rate_limit.admitted {
            return Err(rate_limited(rate_limit));
        }
        let request = self.request(call);
        let operator = &self.means.operator;
        let mut access = AccessGuard::new(
            Arc::clone(&operator.observer),
            Arc::clone(self.id),
            &request,
            Arc::clone(&operation.name),
            self.caller,
            started,
        );
        let run = async {
            let chosen = operator.choose(&operation, self.caller, request.headers())?;
            access.runs(Arc::clone(&operation), Arc::clone(&chosen.version));
            let permit = operator.enter(&operation, &request, self.caller, &mut access).await?;
            let (id, caller) = (self.id, self.caller);
            operator
                .run(operation, chosen, permit, request, id, caller, &mut access)
                .await
        };
        match run.await {
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

    fn authorised(&self, operation: &Operation) -> Result<Arc<operation::Operation>, Failure> {
        let found = self.means.routes.operation(operation).ok_or_else(|| {
            Failure::new(
                Code::Unavailable,
                format!("the capability of {BASE_PATH}/{} is not here", operation.name()),
            )
        })?;
        self.caller.authorise(Some(&found.capability))?;
        Ok(Arc::clone(found))
    }

    fn request(&self, call: Call) -> Request<ReadBody> {
        let mut request = Request::new(ReadBody::from(call.body));
        *request.method_mut() = http::Method::from_bytes(call.operation.method.name().as_bytes()).unwrap_or_default();
        *request.uri_mut() = http::Uri::from_static(call.operation.path);
        let headers = request.headers_mut();
        *headers = self.headers.clone();
        headers.insert(header::CONTENT_TYPE, call.content_type);
        headers.insert(header::ACCEPT, HeaderValue::from_static(call.accept));
        if let Some(session) = call.session {
            headers.insert(SESSION_HEADER, session);
        }
        request
    }
}

/// An answer in events as the operation would have given it whole; any other stays as it is.
async fn put_together(response: Response<ResponseBody>) -> Result<Response<ResponseBody>, Failure> {
    if !is_event_stream(response.headers()) {
        return Ok(response);
    }
    let (mut parts, mut body) = response.into_parts();
    let mut written = Written::default();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Failure::internal(format!("the component gave its answer up: {error}")))?;
        if let Ok(piece) = frame.into_data() {
            written.push(&piece).map_err(Failure::internal)?;
        }
    }
    let (status, whole) = written.end().map_err(Failure::internal)?;
    parts.status = status;
    let json = HeaderValue::from_static("application/json");
    parts.headers.insert(header::CONTENT_TYPE, json);
    let body = Full::new(whole).map_err(|never| match never {});
    Ok(Response::from_parts(parts, body.boxed_unsync()))
}
