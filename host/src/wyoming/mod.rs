//! The Wyoming listener: speech and conversations for Home Assistant, in its own protocol, over plain TCP.
//!
//! What comes here is answered by the operations that there are, as at the doors of HTTP: with the same places, rates,
//! limits, versions and records. The protocol has neither keys nor encryption. So the listener is off unless the settings
//! name an address for it, and lets in only those addresses that they name, or else none of the public Internet. A page in a
//! browser gets nowhere: what it can send begins as HTTP does, and a connection ends with the first line that is no event.
//!
//! Written after the package `wyoming` 1.10.2, and after what Home Assistant does with it.

mod announce;
mod client;
mod connection;
mod conversation;
mod event;
mod info;
mod speech;
mod text;
mod voice;
mod wav;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::announce::Announcement;
use self::connection::Connections;
use crate::auth::Client;
use crate::config::{Limits, Wyoming};
use crate::http::app::App;
use crate::http::server::connection_table::ConnectionTable;

/// Connections at the same time; Home Assistant has one for each request. Idle ones are closed for new ones.
pub const MAX_CONNECTIONS: usize = 128;

/// Connections from one address that is not loopback.
const MAX_CLIENT_CONNECTIONS: usize = 32;

/// Pause after the system refused a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A listener that was bound.
pub struct Listener {
    listener: TcpListener,
    connections: Arc<Connections>,
    app: Arc<App>,
    announcement: Option<Announcement>,
    /// Time to leave, and time to end what was begun.
    leave: Duration,
    drain: Duration,
}

impl Listener {
    /// Binds the listener, where the settings name an address for it.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub async fn bind(settings: &Wyoming, app: &Arc<App>, limits: &Limits, keys: bool) -> anyhow::Result<Option<Self>> {
        let Some(address) = settings.wyoming_listen else {
            return Ok(None);
        };
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("the Wyoming listener cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        tracing::info!(wyoming = %address, "the Wyoming listener listens");
        if keys && !address.ip().is_loopback() {
            tracing::warn!(
                "the Wyoming listener asks for no keys: who reaches it and is among `wyoming_clients` uses speech and chat"
            );
        }
        Ok(Some(Self {
            listener,
            connections: Arc::new(Connections::new(Arc::clone(app), settings.clone(), limits)),
            app: Arc::clone(app),
            announcement: settings.wyoming_zeroconf.then(|| announce(address)).flatten(),
            leave: limits.leave_seconds,
            drain: limits.drain_seconds,
        }))
    }

    /// Serves connections until it is told to stop, then lets what is in flight end, for as long as the limits allow.
    pub async fn serve(mut self, stop: CancellationToken) {
        let table = Arc::new(ConnectionTable::new(MAX_CONNECTIONS, MAX_CLIENT_CONNECTIONS));
        let announcement = self.announcement.take();
        let leave = self.leave;
        let mut shutdown = std::pin::pin!(async {
            stop.cancelled().await;
            if let Some(announcement) = announcement {
                announcement.end().await;
            }
            tokio::time::sleep(leave).await;
        });
        loop {
            let accept = async {
                let accepted = self.listener.accept().await;
                table.wait_for_room().await;
                accepted
            };
            let accepted = tokio::select! {
                accepted = accept => accepted,
                () = &mut shutdown => break,
            };
            let (stream, peer) = match accepted {
                Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
                Err(error) => {
                    tracing::warn!(%error, "no connection to the Wyoming listener can be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let Some(guard) = table.add((!peer.is_loopback()).then(|| Client::from(peer))) else {
                tracing::debug!(client = %peer, "refused: as many connections as one address may have, none idle");
                continue;
            };
            let connections = Arc::clone(&self.connections);
            let open = self.app.observer().metrics.connection();
            tokio::spawn(async move {
                let _counted = open;
                connections.serve(stream, peer, guard).await;
            });
        }
        drop(self.listener);
        if tokio::time::timeout(self.drain, table.finish()).await.is_err() {
            tracing::warn!(
                seconds = self.drain.as_secs(),
                "Wyoming requests in flight were cut off"
            );
        }
    }
}

/// Announces the listener, where others than this machine reach it.
fn announce(address: SocketAddr) -> Option<Announcement> {
    if address.ip().is_loopback() {
        return None;
    }
    match Announcement::begin(address) {
        Ok(announcement) => {
            tracing::info!(
                name = announcement.name(),
                "the Wyoming listener is announced on the network"
            );
            Some(announcement)
        }
        Err(error) => {
            tracing::warn!(%error, "the Wyoming listener cannot be announced: Home Assistant has to be told its address");
            None
        }
    }
}
