//! A request at a door while it is answered: runs operations for it.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, header};
use http_body::Body;
use quartet_api::operations::Operation;
use quartet_api::session::SESSION_HEADER;
use quartet_api::{BASE_PATH, Code};

use crate::admission::Rates;
use crate::auth::Caller;
use crate::body::{ReadBody, ResponseBody};
use crate::capabilities::operation;
use crate::failure::Failure;
use crate::http::operate::{Operator, rate_limited};
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

/// A request at a door.
pub struct Visit<'a> {
    operator: &'a Operator,
    routes: &'a Routes,
    rate: &'a Rates,
    quota: usize,
    id: &'a Arc<str>,
    caller: &'a Caller,
    access: &'a mut AccessGuard,
    headers: HeaderMap,
    /// The [`OWN_HEADERS`].
    own: HeaderMap,
}

impl<'a> Visit<'a> {
    /// A visit of a caller that may send `quota` requests a minute, with the headers that it came with.
    #[allow(
        clippy::too_many_arguments,
        reason = "a request in all its parts, each owned by another"
    )]
    pub fn new(
        operator: &'a Operator,
        routes: &'a Routes,
        rate: &'a Rates,
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
            operator,
            routes,
            rate,
            quota,
            id,
            caller,
            access,
            headers,
            own,
        }
    }

    /// A header of the request at the door, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let value = self.own.get(name).or_else(|| self.headers.get(name))?;
        value.to_str().ok()
    }

    /// The operator of all requests.
    pub fn operator(&self) -> &Operator {
        self.operator
    }

    /// The request's id.
    pub fn id(&self) -> &str {
        self.id
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
        let read = self.operator.intake.read(self.caller.client, body).await?;
        Ok(read.into_bytes())
    }

    /// Computes something that takes a while where guests compute, so that the threads that accept and write stay free.
    ///
    /// # Errors
    /// As the computation, or when it panics.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let computed = self.operator.runtime.guests.spawn(async move { work() }).await;
        computed.unwrap_or_else(|error| Err(Failure::internal(format!("a door's computation ended: {error}"))))
    }

    /// Runs the operation that answers the request: in the log and the metrics the two are one.
    ///
    /// # Errors
    /// As for a request of the client to the operation.
    pub async fn call(&mut self, call: Call) -> Result<Response<ResponseBody>, Failure> {
        let operation = self.authorised(call.operation)?;
        let chosen = self.operator.choose(&operation)?;
        let request = self.request(call);
        self.access.runs(Arc::clone(&operation), Arc::clone(&chosen.version));
        let permit = self
            .operator
            .enter(&operation, &request, self.caller, self.access)
            .await?;
        let (id, caller) = (self.id, self.caller);
        self.operator
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
        let rate_limit = self.rate.count(self.caller.client, self.quota, started).await;
        if !rate_limit.admitted {
            return Err(rate_limited(rate_limit));
        }
        let request = self.request(call);
        let mut access = AccessGuard::new(
            Arc::clone(&self.operator.observer),
            Arc::clone(self.id),
            &request,
            Arc::clone(&operation.name),
            self.caller,
            started,
        );
        let run = async {
            let chosen = self.operator.choose(&operation)?;
            access.runs(Arc::clone(&operation), Arc::clone(&chosen.version));
            let permit = self
                .operator
                .enter(&operation, &request, self.caller, &mut access)
                .await?;
            let (id, caller) = (self.id, self.caller);
            self.operator
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
        let found = self.routes.operation(operation).ok_or_else(|| {
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
