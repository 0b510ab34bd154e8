//! `quartet-compose <component> --provide <provider>… --output <file>`: one component of several. What one imports and a
//! provider exports is connected; everything else stays an import of the whole, and who provides nothing that is imported
//! is left out. For hosts that do not provide it themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use wac_graph::types::{Package, are_semver_compatible};
use wac_graph::{CompositionGraph, EncodeOptions, NodeId, PackageId};

/// The handler of HTTP, without its version.
const HANDLER: &str = "wasi:http/incoming-handler";

/// Prefix of the router's names for the handlers of capabilities.
const ROUTES: &str = "quartet:router/";

/// Makes one component of several.
#[derive(Parser)]
struct Arguments {
    /// The component that the whole looks like from outside.
    component: PathBuf,
    /// Components that export what others import: what one of them imports itself is taken from those behind it.
    #[arg(long)]
    provide: Vec<PathBuf>,
    /// Components behind a router, by what the router calls them: `tts=tts.wasm`.
    #[arg(long, value_parser = route)]
    route: Vec<(String, PathBuf)>,
    /// The file to write.
    #[arg(long)]
    output: PathBuf,
}

fn route(argument: &str) -> Result<(String, PathBuf), String> {
    let (name, path) = argument.split_once('=').ok_or("it must be NAME=FILE")?;
    Ok((name.to_owned(), path.into()))
}

fn main() -> ExitCode {
    match Arguments::parse().compose() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Arguments {
    fn compose(&self) -> Result<()> {
        let mut whole = Whole::default();
        for (index, path) in self.provide.iter().enumerate() {
            let package = whole.read(&format!("quartet:provider{index}"), path)?;
            whole.providers.push((package, None));
        }
        let mut routes = Vec::new();
        for (name, path) in &self.route {
            routes.push((name, whole.add(&format!("quartet:route-{name}"), path)?));
        }
        let outside = whole.add("quartet:component", &self.component)?;
        for (name, behind) in routes {
            whole.lead(outside, name, behind)?;
        }
        for export in whole.exports(outside.package) {
            let alias = whole.graph.alias_instance_export(outside.instance, &export)?;
            whole.graph.export(alias, export)?;
        }
        let bytes = whole
            .graph
            .encode(EncodeOptions::default())
            .context("encoding the whole")?;
        fs::write(&self.output, bytes).with_context(|| format!("writing {}", self.output.display()))
    }
}

/// A component in the whole.
#[derive(Clone, Copy)]
struct Part {
    package: PackageId,
    instance: NodeId,
}

#[derive(Default)]
struct Whole {
    graph: CompositionGraph,
    /// Providers that others may import from, each with its part of the whole as soon as one does.
    providers: Vec<(PackageId, Option<Part>)>,
}

impl Whole {
    fn read(&mut self, name: &str, path: &Path) -> Result<PackageId> {
        let read = Package::from_file(name, None, path, self.graph.types_mut());
        let package = read.with_context(|| format!("{} is no component", path.display()))?;
        Ok(self.graph.register_package(package)?)
    }

    /// Adds a component, connected with the providers of what it imports.
    fn add(&mut self, name: &str, path: &Path) -> Result<Part> {
        let package = self.read(name, path)?;
        self.instantiate(package, 0)
            .with_context(|| format!("connecting {}", path.display()))
    }

    /// Makes a component part of the whole, connected with the providers from the number `from` on.
    fn instantiate(&mut self, package: PackageId, from: usize) -> Result<Part> {
        let instance = self.graph.instantiate(package);
        let part = Part { package, instance };
        let imports = &self.graph.types()[self.graph[package].ty()].imports;
        for import in imports.keys().cloned().collect::<Vec<_>>() {
            if let Some((provider, export)) = self.provider(&import, from)? {
                self.connect(part, &import, provider, &export)
                    .with_context(|| format!("the import {import}"))?;
            }
        }
        Ok(part)
    }

    /// The first provider of `import` from the number `from` on, and what it calls that.
    fn provider(&mut self, import: &str, from: usize) -> Result<Option<(Part, String)>> {
        for index in from..self.providers.len() {
            let (package, taken) = self.providers[index];
            let same = |export: &String| export == import || are_semver_compatible(export, import);
            let Some(export) = self.exports(package).into_iter().find(same) else {
                continue;
            };
            // It takes what it imports itself from those behind it, so that none can need itself.
            let part = match taken {
                Some(part) => part,
                None => self.instantiate(package, index + 1)?,
            };
            self.providers[index].1 = Some(part);
            return Ok(Some((part, export)));
        }
        Ok(None)
    }

    /// Leads what the router calls `name` to the handler of a component.
    fn lead(&mut self, router: Part, name: &str, behind: Part) -> Result<()> {
        let wanted = format!("{ROUTES}{name}");
        let imports = &self.graph.types()[self.graph[router.package].ty()].imports;
        let Some(import) = imports.keys().find(|import| bare(import) == wanted).cloned() else {
            bail!("the router knows no {name}");
        };
        let handler = self
            .exports(behind.package)
            .into_iter()
            .find(|export| bare(export) == HANDLER);
        let handler = handler.with_context(|| format!("{name} exports no {HANDLER}"))?;
        self.connect(router, &import, behind, &handler)
    }

    fn connect(&mut self, part: Part, import: &str, provider: Part, export: &str) -> Result<()> {
        let alias = self.graph.alias_instance_export(provider.instance, export)?;
        Ok(self.graph.set_instantiation_argument(part.instance, import, alias)?)
    }

    fn exports(&self, package: PackageId) -> Vec<String> {
        let exports = &self.graph.types()[self.graph[package].ty()].exports;
        exports.keys().cloned().collect()
    }
}

/// A name without its version.
fn bare(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}
