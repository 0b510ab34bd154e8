//! `quartet-compose <component> <provider> <output>`: one component of two. What the first imports and the second exports is
//! connected; everything else stays an import of the whole. For hosts that do not compute graphs themselves.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, PackageId, plug};

/// Makes one component of two.
#[derive(Parser)]
struct Arguments {
    /// The component that imports.
    component: PathBuf,
    /// The component that exports what the first imports.
    provider: PathBuf,
    /// The file to write.
    output: PathBuf,
}

fn main() -> ExitCode {
    match compose(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn compose(arguments: &Arguments) -> Result<()> {
    let mut graph = CompositionGraph::new();
    let component = register(&mut graph, "quartet:component", &arguments.component)?;
    let provider = register(&mut graph, "quartet:provider", &arguments.provider)?;
    plug(&mut graph, vec![provider], component).context("they do not fit")?;
    let whole = graph.encode(EncodeOptions::default()).context("encoding the whole")?;
    fs::write(&arguments.output, whole).with_context(|| format!("writing {}", arguments.output.display()))
}

fn register(graph: &mut CompositionGraph, name: &str, path: &PathBuf) -> Result<PackageId> {
    let read = Package::from_file(name, None, path, graph.types_mut());
    let package = read.with_context(|| format!("{} is no component", path.display()))?;
    Ok(graph.register_package(package)?)
}
