//! Serves one connection from its first byte to its end.

use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http::uri::Scheme;
use http_body::{Body, Frame, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::connection_table::{ConnectionGuard, ConnectionState, Order, RequestGuard};
use super::drain_body::DrainBody;
use super::paced_stream::PacedStream;
use super::stream_watch::{Progress, StreamExecutor};
use super::tls::Tls;
use crate::admission::Pace;
use crate::body::ResponseBody;
use crate::config::Limits;
use crate::http::app::App;

/// Requests that one HTTP/2 connection may have open at once.
const MAX_STREAMS: u32 = 128;

/// Streams that a client may open and reset before they were looked at, and streams that may break the protocol, before
/// the connection is closed: "rapid reset" and its relatives.
const MAX_RESET_STREAMS: usize = 20;

/// Bytes that a client may send before they are read: for one stream of HTTP/2, and for all of one connection.
const STREAM_WINDOW_BYTES: u32 = 256 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 1024 * 1024;

/// Bytes that wait to be sent on one stream of HTTP/2.
const SEND_BUFFER_BYTES: usize = 64 * 1024;

/// Bytes of a request's head beyond which it is not even looked at. The configured limits are below it, so that the
/// answer comes from us; above it, it is hyper's: a bare 414 or 431.
const MAX_HEAD_BYTES: u32 = 64 * 1024;

/// Bytes that the system takes of a connection before its client does. As many as it likes would be minutes of compressed
/// speech, and whoever listens to it would seem to stand still for that long.
const SYSTEM_SEND_BUFFER_BYTES: usize = 128 * 1024;

/// Time by which a response's own limit comes before that of its stream.
const STALL_SLACK: Duration = Duration::from_millis(500);

/// Time that a connection has to close gracefully.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The shared parts of all connections.
pub struct Connections {
    builder: Builder<StreamExecutor>,
    app: Arc<App>,
    tls: Option<Arc<Tls>>,
    idle: Duration,
    handshake: Duration,
    write: Duration,
    pace: Pace,
}

impl Connections {
    /// Connections with the configured time-outs, over TLS where there is a certificate.
    pub fn new(app: Arc<App>, tls: Option<Arc<Tls>>, limits: &Limits) -> Self {
        let idle = limits.idle_seconds;
        let pace = Pace::new(limits.send_bytes_per_second, limits.stall_seconds);
        Self {
            builder: builder(idle, limits.stall_seconds, pace),
            app,
            tls,
            idle,
            handshake: limits.handshake_seconds,
            write: limits.stall_seconds,
            pace,
        }
    }

    /// Serves a connection until it ends, is idle for too long, or is ordered to end.
    pub async fn serve(&self, stream: TcpStream, peer: IpAddr, guard: ConnectionGuard) {
        // Streams are written in small pieces, which must not wait for each other.
        let _ = stream.set_nodelay(true);
        let _ = SockRef::from(&stream).set_send_buffer_size(SYSTEM_SEND_BUFFER_BYTES);
        // Nothing is kept for a connection that says nothing.
        tokio::select! {
            begun = timeout(self.idle, stream.readable()) => if begun.is_err() { return },
            _ = guard.state.ordered() => return,
        }
        let Some(tls) = &self.tls else {
            return self.speak(stream, (peer, Scheme::HTTP), &guard.state).await;
        };
        let Some(acceptor) = tls.acceptor() else { return };
        let accepted = tokio::select! {
            accepted = timeout(self.handshake, acceptor.accept(stream)) => accepted,
            _ = guard.state.ordered() => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.speak(stream, (peer, Scheme::HTTPS), &guard.state).await,
            Ok(Err(error)) => tracing::debug!(%error, client = %peer, "no TLS handshake"),
            Err(_) => tracing::debug!(client = %peer, "the TLS handshake took too long"),
        }
    }

    /// Serves HTTP on a stream.
    ///
    /// The idle time-out is ours and not hyper's, which knows one for the heads of HTTP/1 requests only: this one also
    /// ends what begins like HTTP/2 and goes no further, and HTTP/2 connections that ask nothing. And it costs a
    /// request no timer: the one timer of the connection looks, when it fires, at how long nothing was asked.
    async fn speak<S: AsyncRead + AsyncWrite + Send + 'static>(
        &self,
        stream: S,
        (peer, scheme): (IpAddr, Scheme),
        state: &Arc<ConnectionState>,
    ) {
        let mut stream = TimeoutStream::new(PacedStream::new(Box::pin(stream), self.pace));
        stream.set_write_timeout(Some(self.write));
        let service = service_fn(|request: Request<hyper::body::Incoming>| {
            let request_guard = state.begin();
            let (head, body) = request.into_parts();
            let body = DrainBody::new(body, &head.headers);
            let request = Request::from_parts(head, body);
            let app = Arc::clone(&self.app);
            let scheme = scheme.clone();
            async move {
                let response = app.handle(request, peer, &scheme).await;
                let progress = Progress::current();
                if let Some(progress) = &progress {
                    progress.read();
                }
                Ok::<_, std::convert::Infallible>(response.map(|body| Tracked {
                    body,
                    progress,
                    _request: request_guard,
                }))
            }
        });
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(Box::pin(stream)), service));
        let mut timer = pin!(sleep(self.idle));
        let mut ending = false;
        loop {
            tokio::select! {
                biased;
                result = connection.as_mut() => {
                    if let Err(error) = result {
                        tracing::debug!(%error, client = %peer, "connection ended");
                    }
                    return;
                }
                order = state.ordered() => match order {
                    Order::Close => return,
                    Order::Finish if ending => {}
                    Order::Finish => {
                        ending = true;
                        connection.as_mut().graceful_shutdown();
                        timer.as_mut().reset(Instant::now() + SHUTDOWN_TIMEOUT);
                    }
                },
                () = timer.as_mut() => match state.idle() {
                    Some(_) if ending => return,
                    Some(idle) if idle >= self.idle => {
                        ending = true;
                        connection.as_mut().graceful_shutdown();
                        timer.as_mut().reset(Instant::now() + SHUTDOWN_TIMEOUT);
                    }
                    Some(idle) => timer.as_mut().reset(Instant::now() + (self.idle - idle)),
                    None if ending => timer.as_mut().reset(Instant::now() + SHUTDOWN_TIMEOUT),
                    None => timer.as_mut().reset(Instant::now() + self.idle),
                },
            }
        }
    }
}

fn builder(idle: Duration, stall: Duration, pace: Pace) -> Builder<StreamExecutor> {
    let mut builder = Builder::new(StreamExecutor {
        // A body that waits for its component has the same time, and says which of both it was.
        limit: stall + STALL_SLACK,
        pace,
    });
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD_BYTES as usize)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_pending_accept_reset_streams(MAX_RESET_STREAMS)
        .max_local_error_reset_streams(MAX_RESET_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BUFFER_BYTES)
        // Also bounds how many CONTINUATION frames a head may take.
        .max_header_list_size(MAX_HEAD_BYTES)
        // Finds clients that are gone without a word.
        .keep_alive_interval(idle)
        .keep_alive_timeout(idle);
    builder
}

/// The body of a response, whose connection is busy for as long as it is there.
struct Tracked {
    body: ResponseBody,
    progress: Option<Arc<Progress>>,
    _request: RequestGuard,
}

impl Body for Tracked {
    type Data = Bytes;
    type Error = <ResponseBody as Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        // It is asked for more only when the client has room for it.
        if let Some(progress) = &self.progress {
            progress.read();
            if progress.too_slow() {
                tracing::debug!("a stream is reset: its client takes the response too slowly");
                return Poll::Ready(Some(Err(wasmtime_wasi_http::Error::ConnectionTerminated)));
            }
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let (Some(progress), Poll::Ready(Some(Ok(frame)))) = (&self.progress, &polled) {
            progress.gave(frame.data_ref().map_or(0, |data| data.len() as u64));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
