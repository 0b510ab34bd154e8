//! Connections: accepted, served, drained. Knows sockets and HTTP framing, and nothing of components.

mod connection;
pub mod connection_table;
mod drain_body;
pub mod paced_stream;
mod stream_watch;
pub mod tls;

use std::sync::Arc;

use tokio::net::TcpListener;

use self::connection::Connections;
use self::connection_table::ConnectionTable;
use self::tls::Tls;
use crate::auth::Client;
use crate::config::Limits;
use crate::http::app::App;
use crate::policy::proxies::Proxies;

/// File descriptors that are not for connections: the listener, the log, files that are read or written.
const OTHER_DESCRIPTORS: usize = 64;

/// Smallest limit of connections, however few descriptors the system allows.
const MIN_CONNECTIONS: usize = 16;

/// The configuration of a listener.
pub struct ListenerConfig {
    /// Certificate and key, where it speaks TLS.
    pub tls: Option<Arc<Tls>>,
    /// Proxies, which speak for many and may have any number of connections.
    pub proxies: Proxies,
    /// File descriptors that the process may have open.
    pub descriptors: usize,
}

/// Serves connections until `shutdown` resolves, then lets what is in flight end, for as long as the limits allow.
pub async fn run(
    listener: TcpListener,
    app: Arc<App>,
    config: ListenerConfig,
    limits: &Limits,
    shutdown: impl Future<Output = ()>,
) {
    let table = Arc::new(connection_table(limits, config.descriptors));
    let connections = Arc::new(Connections::new(Arc::clone(&app), config.tls, limits));
    // Whoever asks whether it is ready hears first that it is not, and is let in until then.
    let mut shutdown = std::pin::pin!(async {
        shutdown.await;
        app.drain();
        tokio::time::sleep(limits.leave_seconds).await;
    });
    loop {
        let accept = async {
            let accepted = listener.accept().await;
            // Only now, so that nobody is sent away while nobody comes.
            table.wait_for_room().await;
            accepted
        };
        let accepted = tokio::select! {
            accepted = accept => accepted,
            () = &mut shutdown => break,
        };
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
            Err(error) if is_of_one_connection(&error) => continue,
            Err(error) => {
                // Most likely no file descriptor is left, and the next attempt would fail as well.
                tracing::warn!(%error, "no connection can be accepted");
                table.close_idle();
                table.wait_for_change().await;
                continue;
            }
        };
        let counted = !peer.is_loopback() && !config.proxies.trust(peer);
        let Some(guard) = table.add(counted.then(|| Client::from(peer))) else {
            tracing::debug!(client = %peer, "refused: as many connections as one address may have, none idle");
            continue;
        };
        let connections = Arc::clone(&connections);
        let open = app.observer().metrics.connection();
        tokio::spawn(async move {
            let _counted = open;
            connections.serve(stream, peer, guard).await;
        });
    }
    drop(listener);
    let patience = limits.drain_seconds;
    if tokio::time::timeout(patience, table.finish()).await.is_err() {
        tracing::warn!(seconds = patience.as_secs(), "requests in flight were cut off");
    }
}

fn connection_table(limits: &Limits, descriptors: usize) -> ConnectionTable {
    let wanted = limits.connections;
    let possible = descriptors.saturating_sub(OTHER_DESCRIPTORS).max(MIN_CONNECTIONS);
    if possible < wanted {
        tracing::warn!(
            wanted,
            possible,
            descriptors,
            "fewer connections than configured: the system allows no more open files"
        );
    }
    ConnectionTable::new(wanted.min(possible), limits.client_connections)
}

/// Returns true for errors of one connection that say nothing about the next.
fn is_of_one_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
