//! The life of the engine's process.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc;

use super::accelerator;
use super::prompt_cache::{self, PromptCache};
use super::{Settings, confine};
use crate::protocol::{Accelerator, Command, Confinement, Event};

/// Unix niceness relative to the host's threads that accept, read and write: the same as the guests'.
const NICENESS: i32 = 5;

/// `oom_score_adj`: when memory is short the engine goes first, and the host goes on without it.
const OOM_SCORE: &str = "500";

/// Reads the arguments, then commands from standard input until it ends; says events on standard output.
///
/// # Errors
/// When the arguments are wrong or the model cannot be used, which is said as an event, too.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let (settings, prompt_caches) = settings(arguments)?;
    // Where these may not be changed, it computes all the same.
    let _ = rustix::process::nice(NICENESS);
    let _ = std::fs::write("/proc/self/oom_score_adj", OOM_SCORE);
    // Its memory is what people say, and is written to no disk.
    let none = rustix::process::Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
    let prompt_cache = prompt_caches.map(|(written, new)| PromptCache::open(&written, &new, &settings.model));
    let prompt_cache = prompt_cache.transpose().unwrap_or_else(|error| {
        eprintln!("there is no prompt cache: {error}");
        None
    });
    let most = rustix::process::Rlimit {
        current: Some(prompt_cache::MAX_BYTES * 2),
        maximum: Some(prompt_cache::MAX_BYTES * 2),
    };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Fsize, most);
    let may_accelerate = accelerator::COMPILED && settings.accelerator != Accelerator::None;
    // Before there is a second thread: Landlock holds a thread and those that it starts. So the model's file, which anybody
    // may have made, is read under it already.
    let landlock = confine::files(&settings.model, may_accelerate).err();
    let mut say = |event: Event| {
        let mut output = std::io::stdout().lock();
        let line = serde_json::to_string(&event).unwrap_or_default();
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            // Nobody listens any more.
            std::process::exit(0);
        }
    };
    if let Err(missing) = processor() {
        say(Event::Broken {
            reason: missing.clone(),
        });
        return Err(missing);
    }
    let (sender, commands) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            match serde_json::from_str::<Command>(&line) {
                Ok(command) => {
                    if sender.send(command).is_err() {
                        break;
                    }
                }
                Err(error) => eprintln!("what the host says cannot be read: {error}"),
            }
        }
        // The host is gone, or wants the memory back; what is being computed is for nobody.
        std::process::exit(0);
    });
    let confine = |is_accelerated| Confinement {
        landlock,
        seccomp: confine::calls(is_accelerated).err(),
    };
    super::run(
        &settings,
        prompt_cache.unwrap_or_default(),
        &commands,
        confine,
        &mut say,
    )
    .inspect_err(|reason| {
        say(Event::Broken { reason: reason.clone() });
    })
}

/// Checks that this processor has what llama.cpp was compiled for: it would die of an instruction that it does not know.
fn processor() -> Result<(), String> {
    #[cfg(target_arch = "x86_64")]
    {
        use llama_cpp_sys_2 as llama;
        // SAFETY: each returns a constant of the compilation.
        let compiled = unsafe {
            [
                llama::ggml_cpu_has_avx2(),
                llama::ggml_cpu_has_fma(),
                llama::ggml_cpu_has_f16c(),
                llama::ggml_cpu_has_bmi2(),
                llama::ggml_cpu_has_avx512(),
                llama::ggml_cpu_has_avx512_vbmi(),
                llama::ggml_cpu_has_avx512_vnni(),
                llama::ggml_cpu_has_avx512_bf16(),
            ]
        };
        let known = [
            ("AVX2", is_x86_feature_detected!("avx2")),
            ("FMA", is_x86_feature_detected!("fma")),
            ("F16C", is_x86_feature_detected!("f16c")),
            ("BMI2", is_x86_feature_detected!("bmi2")),
            (
                "AVX512",
                is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl"),
            ),
            ("AVX512-VBMI", is_x86_feature_detected!("avx512vbmi")),
            ("AVX512-VNNI", is_x86_feature_detected!("avx512vnni")),
            ("AVX512-BF16", is_x86_feature_detected!("avx512bf16")),
        ];
        let lacking = compiled
            .iter()
            .zip(known)
            .find(|(compiled, (_, known))| **compiled != 0 && !known);
        if let Some((_, (name, _))) = lacking {
            return Err(format!(
                "this processor has no {name}, for which the engine was compiled"
            ));
        }
        // SAFETY: as above.
        if unsafe { llama::ggml_cpu_has_amx_int8() } != 0 && !confine::allow_tiles() {
            return Err("this processor has no AMX, for which the engine was compiled, or the kernel lets this process not use it".to_owned());
        }
    }
    Ok(())
}

/// Files of the prompt cache: that of an earlier engine, and the one for this.
type PromptCaches = (PathBuf, PathBuf);

/// `MODEL CONTEXT SEQUENCES THREADS ACCELERATOR [CACHE NEW_CACHE]`
fn settings(mut arguments: impl Iterator<Item = OsString>) -> Result<(Settings, Option<PromptCaches>), String> {
    let model = arguments.next().map(PathBuf::from).ok_or("MODEL is missing")?;
    let mut number = |name: &str| {
        let given = arguments.next().and_then(|text| text.to_str()?.parse::<u32>().ok());
        given
            .filter(|number| *number > 0)
            .ok_or_else(|| format!("{name} is missing or no number above 0"))
    };
    let [context, sequences, threads] = [number("CONTEXT")?, number("SEQUENCES")?, number("THREADS")?];
    let accelerator = arguments.next().unwrap_or_default();
    let settings = Settings {
        model,
        context,
        sequences,
        threads,
        accelerator: Accelerator::named(&accelerator.to_string_lossy())
            .ok_or("ACCELERATOR is auto, none, cuda or vulkan")?,
    };
    let prompt_caches = match (arguments.next(), arguments.next()) {
        (None, _) => None,
        (Some(written), Some(new)) => Some((written.into(), new.into())),
        (Some(_), None) => return Err("NEW_CACHE is missing".to_owned()),
    };
    Ok((settings, prompt_caches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_all_needed() {
        let read = |arguments: &[&str]| settings(arguments.iter().map(OsString::from));
        let (right, caches) = read(&["a.gguf", "4096", "4", "2", "auto"]).unwrap();
        assert_eq!((right.context, right.sequences, right.threads), (4096, 4, 2));
        assert_eq!(right.accelerator, Accelerator::Auto);
        assert_eq!(caches, None);
        let (_, caches) = read(&["a.gguf", "4096", "4", "2", "none", "a", "b"]).unwrap();
        assert_eq!(caches, Some(("a".into(), "b".into())));
        for wrong in [
            &[][..],
            &["a.gguf", "4096", "0", "2", "auto"],
            &["a.gguf", "x", "4", "2", "auto"],
            &["a.gguf", "4096", "4"],
            &["a.gguf", "4096", "4", "2"],
            &["a.gguf", "4096", "4", "2", "gpu"],
            &["a.gguf", "4096", "4", "2", "auto", "a"],
        ] {
            assert!(read(wrong).is_err());
        }
    }
}
