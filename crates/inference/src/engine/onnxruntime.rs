//! Graphs computed by ONNX Runtime, whose shared library is loaded when the program runs.
//!
//! All graphs share one pool of threads, which sleep when there is nothing to do. Each has its arena of memory, which is given
//! back after every run: without an arena the sound of eight seconds takes 1.7 GB at most instead of 0.4, and an arena that is
//! kept is as large as the largest run. Builds of the library's publisher since 1.29 report each program that loads them, with
//! a lasting number for the machine, unless [`NO_TELEMETRY`] is set before. A fault inside the library ends the process, which no
//! `catch_unwind` holds back; so it is given our own graphs only, and tensors that were checked.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::{Environment, GlobalThreadPoolOptions};
use ort::ep;
use ort::logging::LogLevel;
use ort::session::{RunOptions, SessionInputValue, SessionInputs};
use ort::value::{DynValue, Tensor as OrtTensor, TensorElementType, ValueType};

use super::catalog::Source;
use super::signature::{Element, Input, Signature};
use crate::graphs::GraphError;
use crate::tensor::{Data, ElementType, Tensor};

/// Variable of the environment, and its value, with which the library makes no number for the machine, keeps no file of
/// events and sends none; it is read once, when the library starts. The interface's own switch comes too late for the
/// event of the start. Source: pull request 27379 of `microsoft/onnxruntime`.
pub const NO_TELEMETRY: (&str, &str) = ("ORT_DISABLE_TELEMETRY", "1");

/// The library's file in the folder of the models.
pub const FILE: &str = "libonnxruntime.so";

/// The same library as it was built for CUDA; its provider lies beside it under the publisher's names.
pub const CUDA_FILE: &str = "libonnxruntime-cuda.so";

/// The library, loaded. There is one in a process: once one was, loading gives that one, whichever is asked for.
#[derive(Debug, Clone)]
pub struct Library {
    environment: Environment,
    /// Present where CUDA computes; told of a graph that it does not take, and why, which the processor computes then.
    cuda: Option<fn(&str, &str)>,
}

/// The library that was loaded.
static LOADED: Mutex<Option<Library>> = Mutex::new(None);

impl Library {
    /// Loads the library of this path, with `threads` for all graphs together; zero takes one for each processor.
    ///
    /// # Errors
    /// A sentence for the operator, when there is no such file, or it is no library of this machine or too old, or
    /// [`NO_TELEMETRY`] is not set.
    pub fn load(path: &Path, threads: usize) -> Result<Self, String> {
        let (name, value) = NO_TELEMETRY;
        if std::env::var_os(name).is_none_or(|found| found != value) {
            return Err(format!(
                "{name} is not {value}: the library would report to its publisher"
            ));
        }
        let load = || -> Result<Environment, String> {
            let builder = ort::init_from(found(path)?).map_err(|error| error.to_string())?;
            let threads = GlobalThreadPoolOptions::default()
                .with_intra_threads(threads)
                .and_then(|options| options.with_inter_threads(1))
                .and_then(|options| options.with_spin_control(false));
            let threads = threads.map_err(|error| error.to_string())?;
            let builder = builder
                .with_name("quartet")
                .with_telemetry(false)
                .with_global_thread_pool(threads);
            let environment = builder.build().map_err(|error| error.to_string())?;
            // What goes wrong is returned, and a log has a form that the library does not know.
            environment.set_log_level(LogLevel::Fatal);
            Ok(environment)
        };
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = loaded.as_ref() {
            return Ok(library.clone());
        }
        let library = Self {
            environment: load()?,
            cuda: None,
        };
        Ok(loaded.insert(library).clone())
    }

    /// The same library, which computes with CUDA. `refused` is told of each graph that CUDA does not take, and why; the processor
    /// computes these.
    ///
    /// # Errors
    /// A sentence for the operator, when the library was not built for CUDA, its provider, CUDA's own libraries or a graphics
    /// processor are not there.
    pub fn with_cuda(self, refused: fn(&str, &str)) -> Result<Self, String> {
        let library = Self {
            cuda: Some(refused),
            ..self
        };
        // Whether there is a processor shows with the first session.
        match library.session(SMALLEST_GRAPH, true) {
            Ok(_) => Ok(library),
            Err(error) => Err(error.to_string()),
        }
    }

    /// True if CUDA computes.
    pub(super) const fn has_cuda(&self) -> bool {
        self.cuda.is_some()
    }

    /// Reads a graph and makes it ready.
    pub(super) fn open(&self, name: &str, source: &Source) -> Result<(Signature, Session), GraphError> {
        let read;
        let bytes = match source {
            Source::File(_) => {
                read = source.read(name)?;
                &read
            }
            Source::Bytes(bytes) => *bytes,
        };
        let accelerated = self.cuda.and_then(|refused| {
            let session = self.session(bytes, true);
            session.inspect_err(|error| refused(name, &error.to_string())).ok()
        });
        let is_accelerated = accelerated.is_some();
        let session = accelerated.map_or_else(|| self.session(bytes, false), Ok);
        let session = session
            .map_err(|error| GraphError::Failed(format!("`{name}` is no graph that can be computed: {error}")))?;
        let signature = Signature {
            inputs: session.inputs().iter().map(input).collect(),
            outputs: session
                .outputs()
                .iter()
                .map(|output| output.name().to_owned())
                .collect(),
        };
        let session = Session {
            session: Mutex::new(session),
            is_accelerated,
        };
        Ok((signature, session))
    }

    fn session(&self, bytes: &[u8], accelerated: bool) -> Result<ort::session::Session, ort::Error> {
        let memory = ep::CPU::default().with_arena_allocator(true).build();
        // Graphs get pictures and texts of every size, and trying all ways to compute one is worth it only for a size that comes again.
        let cuda = ep::CUDA::default()
            .with_conv_algorithm_search(ep::cuda::ConvAlgorithmSearch::Heuristic)
            .with_arena_extend_strategy(ep::ArenaExtendStrategy::SameAsRequested)
            .build()
            .error_on_failure();
        let providers = accelerated.then_some(cuda).into_iter().chain([memory]);
        let mut builder = ort::session::Session::builder(&self.environment)?
            .with_execution_providers(providers.collect::<Vec<_>>())?
            .with_memory_pattern(false)?
            .with_log_level(LogLevel::Fatal)?;
        if !multiplies_signed_bytes() {
            builder = builder.with_config_entry("session.x64quantprecision", "1")?;
        }
        builder.commit_from_memory(bytes)
    }
}

/// False on processors whose products of bytes with a sign the library adds up in 16 bits, which do not hold them: those of x86
/// without VNNI. There it is told to take such weights as bytes without a sign, which gives the same sums more slowly. It is told only
/// there, because it would do so on every processor of x86. Source: `MlasPlatformU8S8Overflow` and
/// `kOrtSessionOptionsAvx2PrecisionMode` of `microsoft/onnxruntime`.
fn multiplies_signed_bytes() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx512vnni") || std::arch::is_x86_feature_detected!("avxvnni");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

/// An ONNX file of version 8, with operators of version 17, whose graph gives its input back: `y` is `x`, a vector of one float.
pub(super) const SMALLEST_GRAPH: &[u8] = b"\x08\x08B\x02\x10\x11:7\n\x10\n\x01x\x12\x01y\"\x08Identity\x12\x01g\
    Z\x0f\n\x01x\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01b\x0f\n\x01y\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01";

/// The whole path of the library. One that is not there would be looked for beside the program and in the system's folders.
pub(super) fn found(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize()
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// An open graph. One run at a time: the bindings ask for it.
pub struct Session {
    session: Mutex<ort::session::Session>,
    /// True if CUDA computes it.
    is_accelerated: bool,
}

impl Session {
    /// Computes the outputs of these indices.
    pub(super) fn run(
        &self,
        graph: &str,
        inputs: Vec<(usize, Tensor)>,
        wanted: &[usize],
    ) -> Result<Vec<Tensor>, GraphError> {
        // A panic elsewhere leaves a session that is whole: runs change nothing in it.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values = Vec::with_capacity(inputs.len());
        for (index, tensor) in inputs {
            let input = &session.inputs()[index];
            let value = value(input.dtype(), tensor).map_err(|error| {
                GraphError::InvalidInput(format!("the input `{}` of `{graph}`: {error}", input.name()))
            })?;
            values.push((input.name().to_owned().into(), SessionInputValue::from(value)));
        }
        let names: Vec<_> = session
            .outputs()
            .iter()
            .map(|output| output.name().to_owned())
            .collect();
        let options = options().map_err(|error| GraphError::Failed(format!("`{graph}`: {error}")))?;
        // What the library finds wrong in a run are shapes that only its operators know; with CUDA it may also be its memory.
        let wrong = match self.is_accelerated {
            true => GraphError::Failed,
            false => GraphError::InvalidInput,
        };
        let outputs = session
            .run_with_options(SessionInputs::<0>::ValueMap(values), &options)
            .map_err(|error| wrong(format!("`{graph}` cannot compute it: {error}")))?;
        let one = |index: &usize| {
            let output = outputs.get(&names[*index]);
            let output = output.ok_or_else(|| GraphError::Failed(format!("`{graph}` gave no `{}`", names[*index])))?;
            tensor(output).map_err(|reason| GraphError::Failed(format!("an output of `{graph}`: {reason}")))
        };
        wanted.iter().map(one).collect()
    }
}

/// Options of a run: what its arena has taken is given back when it is over.
fn options() -> Result<RunOptions, ort::Error> {
    let mut options = RunOptions::new()?;
    options.set("memory.enable_memory_arena_shrinkage", "cpu:0")?;
    Ok(options)
}

fn input(outlet: &ort::value::Outlet) -> Input {
    let (element, shape) = match outlet.dtype() {
        ValueType::Tensor { ty, shape, .. } => {
            // A negative size stands for any.
            let sizes = shape.iter().map(|size| usize::try_from(*size).ok());
            (element(*ty), Some(sizes.collect()))
        }
        _ => (Element::Other, None),
    };
    Input {
        name: outlet.name().to_owned(),
        element: Some(element),
        shape,
    }
}

const fn element(ty: TensorElementType) -> Element {
    match ty {
        TensorElementType::Float32 => Element::Known(ElementType::F32),
        TensorElementType::Int64 => Element::Known(ElementType::I64),
        TensorElementType::Int32 | TensorElementType::Bool => Element::Known(ElementType::I32),
        TensorElementType::Uint8 => Element::Known(ElementType::U8),
        TensorElementType::Int8 => Element::Known(ElementType::I8),
        _ => Element::Other,
    }
}

/// The library's value of a tensor, without a copy but where an integer has another width in the graph.
fn value(declared: &ValueType, tensor: Tensor) -> Result<DynValue, ort::Error> {
    let (shape, data) = tensor.into_parts();
    let declared = match declared {
        ValueType::Tensor { ty, .. } => *ty,
        _ => TensorElementType::Undefined,
    };
    let dyn_value = match (data, declared) {
        (Data::F32(elements), _) => OrtTensor::from_array((shape, elements))?.into_dyn(),
        (Data::U8(elements), _) => OrtTensor::from_array((shape, elements))?.into_dyn(),
        (Data::I8(elements), _) => OrtTensor::from_array((shape, elements))?.into_dyn(),
        (Data::I32(elements), TensorElementType::Int64) => {
            let wide: Vec<i64> = elements.into_iter().map(i64::from).collect();
            OrtTensor::from_array((shape, wide))?.into_dyn()
        }
        (Data::I32(elements), TensorElementType::Bool) => {
            let flags: Vec<bool> = elements.into_iter().map(|element| element != 0).collect();
            OrtTensor::from_array((shape, flags))?.into_dyn()
        }
        (Data::I32(elements), _) => OrtTensor::from_array((shape, elements))?.into_dyn(),
        (Data::I64(elements), TensorElementType::Bool) => {
            let flags: Vec<bool> = elements.into_iter().map(|element| element != 0).collect();
            OrtTensor::from_array((shape, flags))?.into_dyn()
        }
        (Data::I64(elements), TensorElementType::Int32) => {
            // They were found to fit.
            let narrow: Vec<i32> = elements.into_iter().map(|element| element as i32).collect();
            OrtTensor::from_array((shape, narrow))?.into_dyn()
        }
        (Data::I64(elements), _) => OrtTensor::from_array((shape, elements))?.into_dyn(),
    };
    Ok(dyn_value)
}

/// A tensor of the library's value: integers with 32 bits, as the other engine gives them.
fn tensor(value: &DynValue) -> Result<Tensor, String> {
    let ValueType::Tensor { ty, shape, .. } = value.dtype() else {
        return Err("it is no tensor".to_owned());
    };
    let shape: Vec<_> = shape
        .iter()
        .map(|size| usize::try_from(*size).map_err(|_| "it has a dimension without a size".to_owned()))
        .collect::<Result<_, _>>()?;
    let words = |error: ort::Error| error.to_string();
    let data = match ty {
        TensorElementType::Float32 => Data::F32(value.try_extract_tensor::<f32>().map_err(words)?.1.to_vec()),
        TensorElementType::Int32 => Data::I32(value.try_extract_tensor::<i32>().map_err(words)?.1.to_vec()),
        TensorElementType::Uint8 => Data::U8(value.try_extract_tensor::<u8>().map_err(words)?.1.to_vec()),
        TensorElementType::Int8 => Data::I8(value.try_extract_tensor::<i8>().map_err(words)?.1.to_vec()),
        TensorElementType::Bool => {
            let flags = value.try_extract_tensor::<bool>().map_err(words)?.1;
            Data::I32(flags.iter().copied().map(i32::from).collect())
        }
        TensorElementType::Int64 => {
            let wide = value.try_extract_tensor::<i64>().map_err(words)?.1;
            let narrow = wide
                .iter()
                .map(|element| i32::try_from(*element))
                .collect::<Result<_, _>>();
            Data::I32(narrow.map_err(|_| "it has integers of more than 32 bits".to_owned())?)
        }
        other => return Err(format!("its elements are {other:?}")),
    };
    Tensor::new(shape, data).map_err(|error| error.to_string())
}
