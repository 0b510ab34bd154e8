//! One request in one sandbox.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::Body;
use quartet_api::Code;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_util::task::AbortOnDropHandle;
use wasmtime::component::ResourceTableError;
use wasmtime::{Store, Trap};
use wasmtime_wasi_http::WasiHttpView;
use wasmtime_wasi_http::p2::bindings::http::types::{ErrorCode, Scheme};
use wasmtime_wasi_http::p2::body::HyperOutgoingBody;

use super::output::GuestOutput;
use super::sandbox::Sandbox;
use super::{Machine, YIELD_FUEL};
use crate::failure::Failure;
use crate::registry::Version;

/// What one request may use.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Computation.
    pub fuel: u64,
    /// Time until the head of the response.
    pub head: Duration,
    /// Time until the sandbox is gone.
    pub total: Duration,
}

/// How a sandbox ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What went wrong, if anything.
    pub failure: Option<Failure>,
    /// Computation used.
    pub fuel: u64,
    /// The most memory used, in bytes.
    pub memory: usize,
}

impl Outcome {
    fn failed(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::default()
        }
    }
}

/// A sandbox that runs or has run. Resolves to how it ended; dropping it ends the sandbox.
#[derive(Debug)]
pub enum Supervisor {
    /// It ended before anybody had to wait for it.
    Ended(Option<Outcome>),
    /// It runs on the guests' threads, and its time is watched.
    Running(AbortOnDropHandle<Outcome>),
}

impl Future for Supervisor {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        match self.get_mut() {
            Supervisor::Ended(outcome) => Poll::Ready(outcome.take().unwrap_or_default()),
            Supervisor::Running(handle) => Pin::new(handle).poll(context).map(|joined| {
                joined.unwrap_or_else(|error| {
                    Outcome::failed(Failure::internal(format!("the supervisor ended: {error}")))
                })
            }),
        }
    }
}

type Head = Result<http::Response<HyperOutgoingBody>, ErrorCode>;

/// Starts a sandbox for a request and waits for the head of its response. The permit is held until the sandbox is gone.
pub async fn start<B>(
    machine: &Machine,
    version: Arc<Version>,
    request: http::Request<B>,
    budget: Budget,
    permit: OwnedSemaphorePermit,
) -> Result<(http::Response<HyperOutgoingBody>, Supervisor), Failure>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<wasmtime_wasi_http::Error>,
{
    let (head_sender, head) = oneshot::channel::<Head>();
    let output = GuestOutput::default();
    let sandbox = Sandbox::new(machine.memory_bytes, &output);
    let mut guest = Box::pin(async move {
        let outcome = guest(version, sandbox, request, head_sender, budget.fuel, &output).await;
        drop(permit);
        outcome
    });
    // Most requests need less than one slice of fuel: they are done here and now, without a change of threads, which
    // would cost more than they do. Whatever is not done after its first slice goes on among the guests.
    let supervisor = match poll_fn(|context| Poll::Ready(guest.as_mut().poll(context))).await {
        // Nothing was sent yet, so even a failure after the head can still be told.
        Poll::Ready(Outcome {
            failure: Some(failure), ..
        }) => return Err(failure),
        Poll::Ready(outcome) => Supervisor::Ended(Some(outcome)),
        Poll::Pending => {
            let guest = AbortOnDropHandle::new(machine.guests.spawn(guest));
            Supervisor::Running(AbortOnDropHandle::new(tokio::spawn(supervise(guest, budget.total))))
        }
    };
    match tokio::time::timeout(budget.head, head).await {
        Ok(Ok(Ok(response))) => Ok((response, supervisor)),
        Ok(Ok(Err(error))) => Err(Failure::internal(format!(
            "the component answered with an error: {error:?}"
        ))),
        // The sender went with the sandbox: it ended without an answer.
        Ok(Err(_)) => {
            let failure = supervisor.await.failure;
            Err(failure.unwrap_or_else(|| Failure::internal("the component returned without an answer")))
        }
        Err(_) => Err(too_late(budget.head)),
    }
}

/// Ends the sandbox when its time is over.
async fn supervise(guest: AbortOnDropHandle<Outcome>, total: Duration) -> Outcome {
    let failure = match tokio::time::timeout(total, guest).await {
        Ok(Ok(outcome)) => return outcome,
        Ok(Err(error)) => Failure::internal(format!("the sandbox's task ended: {error}")),
        Err(_) => too_late(total),
    };
    Outcome::failed(failure)
}

fn too_late(limit: Duration) -> Failure {
    let seconds = limit.as_secs();
    Failure::new(
        Code::DeadlineExceeded,
        format!("the answer was not complete after the {seconds} seconds allowed"),
    )
}

async fn guest<B>(
    version: Arc<Version>,
    sandbox: Sandbox,
    request: http::Request<B>,
    head: oneshot::Sender<Head>,
    fuel: u64,
    output: &GuestOutput,
) -> Outcome
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<wasmtime_wasi_http::Error>,
{
    let mut store = Store::new(version.pre.engine(), sandbox);
    store.limiter(|sandbox| &mut sandbox.memory);
    let result = call(&mut store, &version, request, head, fuel).await;
    let left = store.get_fuel().unwrap_or(0);
    let memory = &store.data().memory;
    let failure = result.err().map(|error| {
        let failure = classify(&error, memory.refused);
        match output.text() {
            printed if printed.is_empty() => failure.with_internal(format!("{error:?}")),
            printed => failure.with_internal(format!("{error:?}\nthe component printed: {printed}")),
        }
    });
    Outcome {
        failure,
        fuel: fuel.saturating_sub(left),
        memory: memory.peak,
    }
}

async fn call<B>(
    store: &mut Store<Sandbox>,
    version: &Version,
    request: http::Request<B>,
    head: oneshot::Sender<Head>,
    fuel: u64,
) -> wasmtime::Result<()>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<wasmtime_wasi_http::Error>,
{
    store.set_fuel(fuel)?;
    store.fuel_async_yield_interval(Some(YIELD_FUEL))?;
    let request = store.data_mut().http().new_incoming_request(Scheme::Http, request)?;
    let response = store.data_mut().http().new_response_outparam(head)?;
    let component = version.pre.instantiate_async(&mut *store).await?;
    component
        .wasi_http_incoming_handler()
        .call_handle(store, request, response)
        .await
}

/// Names what ran out. A guest that is refused memory usually aborts, which looks like any other crash but for that.
fn classify(error: &wasmtime::Error, memory_refused: bool) -> Failure {
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Failure::new(
            Code::ComputeExhausted,
            "the request needs more computation than one request may use",
        ),
        _ if memory_refused => Failure::new(
            Code::MemoryExhausted,
            "the request needs more memory than one request may use",
        ),
        Some(Trap::StackOverflow) => {
            Failure::new(Code::StackExhausted, "the request nests deeper than one request may")
        }
        _ if matches!(error.downcast_ref(), Some(ResourceTableError::Full)) => Failure::new(
            Code::MemoryExhausted,
            "the request needs more handles than one request may use",
        ),
        _ => Failure::internal(""),
    }
}
