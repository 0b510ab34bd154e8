//! The settings of components: where they are, what runs them, and what computes models for them.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgAction, Args};

use super::parse::{switch, threads};

/// Components, their compiled code, and their models.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Components and models")]
pub struct Components {
    /// Folder with the components, such as tts.wasm.
    #[arg(long, value_parser = PathBuf::from_str, default_value = "components")]
    pub components: PathBuf,
    /// TOML file with capabilities of your own beside tts, image, pdf and chat; docs/write-a-component.md says how.
    #[arg(long)]
    pub capabilities: Option<PathBuf>,
    /// Take a new version when a file in the folder of the components is replaced.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    pub watch: bool,
    /// Folder for compiled components; by default quartet/compiled in the user's cache folder.
    #[arg(long)]
    pub cache: PathBuf,
    /// Threads that run components; 0 takes one for each processor.
    #[arg(long, value_parser = threads, default_value = "0")]
    pub workers: usize,
    /// Folder with the models, such as ocr-detection.onnx.
    #[arg(long, value_parser = PathBuf::from_str, default_value = "models")]
    pub models: PathBuf,
    /// Threads that compute a model; 0 takes one for each processor.
    #[arg(long, value_parser = threads, default_value = "0")]
    pub inference_threads: usize,
}
