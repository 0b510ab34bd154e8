//! Snapshots a component after its initialisation, so that no request pays for it.
//!
//! `quartet-preinit <in.wasm> <out.wasm>` runs the component's exported function `init` once and writes a component that
//! starts from the memory which `init` left behind, and that exports `init` no longer. A component without such an
//! export is copied unchanged. The method is Wizer's: see the crate `wasmtime-wizer`.
//!
//! Every import is linked as a trap, without exception. What an import answers here would be frozen into each instance
//! that is ever made of the file: a hash seed, a date, somebody's environment. An `init` that asks for any of them
//! fails the build instead. A Rust library component asks for nothing by itself: its standard library looks at
//! environment, clock, randomness and preopened folders only when the code does.
//!
//! It compiles no component for the host to run and judges no component beyond this: which imports and exports a
//! component may have is the host's question.

mod state;
mod unexport;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use wasmparser::{ComponentExternalKind, Encoding, Parser, Payload, Validator, WasmFeatures};
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};
use wasmtime_wizer::Wizer;

use state::State;

/// The export that is run before the snapshot and is gone after it: a function without parameters and results.
const INIT: &str = "init";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quartet-preinit: {error:?}");
            ExitCode::FAILURE
        }
    }
}

/// Reads, snapshots and writes. The file appears complete or not at all.
fn run() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(input), Some(output), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        bail!("usage: quartet-preinit <in.wasm> <out.wasm>");
    };
    let component = fs::read(&input).with_context(|| format!("reading {}", input.display()))?;
    let exported = exports_init(&component).with_context(|| format!("parsing {}", input.display()))?;
    let result = if exported {
        snapshot(&component).with_context(|| format!("initialising {}", input.display()))?
    } else {
        component
    };
    write_atomically(&output, &result).with_context(|| format!("writing {}", output.display()))
}

/// Returns true if the component itself, not one nested inside it, exports a function named [`INIT`].
fn exports_init(bytes: &[u8]) -> Result<bool> {
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::Version {
                encoding: Encoding::Module,
                ..
            } if depth == 0 => {
                bail!("a core module, not a component")
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            // Each nested module and component closes with an end of its own, and so does the outermost one.
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentExportSection(exports) if depth == 0 => {
                for export in exports {
                    let export = export?;
                    if export.name.name == INIT && export.kind == ComponentExternalKind::Func {
                        return Ok(true);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(false)
}

/// Runs [`INIT`] and returns the component as it was left, without that export.
///
/// # Errors
/// When `init` traps or calls an import, or when the component uses something that cannot be snapshotted (a table that
/// changes, components composed into one).
fn snapshot(component: &[u8]) -> Result<Vec<u8>> {
    let engine = Engine::default();
    let mut store = Store::new(&engine, ());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut wizer = Wizer::new();
    // The export is taken off below: see `unexport` for why Wizer is not asked to.
    wizer.init_func(INIT).keep_init_func(true);
    let run = async {
        let (context, instrumented) = wizer.instrument_component(component)?;
        let instrumented = Component::new(&engine, &instrumented)?;
        let mut linker = Linker::new(&engine);
        linker.define_unknown_imports_as_traps(&instrumented)?;
        let instance = linker.instantiate_async(&mut store, &instrumented).await?;
        let init = instance.get_typed_func::<(), ()>(&mut store, INIT)?;
        init.call_async(&mut store, ()).await?;
        wizer
            .snapshot_component(&context, &mut State::new(&mut store, instance))
            .await
    };
    let kept = runtime.block_on(run).map_err(anyhow::Error::from).context(
        "the snapshot failed; if the cause below is an import that has not been defined, `init` asked for something \
         that every instance would then share (randomness also means: a standard HashMap was made)",
    )?;
    let bytes = unexport::unexport(&kept, INIT)?;
    Validator::new_with_features(WasmFeatures::all())
        .validate_all(&bytes)
        .context("the snapshot is not valid")?;
    Ok(bytes)
}

/// Writes beside `path` and renames: nobody ever reads half a component.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    fs::write(&beside, bytes)
        .and_then(|()| fs::rename(&beside, path))
        .inspect_err(|_| {
            // The error that is reported is the first one; a part that cannot be removed is only litter.
            let _ = fs::remove_file(&beside);
        })?;
    Ok(())
}
