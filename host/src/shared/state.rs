//! The state itself: the connection, the seal, the scripts and the bounds.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use redis::{Script, ScriptInvocation};
use tokio::sync::watch;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use super::fleet::Heard;
use super::link::Link;
use super::metrics::SharedMetrics;
use super::seal::Seal;
use crate::config::{Limits, Shared, Topology};

/// Shortest secret, in characters.
const MIN_SECRET_BYTES: usize = 32;

/// Least time for which accounts of jobs stay, of which some are long at work.
const JOB_ACCOUNTS: Duration = Duration::from_secs(3600);

/// The state that replicas share.
pub struct SharedState {
    pub(super) link: Link,
    pub(super) seal: Seal,
    /// Begins every name in the store: several services may share it.
    pub(super) prefix: String,
    /// The name of this replica.
    pub(super) replica: String,
    /// The replicas that are there.
    pub(super) replicas: AtomicUsize,
    /// True once this one has taken its leave.
    pub(super) left: AtomicBool,
    /// The last word that was heard.
    pub(super) heard: Mutex<String>,
    /// The report that goes with signs of life, before it is sealed; empty before there is one.
    pub(super) report: Mutex<Vec<u8>>,
    /// The desired versions of the last sign of life.
    pub(super) desired: watch::Sender<Heard>,
    pub(super) scripts: Scripts,
    /// Values of components.
    pub(super) values: Area,
    /// Jobs.
    pub(super) jobs: Area,
    /// Bytes that one client may have of a job.
    pub(super) job_client_bytes: u64,
    /// Bytes of the body of a request that is kept for another replica.
    pub(super) job_request_bytes: usize,
    /// Bytes of all components.
    pub(super) component_bytes: u64,
    pub(super) open: watch::Sender<bool>,
    pub(super) metrics: SharedMetrics,
}

/// A part of the store with accounts of its own.
pub(super) struct Area {
    /// Begins every name in it.
    pub(super) prefix: String,
    /// Bytes of all that is kept in it.
    pub(super) bytes: usize,
    /// Bytes of one value.
    pub(super) value_bytes: usize,
    /// Time for which values are kept.
    pub(super) kept: Duration,
}

/// The scripts that the server runs.
pub(super) struct Scripts {
    pub(super) set: Script,
    pub(super) room: Script,
    pub(super) forget: Script,
    pub(super) tick: Script,
    pub(super) count: Script,
    pub(super) desire: Script,
    pub(super) claim: Script,
    pub(super) piece: Script,
    pub(super) renew: Script,
    pub(super) replicas: Script,
    pub(super) hold: Script,
    pub(super) take: Script,
    pub(super) drop: Script,
    pub(super) trial: Script,
}

macro_rules! script {
    ($name:literal) => {
        Script::new(concat!(
            include_str!("scripts/prelude.lua"),
            include_str!(concat!("scripts/", $name, ".lua"))
        ))
    };
}

/// A call of a script about names that begin with `prefix`. It names one of them, so that a server of a cluster that does not have
/// them says who has, and does not run the script.
pub(super) fn invocation<'a>(script: &'a Script, prefix: &str) -> ScriptInvocation<'a> {
    let mut call = script.prepare_invoke();
    call.key(prefix).arg(prefix);
    call
}

impl SharedState {
    /// The state that the settings ask for, if any. It is not reached yet.
    ///
    /// # Errors
    /// When a file cannot be read or used, with the setting's name.
    pub fn new(settings: &Shared, limits: &Limits, metrics: SharedMetrics) -> anyhow::Result<Option<Self>> {
        let Some(address) = settings.shared_state.clone() else {
            return Ok(None);
        };
        let secret = settings.shared_secret_file.as_deref();
        let secret = text("shared_secret_file", secret.context("`shared_secret_file` is not set")?)?;
        if secret.len() < MIN_SECRET_BYTES {
            bail!(
                "`shared_secret_file` has {} characters; it takes at least {MIN_SECRET_BYTES}: `openssl rand -base64 32` makes \
                 some that nobody can guess",
                secret.len()
            );
        }
        let password = settings.shared_password_file.as_deref();
        let password = password.map(|path| text("shared_password_file", path)).transpose()?;
        let sentinel_password = settings.shared_sentinel_password_file.as_deref();
        let sentinel_password = sentinel_password
            .map(|path| text("shared_sentinel_password_file", path))
            .transpose()?;
        let seal = Seal::new(secret.as_bytes());
        let service = &seal.name("service", &[])[..8];
        let prefix = match address.topology {
            // Braces hold what says which server of a cluster has a name.
            Topology::Cluster => format!("quartet:{{{service}}}:"),
            Topology::Single | Topology::Sentinels { .. } => format!("quartet:{service}:"),
        };
        let link = Link::new(
            address,
            prefix.clone(),
            password,
            sentinel_password,
            authorities(settings.shared_authorities.as_deref())?,
            settings.shared_milliseconds,
            metrics.clone(),
        )?;
        Ok(Some(Self {
            link,
            seal,
            replica: uuid::Uuid::now_v7().simple().to_string(),
            replicas: AtomicUsize::new(1),
            left: AtomicBool::new(false),
            heard: Mutex::new("0-0".to_owned()),
            report: Mutex::default(),
            desired: watch::Sender::new(None),
            scripts: Scripts {
                set: script!("set"),
                room: script!("room"),
                forget: script!("forget"),
                tick: script!("tick"),
                count: script!("count"),
                desire: script!("desire"),
                claim: script!("claim"),
                piece: script!("piece"),
                renew: script!("renew"),
                replicas: script!("replicas"),
                hold: script!("hold"),
                take: script!("take"),
                drop: script!("drop"),
                trial: script!("trial"),
            },
            values: Area {
                prefix: prefix.clone(),
                bytes: limits.kept_bytes,
                value_bytes: limits.kept_value_bytes,
                kept: limits.kept_seconds,
            },
            jobs: Area {
                prefix: format!("{prefix}j:"),
                bytes: settings.shared_job_bytes,
                value_bytes: settings.shared_job_bytes,
                kept: limits.kept_seconds.max(JOB_ACCOUNTS),
            },
            job_client_bytes: (settings.shared_job_bytes / 100 * limits.client_percent) as u64,
            job_request_bytes: settings.shared_job_request_bytes,
            component_bytes: settings.shared_component_bytes,
            prefix,
            open: watch::Sender::new(false),
            metrics,
        }))
    }

    /// True if the store answers.
    pub fn is_open(&self) -> bool {
        self.link.is_open()
    }

    /// Changes when the store begins or ceases to answer.
    pub fn opens(&self) -> watch::Receiver<bool> {
        self.open.subscribe()
    }

    /// The replicas that are there, as far as this one has heard.
    pub fn replicas(&self) -> usize {
        self.replicas.load(Ordering::Relaxed).max(1)
    }
}

/// The text of a file with a secret, without white space around it.
fn text(setting: &str, path: &Path) -> anyhow::Result<String> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("`{setting}`, {}, cannot be read", path.display()))?;
    let text = text.trim();
    if text.is_empty() {
        bail!("`{setting}`, {}, is empty", path.display());
    }
    Ok(text.to_owned())
}

/// The authorities of a PEM file, or those that browsers trust.
fn authorities(path: Option<&Path>) -> anyhow::Result<RootCertStore> {
    let Some(path) = path else {
        return Ok(webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect());
    };
    let place = || format!("`shared_authorities`, {}", path.display());
    let pem = std::fs::read(path).with_context(|| format!("{}, cannot be read", place()))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| anyhow::anyhow!("{}, is no PEM: {error}", place()))?;
        roots
            .add(certificate)
            .with_context(|| format!("{}, has one that cannot be used", place()))?;
    }
    if roots.is_empty() {
        bail!("{}, has no certificate", place());
    }
    Ok(roots)
}
