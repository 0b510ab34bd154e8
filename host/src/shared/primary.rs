//! The server that the connection has to lead to, where there are several.
//!
//! Where Sentinels watch over them, they are asked which is the primary one, before each connection and while it lasts.
//! By the guidelines of Redis for clients of Sentinels, but for the last: a look every few seconds instead of a subscription. The
//! crate's own client of Sentinels would bring its own TLS.
//!
//! In a cluster each name belongs to one of the primary servers, by the part of it in braces. All names of a service have the same
//! part there, because its scripts change them together. So any server that is asked about one either has all of them, or says who
//! has (`MOVED`, by the specification of Redis Cluster); and when they go to another server, a call says so, too. The crate's own
//! client of clusters would bring its own TLS as well, and connect to servers that have nothing of the service.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use redis::RedisResult;

use super::link::{CONNECT_TIMEOUT, ConnectError, Link, Open, passing, refused, within};
use crate::config::{StoreHost, Topology};

/// Time for one Sentinel to answer. Others may know, too.
const SENTINEL_TIMEOUT: Duration = Duration::from_millis(500);

/// Time after which Sentinels are asked again whether the connection leads to the primary server.
const LOOK: Duration = Duration::from_secs(5);

/// Servers of a cluster that may send on to one another, before the first one counts as one that does not know.
const MOST_REDIRECTIONS: usize = 3;

impl Link {
    /// Connects to the server that Sentinels name, and makes sure that it takes itself for the primary one, too: they may not have
    /// heard yet.
    pub(super) async fn reach_watched(&self, service: &str) -> Result<Open, ConnectError> {
        let host = self.primary(service).await?;
        let opened = within(CONNECT_TIMEOUT, async {
            let open = self.reach(&host, &self.login).await?;
            let mut connection = open.connection.clone();
            let hello: RedisResult<HashMap<String, redis::Value>> =
                redis::cmd("HELLO").query_async(&mut connection).await;
            let role = hello.map_err(refused)?.remove("role");
            match role
                .and_then(|role| redis::from_redis_value::<String>(role).ok())
                .as_deref()
            {
                Some("master") => Ok(open),
                role => Err(passing(format!(
                    "it says of itself that it is a {}",
                    role.unwrap_or("server without a role")
                ))),
            }
        });
        opened.await.map_err(|error| ConnectError {
            reason: format!("{host}, which Sentinels name: {}", error.reason),
            ..error
        })
    }

    /// The primary server as the first Sentinel names it that answers. All are asked at once: some may be away.
    async fn primary(&self, service: &str) -> Result<StoreHost, ConnectError> {
        let ask = |sentinel| async move {
            let asked = within(SENTINEL_TIMEOUT, self.ask_sentinel(sentinel, service)).await;
            asked.map_err(|error| (sentinel, error))
        };
        let mut asked: FuturesUnordered<_> = self.address.hosts.iter().map(ask).collect();
        let mut failed = Failed::default();
        while let Some(answer) = asked.next().await {
            match answer {
                Ok(host) => return Ok(host),
                Err((sentinel, error)) => failed.add(sentinel, error),
            }
        }
        Err(failed.into_error("no Sentinel names the server"))
    }

    async fn ask_sentinel(&self, sentinel: &StoreHost, service: &str) -> Result<StoreHost, ConnectError> {
        let open = self.reach(sentinel, &self.sentinel_login).await?;
        let mut connection = open.connection.clone();
        let mut ask = redis::cmd("SENTINEL");
        ask.arg("GET-MASTER-ADDR-BY-NAME").arg(service);
        let named: RedisResult<Option<(String, u16)>> = ask.query_async(&mut connection).await;
        let (name, port) = named
            .map_err(refused)?
            .ok_or_else(|| passing(format!("it knows no `{service}`")))?;
        Ok(StoreHost { name, port })
    }

    /// Waits until Sentinels name another server than the one that the connection leads to, and gives the connection up then.
    pub async fn replaced(&self) {
        let Topology::Sentinels { service } = &self.address.topology else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(LOOK).await;
            let Some(open) = self.open.load_full() else { return };
            // Sentinels that do not answer say nothing against it.
            if let Ok(host) = self.primary(service).await
                && host != open.host
            {
                tracing::info!(from = %open.host, to = %host, "Sentinels name another server for the shared state");
                return self.lose(&open);
            }
        }
    }

    /// Connects to the server of a cluster that has the names of the service: the first that is found by way of one of those that are
    /// configured. All of these are asked at once: some may be away, or not have heard of a fail-over yet.
    pub(super) async fn reach_in_cluster(&self) -> Result<Open, ConnectError> {
        let find = |first: &StoreHost| {
            let first = first.clone();
            async move {
                let found = within(CONNECT_TIMEOUT, self.follow(first.clone())).await;
                found.map_err(|error| (first, error))
            }
        };
        let mut asked: FuturesUnordered<_> = self.address.hosts.iter().map(find).collect();
        let mut failed = Failed::default();
        while let Some(answer) = asked.next().await {
            match answer {
                Ok(open) => return Ok(open),
                Err((host, error)) => failed.add(&host, error),
            }
        }
        Err(failed.into_error("no server of the cluster leads to the one that has the state"))
    }

    /// Connects to a server of a cluster, or to the one that it sends on to.
    async fn follow(&self, mut host: StoreHost) -> Result<Open, ConnectError> {
        for _ in 0..=MOST_REDIRECTIONS {
            let open = self.reach(&host, &self.login).await?;
            let mut connection = open.connection.clone();
            let has: RedisResult<()> = redis::cmd("EXISTS").arg(&self.prefix).exec_async(&mut connection).await;
            let Err(error) = has else { return Ok(open) };
            let Some((place, _)) = error.redirect_node() else {
                return Err(refused(error));
            };
            host = StoreHost::read_redirection(place, &host)
                .ok_or_else(|| passing(format!("{host} sends on to `{place}`, which is no address")))?;
        }
        Err(passing(format!("servers send on to one another, at last to {host}")))
    }
}

/// The reasons why servers that were asked do not help.
#[derive(Default)]
struct Failed {
    reasons: Vec<String>,
    passing: bool,
}

impl Failed {
    fn add(&mut self, host: &StoreHost, error: ConnectError) {
        self.passing |= !error.lasting;
        self.reasons.push(format!("{host}: {}", error.reason));
    }

    fn into_error(self, all: &str) -> ConnectError {
        ConnectError {
            reason: format!("{all} ({})", self.reasons.join("; ")),
            lasting: !self.passing,
        }
    }
}
