//! `quartet:inference/graphs`: graphs computed natively, with the weights in memory once for all sandboxes.
//!
//! One graph is computed at a time, by as many threads as the configuration says; `turns` says whose. The time that a
//! graph takes is charged as fuel, so that one budget covers what a component computes and what it has computed. A
//! request that is given up leaves the queue at once; a graph that is being computed for it ends first, because the
//! engine cannot be stopped inside of one.

mod scheduler;
mod types;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;
use arc_swap::ArcSwap;
use quartet_inference::engine::onnxruntime::{self, Library};
use quartet_inference::engine::{Catalog, Engine};
use quartet_inference::{GraphError, Graphs, NamedTensor};
use wasmtime::StoreContextMut;
use wasmtime::component::Linker;

use self::scheduler::{Scheduler, Ticket};
use super::charge;
use super::fair_queue::User;
use crate::admission::Meter;
use crate::calibration::Rate;
use crate::config::{Accelerator, InferenceEngine};
use crate::native_memory;

/// The interface without its version.
pub const INTERFACE: &str = "quartet:inference/graphs";

/// The interface as components import it.
pub const VERSIONED_INTERFACE: &str = "quartet:inference/graphs@0.1.0";

/// Computes graphs for sandboxes.
pub struct Inference {
    engine: ArcSwap<Engine>,
    /// The means to make the engine again, when its library has come.
    origin: Option<Origin>,
    turns: Arc<Scheduler>,
    /// Errors that the log has. Components may ask again and again for what is not there, because they can do without.
    logged: Mutex<HashSet<String>>,
}

/// The folder and the settings that an engine is made of.
struct Origin {
    folder: PathBuf,
    graphs: Vec<String>,
    threads: usize,
    accelerator: Accelerator,
}

/// Name of ONNX Runtime's library among the models.
pub const LIBRARY: &str = "onnxruntime";

/// Graphs with operators that rten does not have or computes otherwise: with it there are none of these names.
pub const BEYOND_RTEN: [&str; 4] = ["arabic-vowels", "speech-durations", "speech-samples", "speech-styles"];

/// Graphs that rten computes in any case: small networks with 8-bit weights, whose errors were measured with it alone.
const KEPT_BY_RTEN: [&str; 4] = ["ocr-arabic", "ocr-cyrillic", "ocr-devanagari", "ocr-hangul"];

/// Errors that are remembered as logged; a graph that fails in ever new words is worth a line each time.
const LOGGED_ERRORS: usize = 64;

/// The graphs that one sandbox may have computed.
#[derive(Clone)]
pub struct Grant {
    inference: Arc<Inference>,
    graphs: Arc<[String]>,
    rate: Rate,
    ticket: Arc<Ticket>,
    used: Arc<Meter>,
}

impl Inference {
    /// Computes these graphs from the files `<graph>.onnx` of a folder. Each is opened at its first use.
    ///
    /// # Errors
    /// When `engine` asks for ONNX Runtime, and its library cannot be loaded from that folder.
    pub fn from_folder<'a>(
        folder: &Path,
        graphs: impl IntoIterator<Item = &'a str>,
        threads: usize,
        engine: InferenceEngine,
        accelerator: Accelerator,
    ) -> anyhow::Result<Self> {
        let graphs: Vec<_> = graphs.into_iter().collect();
        let origin = Origin {
            folder: folder.to_owned(),
            graphs: graphs.iter().map(|graph| (*graph).to_owned()).collect(),
            threads,
            accelerator,
        };
        // Half of the work would be done before it showed that the other half cannot be: so there are none of these.
        let computable = graphs.into_iter().filter(|graph| !BEYOND_RTEN.contains(graph));
        let built_in = Engine::new(Catalog::of_folder(folder, computable)).with_threads(threads);
        let engine = match engine {
            InferenceEngine::Rten => built_in,
            InferenceEngine::OnnxRuntime => match origin.with_library() {
                Ok(engine) => engine,
                Err(reason) => bail!("`inference_engine` is onnxruntime, and its library cannot be loaded: {reason}"),
            },
            InferenceEngine::Auto => match origin.with_library() {
                Ok(engine) => engine,
                Err(reason) => {
                    tracing::info!(
                        reason,
                        "models are computed by rten, because ONNX Runtime cannot be loaded"
                    );
                    built_in
                }
            },
        };
        tracing::debug!(engine = engine.name(), "inference");
        Ok(Self {
            origin: Some(origin),
            ..Self::new(engine)
        })
    }

    /// Takes ONNX Runtime from now on, whose library has come into the folder since the start. What is computed ends with
    /// the engine that it began with.
    ///
    /// # Errors
    /// When the library cannot be loaded.
    pub fn take_library(&self) -> Result<(), String> {
        let Some(origin) = &self.origin else { return Ok(()) };
        self.engine.store(Arc::new(origin.with_library()?));
        Ok(())
    }

    /// The engine for people: with the graphics processors' interface that computes, where one does.
    pub fn describe(&self) -> String {
        let engine = self.engine.load();
        match engine.accelerator() {
            Some(accelerator) => format!("{} with {accelerator}", engine.name()),
            None => engine.name().to_owned(),
        }
    }

    /// Computes the graphs of an engine.
    pub fn new(engine: Engine) -> Self {
        Self {
            engine: ArcSwap::from_pointee(engine),
            origin: None,
            turns: Arc::default(),
            logged: Mutex::default(),
        }
    }

    /// Returns true at the first time that it is asked about an error.
    fn is_news(&self, error: &GraphError) -> bool {
        // Nothing panics while it is locked.
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        logged.len() >= LOGGED_ERRORS || logged.insert(error.to_string())
    }

    /// The graphs that a capability may use and whose files are not there.
    pub fn missing(&self) -> Vec<String> {
        self.engine.load().missing().map(str::to_owned).collect()
    }

    /// Permission for a sandbox to have `graphs` computed for a client. A second of it costs what a budget has for a second.
    pub fn grant(self: &Arc<Self>, graphs: Arc<[String]>, rate: Rate, user: User, used: Arc<Meter>) -> Grant {
        Grant {
            inference: Arc::clone(self),
            graphs,
            rate,
            ticket: Arc::new(self.turns.ticket(user)),
            used,
        }
    }

    /// Waits for its turn and computes a graph; also returns the time that it took, without the waiting.
    async fn run(
        &self,
        ticket: &Arc<Ticket>,
        graph: String,
        inputs: Vec<NamedTensor>,
        outputs: Vec<String>,
    ) -> wasmtime::Result<(Result<Vec<NamedTensor>, GraphError>, Duration)> {
        // Before the queue, so that nothing larger than allowed waits in it.
        let engine = self.engine.load_full();
        if let Err(error) = engine.check_size(&graph, &inputs) {
            return Ok((Err(error), Duration::ZERO));
        }
        let turn = self.turns.wait(ticket).await;
        let (ticket, turns) = (Arc::clone(ticket), Arc::clone(&self.turns));
        let computed = tokio::task::spawn_blocking(move || {
            let outputs: Vec<_> = outputs.iter().map(String::as_str).collect();
            let started = Instant::now();
            let result = engine.run(&graph, inputs, &outputs);
            let took = started.elapsed();
            turns.used(&ticket, took);
            // Held until here even when nobody waits for the answer any more.
            drop(turn);
            native_memory::give_back();
            (result, took)
        });
        Ok(computed.await?)
    }
}

impl Origin {
    fn with_library(&self) -> Result<Engine, String> {
        let library = self.library()?;
        let catalog = Catalog::of_folder(&self.folder, self.graphs.iter().map(String::as_str));
        let engine = Engine::new(catalog).with_threads(self.threads).keeping(&KEPT_BY_RTEN);
        Ok(engine.with_library(library))
    }

    /// The library: as it was built for CUDA where it is there and may compute.
    fn library(&self) -> Result<Library, String> {
        let for_cuda = self.folder.join(onnxruntime::CUDA_FILE);
        let may_compute = matches!(self.accelerator, Accelerator::Auto | Accelerator::Cuda);
        if !may_compute || !for_cuda.is_file() {
            if self.accelerator == Accelerator::Cuda {
                let file = for_cuda.display();
                tracing::warn!(%file, "graphs are computed by the processor; `quartet models get` gets what computes them with CUDA");
            }
            return Library::load(&self.folder.join(onnxruntime::FILE), self.threads);
        }
        let library = match Library::load(&for_cuda, self.threads) {
            Ok(library) => library,
            Err(reason) => {
                tracing::warn!(
                    reason,
                    "graphs are computed by the processor, because the library for CUDA cannot be loaded"
                );
                return Library::load(&self.folder.join(onnxruntime::FILE), self.threads);
            }
        };
        match library.clone().with_cuda(refused_by_cuda) {
            Ok(library) => Ok(library),
            Err(reason) => {
                tracing::warn!(
                    reason,
                    "graphs are computed by the processor, because CUDA cannot be used"
                );
                Ok(library)
            }
        }
    }
}

fn refused_by_cuda(graph: &str, reason: &str) {
    tracing::warn!(graph, reason, "CUDA does not take a graph; the processor computes it");
}

/// A sandbox that may have graphs computed.
pub trait InferenceView {
    /// The graphs that it may have computed; `None` for none.
    fn inference(&self) -> Option<&Grant>;
}

/// Makes the interface known to a linker.
///
/// # Errors
/// When it is known to it already.
pub fn add_to_linker<T: InferenceView + Send + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    let mut instance = linker.instance(VERSIONED_INTERFACE)?;
    instance.func_wrap_async(
        "run",
        |store: StoreContextMut<'_, T>, (graph, inputs, outputs): (String, Vec<types::NamedTensor>, Vec<String>)| {
            Box::new(async move { Ok((run(store, graph, inputs, outputs).await?,)) })
        },
    )
}

/// The outputs, or an error for the component.
type Answer = Result<Vec<types::NamedTensor>, types::Error>;

async fn run<T: InferenceView>(
    mut store: StoreContextMut<'_, T>,
    graph: String,
    inputs: Vec<types::NamedTensor>,
    outputs: Vec<String>,
) -> wasmtime::Result<Answer> {
    let grant = store.data().inference().cloned();
    let Some(grant) = grant.filter(|grant| grant.graphs.contains(&graph)) else {
        return Ok(Err(types::Error::UnknownGraph(graph)));
    };
    let inputs = match inputs.into_iter().map(TryInto::try_into).collect() {
        Ok(inputs) => inputs,
        Err(error) => return Ok(Err(error)),
    };
    let (result, took) = {
        let _awaited = grant.used.awaits_graph();
        grant.inference.run(&grant.ticket, graph, inputs, outputs).await?
    };
    grant.used.worked(took);
    charge(&mut store, grant.rate.budget(took))?;
    Ok(match result {
        Ok(outputs) => outputs.into_iter().map(types::NamedTensor::try_from).collect(),
        Err(error) => {
            if matches!(error, GraphError::Missing { .. } | GraphError::Failed(_)) && grant.inference.is_news(&error) {
                tracing::warn!(%error, "inference");
            }
            Err(error.into())
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::capabilities::Capabilities;

    #[test]
    fn every_graph_of_a_capability_is_a_model() {
        let table: toml::Table = include_str!("../../../../models.toml").parse().expect("a table");
        let models = table["model"].as_array().expect("a list");
        let names: Vec<_> = models.iter().filter_map(|model| model["name"].as_str()).collect();
        for capability in Capabilities::embedded().expect("four files").iter() {
            for graph in capability.graphs.iter() {
                assert!(names.contains(&graph.as_str()), "{graph}");
            }
        }
    }
}
