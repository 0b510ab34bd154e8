//! The connection to the store: made anew whenever it is lost, and never waited for longer than the settings allow.
//!
//! One connection carries the calls of all requests, one behind the other (the crate `redis`). A call that fails or comes
//! late gives the connection up; from then on calls fail at once, until the store has answered again. So a store that
//! hangs costs those requests a moment that were there when it began, and no other.

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
use crate::config::StoreAddress;

/// Time to connect, encrypt and log in. No request waits for it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

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
    address: StoreAddress,
    login: RedisConnectionInfo,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    call_timeout: Duration,
    open: ArcSwapOption<Open>,
    lost: Notify,
    metrics: SharedMetrics,
}

struct Open {
    connection: MultiplexedConnection,
    driver: AbortHandle,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Link {
    /// A connection that is not open yet. `authorities` are those that a store with TLS is trusted by.
    ///
    /// # Errors
    /// When the address has a name that no certificate can have, or TLS cannot be set up.
    pub fn new(
        address: StoreAddress,
        password: Option<String>,
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
                let name = ServerName::try_from(address.host.clone())?;
                Some((TlsConnector::from(Arc::new(config)), name))
            }
        };
        Ok(Self {
            address,
            login,
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
        let passing = |reason: String| ConnectError { reason, lasting: false };
        let opened = timeout(CONNECT_TIMEOUT, async {
            let stream = TcpStream::connect((self.address.host.as_str(), self.address.port)).await;
            let stream = stream.map_err(|error| passing(error.to_string()))?;
            stream.set_nodelay(true).map_err(|error| passing(error.to_string()))?;
            match &self.tls {
                None => self.log_in(stream).await,
                Some((connector, name)) => {
                    let encrypted = connector
                        .connect(name.clone(), stream)
                        .await
                        .map_err(|error| ConnectError {
                            lasting: error.get_ref().is_some_and(|inner| inner.is::<tls::Error>()),
                            reason: error.to_string(),
                        })?;
                    self.log_in(encrypted).await
                }
            }
        });
        let opened = opened
            .await
            .unwrap_or_else(|_| Err(passing(format!("no answer within {} s", CONNECT_TIMEOUT.as_secs()))))?;
        self.open.store(Some(Arc::new(opened)));
        self.metrics.up(true);
        Ok(())
    }

    async fn log_in<C>(&self, stream: C) -> Result<Open, ConnectError>
    where
        C: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        // The time of a call is watched here.
        let config = AsyncConnectionConfig::new().set_response_timeout(None);
        let (mut connection, driver) = MultiplexedConnection::new_with_config(&self.login, stream, config)
            .await
            .map_err(refused)?;
        let driver = tokio::spawn(driver).abort_handle();
        let open = Open {
            connection: connection.clone(),
            driver,
        };
        let answer: RedisResult<()> = redis::cmd("PING").exec_async(&mut connection).await;
        answer.map_err(refused)?;
        Ok(open)
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
    fn lose(&self, open: &Arc<Open>) {
        let before = self.open.compare_and_swap(open, None);
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, open)) {
            self.metrics.up(false);
            self.lost.notify_waiters();
            self.lost.notify_one();
        }
    }
}

fn refused(error: RedisError) -> ConnectError {
    let lasting = error.kind() == ErrorKind::AuthenticationFailed
        || matches!(error.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"));
    ConnectError {
        reason: error.to_string(),
        lasting,
    }
}
