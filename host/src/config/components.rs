//! The settings of components: where they are, what runs them, and what computes models for them.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgAction, Args};
use quartet_llm_engine::protocol::Accelerator;

use super::parse::{one_of, positive, switch, threads};

/// Components, their compiled code, and their models.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Components and models")]
pub struct Components {
    /// Folder with the components, such as tts.wasm; where there is none of this name, that of the installed program.
    #[arg(long, value_parser = PathBuf::from_str, default_value = "components")]
    pub components: PathBuf,
    /// Folder for the versions that were swapped in, which the next start serves for as long as the component below is the same; by
    /// default they are written into the folder of the components.
    #[arg(long)]
    pub component_versions: Option<PathBuf>,
    /// File with the public key, in PEM, of whoever signs components: `quartet swap` and `quartet canary` take from a registry only
    /// what is signed with it, as `cosign sign --key` signs; by default no signature is asked for.
    #[arg(long)]
    pub component_key: Option<PathBuf>,
    /// TOML file with capabilities of your own beside tts, image, pdf and chat; docs/write-a-component.md says how.
    #[arg(long)]
    pub capabilities: Option<PathBuf>,
    /// Take a new version when a file in the folder of the components is replaced.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    pub watch: bool,
    /// Folder for what is computed once: compiled components, and what the language model has read of its instructions (up to 512 MB
    /// per model); by default quartet/compiled in the user's cache folder.
    #[arg(long)]
    pub cache: PathBuf,
    /// Threads that run components; 0 takes one for each processor.
    #[arg(long, value_parser = threads, default_value = "0")]
    pub workers: usize,
    /// Memory for what requests need in their sandboxes, all together; by default what the machine, or the control group that
    /// the service runs in, leaves beside the models and the host.
    #[arg(long, value_name = "bytes", value_parser = positive::<usize>)]
    pub memory_budget: usize,
    /// Folder with the models, such as ocr-detection.onnx; where there is none of this name and the program is installed,
    /// quartet/models in the user's data folder.
    #[arg(long, value_parser = PathBuf::from_str, default_value = "models")]
    pub models: PathBuf,
    /// Fetch no models while serving; a mirror that `models_mirror` names is asked all the same. Without it, what is missing of
    /// the models that these settings need is fetched into the folder of the models, from their publishers.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "false")]
    pub offline: bool,
    /// Mirror that is asked for models before their publishers: an address or a folder in which the files lie by their names in
    /// models.toml, or by their SHA-256.
    #[arg(long)]
    pub models_mirror: Option<String>,
    /// Threads that compute a model; 0 takes one for each processor.
    #[arg(long, value_parser = threads, default_value = "0")]
    pub inference_threads: usize,
    /// Engine that computes models: onnxruntime, whose library lies in the folder of the models; rten, which is built in; or auto:
    /// onnxruntime where its library is there and loads.
    #[arg(long, value_parser = one_of(INFERENCE_ENGINES), default_value = "auto")]
    pub inference_engine: InferenceEngine,
    /// Graphics processors that compute models: auto, none, cuda or vulkan. auto takes those of CUDA, and for the language model
    /// those of Vulkan where there are none. It takes an engine that was built for them; see docs/accelerators.md.
    #[arg(long, value_parser = one_of(Accelerator::NAMES), default_value = "auto")]
    pub accelerator: Accelerator,
}

/// An engine for models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InferenceEngine {
    /// ONNX Runtime where it is there, rten otherwise.
    Auto,
    /// ONNX Runtime or nothing.
    OnnxRuntime,
    /// The one that is built in.
    Rten,
}

const INFERENCE_ENGINES: &[(&str, InferenceEngine)] = &[
    ("auto", InferenceEngine::Auto),
    ("onnxruntime", InferenceEngine::OnnxRuntime),
    ("rten", InferenceEngine::Rten),
];
