//! Graphics processors that compute the model, where the engine was compiled for them (features `cuda` and `vulkan`).

use std::path::Path;
use std::pin::Pin;

use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LlamaBackendDevice, LlamaBackendDeviceType, list_llama_ggml_backend_devices};

use crate::protocol::Accelerator;

/// True if this engine was compiled for graphics processors.
pub const COMPILED: bool = cfg!(any(feature = "cuda", feature = "vulkan"));

impl Accelerator {
    /// The backends of llama.cpp, by its names for them: one that comes first is taken where both know a processor.
    const fn backends(self) -> &'static [&'static str] {
        match self {
            Self::Auto => &["CUDA", "Vulkan"],
            Self::None => &[],
            Self::Cuda => &["CUDA"],
            Self::Vulkan => &["Vulkan"],
        }
    }

    /// The processors to compute with, of those that are there: all of one backend. One that shares the machine's memory is
    /// taken only where there is no other, as llama.cpp does.
    fn choose(self, there: &[LlamaBackendDevice]) -> Vec<LlamaBackendDevice> {
        let of = |backend: &str, kind| {
            let chosen = there
                .iter()
                .filter(|device| device.backend == backend && device.device_type == kind);
            chosen.cloned().collect::<Vec<_>>()
        };
        let backends = self.backends().iter();
        let choices = backends.flat_map(|backend| {
            let shared = of(backend, LlamaBackendDeviceType::IntegratedGpu);
            [
                of(backend, LlamaBackendDeviceType::Gpu),
                shared.into_iter().take(1).collect(),
            ]
        });
        choices
            .into_iter()
            .find(|devices| !devices.is_empty())
            .unwrap_or_default()
    }
}

/// A model's place: parameters to load it with, and what computes it beside the processor.
pub struct Placed {
    /// Parameters to load the model with.
    pub parameters: Pin<Box<LlamaModelParams>>,
    /// The graphics processors, for people; none where the processor computes.
    pub accelerator: Option<String>,
}

/// Places a model on graphics processors: as much of it as their memory has room for, with a context of these parameters.
///
/// # Errors
/// When llama.cpp does not take the devices that it named itself.
pub fn place(accelerator: Accelerator, model: &Path, context: &LlamaContextParams) -> Result<Placed, String> {
    let devices = accelerator.choose(&list_llama_ggml_backend_devices());
    let numbers: Vec<_> = devices.iter().map(|device| device.index).collect();
    let on = |numbers: &[usize]| {
        let parameters = LlamaModelParams::default().with_devices(numbers);
        parameters.map(Box::pin).map_err(|error| error.to_string())
    };
    let none = || {
        Ok(Placed {
            // Named as none: llama.cpp takes all by itself.
            parameters: on(&[])?,
            accelerator: None,
        })
    };
    if devices.is_empty() {
        if let Accelerator::Cuda | Accelerator::Vulkan = accelerator {
            let reason = match COMPILED {
                true => "there is none of this kind, or the engine was built for another",
                false => "the engine was not built for any",
            };
            eprintln!("no graphics processor computes the model: {reason}");
        }
        return none();
    }
    let mut parameters = on(&numbers)?;
    if let Err(reason) = fit(parameters.as_mut(), model, context) {
        eprintln!("no graphics processor computes the model: {reason}");
        return none();
    }
    let names: Vec<_> = devices
        .iter()
        .map(|device| format!("{} ({})", device.description, device.backend))
        .collect();
    let layers = parameters.n_gpu_layers();
    // Below zero stands for all.
    let part = usize::try_from(layers).map(|layers| format!(", {layers} layers of the model"));
    Ok(Placed {
        parameters,
        accelerator: Some(format!("{}{}", names.join(", "), part.unwrap_or_default())),
    })
}

/// Bytes of a graphics processor's memory that are left to what else uses it.
#[cfg(any(feature = "cuda", feature = "vulkan"))]
const MARGIN: usize = 1024 * 1024 * 1024;

/// Takes as many layers as there is room for. By llama.cpp's own account, which loads the model without its weights.
#[cfg(any(feature = "cuda", feature = "vulkan"))]
fn fit(parameters: Pin<&mut LlamaModelParams>, model: &Path, context: &LlamaContextParams) -> Result<(), String> {
    let path = model.to_str().and_then(|path| std::ffi::CString::new(path).ok());
    let path = path.ok_or("the model's path is no text")?;
    let mut margins = vec![MARGIN; llama_cpp_2::max_devices()];
    // The context is given, and stays as it is.
    let mut context = context.clone();
    let tokens = context.n_ctx().map_or(0, std::num::NonZeroU32::get);
    let only_errors = llama_cpp_sys_2::GGML_LOG_LEVEL_ERROR;
    parameters
        .fit_params(&path, &mut context, &mut margins, tokens, only_errors)
        .map(drop)
        .map_err(|error| error.to_string())
}

#[cfg(not(any(feature = "cuda", feature = "vulkan")))]
fn fit(_: Pin<&mut LlamaModelParams>, _: &Path, _: &LlamaContextParams) -> Result<(), String> {
    Err("the engine was not compiled for it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(index: usize, backend: &str, device_type: LlamaBackendDeviceType) -> LlamaBackendDevice {
        LlamaBackendDevice {
            index,
            name: format!("{backend}{index}"),
            description: "a device".to_owned(),
            backend: backend.to_owned(),
            memory_total: 0,
            memory_free: 0,
            device_type,
        }
    }

    fn chosen(accelerator: &str, there: &[LlamaBackendDevice]) -> Vec<usize> {
        let accelerator = Accelerator::named(accelerator).unwrap();
        accelerator.choose(there).iter().map(|device| device.index).collect()
    }

    #[test]
    fn processors_of_one_backend_compute() {
        use LlamaBackendDeviceType::{Cpu, Gpu, IntegratedGpu};
        // A machine with two cards that both backends know, and a processor with graphics of its own.
        let there = [
            device(0, "Vulkan", Gpu),
            device(1, "Vulkan", Gpu),
            device(2, "Vulkan", IntegratedGpu),
            device(3, "CUDA", Gpu),
            device(4, "CUDA", Gpu),
            device(5, "CPU", Cpu),
        ];
        assert_eq!(chosen("auto", &there), [3, 4]);
        assert_eq!(chosen("cuda", &there), [3, 4]);
        assert_eq!(chosen("vulkan", &there), [0, 1]);
        assert!(chosen("none", &there).is_empty());
        // A notebook.
        let there = [device(0, "Vulkan", IntegratedGpu), device(1, "CPU", Cpu)];
        assert_eq!(chosen("auto", &there), [0]);
        assert!(chosen("cuda", &there).is_empty());
        assert!(chosen("auto", &[device(0, "CPU", Cpu)]).is_empty());
        assert!(Accelerator::named("gpu").is_none());
    }
}
