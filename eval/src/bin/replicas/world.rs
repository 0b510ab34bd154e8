//! Replicas, their store and their balancer, each a process on this machine.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, ensure};
use prometheus_parse::{Scrape, Value};
use quartet_tests::Service;
use quartet_tests::balancer::Balancer;
use quartet_tests::service::given;
use quartet_tests::store::Store;
use tempfile::TempDir;

/// A secret of the replicas, which is none.
const SECRET: &str = "a secret of measured replicas that is long enough to be one";

/// Longest time that something takes to come about.
const PATIENCE: Duration = Duration::from_secs(120);

/// A replica, or a service that has its state to itself.
pub struct Replica {
    /// The process.
    pub service: Service,
    home: TempDir,
}

impl Replica {
    /// Starts one on a folder of components, with an admin interface of its own. With `own_cache` it finds no code that others
    /// have compiled.
    ///
    /// # Errors
    /// When there is no folder for it.
    pub fn start(components: &Path, own_cache: bool, flags: &[String]) -> Result<Self> {
        let home = tempfile::tempdir().context("making a folder for a replica")?;
        let file = |name: &str| home.path().join(name).display().to_string();
        let mut all = vec![
            "--models".to_owned(),
            given("QUARTET_MODELS").display().to_string(),
            "--language-model".to_owned(),
            "off".to_owned(),
            "--inference-engine".to_owned(),
            "auto".to_owned(),
            "--requests-per-minute".to_owned(),
            "1000000000".to_owned(),
            "--log".to_owned(),
            "warn".to_owned(),
            "--admin-listen".to_owned(),
            format!("unix:{}", file("admin.sock")),
            "--admin-token-file".to_owned(),
            file("admin.token"),
            "--component-versions".to_owned(),
            file("versions"),
            // What a store does on a machine that is full is measured by its time, and not by whether it is given up.
            "--shared-milliseconds".to_owned(),
            "2000".to_owned(),
        ];
        if own_cache {
            all.extend(["--cache".to_owned(), file("cache")]);
        }
        all.extend_from_slice(flags);
        let flags: Vec<_> = all.iter().map(String::as_str).collect();
        Ok(Self {
            service: Service::start_with(components, &flags),
            home,
        })
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.service.socket().parse().expect("an address")
    }

    /// Runs a subcommand against it, and returns what it printed and the time that it took.
    ///
    /// # Errors
    /// When it fails.
    pub fn quartet(&self, arguments: &[&str]) -> Result<(String, Duration)> {
        let begun = Instant::now();
        let output = Command::new(given("QUARTET_HOST"))
            .args(arguments)
            .env(
                "QUARTET_ADMIN_LISTEN",
                format!("unix:{}", self.home.path().join("admin.sock").display()),
            )
            .env("QUARTET_ADMIN_TOKEN_FILE", self.home.path().join("admin.token"))
            .output()
            .context("running the program")?;
        let took = begun.elapsed();
        ensure!(
            output.status.success(),
            "quartet {arguments:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), took))
    }

    /// The sums of its metrics, by name and what `label` says.
    pub fn metrics(&self, label: &str) -> BTreeMap<(String, String), f64> {
        let page = String::from_utf8_lossy(&self.service.client().get("/metrics").body).into_owned();
        let mut sums = BTreeMap::new();
        let scrape = Scrape::parse(page.lines().map(|line| Ok(line.to_owned()))).ok();
        for sample in scrape.iter().flat_map(|scrape| &scrape.samples) {
            let (Value::Counter(value) | Value::Gauge(value) | Value::Untyped(value)) = sample.value else {
                continue;
            };
            let labelled = sample.labels.get(label).unwrap_or_default().to_owned();
            *sums.entry((sample.metric.clone(), labelled)).or_default() += value;
        }
        sums
    }
}

/// Replicas of one service.
pub struct Fleet {
    /// The replicas.
    pub replicas: Vec<Replica>,
    /// The store.
    pub store: Store,
    secret: TempDir,
}

impl Fleet {
    /// Starts a store without replicas. None where there is no store, which is said.
    ///
    /// # Errors
    /// When the secret cannot be written.
    pub fn new() -> Result<Option<Self>> {
        let Some(store) = Store::start("replicas", &[]) else {
            return Ok(None);
        };
        let secret = tempfile::tempdir()?;
        fs::write(secret.path().join("secret"), SECRET)?;
        Ok(Some(Self {
            replicas: Vec::new(),
            store,
            secret,
        }))
    }

    /// Starts a replica more, and waits until all know of each other.
    ///
    /// # Errors
    /// When it does not come.
    pub fn join(&mut self, components: &Path, own_cache: bool, flags: &[&str]) -> Result<()> {
        let mut all: Vec<_> = [
            "--shared-state",
            &self.store.address(),
            "--shared-secret-file",
            &self.secret.path().join("secret").display().to_string(),
            "--trusted-proxies",
            "127.0.0.1",
        ]
        .map(str::to_owned)
        .into();
        all.extend(flags.iter().map(|flag| (*flag).to_owned()));
        self.replicas.push(Replica::start(components, own_cache, &all)?);
        Ok(())
    }

    /// Waits until all replicas know of each other.
    ///
    /// # Errors
    /// When they do not.
    pub fn meet(&self) -> Result<()> {
        let number = self.replicas.len() as f64;
        let name = ("quartet_shared_state_replicas".to_owned(), String::new());
        wait_until("all replicas know of each other", || {
            self.replicas
                .iter()
                .all(|replica| replica.metrics("").get(&name) == Some(&number))
        })
    }

    /// A balancer before the first of them. None where there is none, which is said.
    pub fn balancer(&self, replicas: usize) -> Option<Balancer> {
        let Ok(program) = std::env::var("QUARTET_HAPROXY") else {
            quartet_tests::skip::not_run("replicas behind a balancer", "HAProxy is not installed");
            return None;
        };
        let sockets: Vec<_> = self.replicas[..replicas]
            .iter()
            .map(|replica| replica.service.socket())
            .collect();
        Some(Balancer::start(&program, &sockets, "/healthz"))
    }
}

/// The folder of the service's components.
pub fn components() -> PathBuf {
    given("QUARTET_COMPONENTS")
}

/// Waits until something is so.
///
/// # Errors
/// When it does not become so.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Result<()> {
    let begun = Instant::now();
    while !is_so() {
        ensure!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The median of what rounds have given.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.into_iter().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        length => f64::midpoint(values[(length - 1) / 2], values[length / 2]),
    }
}
