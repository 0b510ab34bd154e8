//! Components: whole, made for this host, and with `--probe` answering.

use std::time::Instant;

use super::report::{Depth, Report};
use super::workbench::Workbench;
use crate::config::Config;
use crate::runtime::cache::Origin;

pub(super) fn examine(config: &Config, depth: Depth, report: &mut Report) {
    let bench = match Workbench::new(config) {
        Ok(bench) => bench,
        Err(error) => {
            report.wrong("components", format!("{error:#}"), "they were not looked at");
            return;
        }
    };
    let inference = &bench.runtime.inference;
    report.ok("inference", format!("models are computed by {}", inference.describe()));
    report.ok("language", bench.runtime.language.describe());
    for capability in bench.capabilities().iter() {
        let name = capability.name();
        let began = Instant::now();
        let version = match bench.load(capability) {
            Ok(version) => version,
            Err(refusal) => {
                let remedy = "install the components of this version of quartet";
                report.wrong("component", format!("{name}: {refusal}"), remedy);
                continue;
            }
        };
        let origin = match version.origin {
            Origin::Cached => "from the cache",
            Origin::Compiled => "compiled now",
        };
        let loaded = format!(
            "{name} {} loads in {:.2} s, {origin}",
            version.short_digest(),
            began.elapsed().as_secs_f64()
        );
        if !depth.probe {
            report.ok("component", loaded);
            continue;
        }
        let began = Instant::now();
        match bench.probe(&version) {
            Ok(()) => {
                let answered = began.elapsed().as_secs_f64();
                report.ok("component", format!("{loaded}; it passes its probe in {answered:.2} s"));
            }
            Err(refusal) => {
                let remedy = "the log says more; `--log debug` says all";
                report.wrong("component", format!("{name}: {refusal}"), remedy);
            }
        }
    }
}
