//! The engine: computes graphs with `rten`, natively on all cores and inside WebAssembly on one, or natively with ONNX
//! Runtime where its library is loaded ([`onnxruntime`]).
//!
//! A graph is opened at its first use, or ahead of it by [`Engine::open`], and stays open: its weights are in memory once,
//! however many ask for it. Names, types and shapes are checked here (`signature`), alike for both.

mod catalog;
#[cfg(feature = "onnxruntime")]
pub mod onnxruntime;
mod rten;
mod signature;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ::rten::ThreadPool;

pub use catalog::{Catalog, Source};

use crate::graphs::{GraphError, Graphs};
use crate::tensor::NamedTensor;
use signature::Signature;

/// Elements that all inputs of one run may have together, unless it is told otherwise: a picture of 1,600 × 1,600 in
/// three channels. What a run needs for itself is a multiple of its inputs, and so this bounds that, too.
pub const MAX_INPUT_ELEMENTS: usize = 1600 * 1600 * 3;

/// Graphs that are computed here.
pub struct Engine {
    graphs: BTreeMap<String, Graph>,
    threads: Option<Arc<ThreadPool>>,
    #[cfg(feature = "onnxruntime")]
    library: Option<onnxruntime::Library>,
    /// Graphs that rten computes even with the library.
    #[cfg(feature = "onnxruntime")]
    kept: &'static [&'static str],
    maximum_input_elements: usize,
}

/// One graph and where it comes from.
struct Graph {
    source: Source,
    model: OnceLock<Model>,
    /// The reason why the file is no graph that this engine computes. It is read once, however often it is asked for.
    unfit: OnceLock<String>,
    /// Held while the graph is opened, so that it is opened once.
    opening: Mutex<()>,
}

/// A graph that is open.
struct Model {
    signature: Signature,
    program: Program,
}

/// A graph as its engine has it.
enum Program {
    Rten(Box<::rten::Model>),
    #[cfg(feature = "onnxruntime")]
    OnnxRuntime(onnxruntime::Session),
}

impl Engine {
    /// An engine for the graphs of `catalog`, which opens none of them yet and computes with as many threads as there
    /// are cores.
    #[must_use]
    pub fn new(catalog: Catalog) -> Self {
        let graphs = catalog.into_iter().map(|(name, source)| {
            let graph = Graph {
                source,
                model: OnceLock::new(),
                unfit: OnceLock::new(),
                opening: Mutex::new(()),
            };
            (name, graph)
        });
        Self {
            graphs: graphs.collect(),
            threads: None,
            #[cfg(feature = "onnxruntime")]
            library: None,
            #[cfg(feature = "onnxruntime")]
            kept: &[],
            maximum_input_elements: MAX_INPUT_ELEMENTS,
        }
    }

    /// The same engine with its own `threads`, at least one.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = Some(Arc::new(ThreadPool::with_num_threads(threads.max(1))));
        self
    }

    /// The same engine with ONNX Runtime, which has threads of its own.
    #[cfg(feature = "onnxruntime")]
    #[must_use]
    pub fn with_library(mut self, library: onnxruntime::Library) -> Self {
        self.library = Some(library);
        self
    }

    /// The same engine, in which rten computes these graphs in any case.
    #[cfg(feature = "onnxruntime")]
    #[must_use]
    pub fn keeping(mut self, graphs: &'static [&'static str]) -> Self {
        self.kept = graphs;
        self
    }

    /// Name of what computes the graphs, as settings call it: `onnxruntime` or `rten`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        #[cfg(feature = "onnxruntime")]
        if self.library.is_some() {
            return "onnxruntime";
        }
        "rten"
    }

    /// Name of the graphics processors' interface that computes most graphs; none where the processor computes all.
    #[must_use]
    pub fn accelerator(&self) -> Option<&'static str> {
        #[cfg(feature = "onnxruntime")]
        if self.library.as_ref().is_some_and(onnxruntime::Library::has_cuda) {
            return Some("cuda");
        }
        None
    }

    /// The same engine with another limit on the elements of all inputs of one run.
    #[must_use]
    pub fn with_maximum_input_elements(mut self, elements: usize) -> Self {
        self.maximum_input_elements = elements;
        self
    }

    /// Returns true if there is a graph of this name, opened or not.
    #[must_use]
    pub fn knows(&self, graph: &str) -> bool {
        self.graphs.contains_key(graph)
    }

    /// The graphs that are not open and whose files are not there.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let missing = self
            .graphs
            .iter()
            .filter(|(_, graph)| graph.model.get().is_none() && !graph.source.is_there());
        missing.map(|(name, _)| name.as_str())
    }

    /// Opens a graph, so that the first run of it does not have to.
    ///
    /// # Errors
    /// When there is none of this name, its file is missing, or it is no graph that can be computed.
    pub fn open(&self, graph: &str) -> Result<(), GraphError> {
        self.model(graph).map(drop)
    }

    /// Checks that the inputs of a run are not larger than allowed, as every run does.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`] when they are.
    pub fn check_size(&self, graph: &str, inputs: &[NamedTensor]) -> Result<(), GraphError> {
        let elements: usize = inputs.iter().map(|input| input.tensor.data().len()).sum();
        if elements > self.maximum_input_elements {
            return Err(GraphError::TooLarge(format!(
                "the inputs of `{graph}` have {elements} elements; at most {} are allowed",
                self.maximum_input_elements
            )));
        }
        Ok(())
    }

    fn model(&self, name: &str) -> Result<&Model, GraphError> {
        let graph = self
            .graphs
            .get(name)
            .ok_or_else(|| GraphError::Unknown(name.to_owned()))?;
        if let Some(model) = graph.model.get() {
            return Ok(model);
        }
        let _opening = graph.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = graph.model.get() {
            return Ok(model);
        }
        if let Some(reason) = graph.unfit.get() {
            return Err(GraphError::Failed(reason.clone()));
        }
        match self.load(name, &graph.source) {
            Ok(model) => Ok(graph.model.get_or_init(|| model)),
            Err(error) => {
                if let GraphError::Failed(reason) = &error {
                    graph.unfit.get_or_init(|| reason.clone());
                }
                Err(error)
            }
        }
    }

    /// Reads a graph and makes it ready.
    fn load(&self, name: &str, source: &Source) -> Result<Model, GraphError> {
        #[cfg(feature = "onnxruntime")]
        if let Some(library) = &self.library
            && !self.kept.contains(&name)
        {
            let (signature, session) = library.open(name, source)?;
            return Ok(Model {
                signature,
                program: Program::OnnxRuntime(session),
            });
        }
        let (signature, program) = rten::open(name, source)?;
        Ok(Model {
            signature,
            program: Program::Rten(Box::new(program)),
        })
    }
}

impl Graphs for Engine {
    fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
        self.check_size(graph, &inputs)?;
        let model = self.model(graph)?;
        let wanted = model.signature.wanted(graph, outputs)?;
        let inputs = model.signature.bind(graph, inputs)?;
        let tensors = match &model.program {
            Program::Rten(program) => rten::run(graph, program, inputs, &wanted, self.threads.clone()),
            #[cfg(feature = "onnxruntime")]
            Program::OnnxRuntime(session) => session.run(graph, inputs, &wanted),
        }?;
        let names = wanted.into_iter().map(|index| model.signature.outputs[index].clone());
        Ok(names
            .zip(tensors)
            .map(|(name, tensor)| NamedTensor::new(name, tensor))
            .collect())
    }
}
