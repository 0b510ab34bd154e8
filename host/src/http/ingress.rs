//! Builds the parts that clients meet from the settings: keys, proxies, origins, certificate, and the files to watch.

use std::sync::Arc;

use http::HeaderValue;

use crate::auth::Clients;
use crate::auth::keys::{self, Keys};
use crate::capabilities::Capabilities;
use crate::config::Ingress;
use crate::http::headers::ResponseHeaders;
use crate::http::server::ListenerConfig;
use crate::http::server::tls::Tls;
use crate::policy::proxies::Proxies;
use crate::policy::sites::Hosts;
use crate::reload::Watched;

/// The parts of the service that clients meet.
pub struct IngressConfig {
    /// Identifies callers.
    pub clients: Clients,
    /// Headers of responses.
    pub headers: ResponseHeaders,
    /// Names that clients may ask under.
    pub hosts: Hosts,
    /// The configuration of the listener.
    pub listener: ListenerConfig,
    /// Files that are reloaded while the service runs.
    pub watched: Vec<Watched>,
}

/// Reads the files and raises the limit of open files as far as the system lets it. With `address_sessions`, the address of a
/// program on this machine may stand for a session.
///
/// # Errors
/// When a file cannot be read or used: the service does not start with less protection than it was told to have.
pub fn prepare(config: &Ingress, capabilities: &Capabilities, address_sessions: bool) -> anyhow::Result<IngressConfig> {
    let mut watched = Vec::new();
    let keys = match &config.keys {
        Some(path) => {
            let keys = Arc::new(Keys::default());
            let (target, capabilities) = (Arc::clone(&keys), capabilities.clone());
            let apply = move |files: &[Vec<u8>]| take_keys(&target, files, &capabilities);
            watched.push(Watched::start("keys", vec![path.clone()], apply).map_err(anyhow::Error::msg)?);
            Some(keys)
        }
        None => None,
    };
    let tls = match config.tls() {
        Some((certificate, key)) => {
            let tls = Arc::new(Tls::default());
            let target = Arc::clone(&tls);
            let apply = move |files: &[Vec<u8>]| match files {
                [certificate, key] => target.replace(certificate, key),
                _ => Err("certificate and key are two files".to_owned()),
            };
            let paths = vec![certificate.clone(), key.clone()];
            watched.push(Watched::start("certificate and key", paths, apply).map_err(anyhow::Error::msg)?);
            Some(tls)
        }
        None => None,
    };
    let hsts_seconds = config.hsts_seconds;
    let hsts = (tls.is_some() && hsts_seconds > 0).then(|| HeaderValue::try_from(format!("max-age={hsts_seconds}")));
    let proxies = Proxies {
        trusted: config.trusted_proxies.clone(),
        header: config.proxy_header,
    };
    Ok(IngressConfig {
        clients: Clients {
            keys,
            proxies: proxies.clone(),
            address_sessions,
        },
        headers: ResponseHeaders {
            origins: config.cors_origins.as_slice().into(),
            hsts: hsts.transpose()?,
        },
        hosts: config.hosts(),
        listener: ListenerConfig {
            tls,
            proxies,
            descriptors: descriptors(),
        },
        watched,
    })
}

fn take_keys(target: &Keys, files: &[Vec<u8>], capabilities: &Capabilities) -> Result<(), String> {
    let text = files.first().map_or(&[][..], Vec::as_slice);
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let keys = keys::parse(text, capabilities)?;
    tracing::info!(count = keys.len(), "keys read");
    if keys.is_empty() {
        tracing::warn!("there are no keys: nobody may come in");
    }
    target.replace(keys);
    Ok(())
}

/// File descriptors that the process may open, raised to what the system allows: each connection takes one.
fn descriptors() -> usize {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => usize::try_from(limit).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::warn!(%error, "the limit of open files cannot be read or raised");
            usize::MAX
        }
    }
}
