//! The connection to the store: made anew whenever it is lost, and never waited for longer than the settings allow.
//!
//! One connection carries the calls of all requests, one behind the other (the crate `redis`). A call that fails or comes
//! late gives the connection up; from then on calls fail at once, until the store has answered again. So a store that
//! hangs costs those requests a moment that were there when it began, and no other.
//!
//! Where there are several servers, `primary` finds the one that the connection has to lead to.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, ErrorKind, RedisConnectionInfo, RedisError, RedisResult};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self as tls, ClientConfig, RootCertStore};

use super::call::{Call, CallError};
use super::metrics::SharedMetrics;
use crate::config::{StoreAddress, StoreHost, Topology};

/// Time to connect, encrypt and log in. No request waits for it.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The reason why there is no connection.
#[derive(Debug)]
pub struct ConnectError {
    /// In words, for the log.
    pub reason: String,
    /// True if it will not pass by itself: the store does not take the login, or its certificate is not to be trusted.
    pub lasting: bool,
}

/// The connection.
pub struct Link {
    pub(super) address: StoreAddress,
    pub(super) login: RedisConnectionInfo,
    pub(super) sentinel_login: RedisConnectionInfo,
    /// Begins every name in the store: in a cluster it says which server has them.
    pub(super) prefix: String,
    tls: Option<TlsConnector>,
    call_timeout: Duration,
    pub(super) open: ArcSwapOption<Open>,
    lost: Notify,
    metrics: SharedMetrics,
}

pub(super) struct Open {
    pub(super) host: StoreHost,
    pub(super) connection: MultiplexedConnection,
    driver: AbortHandle,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Link {
    /// A connection that is not open yet. `prefix` begins all names that calls are about, `authorities` are those that a store with
    /// TLS is trusted by.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(
        address: StoreAddress,
        prefix: String,
        password: Option<String>,
        sentinel_password: Option<String>,
        authorities: RootCertStore,
        call_timeout: Duration,
        metrics: SharedMetrics,
    ) -> anyhow::Result<Self> {
        let mut login = RedisConnectionInfo::default()
            .set_db(address.database)
            .set_lib_name("quartet", env!("CARGO_PKG_VERSION"));
        if let Some(user) = &address.user {
            login = login.set_username(user);
        }
        if let Some(password) = password {
            login = login.set_password(password);
        }
        let encryption = match address.tls {
            false => None,
            true => {
                let config = ClientConfig::builder_with_provider(Arc::new(tls::crypto::ring::default_provider()))
                    .with_safe_default_protocol_versions()?
                    .with_root_certificates(authorities)
                    .with_no_client_auth();
                Some(TlsConnector::from(Arc::new(config)))
            }
        };
        let mut sentinel_login = RedisConnectionInfo::default();
        if let Some(password) = sentinel_password {
            sentinel_login = sentinel_login.set_password(password);
        }
        Ok(Self {
            address,
            login,
            sentinel_login,
            prefix,
            tls: encryption,
            call_timeout,
            open: ArcSwapOption::empty(),
            lost: Notify::new(),
            metrics,
        })
    }

    /// True if calls may be made.
    pub fn is_open(&self) -> bool {
        self.open.load().is_some()
    }

    /// Opens the connection. Resolves when the store has answered over it.
    ///
    /// # Errors
    /// When nothing answers in time, or does not let in.
    pub async fn connect(&self) -> Result<(), ConnectError> {
        let opened = match &self.address.topology {
            Topology::Single => within(CONNECT_TIMEOUT, self.reach(&self.address.hosts[0], &self.login)).await?,
            Topology::Sentinels { service } => self.reach_watched(service).await?,
            Topology::Cluster => self.reach_in_cluster().await?,
        };
        self.open.store(Some(Arc::new(opened)));
        self.metrics.up(true);
        Ok(())
    }

    /// Connects to a server and logs in.
    pub(super) async fn reach(&self, host: &StoreHost, login: &RedisConnectionInfo) -> Result<Open, ConnectError> {
        let stream = TcpStream::connect((host.name.as_str(), host.port)).await;
        let stream = stream.map_err(|error| passing(error.to_string()))?;
        stream.set_nodelay(true).map_err(|error| passing(error.to_string()))?;
        match &self.tls {
            None => log_in(host, stream, login).await,
            Some(connector) => {
                let name = ServerName::try_from(host.name.clone()).map_err(|error| ConnectError {
                    reason: format!("{host} has a name that no certificate can have: {error}"),
                    lasting: true,
                })?;
                let encrypted = connector.connect(name, stream).await.map_err(|error| ConnectError {
                    lasting: error.get_ref().is_some_and(|inner| inner.is::<tls::Error>()),
                    reason: error.to_string(),
                })?;
                log_in(host, encrypted, login).await
            }
        }
    }

    /// Waits until the connection is lost.
    pub async fn lost(&self) {
        while self.is_open() {
            self.lost.notified().await;
        }
    }

    /// Asks the store for something.
    ///
    /// # Errors
    /// When there is no connection, the answer does not come in time, or is an error.
    pub async fn call<T, F>(&self, call: Call, ask: impl FnOnce(MultiplexedConnection) -> F) -> Result<T, CallError>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let Some(open) = self.open.load_full() else {
            return Err(CallError::Away);
        };
        let begun = Instant::now();
        let answer = timeout(self.call_timeout, ask(open.connection.clone())).await;
        let result = match answer {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) if error.code() == Some("OOM") => Err(CallError::Full),
            Ok(Err(error)) => {
                tracing::warn!(%error, call = call.word(), "the store of shared state failed");
                // An error in one answer says nothing about the next call.
                if !matches!(error.kind(), ErrorKind::Server(redis::ServerErrorKind::ResponseError)) {
                    self.lose(&open);
                }
                Err(CallError::Away)
            }
            Err(_) => {
                tracing::warn!(
                    call = call.word(),
                    ms = self.call_timeout.as_millis() as u64,
                    "the store of shared state did not answer in time"
                );
                self.lose(&open);
                Err(CallError::Away)
            }
        };
        self.metrics
            .called(call, result.as_ref().err().copied(), begun.elapsed());
        result
    }

    /// Gives a connection up, unless there is a newer one.
    pub(super) fn lose(&self, open: &Arc<Open>) {
        let before = self.open.compare_and_swap(open, None);
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, open)) {
            self.metrics.up(false);
            self.lost.notify_waiters();
            self.lost.notify_one();
        }
    }
}

/// Logs in over a connection, and hears that the server answers.
async fn log_in<C>(host: &StoreHost, stream: C, login: &RedisConnectionInfo) -> Result<Open, ConnectError>
where
    C: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    // The time of a call is watched here.
    let config = AsyncConnectionConfig::new().set_response_timeout(None);
    let (mut connection, driver) = MultiplexedConnection::new_with_config(login, stream, config)
        .await
        .map_err(refused)?;
    let open = Open {
        host: host.clone(),
        connection: connection.clone(),
        driver: tokio::spawn(driver).abort_handle(),
    };
    let answer: RedisResult<()> = redis::cmd("PING").exec_async(&mut connection).await;
    answer.map_err(refused)?;
    Ok(open)
}

/// The result of something that has so much time.
pub(super) async fn within<T>(
    time: Duration,
    result: impl Future<Output = Result<T, ConnectError>>,
) -> Result<T, ConnectError> {
    let ended = timeout(time, result).await;
    ended.unwrap_or_else(|_| Err(passing(format!("no answer within {} s", time.as_secs_f32()))))
}

pub(super) fn passing(reason: String) -> ConnectError {
    ConnectError { reason, lasting: false }
}

pub(super) fn refused(error: RedisError) -> ConnectError {
    let lasting = error.kind() == ErrorKind::AuthenticationFailed
        || matches!(error.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"));
    ConnectError {
        reason: error.to_string(),
        lasting,
    }
}
