//! The health listener: health, readiness and metrics at an address of their own. Whoever fills the service's connections keeps
//! nobody from these: an orchestrator that hears nothing would end a service which is only busy.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::app::App;

/// Connections at the same time. Each ends with its answer.
const MAX_CONNECTIONS: usize = 64;

/// Time for a connection, from its first byte to the last of its answer: nobody holds one.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Pause after the system refused a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Answers until the runtime ends, also while the service drains.
pub async fn serve(listener: TcpListener, app: Arc<App>) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = Arc::clone(&connections).acquire_owned().await;
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "no connection to the health listener can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            let _permit = permit;
            let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
                let app = Arc::clone(&app);
                async move { Ok::<_, Infallible>(app.health(request.method(), request.uri().path())) }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), service);
            match timeout(CONNECTION_TIMEOUT, connection).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::debug!(%error, "connection to the health listener ended"),
                Err(_) => tracing::debug!("a connection to the health listener took too long"),
            }
        });
    }
}
