//! Runs one request in one sandbox.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body::Body;
use quartet_api::Code;
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;
use wasmtime::component::ResourceTableError;
use wasmtime::{Store, Trap};
use wasmtime_wasi_http::WasiHttpView;
use wasmtime_wasi_http::p2::bindings::http::types::{ErrorCode, Scheme};
use wasmtime_wasi_http::p2::body::HyperOutgoingBody;

use super::Runtime;
use super::guest::Guest;
use super::memory::MemoryLimiter;
use super::output::GuestOutput;
use super::sandbox::Sandbox;
use super::usage::Usage;
use crate::admission::{MemoryShare, Meter};
use crate::failure::Failure;
use crate::host_functions::{keyvalue, llm};

/// Seconds after which a request may try again that found no memory: about what those take that have it.
const RETRY_SECONDS: u64 = 5;

/// Limits of one request.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Units of fuel.
    pub fuel: u64,
    /// Time until the head of the response.
    pub head: Duration,
    /// Time until the sandbox is gone.
    pub total: Duration,
}

/// Meters of a sandbox while it runs.
#[derive(Debug, Default)]
pub struct Metering {
    /// Counts its computation and its memory.
    pub meter: Arc<Meter>,
    /// Its part of the memory that all sandboxes share; none where it is not counted.
    pub memory: Option<MemoryShare>,
}

/// The end of a sandbox: what went wrong, if anything.
pub type Outcome = Result<(), Failure>;

/// A sandbox that runs or has run. Resolves to its outcome; dropping it ends the sandbox.
#[derive(Debug)]
pub enum Supervisor {
    /// The sandbox ended well before anybody had to wait for it.
    Ended,
    /// The sandbox runs on the guests' threads, and its time is watched.
    Running(AbortOnDropHandle<Outcome>),
}

impl Future for Supervisor {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        match self.get_mut() {
            Supervisor::Ended => Poll::Ready(Ok(())),
            Supervisor::Running(handle) => Pin::new(handle).poll(context).map(|joined| {
                joined.unwrap_or_else(|error| Err(Failure::internal(format!("the supervisor ended: {error}"))))
            }),
        }
    }
}

type Head = Result<http::Response<HyperOutgoingBody>, ErrorCode>;

/// Mark, among the extensions of a request that no client made, of one that is made to have the language model read its prompts.
#[derive(Debug, Clone, Copy)]
pub struct ForModel;

/// Starts a sandbox for a request and waits for the head of its response. The permit is held until the sandbox is gone.
/// Values that it keeps belong to the [`Client`](crate::auth::Client) among the request's extensions; the scheme among them is
/// the one that the client speaks.
pub async fn start<B>(
    runtime: &Runtime,
    component: Arc<Guest>,
    request: http::Request<B>,
    budget: Budget,
    usage: Arc<Usage>,
    metering: Metering,
    permit: impl Send + 'static,
) -> Result<(http::Response<HyperOutgoingBody>, Supervisor), Failure>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<wasmtime_wasi_http::Error>,
{
    let (head_sender, head) = oneshot::channel::<Head>();
    let output = GuestOutput::default();
    let client = request.extensions().get().copied();
    let Metering { meter: used, memory } = metering;
    let graphs = Arc::clone(&component.graphs);
    let graphs = runtime.inference.grant(graphs, runtime.rate, client, Arc::clone(&used));
    let keyvalue = keyvalue::Grant {
        values: Arc::clone(match client {
            Some(_) => &runtime.keyvalue,
            None => &runtime.probe_keyvalue,
        }),
        capability: component.capability.clone(),
        client,
    };
    let language = llm::Grant {
        language: Arc::clone(&runtime.language),
        rate: runtime.rate,
        user: client,
        visit: Arc::default(),
    };
    let for_model = request.extensions().get::<ForModel>().is_some();
    let environment = runtime.environment(&component.capability, client.is_some() || for_model);
    let mut sandbox = Sandbox::new(runtime.memory_bytes, &output, Arc::clone(&runtime.sender), &environment)
        .with_graphs(graphs)
        .with_language(language)
        .with_keyvalue(keyvalue);
    sandbox.memory.share(memory, Arc::clone(&used));
    let meter = FuelMeter {
        fuel: budget.fuel,
        slice: runtime.yield_fuel,
    };
    let done = Arc::clone(&used);
    let guest = Box::pin(async move {
        let outcome = guest(component, sandbox, request, head_sender, meter, usage, &output).await;
        done.ended();
        drop(permit);
        outcome
    });
    let threads = u32::try_from(runtime.guests.metrics().num_workers())
        .unwrap_or(1)
        .max(1);
    let mut guest = Box::pin(Timed { guest, used, threads });
    // Most requests need less than one slice of fuel: they are done here and now, without a change of threads, which
    // would cost more than they do. Whatever is not done after its first slice goes on among the guests.
    let supervisor = match poll_fn(|context| Poll::Ready(guest.as_mut().poll(context))).await {
        // Nothing was sent yet, so even a failure after the head can still be told.
        Poll::Ready(Err(failure)) => return Err(failure),
        Poll::Ready(Ok(())) => Supervisor::Ended,
        Poll::Pending => {
            let guest = AbortOnDropHandle::new(runtime.guests.spawn(guest));
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
            supervisor.await?;
            Err(Failure::internal("the component returned without an answer"))
        }
        Err(_) => Err(too_late(budget.head)),
    }
}

/// A guest whose computation is counted while it goes on.
struct Timed<F> {
    guest: Pin<Box<F>>,
    used: Arc<Meter>,
    /// Threads that compute guests: one of them is this part of the machine.
    threads: u32,
}

impl<F: Future> Future for Timed<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let started = Instant::now();
        let polled = self.guest.as_mut().poll(context);
        self.used.worked(started.elapsed() / self.threads);
        polled
    }
}

/// The fuel of a sandbox.
#[derive(Debug, Clone, Copy)]
struct FuelMeter {
    /// Units that it may burn in all.
    fuel: u64,
    /// Units that it may burn before it lets others run.
    slice: u64,
}

/// Ends the sandbox when its time is over.
async fn supervise(guest: AbortOnDropHandle<Outcome>, total: Duration) -> Outcome {
    match tokio::time::timeout(total, guest).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => Err(Failure::internal(format!("the sandbox's task ended: {error}"))),
        Err(_) => Err(too_late(total)),
    }
}

fn too_late(limit: Duration) -> Failure {
    let seconds = limit.as_secs();
    Failure::new(
        Code::DeadlineExceeded,
        format!("the answer was not complete after the {seconds} seconds allowed"),
    )
}

async fn guest<B>(
    component: Arc<Guest>,
    sandbox: Sandbox,
    request: http::Request<B>,
    head: oneshot::Sender<Head>,
    meter: FuelMeter,
    usage: Arc<Usage>,
    output: &GuestOutput,
) -> Outcome
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<wasmtime_wasi_http::Error>,
{
    let mut store = Store::new(component.pre.engine(), sandbox);
    store.limiter(|sandbox| &mut sandbox.memory);
    let fuel = meter.fuel;
    let mut store = Metered { store, fuel, usage };
    let result = call(&mut store.store, &component, request, head, meter).await;
    result.map_err(|error| {
        let failure = classify(&error, &store.store.data().memory);
        match output.text() {
            printed if printed.is_empty() => failure.with_internal(format!("{error:?}")),
            printed => failure.with_internal(format!("{error:?}\nthe component printed: {printed}")),
        }
    })
}

/// A store that records its usage when it is dropped.
struct Metered {
    store: Store<Sandbox>,
    fuel: u64,
    usage: Arc<Usage>,
}

impl Drop for Metered {
    fn drop(&mut self) {
        let left = self.store.get_fuel().unwrap_or(0);
        self.usage
            .record(self.fuel.saturating_sub(left), self.store.data().memory.peak);
    }
}

async fn call<B>(
    store: &mut Store<Sandbox>,
    component: &Guest,
    request: http::Request<B>,
    head: oneshot::Sender<Head>,
    meter: FuelMeter,
) -> wasmtime::Result<()>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<wasmtime_wasi_http::Error>,
{
    store.set_fuel(meter.fuel)?;
    store.fuel_async_yield_interval(Some(meter.slice))?;
    let scheme = match request.extensions().get::<http::uri::Scheme>() {
        Some(scheme) if *scheme == http::uri::Scheme::HTTPS => Scheme::Https,
        _ => Scheme::Http,
    };
    let request = store.data_mut().http().new_incoming_request(scheme, request)?;
    let response = store.data_mut().http().new_response_outparam(head)?;
    let proxy = component.pre.instantiate_async(&mut *store).await?;
    proxy
        .wasi_http_incoming_handler()
        .call_handle(store, request, response)
        .await
}

/// Bytes of a mebibyte.
const MIB: usize = 1024 * 1024;

/// Turns an error into a failure. A guest that is refused memory usually aborts, which looks like any other crash.
fn classify(error: &wasmtime::Error, memory: &MemoryLimiter) -> Failure {
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Failure::new(
            Code::ComputeExhausted,
            "the request needs more computation than one request may use",
        ),
        _ if memory.shortage => Failure::new(
            Code::Busy,
            "the service has no memory left for this request; try again in a few seconds",
        )
        .retry_after(RETRY_SECONDS),
        _ if memory.refused => Failure::new(
            Code::MemoryExhausted,
            format!(
                "the request needs more memory than the {} MiB that one request may use; send less at once: a smaller \
                 picture, a document in parts or without its largest pages, a shorter text",
                memory.limit() / MIB
            ),
        ),
        Some(Trap::StackOverflow) => {
            Failure::new(Code::StackExhausted, "the request nests deeper than one request may")
        }
        _ if matches!(error.downcast_ref(), Some(ResourceTableError::Full)) => Failure::new(
            Code::MemoryExhausted,
            "the request needs more handles than one request may use; send less at once",
        ),
        _ => Failure::internal(""),
    }
}
