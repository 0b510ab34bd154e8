//! The settings of what replicas share: the store, its secrets, and what holds while nobody reaches it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use http::Uri;

use super::parse::{Invalid, Parsed, Toggle, milliseconds, one_of, positive, toggle, whole};

/// State that several replicas of the service share.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Replicas")]
pub struct Shared {
    /// Valkey or Redis server in which replicas keep what later questions are about, and count requests together, such as
    /// redis://cache.internal:6379, or rediss:// for TLS; /2 at the end names a database. Without it each replica has memory of its
    /// own.
    #[arg(long, value_parser = store)]
    pub shared_state: Option<StoreAddress>,
    /// File with the secret that all replicas have, at least 32 characters that nobody can guess: with it they seal what they
    /// put into the store. What is there under another secret is not found.
    #[arg(long)]
    pub shared_secret_file: Option<PathBuf>,
    /// File with the password for the store.
    #[arg(long)]
    pub shared_password_file: Option<PathBuf>,
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
    /// Name or address of the host.
    pub host: String,
    /// Port.
    pub port: u16,
    /// True if it speaks TLS.
    pub tls: bool,
    /// The user to log in as, where it is not the default one.
    pub user: Option<String>,
    /// Number of the database.
    pub database: i64,
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "rediss" } else { "redis" };
        write!(f, "{scheme}://{}:{}/{}", self.host, self.port, self.database)
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
        match of_store.iter().find(|(_, set)| *set && self.shared_state.is_none()) {
            Some((name, _)) => Err(Invalid(format!("`{name}` is set and `shared_state` is not"))),
            None => Ok(()),
        }
    }
}

fn unavailable(text: &str) -> Parsed<Unavailable> {
    one_of(&[("local", Unavailable::Local), ("refuse", Unavailable::Refuse)])(text)
}

const DEFAULT_PORT: u16 = 6379;

fn store(text: &str) -> Parsed<StoreAddress> {
    let takes = || {
        "the address of a Valkey or Redis server, such as redis://cache.internal:6379 or rediss://user@cache.internal/2; its \
         password goes into the file of `shared_password_file`"
            .to_owned()
    };
    let uri: Uri = text.trim().parse().map_err(|_| takes())?;
    let tls = match uri.scheme_str() {
        Some("redis" | "valkey") => false,
        Some("rediss" | "valkeys") => true,
        _ => return Err(takes()),
    };
    let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(takes)?;
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    if user.is_some_and(|user| user.contains(':')) || uri.query().is_some() {
        return Err(takes());
    }
    let database = match uri.path().trim_start_matches('/') {
        "" => 0,
        number => number.parse().ok().filter(|number| *number >= 0).ok_or_else(takes)?,
    };
    Ok(StoreAddress {
        host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
        port: uri.port_u16().unwrap_or(DEFAULT_PORT),
        tls,
        user: user.filter(|user| !user.is_empty()).map(str::to_owned),
        database,
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
        let plain = address("redis://cache.internal");
        assert_eq!(
            (plain.host.as_str(), plain.port, plain.tls),
            ("cache.internal", 6379, false)
        );
        let full = address("valkeys://quartet@[::1]:7000/2");
        assert_eq!(
            (full.host.as_str(), full.port, full.tls, full.database),
            ("::1", 7000, true, 2)
        );
        assert_eq!(full.user.as_deref(), Some("quartet"));
        for wrong in [
            "cache.internal:6379",
            "http://cache.internal",
            "redis://",
            "redis://:secret@cache.internal",
            "redis://user:secret@cache.internal",
            "redis://cache.internal/x",
            "redis://cache.internal/0?protocol=resp3",
        ] {
            refused(&[("shared_state", wrong), SECRET], "`shared_password_file`");
        }
    }

    #[test]
    fn the_store_needs_a_secret_and_its_files_need_a_store() {
        refused(&[("shared_state", "redis://127.0.0.1")], "`shared_secret_file`");
        refused(&[SECRET], "`shared_state` is not");
        refused(&[("shared_password_file", "p")], "`shared_password_file`");
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
