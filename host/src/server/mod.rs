//! Connections: accepted, served, drained. Knows sockets and HTTP framing, and nothing of components.

use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use quartet_api::limits;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::config::Limits;

/// How long to wait after the system refused a connection, for example because no file descriptor is left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Requests that one HTTP/2 connection may have open at once.
const STREAMS: u32 = 128;

/// Serves connections until `shutdown` resolves, then lets what is in flight end, for as long as the limits allow.
pub async fn run(listener: TcpListener, app: Arc<App>, limits: &Limits, shutdown: impl Future<Output = ()>) {
    let connections = Arc::new(Semaphore::new(
        limits.count(&limits::CONNECTIONS).min(Semaphore::MAX_PERMITS),
    ));
    let builder = builder(limits);
    let write_timeout = limits.seconds(&limits::STALL_SECONDS);
    let idle = limits.seconds(&limits::IDLE_SECONDS);
    let graceful = GracefulShutdown::new();
    let stopping = CancellationToken::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accept = async {
            let permit = Arc::clone(&connections).acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accept => accepted,
            () = &mut shutdown => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_of_one_connection(&error) => continue,
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let open = app.observer().metrics.connection();
        let app = Arc::clone(&app);
        let service = service_fn(move |request| {
            let app = Arc::clone(&app);
            async move { Ok::<_, std::convert::Infallible>(app.handle(request, peer.ip()).await) }
        });
        let (builder, stopping, watcher) = (builder.clone(), stopping.clone(), graceful.watcher());
        tokio::spawn(async move {
            let _held = (permit, open);
            // hyper counts its time-outs from the first byte on.
            tokio::select! {
                begun = tokio::time::timeout(idle, stream.readable()) => if begun.is_err() { return },
                () = stopping.cancelled() => return,
            }
            let connection = builder.serve_connection_with_upgrades(guarded(stream, write_timeout), service);
            if let Err(error) = watcher.watch(connection).await {
                tracing::debug!(%error, client = %peer, "connection ended");
            }
        });
    }
    drop(listener);
    stopping.cancel();
    app.drain();
    let patience = limits.seconds(&limits::DRAIN_SECONDS);
    if tokio::time::timeout(patience, graceful.shutdown()).await.is_err() {
        tracing::warn!(seconds = patience.as_secs(), "requests in flight were cut off");
    }
}

fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        // From the end of one request to the end of the next one's headers.
        .header_read_timeout(limits.seconds(&limits::IDLE_SECONDS))
        .max_buf_size(64 * 1024)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(64 * 1024)
        .keep_alive_interval(limits.seconds(&limits::IDLE_SECONDS))
        .keep_alive_timeout(limits.seconds(&limits::IDLE_SECONDS));
    builder
}

/// A connection that ends when its client stops reading.
fn guarded(stream: TcpStream, write_timeout: Duration) -> TokioIo<std::pin::Pin<Box<TimeoutStream<TcpStream>>>> {
    // Streams are written in small pieces, which must not wait for each other.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(write_timeout));
    TokioIo::new(Box::pin(stream))
}

/// Errors that say something about one connection and nothing about the next.
fn is_of_one_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
