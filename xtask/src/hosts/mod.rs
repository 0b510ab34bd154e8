//! `cargo xtask hosts`: the same components on every host that can be had, asked by the same suite. What comes out is
//! written into `docs/hosts.md`.

mod ask;
mod known;
mod measure;
mod page;
mod shared;
mod suite;

use std::fs;

use anyhow::{Context, Result};

use self::known::{Host, Settings};
use self::page::HostResult;
use crate::project::Project;
use crate::{build, provide, python, setup};

/// Starts each host that is there, runs what of the suite applies, and writes the page. `names` are those to try; none
/// tries all.
///
/// # Errors
/// When something cannot be built, a host that is there does not start, or a test fails that does not fail on Quartet's
/// own host.
pub fn run(project: &Project, names: &[String]) -> Result<()> {
    let built = build::run(project)?;
    let composed = provide::elsewhere(project, &built)?;
    let list = project.root.join("eval/hosts/requirements.txt");
    let python = python::environment(project, &project.cache.join("hosts"), &list, "other hosts, about 50 MB");
    let programs = match &python {
        Ok(python) => {
            known::let_run(python)?;
            python.parent()
        }
        Err(error) => {
            eprintln!("hosts: only programs that are installed are found: {error:#}");
            None
        }
    };
    let work = project.target.join("hosts");
    let suite = suite::Suite::build(project)?;
    let mut all = Vec::new();
    let mut missing = Vec::new();
    for host in Host::all(project, &built, &composed, programs) {
        if !names.is_empty() && !names.iter().any(|name| name == host.name) {
            continue;
        }
        let Some(version) = host.version() else {
            eprintln!(
                "hosts: {} is not run: there is no program {}",
                host.name,
                host.program.display()
            );
            missing.push(host.name);
            continue;
        };
        eprintln!("hosts: {} {version}", host.name);
        // Nothing of an earlier run is remembered.
        let folder = work.join(host.name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
        }
        let encyclopedia = format!("127.0.0.1:{}", ask::free_port()?);
        let start = |name: &str, requests_per_minute| {
            let settings = Settings {
                requests_per_minute,
                encyclopedia: &encyclopedia,
                store: None,
            };
            host.start(&folder.join(name), ask::free_port()?, &settings)
        };
        let service = start("plenty", known::PLENTY)?;
        let figures = measure::Figures::of(&service, &host)?;
        let few = start("few", known::FEW)?;
        let results = suite.run(&service, &few, &encyclopedia, host.ours)?;
        let figures = figures.after(&service);
        drop((service, few));
        // Our own is tried by the suite `fleet`, and `wasmtime serve` takes no store of others.
        if host.name == "wasmcloud" {
            match setup::valkey(project) {
                Ok(valkey) => shared::check(&host, &valkey, &folder)?,
                Err(error) => eprintln!("hosts: {}: sharing a store is not tried: {error:#}", host.name),
            }
        }
        eprintln!(
            "hosts: {}: {} passed, {} failed",
            host.name,
            results.passed.len(),
            results.failed.len()
        );
        all.push(HostResult {
            name: format!("{} {version}", host.name),
            figures,
            results,
        });
    }
    page::write(&project.root.join("docs/hosts.md"), &all, &missing)?;
    let failed: usize = all.iter().map(|found| found.results.failed.len()).sum();
    anyhow::ensure!(failed == 0, "{failed} tests failed; docs/hosts.md says which");
    Ok(())
}
