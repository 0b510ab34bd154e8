//! Tools that compile the engine of the language model: CMake and libclang, as packages of Python in the cache, so that
//! nothing has to be installed on the system; and for which processor.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::Result;
use quartet_llm_engine::processors::Processors;

use crate::project::Project;
use crate::{command, python};

/// The list of the packages.
const PACKAGES: &str = "xtask/src/setup/llama.txt";

/// Set to `portable`, the engine runs on every processor with AVX2; otherwise on those that have what this one has.
const PROCESSOR: &str = "QUARTET_PROCESSOR";

/// Options of llama.cpp for the instructions that every x86-64 processor with AVX2 has. It leaves them out by itself where
/// `SOURCE_DATE_EPOCH` is set, and reads prompts several times slower then.
const AVX2: [&str; 6] = [
    "GGML_SSE42",
    "GGML_AVX",
    "GGML_AVX2",
    "GGML_BMI2",
    "GGML_F16C",
    "GGML_FMA",
];

/// Options for further instructions; all of these or none, because processors have them together.
const AVX512: [&str; 4] = [
    "GGML_AVX512",
    "GGML_AVX512_VBMI",
    "GGML_AVX512_VNNI",
    "GGML_AVX512_BF16",
];

/// Options for Intel's tile registers (AMX), which multiply matrices of bytes; of Linux on processors that have all of the above.
const AMX: [&str; 2] = ["GGML_AMX_TILE", "GGML_AMX_INT8"];

/// Option for another layout of the weights, made when a model is loaded. llama.cpp's kernels for tiles of a matrix do not read it, and
/// with AVX-512 they read prompts 1.5 times as fast as those for this layout; with AVX2 alone, 0.9 times. The weights are then
/// the model's file, which is mapped.
const LAYOUT: &str = "GGML_CPU_REPACK";

/// Leaves llama.cpp's helpers for programs of its own out. The feature that stands for them cannot be turned off:
/// `llama-cpp-2` asks for the default features of `llama-cpp-sys-2`.
const INCLUDED: (&str, &str) = ("CMAKE_PROJECT_INCLUDE", "xtask/src/setup/llama.cmake");

/// The variables under which llama.cpp is compiled.
pub struct Tools(Vec<(&'static str, PathBuf)>);

impl Tools {
    /// The same for other processors, whatever this one has.
    pub fn for_processors(mut self, processors: Processors) -> Self {
        let is_other = |name: &&str| !AVX512.contains(name) && !AMX.contains(name) && *name != LAYOUT;
        self.0.retain(|(name, _)| is_other(name));
        self.0.extend(options(Some(processors)));
        self
    }

    /// The same with what says how much of a model a graphics processor has room for.
    pub fn for_accelerator(mut self, accelerator: Accelerator) -> Self {
        self.0
            .push(("QUARTET_LLAMA_COMMON", PathBuf::from(accelerator.feature())));
        self
    }

    /// Sets the variables for `command`.
    pub fn name_in(&self, command: &mut Command) {
        command.envs(self.0.iter().map(|(name, value)| (name, value)));
    }
}

/// The variables of what not all of x86-64 have; none of it for all.
fn options(processors: Option<Processors>) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let options = |names: &'static [&str], has: bool| {
        let value = if has { "ON" } else { "OFF" };
        names.iter().map(move |name| (*name, PathBuf::from(value)))
    };
    options(&AVX512, processors.is_some())
        .chain(options(&AMX, processors == Some(Processors::Amx)))
        .chain(options(&[LAYOUT], processors.is_none()))
}

/// Backends of llama.cpp for graphics processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Accelerator {
    /// NVIDIA's. Needs CUDA's compiler and libraries.
    Cuda,
    /// Those of all makers. Needs Vulkan's headers and loader, SPIR-V's headers, and `glslc`.
    Vulkan,
}

impl Accelerator {
    /// The feature of the engine's crate.
    pub const fn feature(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::Vulkan => "vulkan",
        }
    }
}

/// Gets the tools.
///
/// # Errors
/// When Python or one of the packages cannot be had.
pub fn ensure(project: &Project) -> Result<Tools> {
    let cache = project.cache.join("llama");
    let list = project.root.join(PACKAGES);
    let python = python::environment(project, &cache, &list, "CMake and libclang, about 50 MB")?;
    let folder = command::output(
        project
            .command(&python)
            .args(["-c", "import clang.native, os; print(list(clang.native.__path__)[0])"]),
    )?;
    let cmake = python.with_file_name(format!("cmake{}", env::consts::EXE_SUFFIX));
    let mut variables = vec![("CMAKE", cmake), ("LIBCLANG_PATH", PathBuf::from(folder.trim_end()))];
    // The package has the library without the headers that belong to a compiler; the system's compiler has them.
    if let Ok(headers) = command::output(Command::new("cc").arg("-print-file-name=include"))
        && fs::metadata(headers.trim_end()).is_ok()
    {
        variables.push((
            "BINDGEN_EXTRA_CLANG_ARGS",
            format!("-isystem {}", headers.trim_end()).into(),
        ));
    }
    let like_this = || Processors::ALL.into_iter().find(|processors| processors.include_this());
    let processors = if is_portable() { None } else { like_this() };
    variables.push((INCLUDED.0, project.root.join(INCLUDED.1)));
    if env::consts::ARCH == "x86_64" {
        variables.extend(AVX2.map(|name| (name, PathBuf::from("ON"))));
    }
    variables.extend(options(processors));
    Ok(Tools(variables))
}

/// The target folder of the engine: llama.cpp is not configured again in one where it was for another processor.
pub fn target_folder(project: &Project) -> PathBuf {
    if is_portable() {
        project.target.join("portable")
    } else {
        project.target.clone()
    }
}

fn is_portable() -> bool {
    env::var(PROCESSOR).is_ok_and(|processor| processor == "portable")
}
