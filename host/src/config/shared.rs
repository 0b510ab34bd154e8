//! The settings of what replicas share: the store, its secrets, and what holds while nobody reaches it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use http::uri::Authority;

use super::parse::{Invalid, Parsed, Toggle, milliseconds, one_of, positive, toggle, whole};

/// State that several replicas of the service share.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Replicas")]
pub struct Shared {
    /// Valkey or Redis server in which replicas keep what later questions are about, and count requests together, such as
    /// redis://cache.internal:6379, or rediss:// for TLS; /2 at the end names a database. Where Sentinels watch over it,
    /// redis+sentinel://one:26379,two:26379,three:26379/NAME, with their name for it; of a cluster some of its servers,
    /// redis+cluster://one:6379,two:6379. Without it each replica has memory of its own.
    #[arg(long, value_parser = store)]
    pub shared_state: Option<StoreAddress>,
    /// File with the secret that all replicas have, at least 32 characters that nobody can guess: with it they seal what they
    /// put into the store. What is there under another secret is not found.
    #[arg(long)]
    pub shared_secret_file: Option<PathBuf>,
    /// File with the password for the store.
    #[arg(long)]
    pub shared_password_file: Option<PathBuf>,
    /// File with the password for the Sentinels, where they want one.
    #[arg(long)]
    pub shared_sentinel_password_file: Option<PathBuf>,
    /// PEM file with the certificates that a store with TLS is trusted by; without it those that browsers trust.
    #[arg(long)]
    pub shared_authorities: Option<PathBuf>,
    /// Rule while the store cannot be reached: local keeps what comes then in the replica's own memory until it can, as
    /// if there were no other; refuse keeps nothing, and answers 503 to questions about what was kept. Rates are held by each
    /// replica alone then, as its part of them.
    #[arg(long, value_parser = unavailable, default_value = "local")]
    pub shared_unavailable: Unavailable,
    /// Time that one call of the store may take; what takes longer makes it count as away until it answers again.
    #[arg(long, value_parser = milliseconds, default_value = "250")]
    pub shared_milliseconds: Duration,
    /// Bytes of the components that the store keeps for all replicas to take, all together: of each capability that was
    /// swapped the version that serves and the one before, and the one that comes.
    #[arg(long, value_name = "bytes", value_parser = positive::<u64>, default_value_t = 256 * 1024 * 1024)]
    pub shared_component_bytes: u64,
    /// Bytes of the jobs that the store keeps, all together: requests, so that another replica can go on with them, and
    /// answers; of one client's, the part that client_percent says.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>, default_value_t = 256 * 1024 * 1024)]
    pub shared_job_bytes: usize,
    /// Size of the body of a request for a job that is kept there, so that another replica can begin the job again; a job with a
    /// larger one fails when its replica is gone.
    #[arg(long, value_name = "bytes", value_parser = whole::<usize>, default_value_t = 16 * 1024 * 1024)]
    pub shared_job_request_bytes: usize,
    /// Take the address of a program on this machine for a session, where it names none: on, off, or auto for on where the
    /// state is not shared.
    #[arg(long, value_parser = toggle, default_value = "auto")]
    pub address_sessions: Toggle,
}

/// The address of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreAddress {
    /// The server; or those that lead to it: Sentinels, or servers of a cluster.
    pub hosts: Vec<StoreHost>,
    /// The way from there to the server that has the state.
    pub topology: Topology,
    /// True if all of them speak TLS.
    pub tls: bool,
    /// The user to log in as, where it is not the default one.
    pub user: Option<String>,
    /// Number of the database.
    pub database: i64,
}

/// Servers of which one has the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topology {
    /// There is one server.
    Single,
    /// Sentinels watch over the servers.
    Sentinels {
        /// The name under which they know the primary one.
        service: String,
    },
    /// The servers are a cluster.
    Cluster,
}

/// A server by its name or address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreHost {
    /// Name, or address without brackets.
    pub name: String,
    /// Port.
    pub port: u16,
}

impl StoreHost {
    /// The server that another one sends on to, as it says: `address:port`, without brackets around an address of IPv6, and without
    /// an address where that is its own. None where it does not know it.
    pub fn read_redirection(place: &str, from: &StoreHost) -> Option<Self> {
        let (name, port) = place.rsplit_once(':')?;
        let name = match name {
            "" => &from.name,
            "?" => return None,
            name => name,
        };
        Some(Self {
            name: name.to_owned(),
            port: port.parse().ok()?,
        })
    }
}

impl fmt::Display for StoreHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

/// Rule while the store cannot be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unavailable {
    /// The replica keeps what comes in its own memory.
    Local,
    /// The replica keeps nothing, and refuses questions about what was kept.
    Refuse,
}

impl Shared {
    /// True if an address may stand for a session.
    pub fn takes_addresses(&self) -> bool {
        match self.address_sessions {
            Toggle::On => true,
            Toggle::Off => false,
            Toggle::Auto => self.shared_state.is_none(),
        }
    }

    /// Checks what depends on several settings.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        if self.shared_state.is_some() && self.shared_secret_file.is_none() {
            return Err(Invalid(
                "`shared_state` is set and `shared_secret_file` is not: what replicas put into the store is sealed with a \
                 secret; `openssl rand -base64 32` makes one"
                    .to_owned(),
            ));
        }
        let of_store = [
            ("shared_secret_file", self.shared_secret_file.is_some()),
            ("shared_password_file", self.shared_password_file.is_some()),
            ("shared_authorities", self.shared_authorities.is_some()),
        ];
        let topology = self.shared_state.as_ref().map(|store| &store.topology);
        let has_sentinels = matches!(topology, Some(Topology::Sentinels { .. }));
        if self.shared_sentinel_password_file.is_some() && !has_sentinels {
            return Err(Invalid(
                "`shared_sentinel_password_file` is set and `shared_state` names no Sentinels: \
                 redis+sentinel://one:26379,two:26379,three:26379/NAME does"
                    .to_owned(),
            ));
        }
        match of_store.iter().find(|(_, set)| *set && self.shared_state.is_none()) {
            Some((name, _)) => Err(Invalid(format!("`{name}` is set and `shared_state` is not"))),
            None => Ok(()),
        }
    }
}

fn unavailable(text: &str) -> Parsed<Unavailable> {
    one_of(&[("local", Unavailable::Local), ("refuse", Unavailable::Refuse)])(text)
}

const PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;

fn store(text: &str) -> Parsed<StoreAddress> {
    read_store(text).ok_or_else(|| {
        "the address of a Valkey or Redis server, such as redis://cache.internal:6379 or rediss://user@cache.internal/2, or of \
         Sentinels with their name for it, redis+sentinel://one:26379,two:26379,three:26379/NAME, or of servers of a cluster, \
         redis+cluster://one:6379,two:6379, which has no databases; its password goes into the file of `shared_password_file`"
            .to_owned()
    })
}

fn read_store(text: &str) -> Option<StoreAddress> {
    let (scheme, rest) = text.trim().split_once("://")?;
    let (scheme, kind) = scheme.split_once('+').unwrap_or((scheme, ""));
    let tls = match scheme {
        "redis" | "valkey" => false,
        "rediss" | "valkeys" => true,
        _ => return None,
    };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (Some(user), hosts),
        None => (None, authority),
    };
    if user.is_some_and(|user| user.contains(':')) || rest.contains(['?', '#']) {
        return None;
    }
    let (topology, database) = match kind {
        "" => (Topology::Single, path),
        "sentinel" => {
            let (service, database) = path.split_once('/').unwrap_or((path, ""));
            let service = Some(service).filter(|service| !service.is_empty())?.to_owned();
            (Topology::Sentinels { service }, database)
        }
        "cluster" if path.is_empty() => (Topology::Cluster, ""),
        _ => return None,
    };
    let port = match topology {
        Topology::Sentinels { .. } => SENTINEL_PORT,
        Topology::Single | Topology::Cluster => PORT,
    };
    let hosts = hosts
        .split(',')
        .map(|host| read_host(host, port))
        .collect::<Option<Vec<_>>>()?;
    if topology == Topology::Single && hosts.len() > 1 {
        return None;
    }
    let database = match database {
        "" => 0,
        number => number.parse().ok().filter(|number| *number >= 0)?,
    };
    Some(StoreAddress {
        hosts,
        topology,
        tls,
        user: user.filter(|user| !user.is_empty()).map(str::to_owned),
        database,
    })
}

fn read_host(text: &str, port: u16) -> Option<StoreHost> {
    let authority: Authority = text.parse().ok()?;
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    let has_port = authority.as_str().len() > authority.host().len();
    (!name.is_empty()).then_some(StoreHost {
        name: name.to_owned(),
        port: if has_port { authority.port_u16()? } else { port },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{config, refused};

    fn shared(pairs: &[(&str, &str)]) -> Shared {
        config(pairs).unwrap().shared
    }

    const SECRET: (&str, &str) = ("shared_secret_file", "secret");

    #[test]
    fn addresses_are_read_and_wrong_ones_named() {
        let address = |text: &str| shared(&[("shared_state", text), SECRET]).shared_state.unwrap();
        let hosts = |address: &StoreAddress| address.hosts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let plain = address("redis://cache.internal");
        assert_eq!(
            (hosts(&plain), plain.tls),
            (vec!["cache.internal:6379".to_owned()], false)
        );
        assert_eq!(plain.topology, Topology::Single);
        let full = address("valkeys://quartet@[::1]:7000/2");
        assert_eq!(
            (hosts(&full), full.tls, full.database),
            (vec!["[::1]:7000".to_owned()], true, 2)
        );
        assert_eq!(
            (full.hosts[0].name.as_str(), full.user.as_deref()),
            ("::1", Some("quartet"))
        );
        let watched = address("redis+sentinel://one,two:7001,[::1]/fleet/3");
        assert_eq!(hosts(&watched), ["one:26379", "two:7001", "[::1]:26379"]);
        let service = "fleet".to_owned();
        assert_eq!(
            (watched.topology, watched.database),
            (Topology::Sentinels { service }, 3)
        );
        assert!(address("rediss+sentinel://me@one/fleet").tls);
        let cluster = address("rediss+cluster://me@one,[::1]:7001/");
        assert_eq!(hosts(&cluster), ["one:6379", "[::1]:7001"]);
        assert_eq!((cluster.topology, cluster.tls), (Topology::Cluster, true));
        for wrong in [
            "cache.internal:6379",
            "http://cache.internal",
            "redis://",
            "redis://:secret@cache.internal",
            "redis://user:secret@cache.internal",
            "redis://cache.internal/x",
            "redis://cache.internal/0?protocol=resp3",
            "redis://one,two",
            "redis://cache.internal:x",
            "redis+sentinel://one,two",
            "redis+sentinel://one,,two/fleet",
            "redis+sentinel://one/fleet/x",
            "redis+cluster://one,two/1",
            "redis+ring://one,two",
        ] {
            refused(&[("shared_state", wrong), SECRET], "`shared_password_file`");
        }
    }

    #[test]
    fn servers_that_others_send_on_to_are_read() {
        let from = StoreHost {
            name: "one".to_owned(),
            port: 6379,
        };
        let read = |place| StoreHost::read_redirection(place, &from).map(|host| host.to_string());
        assert_eq!(read("10.0.0.7:6381").as_deref(), Some("10.0.0.7:6381"));
        assert_eq!(read("2001:db8::7:6381").as_deref(), Some("[2001:db8::7]:6381"));
        assert_eq!(read("two.internal:6381").as_deref(), Some("two.internal:6381"));
        assert_eq!(read(":6381").as_deref(), Some("one:6381"));
        for wrong in ["?:6381", "two", "two:", "two:x"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_store_needs_a_secret_and_its_files_need_a_store() {
        refused(&[("shared_state", "redis://127.0.0.1")], "`shared_secret_file`");
        refused(&[SECRET], "`shared_state` is not");
        refused(&[("shared_password_file", "p")], "`shared_password_file`");
        let of_sentinels = ("shared_sentinel_password_file", "p");
        let store = ("shared_state", "redis://127.0.0.1");
        refused(&[of_sentinels, store, SECRET], "names no Sentinels");
        refused(&[("shared_unavailable", "wait")], "local or refuse");
    }

    #[test]
    fn addresses_stand_for_sessions_on_one_machine_only() {
        let state = ("shared_state", "redis://127.0.0.1");
        assert!(shared(&[]).takes_addresses());
        assert!(!shared(&[("address_sessions", "off")]).takes_addresses());
        assert!(!shared(&[state, SECRET]).takes_addresses());
        assert!(shared(&[state, SECRET, ("address_sessions", "on")]).takes_addresses());
    }
}
